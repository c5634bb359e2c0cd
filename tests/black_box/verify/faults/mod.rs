//! The planted faults.

mod answers;
mod mcp;

use crate::harness::text;
use crate::verify::host::{Fault, Response};

/// A fault: its name, the change of responses, and the start and another part of the report's line about it.
pub(super) type Planted = (&'static str, Box<Fault>, &'static str, &'static str);

fn on(line: &'static str, spoil: impl Fn(&mut Response) + Send + Sync + 'static) -> Box<Fault> {
    Box::new(move |request, answer| {
        if request.line == line && !request.is_conditional {
            spoil(answer);
        }
    })
}

fn becomes(answer: &mut Response, status: u16, media_type: &str, body: &str) {
    answer.status = status;
    answer.body = body.into();
    answer.set("content-type", media_type);
}

pub(super) fn all() -> Vec<Planted> {
    [
        of_files(),
        of_conditions(),
        of_headers(),
        of_answers(),
        answers::of_parameters(),
        answers::of_age(),
        mcp::of_tools(),
        mcp::of_protocol(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn of_files() -> Vec<Planted> {
    vec![
        (
            "a stale file",
            on("GET /v1/providers/jun-nakashima.json", |answer| {
                answer.replace("Jun Nakashima", "Jan Nakashima");
            }),
            "GET /v1/providers/jun-nakashima.json: expected ",
            "deploy the tree again and purge the cache",
        ),
        (
            "a missing file",
            on("GET /v1/insurances/CA.json", |answer| {
                becomes(answer, 404, "text/html", "<h1>Not found</h1>");
            }),
            "GET /v1/insurances/CA.json: expected status 200, but found status 404",
            "the file is missing on the host",
        ),
        (
            "an extra byte",
            on("GET /v1/states.json", |answer| answer.body.push(b'\n')),
            "GET /v1/states.json: expected ",
            "deploy the tree again and purge the cache",
        ),
        (
            "a truncated body",
            on("GET /v1/openapi.json", |answer| {
                let half = answer.body.len() / 2;
                answer.held_back = answer.body.len() - half;
                answer.body.truncate(half);
            }),
            "GET /v1/openapi.json: expected a whole response, but found a broken response",
            "",
        ),
        (
            "a wrong type",
            on("GET /v1/appointment-types.json", |answer| {
                answer.set("content-type", "application/octet-stream");
            }),
            "GET /v1/appointment-types.json: expected a content-type of json",
            "application/octet-stream",
        ),
        (
            "an old tree",
            on("GET /v1/manifest.json", |answer| {
                let body = text(&answer.body).to_owned();
                let old = &body[15..31];
                answer.replace(old, "0123456789abcdef");
            }),
            "GET /v1/manifest.json: expected generation ",
            "but found generation 0123456789abcdef",
        ),
    ]
}

fn of_conditions() -> Vec<Planted> {
    vec![
        (
            "no 304",
            Box::new(|request, answer| {
                if request.is_conditional && request.line == "GET /v1/states" {
                    becomes(answer, 200, "application/json", "{}");
                }
            }),
            "GET /v1/states with If-None-Match: expected status 304",
            "",
        ),
        (
            "no 304 for open slots",
            Box::new(|request, answer| {
                if request.is_conditional && request.line == "GET /v1/availability?state=CA" {
                    becomes(answer, 200, "application/json", "{}");
                }
            }),
            "GET /v1/availability?state=CA with If-None-Match: expected status 304",
            "",
        ),
        (
            "an error instead of a 304",
            Box::new(|request, answer| {
                if request.is_conditional && request.line == "GET /v1/availability?state=CA" {
                    becomes(answer, 500, "application/json", "{}");
                    answer.remove("etag");
                }
            }),
            "GET /v1/availability?state=CA with If-None-Match: expected status 304",
            "status 500",
        ),
        (
            "no tag",
            on("GET /v1/insurances", |answer| answer.remove("etag")),
            "GET /v1/insurances: expected an etag",
            "",
        ),
        (
            "broken gzip",
            Box::new(|request, answer| {
                if request.wants_gzip && request.line == "GET /v1/appointment-types" {
                    answer.set("content-encoding", "gzip");
                    answer.body.truncate(20);
                }
            }),
            "GET /v1/appointment-types with Accept-Encoding: gzip: expected the same body in gzip, but found invalid gzip",
            "the host's compression breaks responses",
        ),
        (
            "a refused HEAD",
            Box::new(|request, answer| {
                if request.line == "HEAD /v1/appointment-types" {
                    answer.status = 405;
                }
            }),
            "HEAD /v1/appointment-types: expected status 200",
            "status 405",
        ),
    ]
}

fn of_headers() -> Vec<Planted> {
    vec![
        (
            "no CORS",
            on("GET /v1/insurances", |answer| answer.remove("access-control-allow-origin")),
            "GET /v1/insurances: expected access-control-allow-origin \"*\"",
            "pages on other sites can't read this",
        ),
        (
            "headers that are not exposed",
            on("GET /v1/states", |answer| answer.set("access-control-expose-headers", "ETag")),
            "GET /v1/states: expected access-control-expose-headers \"ETag, Retry-After",
            "",
        ),
        (
            "no nosniff",
            on("GET /v1/providers/nobody-at-all", |answer| answer.remove("x-content-type-options")),
            "GET /v1/providers/nobody-at-all: expected x-content-type-options \"nosniff\"",
            "",
        ),
        (
            "a wrong cache class",
            on("GET /v1/availability?state=CA", |answer| {
                answer.set("cache-control", "public, max-age=86400");
            }),
            "GET /v1/availability?state=CA: expected cache-control \"public, max-age=60\"",
            "max-age=86400",
        ),
        (
            "a portrait for its own site alone",
            on("GET /headshots/amara-okonkwo.svg", |answer| answer.remove("cross-origin-resource-policy")),
            "GET /headshots/amara-okonkwo.svg: expected cross-origin-resource-policy \"cross-origin\"",
            "deploy its header rules too",
        ),
        (
            "a released script that is fetched again and again",
            on("GET /v1/elements/1.0.0.js", |answer| answer.set("cache-control", "public, max-age=300")),
            "GET /v1/elements/1.0.0.js: expected cache-control \"public, max-age=31536000, immutable\"",
            "max-age=300",
        ),
        (
            "no generation",
            on("GET /v1/providers.json", |answer| answer.remove("nameplate-generation")),
            "GET /v1/providers.json: expected nameplate-generation \"",
            "",
        ),
        (
            "an old live",
            Box::new(|request, answer| {
                if request.line.starts_with("GET /v1/availability") {
                    answer.set("nameplate-generation", "0123456789abcdef");
                }
            }),
            "GET /v1/availability",
            "but found nameplate-generation \"0123456789abcdef\": live and the files have different content",
        ),
    ]
}

fn of_answers() -> Vec<Planted> {
    vec![
        (
            "200 for an error",
            on("GET /v1/insurances?state=XX", |answer| answer.status = 200),
            "GET /v1/insurances?state=XX: expected status 400, but found status 200",
            "clients would take this for an answer",
        ),
        (
            "an error as a page",
            on("GET /v1/nothing", |answer| becomes(answer, 404, "text/html", "<h1>Page not found</h1>")),
            "GET /v1/nothing: expected a content-type of json, but found content-type \"text/html\"",
            "",
        ),
        (
            "another status, as a page",
            on("GET /v1/providers?limit=no%20such%20thing", |answer| {
                becomes(answer, 502, "text/html", "<h1>Bad gateway</h1>");
            }),
            "GET /v1/providers?limit=no%20such%20thing: expected an error as JSON with code and message",
            "Bad gateway",
        ),
        (
            "a missing redirect",
            on("GET /v1/providers/hannah-whitfield", |answer| becomes(answer, 404, "application/json", "{}")),
            "GET /v1/providers/hannah-whitfield: expected status 301 to /v1/providers/hannah-whitfield-moss",
            "",
        ),
        (
            "a redirect to another page",
            on("GET /v1/providers/hannah-whitfield", |answer| answer.set("location", "/v1/providers")),
            "GET /v1/providers/hannah-whitfield: expected location /v1/providers/hannah-whitfield-moss",
            "",
        ),
        (
            "the unfiltered list for ?state=",
            on("GET /v1/providers?state=tx", |answer| answer.replace("\"total\":", "\"total\":9")),
            "GET /v1/providers?state=tx: expected ",
            "check that the host's rules and caches respect the query",
        ),
        (
            "an empty list instead of 503",
            on("GET /v1/availability?state=CA", |answer| {
                let empty = r#"{"slots":[],"nextAvailable":null,"state":"CA","appointmentType":null,"provider":null}"#;
                answer.body = empty.into();
            }),
            "GET /v1/availability?state=CA: expected ",
            "if live doesn't know them, it must send a 503",
        ),
        (
            "another state's slots",
            on("GET /v1/availability?state=tx", |answer| {
                answer.replace("\"state\":\"TX\"", "\"state\":\"CA\"");
            }),
            "GET /v1/availability?state=tx: expected ",
            "check that no cache ignores the query",
        ),
        (
            "an outdated feed",
            on("GET /v1/availability?state=CA", |answer| {
                let body = r#"{"code":"AVAILABILITY_UNAVAILABLE","message":"availability is unknown"}"#;
                becomes(answer, 503, "application/json", body);
            }),
            "GET /v1/availability?state=CA: expected status 200, but found status 503",
            "check its feed",
        ),
    ]
}
