//! Misleading characters, bad encodings, and injection through values that a response repeats.

use crate::testing::{Reply, Server, options};

#[tokio::test]
async fn look_alike_letters_do_not_match() {
    let server = Server::start(options()).await;
    for (target, status, code) in [
        // Full-width CA, and letters whose other case is I or i.
        ("/v1/providers?state=%EF%BC%A3%EF%BC%A1", 400, "SPONSOR_NOT_COVERED"),
        ("/v1/providers?state=%C4%B0L", 400, "SPONSOR_NOT_COVERED"),
        ("/v1/providers?state=%C4%B1l", 400, "SPONSOR_NOT_COVERED"),
        ("/v1/providers?state=Californ%C4%B1a", 400, "SPONSOR_NOT_COVERED"),
        ("/v1/appointment-types?state=C%CC%81A", 400, "SPONSOR_NOT_COVERED"),
        ("/v1/providers?gender=%EF%BC%A6emale", 400, "INVALID_PARAMETER"),
        ("/v1/providers?providerType=phys%C4%B1cian", 400, "INVALID_PARAMETER"),
        ("/v1/providers?limit=%EF%BC%91", 400, "INVALID_PARAMETER"),
        ("/v1/providers?limit=%D9%A1", 400, "INVALID_PARAMETER"),
        ("/v1/providers/jane%E2%80%90doe", 404, "PROVIDER_NOT_FOUND"),
        ("/v1/providers/%EF%BD%8Aane-doe", 404, "PROVIDER_NOT_FOUND"),
    ] {
        let reply = server.get(target).await;
        assert_eq!((reply.status, reply.json()["code"].as_str()), (status, Some(code)), "{target}");
    }
}

#[tokio::test]
async fn bad_percent_encoding_is_an_error_in_every_place() {
    let server = Server::start(options()).await;
    for bad in ["%", "%4", "%zz", "%00", "%ff", "C%00A", "%C0%AF", "%ED%A0%80", "%+1"] {
        for (target, code) in [
            (format!("/v1/insurances?state={bad}"), "SPONSOR_NOT_COVERED"),
            (format!("/v1/availability?state={bad}"), "SPONSOR_NOT_COVERED"),
            (format!("/v1/providers?limit={bad}"), "INVALID_PARAMETER"),
            (format!("/v1/providers?{bad}=1"), "INVALID_PARAMETER"),
        ] {
            let reply = server.get(&target).await;
            assert_eq!((reply.status, reply.json()["code"].as_str()), (400, Some(code)), "{target}");
        }
        let slug = server.get(&format!("/v1/providers/{bad}")).await;
        assert!(
            matches!(slug.status, 400 | 404) && slug.json()["code"].is_string(),
            "{bad}: {}",
            slug.text()
        );
    }
    // An encoded slash belongs to the slug and is not a path separator.
    for target in
        ["/v1%2fstates", "/v1/providers%2fjane-doe", "/v1/providers/..%2f..%2fstates", "/%76%31/states%2f"]
    {
        assert_eq!(server.get(target).await.status, 404, "{target}");
    }
    for target in ["/v1/./states", "/v1/providers/../states", "/v1/%2e%2e/v1/states", "/.", "/.."] {
        assert_eq!(server.get(target).await.status, 404, "{target}");
    }
}

fn names(bytes: &[u8]) -> Vec<String> {
    let head = String::from_utf8_lossy(bytes);
    let head = head.split("\r\n\r\n").next().unwrap_or_default();
    head.split("\r\n").skip(1).map(|line| line.split(':').next().unwrap_or_default().to_owned()).collect()
}

#[tokio::test]
async fn repeated_values_cannot_inject_a_header_or_a_script() {
    let server = Server::start(options()).await;
    let raw = |target: &str, field: &str| {
        format!("GET {target} HTTP/1.1\r\nhost: localhost\r\n{field}connection: close\r\n\r\n")
    };
    for (target, field) in [
        ("/v1/providers?state=CA%0d%0aX-Bad:%201", ""),
        ("/v1/providers?%0d%0aX-Bad:1=1", ""),
        ("/v1/providers/%0d%0aX-Bad:%201", ""),
        ("/v1/availability?state=CA&provider=%0aX-Bad:1", ""),
        ("/v1/providers?insurance=a%0d%0a%0d%0aX-Bad:1", ""),
        ("/%0d%0aX-Bad:1", ""),
        ("/v1/states", "x-request-id: a\tX-Bad: 1\r\n"),
        ("/v1/states", "if-none-match: \"a\tX-Bad: 1\"\r\n"),
        ("/v1/states", "origin: https://a.example\tX-Bad: 1\r\n"),
    ] {
        let bytes = server.raw(raw(target, field).as_bytes()).await;
        assert!(!names(&bytes).iter().any(|name| name.eq_ignore_ascii_case("x-bad")), "{target} {field}");
        let reply = Reply::parse(&bytes);
        assert_eq!(reply.header("access-control-allow-origin"), Some("*"));
        assert!(reply.text().bytes().all(|byte| byte >= b' '), "{target}: {}", reply.text());
    }
    let script = "%3Cscript%3Ealert(1)%3C/script%3E";
    for target in [
        format!("/v1/providers?state={script}"),
        format!("/v1/providers?gender={script}"),
        format!("/v1/providers?insurance={script}"),
        format!("/v1/providers/{script}"),
        format!("/{script}"),
    ] {
        let reply = server.get(&target).await;
        assert!(matches!(reply.status, 400 | 404), "{target}");
        assert_eq!(reply.header("content-type"), Some("application/json"), "a browser must not render it");
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
        assert!(reply.json()["message"].is_string());
    }
}

#[tokio::test]
async fn repeated_values_are_cut() {
    let server = Server::start(options()).await;
    let state = server.get(&format!("/v1/providers?state={}", "x".repeat(7_000))).await;
    let message = format!("invalid state code: {}", "x".repeat(64));
    assert_eq!((state.status, state.json()["message"].as_str()), (400, Some(message.as_str())));
    let slug = server.get(&format!("/v1/providers/{}", "a".repeat(7_000))).await;
    assert_eq!((slug.status, &slug.json()["code"]), (404, &"PROVIDER_NOT_FOUND".into()));
    assert!(slug.body.len() < 500, "{}", slug.body.len());
    let far = server.get(&format!("/v1/providers/{}", "a".repeat(10_000))).await;
    assert_eq!((far.status, &far.json()["code"]), (414, &"URI_TOO_LONG".into()));
}
