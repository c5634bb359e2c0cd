use crate::testing::{Server, body_of, options, snapshot};

const EVERY_ANSWER: [(&str, &str); 2] =
    [("access-control-allow-origin", "*"), ("x-content-type-options", "nosniff")];

#[tokio::test]
async fn every_operation_answers_with_the_directorys_bytes_and_the_contracts_headers() {
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
                "ETag, Retry-After, X-Ignored-Parameters, Availability-As-Of, Availability-Status, \
                 Nameplate-Generation"
            )
        );
        for (name, value) in EVERY_ANSWER {
            assert_eq!(reply.header(name), Some(value), "{target}");
        }
        assert_eq!(server.get(&target.replacen('?', "/?", 1)).await.body, reply.body, "one slash more");
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
        for (name, value) in EVERY_ANSWER {
            assert_eq!(reply.header(name), Some(value), "{target}");
        }
    }
    let reply = server.get("/v1/appointment-types?state=XX").await;
    assert_eq!(reply.text(), r#"{"code":"SPONSOR_NOT_COVERED","message":"invalid state code: XX"}"#);
}

#[tokio::test]
async fn a_slug_is_decoded_and_a_bad_encoding_is_an_error_and_not_a_crash() {
    let server = Server::start(options()).await;
    assert_eq!(server.get("/v1/providers/jane%2Ddoe").await.status, 200);
    for slug in ["%zz", "%ff", "%00", "%2f", "%2e%2e", "Jane-Doe"] {
        let reply = server.get(&format!("/v1/providers/{slug}")).await;
        assert!(matches!(reply.status, 400 | 404), "{slug}: {}", reply.status);
        assert!(reply.json()["code"].is_string());
    }
}

#[tokio::test]
async fn a_former_slug_is_moved_for_good() {
    let server = Server::start(options()).await;
    let reply = server.get("/v1/providers/jane-smith").await;
    assert_eq!((reply.status, reply.header("location")), (301, Some("/v1/providers/jane-doe")));
    assert_eq!(reply.header("access-control-allow-origin"), Some("*"));
}

#[tokio::test]
async fn a_tag_that_the_client_has_is_answered_with_304() {
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
    assert_eq!(error.status, 404, "a condition is looked at only where the answer would be 200");
}

#[tokio::test]
async fn methods_are_answered_on_every_path() {
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
async fn ignored_parameters_are_named_and_cannot_inject_a_header() {
    let server = Server::start(options()).await;
    let reply = server.get("/v1/states?sort=up&a%0d%0aX-Bad:1=2").await;
    assert_eq!(reply.status, 200);
    assert_eq!(reply.header("x-ignored-parameters"), Some("sort, a%0D%0AX-Bad%3A1"));
    assert_eq!(reply.header("x-bad"), None);
    assert_eq!(server.get("/v1/states").await.header("x-ignored-parameters"), None);
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "the test needs a site")]
async fn a_site_is_served_beside_the_api_and_never_instead_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let file = folder.path().join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    };
    write("index.html", "home");
    write("404.html", "lost");
    write("providers/jane-doe.html", "Jane");
    write("docs/index.html", "docs");
    write("headshots/jane-doe.svg", "<svg/>");
    write("v1/states.json", "[]");
    write("v1/states.html", "not me");
    write("api/sse", "not me");
    write(".well-known/oauth-x", "not me");
    let server = Server::start(options().with_site(folder.path().to_owned())).await;

    for (target, body) in
        [("/", "home"), ("/providers/jane-doe", "Jane"), ("/docs", "docs"), ("/docs/", "docs")]
    {
        let reply = server.get(target).await;
        assert_eq!((reply.status, reply.text()), (200, body), "{target}");
        assert_eq!(reply.header("content-type"), Some("text/html; charset=utf-8"));
        let policy = reply.header("content-security-policy").unwrap();
        assert!(policy.contains("default-src 'none'") && policy.contains("script-src 'self';"), "{policy}");
        assert!(
            policy.contains("https://api.fixture.example") && !policy.contains("live.fixture"),
            "{policy}"
        );
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
