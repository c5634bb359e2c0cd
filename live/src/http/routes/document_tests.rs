//! Documents that the generator makes, as the service sends them.

use std::sync::Arc;

use feed::Clock;

use crate::testing::{Server, now, options, snapshot, with_site};
use crate::{Service, Store};

/// A store with documents in place of the generator's.
fn with_documents() -> Arc<Store> {
    Arc::new(Store::with_documents(snapshot(), |_| {
        let paths =
            ["v1/openapi.json", ".well-known/api-catalog", "api/mcp/server-card", ".well-known/ard.json"];
        paths.map(|path| (path.to_owned(), format!("{{\"of\":\"{path}\"}}").into())).into()
    }))
}

#[tokio::test]
async fn documents_are_served_with_the_headers_of_their_paths() {
    let server = Server::around(Service::new(with_documents(), Clock::frozen(now()), options())).await;
    let catalog = "public, max-age=300, stale-while-revalidate=300, stale-if-error=86400";
    for (path, media_type, cache_control, link) in [
        ("/v1/openapi.json", "application/json", catalog, None),
        ("/.well-known/ard.json", "application/json", catalog, None),
        ("/api/mcp/server-card", "application/mcp-server-card+json", "public, max-age=3600", None),
        (
            "/.well-known/api-catalog",
            "application/linkset+json; profile=\"https://www.rfc-editor.org/info/rfc9727\"",
            catalog,
            Some("</.well-known/api-catalog>; rel=\"api-catalog\""),
        ),
    ] {
        for method in ["GET", "HEAD"] {
            let reply = server.request(method, path, &[], "").await;
            assert_eq!(reply.status, 200, "{method} {path}");
            assert_eq!(reply.header("content-type"), Some(media_type), "{path}");
            assert_eq!(reply.header("cache-control"), Some(cache_control), "{path}");
            assert_eq!(reply.header("link"), link, "{path}");
            assert!(reply.header("etag").is_some(), "{path}");
            assert_eq!(reply.header("access-control-allow-origin"), Some("*"), "{path}");
            let body = if method == "GET" { format!("{{\"of\":\"{}\"}}", &path[1..]) } else { String::new() };
            assert_eq!(reply.body, body.as_bytes(), "{path}");
        }
    }
    for path in ["/v1/schemas/Nothing.json", "/.well-known/security.txt", "/v1/openapi"] {
        assert_eq!(server.get(path).await.status, 404, "{path}");
    }
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "the test needs a site")]
async fn files_of_a_site_come_before_documents_and_have_the_same_headers() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join(".well-known")).unwrap();
    std::fs::write(folder.path().join("index.html"), "<h1>Home</h1>").unwrap();
    std::fs::write(folder.path().join("index.md"), "# Home\n").unwrap();
    std::fs::write(folder.path().join(".well-known/api-catalog"), "{\"of\":\"site\"}").unwrap();
    let service = Service::new(with_documents(), Clock::frozen(now()), with_site(folder.path()));
    let server = Server::around(service).await;
    let catalog = server.get("/.well-known/api-catalog").await;
    assert_eq!(catalog.body, b"{\"of\":\"site\"}");
    assert!(catalog.header("content-type").unwrap().starts_with("application/linkset+json; profile="));
    assert_eq!(server.get("/v1/openapi.json").await.body, b"{\"of\":\"v1/openapi.json\"}");
    assert_eq!(server.get("/index.md").await.header("content-type"), Some("text/markdown; charset=utf-8"));
    let links = "</.well-known/api-catalog>; rel=\"api-catalog\", </.well-known/ard.json>; rel=\"ard\"";
    assert_eq!(server.get("/").await.header("link"), Some(links));
    assert_eq!(server.get("/index").await.header("link"), None);
}
