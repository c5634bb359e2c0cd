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

pub(super) fn of_protocol() -> Vec<Planted> {
    vec![
        (
            "no MCP endpoint, although the content names a live service",
            containing("", |answer| becomes(answer, 404, "text/plain", "")),
            "POST /api/mcp initialize: expected status 200 with a JSON-RPC result",
            "assistants can't connect",
        ),
        (
            "no result",
            containing("\"tools/list\"", |answer| answer.replace("\"result\":", "\"error\":")),
            "POST /api/mcp tools/list: expected status 200 with a JSON-RPC result",
            "pass",
        ),
        (
            "no CORS on MCP",
            containing("\"tools/list\"", |answer| answer.remove("access-control-allow-origin")),
            "POST /api/mcp tools/list: expected access-control-allow-origin \"*\"",
            "",
        ),
        (
            "another error sentence",
            containing("search_providers", |answer| {
                if text(&answer.body).contains("I don't recognize") {
                    answer.replace("I don't recognize", "Unrecognized:");
                }
            }),
            "POST /api/mcp tools/call search_providers (state: no such thing): expected isError true",
            "Unrecognized:",
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
            "an older protocol",
            containing("\"initialize\"", |answer| answer.replace("2025-06-18", "2024-11-05")),
            "POST /api/mcp initialize: expected protocolVersion 2025-06-18",
            "",
        ),
        (
            "the older transport",
            on("GET /api/sse", |answer| becomes(answer, 200, "text/event-stream", "")),
            "GET /api/sse: expected status 404, but found status 200",
            "",
        ),
        (
            "a host name that live doesn't accept",
            containing("\"initialize\"", |answer| {
                becomes(
                    answer,
                    403,
                    "application/json",
                    r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600}}"#,
                );
            }),
            "POST /api/mcp initialize: expected status 200 with a JSON-RPC result, but found status 403",
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
    ]
}
