use reqwest::header::{HeaderMap, HeaderValue};

use super::*;

fn response(lines: &[(&'static str, &'static str)]) -> Response {
    let mut headers = HeaderMap::new();
    for (name, value) in lines {
        headers.append(*name, HeaderValue::from_static(value));
    }
    Response { status: 200, headers, body: bytes::Bytes::new() }
}

/// Returns the kinds of differences that a check finds.
fn found(check: impl Fn(&mut Judge<'_>)) -> Vec<&'static str> {
    let host = Host::new("http://host.example", 1).unwrap();
    let mut judge = Judge::new(&host);
    check(&mut judge);
    judge.findings.differences.iter().map(|difference| difference.what).collect()
}

#[test]
fn all_lines_of_a_header_count() {
    let vary = response(&[("vary", "Origin"), ("vary", "Accept-Encoding")]);
    let list = ExpectedWords::Including("accept-encoding");
    assert_eq!(found(|judge| judge.check_header(&vary, "vary", &list, "")), [""; 0]);
    let caching = response(&[("cache-control", "no-store"), ("cache-control", "max-age=60")]);
    let none = ExpectedWords::Exactly("no-store");
    let differences = found(|judge| judge.check_header(&caching, "cache-control", &none, ""));
    assert_eq!(differences, ["cache-control"]);
    // The Fetch standard allows one "*", and not "*, *".
    let origin = ("access-control-allow-origin", "*");
    assert_eq!(found(|judge| judge.check_cors(&response(&[origin]))), [""; 0]);
    assert_eq!(found(|judge| judge.check_cors(&response(&[origin, origin]))), [origin.0]);
}

#[test]
fn only_a_stale_answer_is_reported_and_not_a_stale_entry_that_was_renewed() {
    for (name, value, is_stale) in [
        // RFC 9211: with `fwd` the request went to the origin, and with `hit` the cache answered.
        ("cache-status", "Edge; fwd=stale", false),
        ("cache-status", "White-Edge; fwd=stale", false),
        ("cache-status", "Edge; fwd=stale; fwd-status=304; stored", false),
        ("cache-status", "Edge; hit; fwd=stale", true),
        ("cache-status", "Edge; fwd=stale; fwd-status=503", true),
        ("cache-status", "Edge; hit; detail=STALE", true),
        ("cache-status", "Origin; hit; ttl=30, Edge; fwd=stale", false),
        ("cache-status", "Origin; fwd=stale, Edge; hit; detail=stale", true),
        ("cf-cache-status", "STALE", true),
        ("x-cache", "HIT", false),
    ] {
        let differences = found(|judge| judge.check_age(&response(&[(name, value)])));
        assert_eq!(differences == ["stale"], is_stale, "{name}: {value}");
    }
    let twice =
        response(&[("cache-status", "Origin; fwd=miss"), ("cache-status", "Edge; hit; detail=stale")]);
    assert_eq!(found(|judge| judge.check_age(&twice)), ["stale"]);
}
