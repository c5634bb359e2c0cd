//! MCP clients in web pages: a preflight, then the request, both with an Origin.

use std::fs::{self, File};
use std::process::Stdio;
use std::time::Duration;

use crate::harness::{Reply, Server, command, content, text, within};

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;

/// The responses to the preflight and the POST of a page of this origin, with this Host.
pub(crate) fn from_page(server: &Server, host: &str, origin: &str) -> (Reply, Reply) {
    let head = format!("/api/mcp HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin}\r\nConnection: close\r\n");
    let preflight = server.send(&format!(
        "OPTIONS {head}Access-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: content-type\r\n\r\n"
    ));
    let post = server.send(&format!(
        "POST {head}Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n\
         Content-Length: {}\r\n\r\n{PING}",
        PING.len()
    ));
    (preflight, post)
}

fn statuses((preflight, post): &(Reply, Reply)) -> (u16, u16) {
    (preflight.status, post.status)
}

#[test]
fn the_shipped_settings_allow_web_pages_through_a_proxy() {
    let content = content();
    let server = Server::start(&[
        "serve",
        "--config",
        "deploy/nameplate.toml",
        "--content",
        content.to_str().unwrap(),
        "--admin",
        "127.0.0.1:0",
        "--log-format",
        "text",
    ]);
    let by_loopback = server.address().to_string();
    // Cloudflare, Netlify and nginx send the host of live-url, other proxies the client's Host.
    for host in ["live.larkspur.example", "api.larkspur.example", &by_loopback] {
        for origin in ["https://claude.ai", "https://inspector.example:6274"] {
            let both = from_page(&server, host, origin);
            assert_eq!(statuses(&both), (204, 200), "{host} {origin}: {}", text(&both.1.body));
            for reply in [&both.0, &both.1] {
                assert_eq!(reply.field("access-control-allow-origin"), Some("*"));
            }
        }
    }
    // A page whose own domain resolves to this server is refused.
    assert_eq!(statuses(&from_page(&server, "evil.example", "https://evil.example")), (403, 403));
}

#[test]
fn a_loopback_service_refuses_foreign_pages_and_names_the_setting() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let content = content();
    let mut serve = command(&["serve", "--content", content.to_str().unwrap(), "--listen", "127.0.0.1:0"]);
    let mut process = serve.stdin(Stdio::null()).stderr(File::create(&log).unwrap()).spawn().unwrap();
    let logged = || fs::read_to_string(&log).unwrap();
    within(Duration::from_mins(1), "the service starts", || logged().contains("address="));
    let log_text = logged();
    let (_, rest) = log_text.split_once("address=").unwrap();
    let address = rest.split_whitespace().next().unwrap();
    let server = Server::elsewhere(address.parse().unwrap());

    for _ in 0..3 {
        let by_page = from_page(&server, address, "https://claude.ai");
        assert_eq!(statuses(&by_page), (403, 403), "the preflight fails like the request");
        for reply in [&by_page.0, &by_page.1] {
            let body = text(&reply.body);
            assert!(body.contains("https://claude.ai") && body.contains("mcp.origins"), "{body}");
            assert_eq!(reply.field("content-type"), Some("application/json"));
            assert_eq!(reply.field("access-control-allow-origin"), Some("*"));
        }
        let rebound = from_page(&server, "evil.example", "http://evil.example");
        assert_eq!(statuses(&rebound), (403, 403));
        assert!(
            text(&rebound.1.body).contains("mcp.hosts") && text(&rebound.1.body).contains("evil.example")
        );
    }
    assert_eq!(statuses(&from_page(&server, address, "http://localhost:6274")), (204, 200));
    let refusals = || -> Vec<String> {
        logged().lines().filter(|line| line.contains("a request was refused")).map(str::to_owned).collect()
    };
    within(Duration::from_mins(1), "both kinds of refusal are logged", || refusals().len() >= 2);
    let warnings = refusals();
    _ = process.kill();
    _ = process.wait();
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert!(warnings[0].contains("WARN") && warnings[0].contains("mcp.origins"), "{warnings:?}");
    assert!(warnings[1].contains("mcp.hosts"), "{warnings:?}");
}
