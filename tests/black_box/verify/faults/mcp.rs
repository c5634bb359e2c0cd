//! Faults of the MCP endpoint.

use super::{Planted, becomes, on};
use crate::harness::text;
use crate::verify::host::{Fault, Response};

/// Changes the responses to MCP messages that contain a text.
fn containing(part: &'static str, spoil: impl Fn(&mut Response) + Send + Sync + 'static) -> Box<Fault> {
    Box::new(move |request, answer| {
        if request.line == "POST /api/mcp" && request.body.contains(part) {
            spoil(answer);
        }
    })
}

#[expect(clippy::too_many_lines, reason = "a table")]
pub(super) fn of_protocol() -> Vec<Planted> {
    vec![
        (
            "no MCP endpoint, although the content names a live service",
            containing("", |answer| becomes(answer, 404, "text/plain", "")),
            "POST /api/mcp initialize: expected status 200",
            "",
        ),
        (
            "a session",
            containing("\"initialize\"", |answer| answer.set("mcp-session-id", "1")),
            "POST /api/mcp initialize: expected no session",
            "",
        ),
        (
            "JSON instead of an event",
            containing("\"tools/list\"", |answer| {
                let body = text(&answer.body).replace("event: message\ndata: ", "");
                becomes(answer, 200, "application/json", body.trim_end());
            }),
            "POST /api/mcp tools/list: expected content-type text/event-stream",
            "",
        ),
        (
            "an event of another form",
            containing("\"tools/list\"", |answer| answer.replace("event: message\n", "")),
            "POST /api/mcp tools/list: expected one event with the JSON-RPC response",
            "",
        ),
        (
            "no CORS on MCP",
            containing("\"tools/list\"", |answer| answer.remove("access-control-allow-origin")),
            "POST /api/mcp tools/list: expected access-control-allow-origin \"*\"",
            "",
        ),
        (
            "an MCP response that may be cached",
            containing("\"tools/list\"", |answer| answer.set("cache-control", "public, max-age=60")),
            "POST /api/mcp tools/list: expected cache-control \"no-store\"",
            "",
        ),
        (
            "another error sentence",
            containing("search_providers", |answer| {
                if text(&answer.body).contains("I don't recognise") {
                    answer.replace("I don't recognise", "Unrecognised:");
                }
            }),
            "POST /api/mcp tools/call search_providers (state: no such thing): expected isError true",
            "Unrecognised:",
        ),
        (
            "an error with isError false",
            containing("no such thing", |answer| {
                if text(&answer.body).contains("No clinician is listed") {
                    answer.replace("\"isError\":true", "\"isError\":false");
                }
            }),
            "POST /api/mcp tools/call get_provider (slug: no such thing): expected isError true",
            "isError false",
        ),
        (
            "structured content that differs",
            containing("list_states", |answer| {
                if text(&answer.body).contains("structuredContent") {
                    answer.replace("\"structuredContent\":{", "\"structuredContent\":{\"more\":1,");
                }
            }),
            "POST /api/mcp tools/call list_states (/v1/states): expected isError false, and structuredContent",
            "",
        ),
        (
            "a result for an unknown tool",
            containing("no_such_tool", |answer| answer.replace("\"error\":", "\"result\":")),
            "POST /api/mcp tools/call with an unknown tool: expected a response with the member error",
            "",
        ),
        (
            "another error code",
            containing("no/such/method", |answer| answer.replace("-32601", "-32000")),
            "POST /api/mcp unknown method: expected the error -32601",
            "",
        ),
        (
            "an older protocol",
            containing("\"initialize\"", |answer| answer.replace("2025-06-18", "2024-11-05")),
            "POST /api/mcp initialize: expected protocolVersion 2025-06-18",
            "",
        ),
        (
            "a response to a notification",
            containing("notifications/", |answer| answer.status = 200),
            "POST /api/mcp notification: expected status 202, but found status 200",
            "",
        ),
        (
            "a GET with a response",
            on("GET /api/mcp", |answer| becomes(answer, 200, "text/event-stream", "")),
            "GET /api/mcp: expected status 405, but found status 200",
            "",
        ),
        (
            "no preflight",
            on("OPTIONS /api/mcp", |answer| answer.status = 404),
            "OPTIONS /api/mcp: expected status 204, but found status 404",
            "",
        ),
        (
            "a preflight without the protocol's headers",
            on("OPTIONS /api/mcp", |answer| answer.set("access-control-allow-headers", "content-type")),
            "OPTIONS /api/mcp: expected access-control-allow-headers \"content-type, accept, mcp-protocol-version",
            "",
        ),
        (
            "events for a client that accepts only JSON",
            containing("\"ping\"", |answer| {
                let body = format!("event: message\ndata: {}\n\n", text(&answer.body));
                becomes(answer, 200, "text/event-stream", &body);
            }),
            "POST /api/mcp ping that accepts only JSON: expected content-type application/json",
            "",
        ),
        (
            "the older transport",
            on("GET /api/sse", |answer| becomes(answer, 200, "text/event-stream", "")),
            "GET /api/sse: expected status 404, but found status 200",
            "",
        ),
        (
            "a host name that live does not accept",
            containing("\"initialize\"", |answer| {
                becomes(
                    answer,
                    403,
                    "application/json",
                    r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600}}"#,
                );
            }),
            "POST /api/mcp initialize: expected status 200, but found status 403",
            "add it to mcp.hosts",
        ),
    ]
}

pub(super) fn of_tools() -> Vec<Planted> {
    vec![
        (
            "a missing tool",
            Box::new(|request, answer| {
                if request.body.contains("tools/list") {
                    answer.replace("list_insurances", "list_plans");
                }
            }),
            "POST /api/mcp tools/list: expected the tools list_states, list_insurances, ",
            "list_plans",
        ),
        (
            "a tool with another description",
            Box::new(|request, answer| {
                if request.body.contains("tools/list") {
                    answer.replace("Use this when you know which clinician is meant", "Call this");
                }
            }),
            "POST /api/mcp tools/list: expected this program's description of get_provider",
            "",
        ),
        (
            "a tool with another answer",
            Box::new(|request, answer| {
                if request.body.contains("tools/call") && request.body.contains("get_provider") {
                    answer.replace("Rowan Achterberg", "Rewan Achterberg");
                }
            }),
            "POST /api/mcp tools/call get_provider (/v1/providers/rowan-achterberg): expected ",
            "tools must give the same answers as REST",
        ),
        (
            "an endpoint without a route",
            Box::new(|request, answer| {
                if request.line == "POST /api/mcp" {
                    becomes(answer, 404, "application/json", r#"{"code":"NOT_FOUND","message":"no"}"#);
                }
            }),
            "POST /api/mcp initialize: expected status 200, but found status 404",
            "assistants cannot connect",
        ),
    ]
}
