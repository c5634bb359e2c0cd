use std::path::Path;

use crate::Options;
use crate::testing::{Server, body_of, options, snapshot, with_site};

const COMMON_HEADERS: [(&str, &str); 2] =
    [("access-control-allow-origin", "*"), ("x-content-type-options", "nosniff")];

#[tokio::test]
async fn every_operation_has_the_directorys_bytes_and_the_contracts_headers() {
    let server = Server::start(options()).await;
    let generation = snapshot().directory().generation().to_string();
    for (target, cache_control) in [
        ("/v1/states", "public, max-age=300, stale-while-revalidate=300, stale-if-error=86400"),
        ("/v1/insurances?state=ca", "public, max-age=300, stale-while-revalidate=300, stale-if-error=86400"),
        (
            "/v1/providers?gender=FEMALE",
            "public, max-age=300, stale-while-revalidate=300, stale-if-error=86400",
        ),
        ("/v1/providers/jane-doe", "public, max-age=300, stale-while-revalidate=300, stale-if-error=86400"),
        (
            "/v1/appointment-types?state=New+York",
            "public, max-age=300, stale-while-revalidate=300, stale-if-error=86400",
        ),
        ("/v1/availability?state=CA", "public, max-age=60"),
    ] {
        let reply = server.get(target).await;
        assert_eq!(reply.status, 200, "{target}");
        assert_eq!(reply.body, body_of(target), "{target}");
        assert_eq!(reply.header("content-type"), Some("application/json"));
        assert_eq!(reply.header("content-length"), Some(reply.body.len().to_string().as_str()));
        assert_eq!(reply.header("cache-control"), Some(cache_control), "{target}");
        let tag = reply.header("etag").unwrap();
        assert!(tag.starts_with('"') && tag.ends_with('"'), "a strong tag: {tag}");
        assert_eq!(reply.header("nameplate-generation"), Some(generation.as_str()));
        assert_eq!(
            reply.header("access-control-expose-headers"),
            Some(
                "ETag, Retry-After, X-Ignored-Parameters, Link, Link-Template, Availability-As-Of, Availability-Status, \
                 Nameplate-Generation"
            )
        );
        for (name, value) in COMMON_HEADERS {
            assert_eq!(reply.header(name), Some(value), "{target}");
        }
        assert_eq!(server.get(&target.replacen('?', "/?", 1)).await.body, reply.body, "a slash at the end");
    }
}

#[tokio::test]
async fn errors_are_json_with_their_codes_on_every_path() {
    let server = Server::start(options()).await;
    for (target, status, code) in [
        ("/v1/appointment-types?state=XX", 400, "SPONSOR_NOT_COVERED"),
        ("/v1/providers?state=%ff", 400, "SPONSOR_NOT_COVERED"),
        ("/v1/availability", 400, "INVALID_PARAMETER"),
        ("/v1/availability?state=", 400, "INVALID_PARAMETER"),
        ("/v1/providers?limit=ten", 400, "INVALID_PARAMETER"),
        ("/v1/providers?limit=%zz", 400, "INVALID_PARAMETER"),
        ("/v1/providers?insurance=Nobody", 400, "INVALID_INSURANCE"),
        ("/v1/providers/nobody", 404, "PROVIDER_NOT_FOUND"),
        ("/v1/availability?state=CA&provider=nobody", 404, "PROVIDER_NOT_FOUND"),
        ("/", 404, "NOT_FOUND"),
        ("/v1", 404, "NOT_FOUND"),
        ("/v1/states//", 404, "NOT_FOUND"),
        ("/V1/states", 404, "NOT_FOUND"),
        ("/v1/../v1/states", 404, "NOT_FOUND"),
        ("/api/sse", 404, "NOT_FOUND"),
        ("/.well-known/oauth-authorization-server", 404, "NOT_FOUND"),
        ("/.well-known/oauth-protected-resource/api/mcp", 404, "NOT_FOUND"),
    ] {
        let reply = server.get(target).await;
        assert_eq!((reply.status, reply.json()["code"].as_str()), (status, Some(code)), "{target}");
        assert!(reply.json()["message"].is_string());
        assert_eq!(reply.header("content-type"), Some("application/json"));
        assert_eq!(reply.header("etag"), None, "{target}");
        assert!(reply.header("nameplate-generation").is_some());
        for (name, value) in COMMON_HEADERS {
            assert_eq!(reply.header(name), Some(value), "{target}");
        }
    }
    let reply = server.get("/v1/appointment-types?state=XX").await;
    assert_eq!(reply.text(), r#"{"code":"SPONSOR_NOT_COVERED","message":"invalid state code: XX"}"#);
}

#[tokio::test]
async fn a_slug_is_decoded_and_a_bad_encoding_is_an_error() {
    let server = Server::start(options()).await;
    assert_eq!(server.get("/v1/providers/jane%2Ddoe").await.status, 200);
    for slug in ["%zz", "%ff", "%00", "%2f", "%2e%2e", "Jane-Doe"] {
        let reply = server.get(&format!("/v1/providers/{slug}")).await;
        assert!(matches!(reply.status, 400 | 404), "{slug}: {}", reply.status);
        assert!(reply.json()["code"].is_string());
    }
}

#[tokio::test]
async fn a_former_slug_is_redirected_permanently() {
    let server = Server::start(options()).await;
    let reply = server.get("/v1/providers/jane-smith").await;
    assert_eq!((reply.status, reply.header("location")), (301, Some("/v1/providers/jane-doe")));
    assert_eq!(reply.header("access-control-allow-origin"), Some("*"));
}

#[tokio::test]
async fn a_matching_if_none_match_is_answered_with_304() {
    let server = Server::start(options()).await;
    for target in ["/v1/states", "/v1/availability?state=CA"] {
        let fresh = server.get(target).await;
        let tag = fresh.header("etag").unwrap();
        for (line, status) in [
            (format!("if-none-match: {tag}"), 304),
            (format!("If-None-Match: W/{tag}"), 304),
            (format!("if-none-match: \"other\", {tag}"), 304),
            (format!("if-none-match: \"other\"\r\nif-none-match: {tag}"), 304),
            ("if-none-match: *".to_owned(), 304),
            ("if-none-match: \"other\"".to_owned(), 200),
            (format!("if-none-match: {}", tag.trim_matches('"')), 200),
            ("if-none-match: \"".to_owned(), 200),
            ("if-none-match:".to_owned(), 200),
        ] {
            for method in ["GET", "HEAD"] {
                let reply = server.request(method, target, &[&line], "").await;
                assert_eq!(reply.status, status, "{method} {line}");
                for name in ["etag", "cache-control", "access-control-allow-origin", "nameplate-generation"] {
                    assert_eq!(reply.header(name), fresh.header(name), "{method} {line}");
                }
                if status == 304 {
                    assert_eq!(reply.body, b"");
                    assert_eq!(reply.header("content-type"), None);
                }
            }
        }
    }
    let refused = server.request("GET", "/v1/states?x", &["if-none-match: *"], "").await;
    assert_eq!(refused.status, 304);
    let error = server.request("GET", "/v1/providers/nobody", &["if-none-match: *"], "").await;
    assert_eq!(error.status, 404, "a condition applies only if the status would be 200");
}

#[tokio::test]
async fn every_path_answers_every_method() {
    let server = Server::start(options()).await;
    for target in ["/v1/states", "/v1/providers/jane-doe", "/v1/availability?state=CA", "/healthz"] {
        let get = server.get(target).await;
        let head = server.request("HEAD", target, &[], "").await;
        assert_eq!((head.status, head.body.len()), (200, 0));
        for name in ["content-length", "content-type", "etag", "cache-control"] {
            assert_eq!(head.header(name), get.header(name), "{target} {name}");
        }
        for method in ["POST", "PUT", "DELETE", "PATCH", "TRACE", "BREW"] {
            let reply = server.request(method, target, &[], "").await;
            assert_eq!((reply.status, reply.header("allow")), (405, Some("GET, HEAD, OPTIONS")), "{method}");
            assert_eq!(reply.json()["code"], "METHOD_NOT_ALLOWED");
            assert_eq!(reply.header("access-control-allow-origin"), Some("*"));
        }
        let options = server.request("OPTIONS", target, &["origin: https://a.example"], "").await;
        assert_eq!((options.status, options.header("allow")), (204, Some("GET, HEAD, OPTIONS")));
        assert_eq!(options.header("access-control-allow-origin"), Some("*"));
        assert_eq!(options.header("access-control-allow-credentials"), None);
    }
    let error = server.request("HEAD", "/v1/providers/nobody", &[], "").await;
    assert_eq!((error.status, error.body.len()), (404, 0));
    assert_eq!(server.request("OPTIONS", "*", &[], "").await.status, 204);
    assert_eq!(server.request("OPTIONS", "/nowhere", &[], "").await.status, 204);
    assert_eq!(server.request("POST", "/nowhere", &[], "").await.status, 404);
}

#[tokio::test]
async fn ignored_parameters_are_listed_and_cannot_inject_a_header() {
    let server = Server::start(options()).await;
    let reply = server.get("/v1/states?sort=up&a%0d%0aX-Bad:1=2").await;
    assert_eq!(reply.status, 200);
    assert_eq!(reply.header("x-ignored-parameters"), Some("sort, a%0D%0AX-Bad%3A1"));
    assert_eq!(reply.header("x-bad"), None);
    assert_eq!(server.get("/v1/states").await.header("x-ignored-parameters"), None);
}

#[expect(clippy::disallowed_methods, reason = "tests need a site")]
fn write(folder: &Path, name: &str, text: &str) {
    let file = folder.join(name);
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(file, text).unwrap();
}

#[tokio::test]
async fn a_site_never_replaces_a_path_of_the_api() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| write(folder.path(), name, text);
    write("index.html", "home");
    write("404.html", "lost");
    write("providers/jane-doe.html", "Jane");
    write("docs/index.html", "docs");
    write("headshots/jane-doe.svg", "<svg/>");
    write("v1/states.json", "[]");
    write("v1/states.html", "not me");
    write("api/sse", "not me");
    write(".well-known/oauth-x", "not me");
    let server = Server::start(with_site(folder.path())).await;

    for (target, body) in
        [("/", "home"), ("/providers/jane-doe", "Jane"), ("/docs", "docs"), ("/docs/", "docs")]
    {
        let reply = server.get(target).await;
        assert_eq!((reply.status, reply.text()), (200, body), "{target}");
        assert_eq!(reply.header("content-type"), Some("text/html; charset=utf-8"));
        let policy = reply.header("content-security-policy").unwrap();
        assert!(policy.contains("default-src 'none'") && policy.contains("script-src 'self';"), "{policy}");
        assert!(policy.contains("connect-src 'self';"), "{policy}");
        let tag = format!("if-none-match: {}", reply.header("etag").unwrap());
        assert_eq!(server.request("GET", target, &[&tag], "").await.status, 304);
        assert_eq!(server.request("POST", target, &[], "").await.status, 405);
        assert_eq!(server.request("HEAD", target, &[], "").await.body, b"");
    }
    assert_eq!(server.get("/v1/states").await.body, body_of("/v1/states"));
    assert_eq!(server.get("/v1/states.json").await.text(), "[]");
    let picture = server.get("/headshots/jane-doe.svg").await;
    assert!(picture.header("content-security-policy").unwrap().contains("sandbox"));

    let lost = server.get("/nowhere").await;
    assert_eq!((lost.status, lost.text()), (404, "lost"));
    for target in ["/v1/nowhere", "/api/nowhere", "/api/sse", "/.well-known/oauth-x", "/.well-known/x"] {
        let reply = server.get(target).await;
        assert_eq!((reply.status, &reply.json()["code"]), (404, &"NOT_FOUND".into()), "{target}");
    }
}

#[tokio::test]
async fn an_error_lists_the_ignored_parameters() {
    let server = Server::start(options()).await;
    for target in [
        "/v1/availability?stat=CA",
        "/v1/providers?stat=1&limit=ten",
        "/v1/providers/nobody?stat",
        "/v1/appointment-types?state=XX&stat=1",
        "/v1/providers?stat=1&%zz=1",
    ] {
        let reply = server.get(target).await;
        assert!(matches!(reply.status, 400 | 404), "{target}");
        assert_eq!(reply.header("x-ignored-parameters"), Some("stat"), "{target}");
    }
}

#[tokio::test]
async fn a_tree_has_its_own_generation_and_redirects_former_slugs() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| write(folder.path(), name, text);
    write("index.html", "home");
    write("404.html", "lost");
    write("v1/manifest.json", r#"{"generation":"an-older-one","files":[]}"#);
    write("v1/providers/jane-doe.json", "{}");
    let server = Server::start(with_site(folder.path())).await;
    assert_eq!(server.get("/").await.header("nameplate-generation"), Some("an-older-one"));
    let live = snapshot().directory().generation().to_string();
    assert_eq!(server.get("/v1/states").await.header("nameplate-generation"), Some(live.as_str()));
    assert_eq!(server.get("/v1/providers/jane-doe.json").await.text(), "{}");
    assert_eq!(server.get("/v1/providers/sam-roe.json").await.json()["code"], "NOT_FOUND");
    for target in ["/providers/jane-smith", "/providers/jane-smith/"] {
        let moved = server.get(target).await;
        assert_eq!((moved.status, moved.header("location")), (301, Some("/providers/jane-doe")), "{target}");
    }
    let lost = server.get("/providers/nobody").await;
    assert_eq!((lost.status, lost.header("cache-control")), (404, Some("public, max-age=60")));
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "the test needs a site")]
async fn dev_shows_mistakes_instead_of_pages_and_the_api_is_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("index.html"), "<head></head>home").unwrap();
    let vitals = std::sync::Arc::new(crate::Vitals::new());
    let shown = Options { vitals: std::sync::Arc::clone(&vitals), ..with_site(folder.path()) };
    let address = "127.0.0.1:8080".parse().unwrap();
    let (public, own) =
        (Server::start(shown.clone()).await, Server::start(shown.for_development(address)).await);
    let state = async || own.get("/.nameplate/state").await.json()["state"].as_str().unwrap().to_owned();
    let good = state().await;
    let home = own.get("/").await;
    let script = format!("<script src=\"/.nameplate/reload.js\" data-state=\"{good}\" defer></script>\n");
    assert_eq!(home.text(), format!("<head>{script}</head>home"));
    assert_eq!(home.header("cache-control"), Some("no-cache"));
    assert!(home.header("content-security-policy").unwrap().contains("script-src 'self'"));

    vitals.content_refused("error: <script>\n --> a.toml:1:1".to_owned());
    let broken = state().await;
    assert_ne!(broken, good);
    for path in ["/", "/no-such-page"] {
        let page = own.get(path).await;
        assert_eq!((page.status, page.header("content-type")), (500, Some("text/html; charset=utf-8")));
        assert!(page.text().contains("&lt;script&gt;") && page.text().contains(&broken), "{}", page.text());
        assert_eq!(page.header("cache-control"), Some("no-store"));
    }
    assert_eq!(own.get("/v1/states").await.status, 200);
    assert_eq!(
        own.get("/.nameplate/errors.css").await.header("content-type"),
        Some("text/css; charset=utf-8")
    );

    // DNS rebinding: a page of another site reads nothing under its own name.
    for path in ["/", "/v1/states", "/healthz", "/fhir/metadata", "/.nameplate/state", "/api/mcp"] {
        let refused = own.get_as("evil.example:8080", path).await;
        assert_eq!(refused.status, 403, "{path}");
        assert!(refused.text().contains("add it to mcp.hosts"), "{}", refused.text());
    }
    for host in ["127.0.0.1:8080", "[::1]:8080", "192.168.7.5:8080"] {
        assert_eq!(own.get_as(host, "/v1/states").await.status, 200, "{host}");
    }
    assert_eq!(public.get_as("evil.example", "/v1/states").await.status, 200);

    assert_eq!(public.get("/").await.text(), "<head></head>home");
    for path in ["/.nameplate/state", "/.nameplate/reload.js", "/.nameplate/errors.css"] {
        assert_eq!(public.get(path).await.status, 404, "{path}");
    }
    vitals.content_taken();
    assert_eq!(state().await, good);
    assert_eq!(own.get("/").await.status, 200);
}

fn unzipped(body: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(body), &mut plain).unwrap();
    plain
}

#[tokio::test]
async fn gzip_is_a_representation_with_its_own_tag() {
    let server = Server::start(options()).await;
    let gzip = "accept-encoding: br, gzip";
    for target in ["/v1/providers", "/v1/availability?state=CA&limit=200"] {
        let plain = server.get(target).await;
        assert!(plain.body.len() > 1024, "{target}: {}", plain.body.len());
        assert_eq!((plain.header("content-encoding"), plain.header("vary")), (None, Some("accept-encoding")));
        let zipped = server.request("GET", target, &[gzip], "").await;
        assert_eq!(zipped.header("content-encoding"), Some("gzip"));
        assert_eq!(zipped.header("vary"), Some("accept-encoding"));
        assert_eq!(unzipped(&zipped.body), plain.body);
        assert_eq!(zipped.header("content-length"), Some(zipped.body.len().to_string().as_str()));
        let (plain_tag, zipped_tag) = (plain.header("etag").unwrap(), zipped.header("etag").unwrap());
        assert_ne!(plain_tag, zipped_tag);
        assert!(zipped_tag.starts_with('"') && zipped_tag.ends_with('"'));
        let head = server.request("HEAD", target, &[gzip], "").await;
        for name in ["etag", "content-length", "content-encoding", "vary"] {
            assert_eq!(head.header(name), zipped.header(name), "{name}");
        }
        for (tag, accept, status) in [
            (plain_tag, "accept-encoding: identity", 304),
            (zipped_tag, gzip, 304),
            (plain_tag, gzip, 200),
            (zipped_tag, "accept-encoding: identity", 200),
        ] {
            let condition = format!("if-none-match: {tag}");
            for method in ["GET", "HEAD"] {
                let reply = server.request(method, target, &[&condition, accept], "").await;
                assert_eq!(reply.status, status, "{method} {tag} {accept}");
                assert_eq!(reply.header("vary"), Some("accept-encoding"));
                if status == 304 {
                    assert_eq!((reply.header("etag"), reply.body.len()), (Some(tag), 0));
                    assert!(reply.header("cache-control").is_some_and(|value| value.starts_with("public")));
                    for name in ["content-encoding", "content-type", "content-length"] {
                        assert_eq!(reply.header(name), None, "{method} {tag} {accept}: {name}");
                    }
                }
            }
        }
    }
    // A short body has Vary, too: the next body of this URL may be longer.
    let short = server.request("GET", "/v1/states", &[gzip], "").await;
    assert!(short.body.len() <= 1024);
    assert_eq!((short.header("content-encoding"), short.header("vary")), (None, Some("accept-encoding")));
    let error = server.request("GET", "/v1/providers/nobody", &[gzip], "").await;
    assert_eq!(error.header("content-encoding"), None);
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "the test needs files")]
async fn texts_of_the_site_are_compressed_and_portraits_are_not() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.html", "a.png"] {
        std::fs::write(folder.path().join(name), "a".repeat(5_000)).unwrap();
    }
    let server = Server::start(with_site(folder.path())).await;
    for (target, encoding, vary) in
        [("/a.html", Some("gzip"), Some("accept-encoding")), ("/a.png", None, None)]
    {
        let reply = server.request("GET", target, &["accept-encoding: gzip"], "").await;
        assert_eq!((reply.header("content-encoding"), reply.header("vary")), (encoding, vary), "{target}");
    }
}

#[tokio::test]
async fn an_invalid_request_id_is_replaced() {
    let server = Server::start(options()).await;
    let given = server.request("GET", "/v1/states", &["x-request-id: abc-1"], "").await;
    assert_eq!(given.header("x-request-id"), Some("abc-1"));
    for line in ["x-request-id: a b", "x-request-id: {\"a\":1}", "x-request-id:"] {
        let id =
            server.request("GET", "/v1/states", &[line], "").await.header("x-request-id").unwrap().to_owned();
        assert!(id.len() == 16 && id.bytes().all(|byte| byte.is_ascii_hexdigit()), "{id}");
    }
}
