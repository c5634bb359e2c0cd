//! The scripts of the elements, the headers of portraits, and the booking address.

use directory::web::ELEMENTS;

use crate::testing::{Server, options, with_site};

#[tokio::test]
async fn the_scripts_of_the_elements_are_served_with_and_without_a_site() {
    let folder = tempfile::tempdir().unwrap();
    let bare = Server::start(options()).await;
    let with_files = Server::start(with_site(folder.path())).await;
    for server in [&bare, &with_files] {
        let immutable = "public, max-age=31536000, immutable";
        let newest = "public, max-age=300, stale-while-revalidate=300, stale-if-error=86400";
        for (path, release, cache_control) in [
            ("/v1/elements.js", 0, newest),
            ("/v1/elements/1.1.0.js", 0, immutable),
            ("/v1/elements/1.0.0.js", 1, immutable),
        ] {
            let reply = server.get(path).await;
            assert_eq!((reply.status, reply.text()), (200, ELEMENTS[release].script), "{path}");
            assert_eq!(reply.header("content-type"), Some("text/javascript; charset=utf-8"));
            assert_eq!(reply.header("cache-control"), Some(cache_control));
            assert_eq!(reply.header("access-control-allow-origin"), Some("*"));
            assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
            let tag = format!("if-none-match: {}", reply.header("etag").unwrap());
            assert_eq!(server.request("GET", path, &[&tag], "").await.status, 304);
            let zipped = server.request("GET", path, &["accept-encoding: gzip"], "").await;
            assert_eq!(zipped.header("content-encoding"), Some("gzip"));
            assert!(zipped.body.len() <= 7 * 1024, "{} bytes", zipped.body.len());
            assert_eq!(server.request("HEAD", path, &[], "").await.body, b"");
            assert_eq!(server.request("OPTIONS", path, &[], "").await.status, 204);
            assert_eq!(server.request("POST", path, &[], "").await.status, 405);
        }
        let unknown = server.get("/v1/elements/0.9.0.js").await;
        assert_eq!((unknown.status, &unknown.json()["code"]), (404, &"NOT_FOUND".into()));
    }
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "the test writes its own folder")]
async fn portraits_may_be_shown_by_isolated_pages_of_other_sites() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("headshots")).unwrap();
    std::fs::write(folder.path().join("headshots/jane-doe.svg"), "<svg/>").unwrap();
    std::fs::write(folder.path().join("index.html"), "home").unwrap();
    let server = Server::start(with_site(folder.path())).await;
    let header = "cross-origin-resource-policy";
    assert_eq!(server.get("/headshots/jane-doe.svg").await.header(header), Some("cross-origin"));
    assert_eq!(server.get("/").await.header(header), None);
}

#[tokio::test]
async fn answers_about_slots_say_where_a_slot_is_booked() {
    let server = Server::start(options()).await;
    let expected = "\"https://book.fixture.example/{providerSlug}{?startTime,appointmentType,state}\"; \
                    rel=\"https://schema.org/ReserveAction\"";
    for target in
        ["/v1/availability?state=CA", "/v1/availability?state=WY", "/v1/availability?state=CA&limit=1"]
    {
        let reply = server.get(target).await;
        assert_eq!(reply.header("link-template"), Some(expected), "{target}");
        let tag = format!("if-none-match: {}", reply.header("etag").unwrap());
        assert_eq!(server.request("GET", target, &[&tag], "").await.header("link-template"), Some(expected));
    }
    for target in ["/v1/states", "/v1/providers", "/v1/availability?state=XX"] {
        assert_eq!(server.get(target).await.header("link-template"), None, "{target}");
    }
}
