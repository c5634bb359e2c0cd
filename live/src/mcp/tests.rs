use serde_json::{Value, json};

use crate::testing::{Reply, Server, body_of, options};
use crate::{Access, Limits, Options};

const JSON: &str = "content-type: application/json";
const BOTH: &str = "accept: application/json, text/event-stream";

async fn post(server: &Server, headers: &[&str], body: &Value) -> Reply {
    let headers: Vec<_> = [JSON, BOTH].iter().chain(headers).copied().collect();
    server.request("POST", "/api/mcp", &headers, &body.to_string()).await
}

async fn send(server: &Server, method: &str, params: Value) -> Reply {
    post(server, &[], &json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params })).await
}

async fn call(server: &Server, tool: &str, arguments: Value) -> Value {
    let reply = send(server, "tools/call", json!({ "name": tool, "arguments": arguments })).await;
    assert_eq!(reply.status, 200);
    reply.event()["result"].clone()
}

async fn modern(server: &Server, method: &str, mut params: Value, headers: &[&str]) -> Reply {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let method_line = format!("mcp-method: {method}");
    let mut lines = vec!["mcp-protocol-version: 2026-07-28", &method_line];
    lines.extend(headers);
    let body = json!({ "jsonrpc": "2.0", "id": "m", "method": method, "params": params });
    post(server, &lines, &body).await
}

fn capabilities() -> Value {
    json!({ "tools": {}, "resources": {}, "extensions": { "io.modelcontextprotocol/ui": {} } })
}

fn is_error(reply: &Reply, status: u16, code: i32) {
    assert_eq!(reply.status, status, "{}", reply.text());
    assert_eq!(reply.header("content-type"), Some("application/json"));
    assert_eq!(reply.json()["error"]["code"], code, "{}", reply.text());
    assert_eq!(reply.json()["jsonrpc"], "2.0");
}

/// What the server card of the fixture says.
fn server_info() -> Value {
    json!({
        "name": "example.fixture.api/directory", "version": env!("CARGO_PKG_VERSION"), "title": "Fixture Health",
        "icons": [{ "src": "https://fixture.example/assets/logo.png", "mimeType": "image/png", "sizes": ["512x512"] }],
        "websiteUrl": "https://fixture.example/docs/assistants",
    })
}

#[tokio::test]
async fn initialize_returns_a_known_version_without_a_session() {
    let server = Server::start(options()).await;
    let initialize = |version: &str| json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
    for (asked, answered) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("1999-01-01", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
    ] {
        let reply = send(&server, "initialize", initialize(asked)).await;
        let result = &reply.event()["result"];
        assert_eq!(result["protocolVersion"], answered);
        assert_eq!(result["capabilities"], capabilities());
        assert_eq!(result["serverInfo"], server_info());
        let instructions = result["instructions"].as_str().unwrap();
        for topic in ["911", "988", "time zone", "search_providers", "Never follow instructions"] {
            assert!(instructions.contains(topic), "{topic}");
        }
        assert_eq!(reply.header("mcp-session-id"), None);
        assert_eq!(reply.header("cache-control"), Some("no-store"));
        assert_eq!(reply.header("x-accel-buffering"), Some("no"));
        assert_eq!(reply.header("content-length"), Some(reply.body.len().to_string().as_str()));
    }
    let headers = ["mcp-protocol-version: 2026-07-28", "mcp-session-id: x", "last-event-id: 7"];
    let body =
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize("2025-06-18") });
    let reply = post(&server, &headers, &body).await;
    assert_eq!(reply.event()["result"]["protocolVersion"], "2025-06-18", "the header does not matter");
}

#[tokio::test]
async fn each_tool_returns_the_bytes_of_its_endpoint() {
    let server = Server::start(options()).await;
    let listed = send(&server, "tools/list", json!({})).await.event();
    assert_eq!(listed["result"]["tools"].as_array().unwrap().len(), 6);
    for (tool, arguments, target) in [
        ("list_states", json!({}), "/v1/states"),
        ("list_insurances", json!({ "state": "ca" }), "/v1/insurances?state=CA"),
        ("search_providers", json!({ "limit": "1", "gender": null }), "/v1/providers?limit=1"),
        (
            "search_providers",
            json!({ "offset": 1.0, "state": "California" }),
            "/v1/providers?offset=1&state=CA",
        ),
        ("get_provider", json!({ "slug": "jane-doe" }), "/v1/providers/jane-doe"),
        ("get_provider", json!({ "slug": "jane-smith" }), "/v1/providers/jane-doe"),
        ("list_appointment_types", json!({}), "/v1/appointment-types"),
        ("check_availability", json!({ "state": "CA", "limit": 3 }), "/v1/availability?state=CA&limit=3"),
    ] {
        let body = body_of(target);
        let params = json!({ "name": tool, "arguments": arguments });
        let reply = send(&server, "tools/call", params).await;
        let result = &reply.event()["result"];
        // Three of the openings are a cut list: a second text says so.
        let texts = if tool == "check_availability" { 2 } else { 1 };
        assert_eq!(result["content"].as_array().unwrap().len(), texts);
        assert_eq!(result["content"][0]["type"], "text");
        assert_eq!(result["content"][0]["text"].as_str().unwrap().as_bytes(), body, "{tool}");
        assert_eq!(result["isError"], false);
        let spliced = [br#""structuredContent":"#, &body[..]].concat();
        assert!(reply.body.windows(spliced.len()).any(|window| window == spliced), "{tool}: the same bytes");
    }
}

#[tokio::test]
async fn a_failed_lookup_is_only_a_sentence() {
    let server = Server::start(options()).await;
    for (tool, arguments, sentence) in [
        (
            "get_provider",
            json!({ "slug": "x" }),
            "No clinician is listed as “x”. Search by state to find one.",
        ),
        (
            "check_availability",
            json!({ "state": "XX" }),
            "I don't recognize the state “XX”. Please give a US state name or two-letter code.",
        ),
    ] {
        let result = call(&server, tool, arguments).await;
        let expected = json!({ "content": [{ "type": "text", "text": sentence }], "isError": true });
        assert_eq!(result, expected);
    }
    for (tool, arguments, named) in [
        ("check_availability", json!({}), "state"),
        ("check_availability", json!({ "state": null }), "state"),
        ("search_providers", json!({ "limit": "many" }), "number of clinicians"),
        ("search_providers", json!({ "limit": 1.5 }), "number of clinicians"),
        ("search_providers", json!({ "color": "red" }), "color"),
        ("search_providers", json!({ "gender": "x" }), "gender"),
        ("list_states", json!({ "state": "CA" }), "state"),
    ] {
        let result = call(&server, tool, arguments).await;
        assert_eq!(result["isError"], true);
        assert_eq!(result.get("structuredContent"), None);
        assert!(result["content"][0]["text"].as_str().unwrap().contains(named), "{result}");
    }
    let empty = call(&server, "check_availability", json!({ "state": "TX" })).await;
    assert_eq!(empty["isError"], false, "nothing open is not an error");
}

#[tokio::test]
async fn legacy_protocol_errors_are_events() {
    let server = Server::start(options()).await;
    assert_eq!(send(&server, "ping", json!({})).await.event()["result"], json!({}));
    for method in ["prompts/list", "resources/subscribe", "nonsense"] {
        let reply = send(&server, method, json!({})).await;
        assert_eq!((reply.status, &reply.event()["error"]["code"]), (200, &json!(-32601)), "{method}");
    }
    let unknown = send(&server, "tools/call", json!({ "name": "book_visit" })).await;
    assert_eq!((unknown.status, &unknown.event()["error"]["code"]), (200, &json!(-32602)));
    let reversed = send(&server, "tools/call", json!({ "name": "x\u{202e}y\u{1b}" })).await.event();
    assert_eq!(reversed["error"]["message"], "Unknown tool: x\u{fffd}y\u{fffd}");
    let odd = send(&server, "tools/call", json!({ "name": "list_states", "arguments": [] })).await;
    assert_eq!(odd.event()["error"]["code"], -32602);
    let bare = post(&server, &[], &json!({ "jsonrpc": "2.0", "id": "ü", "method": "tools/list" })).await;
    assert_eq!(bare.event()["id"], "ü");
}

#[tokio::test]
async fn notifications_are_accepted_and_invalid_requests_refused() {
    let server = Server::start(options()).await;
    let reply = post(&server, &[], &json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
    assert_eq!((reply.status, reply.body.len()), (202, 0));
    let raw = |body: &'static str| server.request("POST", "/api/mcp", &[JSON, BOTH], body);
    is_error(&raw("{").await, 400, -32700);
    is_error(&raw("7").await, 400, -32600);
    is_error(&raw(r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#).await, 400, -32600);
    is_error(&raw(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#).await, 400, -32600);
    is_error(&server.request("POST", "/api/mcp", &[JSON], "").await, 400, -32700);
}

#[tokio::test]
async fn http_is_checked_before_json() {
    let server = Server::with_limits(|limits| limits.body_bytes = 200).await;
    for method in ["GET", "DELETE", "PUT", "HEAD"] {
        let reply = server.request(method, "/api/mcp", &["accept: text/event-stream"], "").await;
        assert_eq!((reply.status, reply.header("allow")), (405, Some("POST, OPTIONS")), "{method}");
        assert!(method == "HEAD" || reply.json()["error"]["code"].is_i64());
        assert_eq!(reply.header("access-control-allow-origin"), Some("*"));
    }
    let options = server.request("OPTIONS", "/api/mcp", &["origin: http://localhost"], "").await;
    assert_eq!((options.status, options.header("allow")), (204, Some("POST, OPTIONS")));
    for name in [
        "content-type",
        "accept",
        "mcp-protocol-version",
        "mcp-method",
        "mcp-name",
        "mcp-session-id",
        "last-event-id",
    ] {
        let allowed: Vec<_> = options.header("access-control-allow-headers").unwrap().split(", ").collect();
        assert!(allowed.contains(&name), "{name}");
    }
    for content_type in ["content-type: text/plain", "content-type: application/jsonx", "x-none: 1"] {
        let reply = server.request("POST", "/api/mcp", &[content_type], "{}").await;
        assert_eq!(reply.status, 415);
        assert_eq!(reply.header("content-type"), Some("application/json"));
    }
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let with_charset = ["content-type: Application/JSON; charset=utf-8"];
    assert_eq!(server.request("POST", "/api/mcp", &with_charset, ping).await.event()["result"], json!({}));
    let unzipped = server.request("POST", "/api/mcp", &[JSON, "content-encoding: gzip"], ping).await;
    is_error(&unzipped, 415, -32600);
    let large = server.request("POST", "/api/mcp", &[JSON], &" ".repeat(201)).await;
    assert_eq!((large.status, large.header("content-type")), (413, Some("application/json")));
}

#[tokio::test]
async fn a_chunked_body_is_limited_while_it_arrives() {
    let limits = Limits { body_bytes: 64, body: std::time::Duration::from_millis(200), ..Limits::default() };
    let server = Server::start(Options { limits, ..options() }).await;
    let head =
        format!("POST /api/mcp HTTP/1.1\r\nhost: localhost\r\n{JSON}\r\ntransfer-encoding: chunked\r\n\r\n");
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let (start, end) = ping.split_at(10);
    let chunks = format!("{:x}\r\n{start}\r\n{:x}\r\n{end}\r\n0\r\n\r\n", start.len(), end.len());
    let reply = Reply::parse(&server.raw(format!("{head}{chunks}").as_bytes()).await);
    assert_eq!(reply.event()["result"], json!({}));
    let large = format!("{head}28\r\n{0}\r\n28\r\n{0}\r\n0\r\n\r\n", " ".repeat(40));
    assert_eq!(Reply::parse(&server.raw(large.as_bytes()).await).status, 413);
    let slow = Reply::parse(&server.raw(format!("{head}5\r\n{{").as_bytes()).await);
    assert_eq!(slow.status, 408);
}

#[tokio::test]
async fn a_client_that_accepts_only_json_gets_json() {
    let server = Server::start(options()).await;
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let reply = server.request("POST", "/api/mcp", &[JSON, "accept: application/json"], ping).await;
    assert_eq!(reply.header("content-type"), Some("application/json"));
    assert_eq!(reply.json(), json!({ "jsonrpc": "2.0", "id": 1, "result": {} }));
    let batch = format!("[{ping},{ping}]");
    let reply = server.request("POST", "/api/mcp", &[JSON, "accept: application/json"], &batch).await;
    assert_eq!(reply.json().as_array().unwrap().len(), 2);
    for accept in ["text/html", "application/json;q=0", "image/*, text/plain"] {
        for body in [ping, &batch] {
            let reply = server.request("POST", "/api/mcp", &[JSON, &format!("accept: {accept}")], body).await;
            is_error(&reply, 406, -32600);
        }
    }
}

#[tokio::test]
async fn only_one_revision_accepts_batches() {
    let server = Server::start(options()).await;
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    let note = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let mixed = json!([ping, note, 7, { "jsonrpc": "2.0", "id": 2, "method": "nonsense" }]);
    for headers in [&[][..], &["mcp-protocol-version: 2025-03-26"]] {
        let events = post(&server, headers, &mixed).await.events();
        assert_eq!(events.len(), 3);
        assert_eq!(events[0]["result"], json!({}));
        assert_eq!((&events[1]["error"]["code"], &events[1]["id"]), (&json!(-32600), &Value::Null));
        assert_eq!((&events[2]["error"]["code"], &events[2]["id"]), (&json!(-32601), &json!(2)));
    }
    assert_eq!(post(&server, &[], &json!([note, note])).await.status, 202);
    assert_eq!(post(&server, &[], &Value::Array(vec![ping.clone(); 20])).await.events().len(), 20);
    is_error(&post(&server, &[], &Value::Array(vec![ping.clone(); 21])).await, 400, -32600);
    is_error(&post(&server, &[], &json!([])).await, 400, -32600);
    let initialize = json!([{ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {} }]);
    is_error(&post(&server, &[], &initialize).await, 400, -32600);
    for version in ["2024-11-05", "2025-06-18", "2025-11-25", "2026-07-28"] {
        let header = format!("mcp-protocol-version: {version}");
        is_error(&post(&server, &[&header], &json!([ping])).await, 400, -32600);
    }
}

#[tokio::test]
async fn a_modern_request_needs_no_handshake() {
    let server = Server::start(options()).await;
    let result = modern(&server, "server/discover", json!({}), &[]).await.event()["result"].clone();
    assert_eq!(result["supportedVersions"], json!(["2026-07-28"]));
    assert_eq!(result["capabilities"], capabilities());
    assert!(result["instructions"].is_string() && result["ttlMs"].is_u64());
    assert_eq!(result["cacheScope"], "public");

    let list = modern(&server, "tools/list", json!({}), &[]).await.event()["result"].clone();
    assert_eq!(list["tools"].as_array().unwrap().len(), 6);
    assert!(list["ttlMs"].is_u64() && list["cacheScope"] == "public");

    let params = json!({ "name": "list_states", "arguments": {} });
    let called = modern(&server, "tools/call", params.clone(), &["mcp-name: list_states"]).await.event();
    // The same name, as base64.
    let encoded = ["mcp-name: =?base64?bGlzdF9zdGF0ZXM=?="];
    assert_eq!(modern(&server, "tools/call", params.clone(), &encoded).await.event(), called);
    assert_eq!(called["result"]["content"][0]["text"].as_str().unwrap().as_bytes(), body_of("/v1/states"));
    let mut brief = server_info();
    brief.as_object_mut().unwrap().retain(|name, _| ["name", "version", "title"].contains(&name.as_str()));
    for (result, info) in [(&result, &server_info()), (&list, &brief), (&called["result"], &brief)] {
        assert_eq!(result["resultType"], "complete");
        assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"], *info);
    }

    is_error(&modern(&server, "tools/call", params.clone(), &[]).await, 400, -32020);
    is_error(&modern(&server, "tools/call", params.clone(), &["mcp-name: get_provider"]).await, 400, -32020);
    is_error(&modern(&server, "tools/call", params.clone(), &["mcp-name: List_States"]).await, 400, -32020);
    is_error(&modern(&server, "tools/call", params, &["mcp-name: =?base64?!?="]).await, 400, -32020);
    let bare = |meta: Value| json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": { "_meta": meta } });
    let lines = ["mcp-protocol-version: 2026-07-28", "mcp-method: tools/list"];
    let version = json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28" });
    is_error(&post(&server, &lines, &bare(version)).await, 400, -32602);
    let none = json!({ "io.modelcontextprotocol/clientCapabilities": {} });
    is_error(&post(&server, &lines, &bare(none)).await, 400, -32602);
    for method in ["ping", "initialize", "prompts/list"] {
        is_error(&modern(&server, method, json!({}), &[]).await, 404, -32601);
    }
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {} });
    is_error(&post(&server, &["mcp-protocol-version: 2026-07-28"], &body).await, 400, -32602);
    for requested in ["2099-01-01", "1999-01-01"] {
        let reply = post(&server, &[&format!("mcp-protocol-version: {requested}")], &body).await;
        is_error(&reply, 400, -32022);
        let data = json!({ "supported": ["2026-07-28"], "requested": requested });
        assert_eq!(reply.json()["error"]["data"], data);
    }
}

#[tokio::test]
async fn a_foreign_host_or_origin_is_forbidden() {
    let server = Server::start(options()).await;
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    assert_eq!(post(&server, &["origin: http://localhost:3000"], &ping).await.status, 200);
    is_error(&post(&server, &["origin: https://evil.example"], &ping).await, 403, -32600);
    let rebound = format!(
        "POST /api/mcp HTTP/1.1\r\nhost: evil.example\r\n{JSON}\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{{}}"
    );
    assert_eq!(Reply::parse(&server.raw(rebound.as_bytes()).await).status, 403);
    let absolute = format!(
        "POST http://evil.example/api/mcp HTTP/1.1\r\nhost: localhost\r\n{JSON}\r\nconnection: close\r\n\
         content-length: 2\r\n\r\n{{}}"
    );
    assert_eq!(Reply::parse(&server.raw(absolute.as_bytes()).await).status, 403, "the target's host counts");

    let public = Server::start(crate::Options::new(Access::public(), crate::Limits::default())).await;
    assert_eq!(post(&public, &[], &ping).await.status, 403, "localhost is not a public name");
}

mod hostile;
mod promises;
mod view;
