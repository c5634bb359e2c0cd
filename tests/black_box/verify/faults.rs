//! The planted faults.

use super::host::{Answer, Fault};
use crate::harness::text;

/// A fault: its name, how it spoils answers, and a line of the report that must name it: its beginning, and another
/// part of it.
pub(super) type Planted = (&'static str, Box<Fault>, &'static str, &'static str);

/// Spoils the answers to one request.
fn on(line: &'static str, spoil: impl Fn(&mut Answer) + Send + Sync + 'static) -> Box<Fault> {
    Box::new(move |asked, answer| {
        if asked.line == line && !asked.is_conditional {
            spoil(answer);
        }
    })
}
fn becomes(answer: &mut Answer, status: u16, media_type: &str, body: &str) {
    answer.status = status;
    answer.body = body.into();
    answer.set("content-type", media_type);
}

/// All of them.
pub(super) fn all() -> Vec<Planted> {
    [of_files(), of_headers(), of_answers(), of_parameters(), of_age(), of_tools(), of_protocol()]
        .into_iter()
        .flatten()
        .collect()
}

/// What the real host answers to another question, planted as the answer to this one.
fn answers_like(line: &'static str, other: &'static str) -> Box<Fault> {
    Box::new(move |asked, answer| {
        if asked.line == line && !asked.is_conditional {
            answer.body = asked.real(other).body;
        }
    })
}

/// Of parameters that the host does not heed.
fn of_parameters() -> Vec<Planted> {
    let heed = "see that ";
    vec![
        ("horizonDays is ignored", without("horizonDays=30"), "GET /v1/availability?", heed),
        ("horizonDays has no least", without("horizonDays=1"), "GET /v1/availability?", heed),
        (
            "the limit of slots is capped",
            capped("/v1/availability", "limit=200", 100),
            "GET /v1/availability?",
            heed,
        ),
        ("the limit of slots is ignored", without("limit=200"), "GET /v1/availability?", heed),
        (
            "the limit of a page is capped",
            capped("/v1/providers", "limit=100", 20),
            "GET /v1/providers?",
            heed,
        ),
        ("offset is ignored", without("offset=1"), "GET /v1/providers?offset=1: expected ", heed),
        ("gender is ignored", without("gender="), "GET /v1/providers?gender=", heed),
        ("providerType is ignored", without("providerType="), "GET /v1/providers?providerType=", heed),
        ("insurance is ignored", without("insurance="), "GET /v1/providers?insurance=", heed),
        ("appointmentType is ignored", without("appointmentType="), "GET /v1/availability?state=", heed),
        ("provider is ignored", without("provider="), "GET /v1/availability?state=", heed),
    ]
}

/// A host that drops one parameter of designed questions (those that begin with a required one, or have one alone).
fn without(pair: &'static str) -> Box<Fault> {
    Box::new(move |asked, answer| {
        let Some((path, query)) = asked.line.split_once('?') else { return };
        let kept: Vec<_> = query.split('&').filter(|one| !one.starts_with(pair)).collect();
        if kept.len() + 1 != query.split('&').count() || query.contains('+') || asked.is_conditional {
            return;
        }
        let line = if kept.is_empty() { path.to_owned() } else { format!("{path}?{}", kept.join("&")) };
        let real = asked.real(&line);
        if real.status == 200 && answer.status == 200 {
            answer.body = real.body;
        }
    })
}

/// A host with a limit of its own.
fn capped(path: &'static str, pair: &'static str, most: usize) -> Box<Fault> {
    Box::new(move |asked, answer| {
        let is_it = asked.line.starts_with(&format!("GET {path}?")) && asked.line.ends_with(pair);
        if is_it && answer.status == 200 && !asked.is_conditional {
            let line = asked.line.replace(pair, &format!("limit={most}"));
            answer.body = asked.real(&line).body;
        }
    })
}

/// Of open times that are not those of now.
fn of_age() -> Vec<Planted> {
    vec![
        (
            "old slots where live says 503",
            Box::new(|asked, answer| {
                if asked.line.starts_with("GET /v1/availability?state=AZ&nameplate-verify=") {
                    let body = r#"{"code":"AVAILABILITY_UNAVAILABLE","message":"availability is unknown"}"#;
                    becomes(answer, 503, "application/json", body);
                }
            }),
            "GET /v1/availability?state=AZ: expected status 503, as to the same question past all caches",
            "must not use stale answers for availability",
        ),
        (
            "an answer of an hour ago",
            on("GET /v1/availability?state=AZ", |answer| answer.set("age", "3600")),
            "GET /v1/availability?state=AZ: expected open times of the last minute, but age 3600 came",
            "must not use stale answers for availability",
        ),
        (
            "a cache that says it is stale",
            on("GET /v1/availability?state=AZ", |answer| answer.set("x-cache-status", "STALE")),
            "GET /v1/availability?state=AZ: expected open times of the last minute, but x-cache-status STALE came",
            "",
        ),
        (
            "old slots without their status",
            on("GET /v1/availability?state=AZ", |answer| {
                answer.set("availability-as-of", "2026-11-21T11:00:00Z");
            }),
            "GET /v1/availability?state=AZ: expected availability-status and availability-as-of, or neither",
            "",
        ),
        (
            "an error that is kept for a day",
            on("GET /v1/providers/nobody-at-all", |answer| {
                answer.set("cache-control", "public, max-age=86400");
            }),
            "GET /v1/providers/nobody-at-all: expected 300 seconds at most, but cache-control \"public, max-age=86400\"",
            "must not keep errors",
        ),
        (
            "a 503 that is kept",
            on("GET /v1/availability?state=AZ", |answer| {
                becomes(answer, 503, "application/json", r#"{"code":"OVERLOADED","message":"full"}"#);
                answer.set("cache-control", "public, max-age=60");
            }),
            "GET /v1/availability?state=AZ: expected cache-control no-store, but cache-control ",
            "must not keep errors",
        ),
        (
            "a clinician who has left, still answered",
            Box::new(|asked, answer| {
                if asked.line == "GET /v1/providers/owen-tarrant" {
                    *answer = asked.real("GET /v1/providers/wulandari");
                }
            }),
            "GET /v1/providers/owen-tarrant: expected status 404, but status 200",
            "what is not there must be a 404",
        ),
        (
            "the file of a clinician who has left",
            Box::new(|asked, answer| {
                if asked.line == "GET /v1/providers/beatrice-hollowell.json" {
                    *answer = asked.real("GET /v1/providers/wulandari.json");
                }
            }),
            "GET /v1/providers/beatrice-hollowell.json: expected status 404, but status 200",
            "what is not there must be a 404",
        ),
        (
            "another clinician's profile under a slug",
            answers_like("GET /v1/providers/tamika-broussard", "GET /v1/providers/wulandari"),
            "GET /v1/providers/tamika-broussard: expected ",
            "the answer is another one",
        ),
        (
            "a 304 without CORS",
            Box::new(|asked, answer| {
                if asked.is_conditional && asked.line == "GET /v1/states" {
                    answer.remove("access-control-allow-origin");
                }
            }),
            "GET /v1/states with If-None-Match: expected access-control-allow-origin *",
            "pages of other sites cannot read this",
        ),
    ]
}

/// Spoils the answers to MCP messages that contain a text.
fn speaking(part: &'static str, spoil: impl Fn(&mut Answer) + Send + Sync + 'static) -> Box<Fault> {
    Box::new(move |asked, answer| {
        if asked.line == "POST /api/mcp" && asked.body.contains(part) {
            spoil(answer);
        }
    })
}

/// Of the protocol of the MCP endpoint.
fn of_protocol() -> Vec<Planted> {
    vec![
        (
            "a session",
            speaking("\"initialize\"", |answer| answer.set("mcp-session-id", "1")),
            "POST /api/mcp initialize: expected no session",
            "",
        ),
        (
            "JSON instead of an event",
            speaking("\"tools/list\"", |answer| {
                let body = text(&answer.body).replace("event: message\ndata: ", "");
                becomes(answer, 200, "application/json", body.trim_end());
            }),
            "POST /api/mcp tools/list: expected content-type text/event-stream",
            "",
        ),
        (
            "an event of another form",
            speaking("\"tools/list\"", |answer| answer.replace("event: message\n", "")),
            "POST /api/mcp tools/list: expected one event with the reply",
            "",
        ),
        (
            "no CORS on MCP",
            speaking("\"tools/list\"", |answer| answer.remove("access-control-allow-origin")),
            "POST /api/mcp tools/list: expected access-control-allow-origin *",
            "",
        ),
        (
            "an MCP answer that is kept",
            speaking("\"tools/list\"", |answer| answer.set("cache-control", "public, max-age=60")),
            "POST /api/mcp tools/list: expected cache-control no-store",
            "",
        ),
        (
            "another sentence of an error",
            speaking("search_providers", |answer| {
                if text(&answer.body).contains("I don't recognise") {
                    answer.replace("I don't recognise", "Unrecognised:");
                }
            }),
            "POST /api/mcp tools/call search_providers (state: no such thing): expected isError true",
            "Unrecognised:",
        ),
        (
            "an error that is none",
            speaking("no such thing", |answer| {
                if text(&answer.body).contains("No clinician is listed") {
                    answer.replace("\"isError\":true", "\"isError\":false");
                }
            }),
            "POST /api/mcp tools/call get_provider (slug: no such thing): expected isError true",
            "isError false",
        ),
        (
            "structured content that differs",
            speaking("list_states", |answer| {
                if text(&answer.body).contains("structuredContent") {
                    answer.replace("\"structuredContent\":{", "\"structuredContent\":{\"more\":1,");
                }
            }),
            "POST /api/mcp tools/call list_states (/v1/states): expected isError false, and structuredContent",
            "",
        ),
        (
            "a result of a tool that there is not",
            speaking("no_such_tool", |answer| answer.replace("\"error\":", "\"result\":")),
            "POST /api/mcp tools/call of what there is not: expected a reply with error",
            "",
        ),
        (
            "another error code",
            speaking("no/such/method", |answer| answer.replace("-32601", "-32000")),
            "POST /api/mcp no/such/method of what there is not: expected the error -32601",
            "",
        ),
        (
            "an older protocol",
            speaking("\"initialize\"", |answer| answer.replace("2025-06-18", "2024-11-05")),
            "POST /api/mcp initialize: expected protocolVersion 2025-06-18",
            "",
        ),
        (
            "an answer to a notification",
            speaking("notifications/", |answer| answer.status = 200),
            "POST /api/mcp notification: expected status 202, but status 200",
            "",
        ),
        (
            "a GET that is answered",
            on("GET /api/mcp", |answer| becomes(answer, 200, "text/event-stream", "")),
            "GET /api/mcp: expected status 405, but status 200",
            "",
        ),
        (
            "no preflight",
            on("OPTIONS /api/mcp", |answer| answer.status = 404),
            "OPTIONS /api/mcp: expected status 204, but status 404",
            "",
        ),
        (
            "a preflight without the protocol's headers",
            on("OPTIONS /api/mcp", |answer| answer.set("access-control-allow-headers", "content-type")),
            "OPTIONS /api/mcp: expected access-control-allow-headers content-type, accept, mcp-protocol-version",
            "",
        ),
        (
            "events for a client of JSON alone",
            speaking("\"ping\"", |answer| {
                let body = format!("event: message\ndata: {}\n\n", text(&answer.body));
                becomes(answer, 200, "text/event-stream", &body);
            }),
            "POST /api/mcp ping for JSON alone: expected content-type application/json",
            "",
        ),
        (
            "the older transport",
            on("GET /api/sse", |answer| becomes(answer, 200, "text/event-stream", "")),
            "GET /api/sse: expected status 404, but status 200",
            "",
        ),
        (
            "a host name that live refuses",
            speaking("\"initialize\"", |answer| {
                becomes(
                    answer,
                    403,
                    "application/json",
                    r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600}}"#,
                );
            }),
            "POST /api/mcp initialize: expected status 200, but status 403",
            "add it to mcp.hosts",
        ),
    ]
}

/// Of the files, and of how they are given out.
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
            "GET /v1/insurances/CA.json: expected status 200, but status 404",
            "the file is missing on the host",
        ),
        (
            "an extra byte",
            on("GET /v1/states.json", |answer| answer.body.push(b'\n')),
            "GET /v1/states.json: expected ",
            "deploy the tree again and purge the cache",
        ),
        (
            "a body that breaks off",
            on("GET /v1/openapi.json", |answer| {
                let half = answer.body.len() / 2;
                answer.held_back = answer.body.len() - half;
                answer.body.truncate(half);
            }),
            "GET /v1/openapi.json: expected a whole answer, but an answer that breaks off",
            "",
        ),
        (
            "a wrong type",
            on("GET /v1/appointment-types.json", |answer| {
                answer.set("content-type", "application/octet-stream");
            }),
            "GET /v1/appointment-types.json: expected content-type application/json",
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
            "but generation 0123456789abcdef came",
        ),
        (
            "a 304 that never comes",
            Box::new(|asked, answer| {
                if asked.is_conditional && asked.line == "GET /v1/states" {
                    becomes(answer, 200, "application/json", "{}");
                }
            }),
            "GET /v1/states with If-None-Match: expected status 304",
            "",
        ),
        (
            "no tag",
            on("GET /v1/insurances.json", |answer| answer.remove("etag")),
            "GET /v1/insurances.json with If-None-Match: expected an etag",
            "",
        ),
        (
            "broken gzip",
            Box::new(|asked, answer| {
                if asked.wants_gzip && asked.line == "GET /v1/appointment-types" {
                    answer.set("content-encoding", "gzip");
                    answer.body.truncate(20);
                }
            }),
            "GET /v1/appointment-types with Accept-Encoding: gzip: expected gzip, but what is none",
            "the host's compression breaks answers",
        ),
        (
            "a HEAD that is refused",
            Box::new(|asked, answer| {
                if asked.line == "HEAD /v1/appointment-types" {
                    answer.status = 405;
                }
            }),
            "HEAD /v1/appointment-types: expected status 200",
            "status 405",
        ),
    ]
}

/// Of what every answer carries.
fn of_headers() -> Vec<Planted> {
    vec![
        (
            "no CORS",
            on("GET /v1/insurances", |answer| answer.remove("access-control-allow-origin")),
            "GET /v1/insurances: expected access-control-allow-origin *",
            "pages of other sites cannot read this",
        ),
        (
            "headers that are not exposed",
            on("GET /v1/states", |answer| answer.set("access-control-expose-headers", "ETag")),
            "GET /v1/states: expected access-control-expose-headers ETag, Retry-After",
            "",
        ),
        (
            "no nosniff",
            on("GET /v1/providers/nobody-at-all", |answer| answer.remove("x-content-type-options")),
            "GET /v1/providers/nobody-at-all: expected x-content-type-options nosniff",
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
            "no generation",
            on("GET /v1/providers.json", |answer| answer.remove("nameplate-generation")),
            "GET /v1/providers.json: expected a header nameplate-generation",
            "",
        ),
        (
            "an old live",
            Box::new(|asked, answer| {
                if asked.line.starts_with("GET /v1/availability") {
                    answer.set("nameplate-generation", "0123456789abcdef");
                }
            }),
            "GET /v1/availability",
            "but nameplate-generation 0123456789abcdef came: live and the files are of different content",
        ),
    ]
}

/// Of the answers to questions.
fn of_answers() -> Vec<Planted> {
    vec![
        (
            "200 for an error",
            on("GET /v1/insurances?state=XX", |answer| answer.status = 200),
            "GET /v1/insurances?state=XX: expected status 400, but status 200",
            "a client takes this for an answer",
        ),
        (
            "an error that is a page",
            on("GET /v1/nothing", |answer| becomes(answer, 404, "text/html", "<h1>Page not found</h1>")),
            "GET /v1/nothing: expected content-type application/json, but content-type \"text/html\"",
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
            "a redirect that is missing",
            on("GET /v1/providers/hannah-whitfield", |answer| becomes(answer, 404, "application/json", "{}")),
            "GET /v1/providers/hannah-whitfield: expected status 301 to /v1/providers/hannah-whitfield-moss",
            "",
        ),
        (
            "a redirect that leads elsewhere",
            on("GET /v1/providers/hannah-whitfield", |answer| answer.set("location", "/v1/providers")),
            "GET /v1/providers/hannah-whitfield: expected location /v1/providers/hannah-whitfield-moss",
            "",
        ),
        (
            "the unfiltered list for ?state=",
            on("GET /v1/providers?state=tx", |answer| answer.replace("\"total\":", "\"total\":9")),
            "GET /v1/providers?state=tx: expected ",
            "see that the host's rules heed the query",
        ),
        (
            "an empty list instead of 503",
            on("GET /v1/availability?state=CA", |answer| {
                let empty = r#"{"slots":[],"nextAvailable":null,"state":"CA","appointmentType":null,"provider":null}"#;
                answer.body = empty.into();
            }),
            "GET /v1/availability?state=CA: expected ",
            "a live that cannot tell must say 503",
        ),
        (
            "another state's slots",
            on("GET /v1/availability?state=tx", |answer| {
                answer.replace("\"state\":\"TX\"", "\"state\":\"CA\"");
            }),
            "GET /v1/availability?state=tx: expected ",
            "see that no cache leaves out the query",
        ),
        (
            "a feed that is too old",
            on("GET /v1/availability?state=CA", |answer| {
                let body = r#"{"code":"AVAILABILITY_UNAVAILABLE","message":"availability is unknown"}"#;
                becomes(answer, 503, "application/json", body);
            }),
            "GET /v1/availability?state=CA: expected status 200, but status 503",
            "look at its feed",
        ),
    ]
}

/// Of the MCP endpoint.
fn of_tools() -> Vec<Planted> {
    vec![
        (
            "a tool that is missing",
            Box::new(|asked, answer| {
                if asked.body.contains("tools/list") {
                    answer.replace("list_insurances", "list_plans");
                }
            }),
            "POST /api/mcp tools/list: expected the tools list_states, list_insurances, ",
            "list_plans",
        ),
        (
            "a tool that is described otherwise",
            Box::new(|asked, answer| {
                if asked.body.contains("tools/list") {
                    answer.replace("Use this when you know which clinician is meant", "Call this");
                }
            }),
            "POST /api/mcp tools/list: expected this program's description of get_provider",
            "",
        ),
        (
            "a tool that says something else",
            Box::new(|asked, answer| {
                if asked.body.contains("tools/call") && asked.body.contains("get_provider") {
                    answer.replace("Rowan Achterberg", "Rewan Achterberg");
                }
            }),
            "POST /api/mcp tools/call get_provider (/v1/providers/rowan-achterberg): expected ",
            "the tool must say what REST says",
        ),
        (
            "an endpoint that is not routed",
            Box::new(|asked, answer| {
                if asked.line == "POST /api/mcp" {
                    becomes(answer, 404, "application/json", r#"{"code":"NOT_FOUND","message":"no"}"#);
                }
            }),
            "POST /api/mcp initialize: expected status 200, but status 404",
            "assistants cannot connect",
        ),
    ]
}
