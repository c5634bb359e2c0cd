//! A service that is stopped while clients have requests in progress.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;

use crate::harness::{Server, TIMEOUT, text, within};

/// Waits until the service has this many connections, and as many requests.
fn is_at(server: &Server, connections: usize, requests: usize) {
    let lines = [
        format!("nameplate_connections {connections}\n"),
        format!("nameplate_requests_in_flight {requests}\n"),
    ];
    within(TIMEOUT, "the requests are read", || {
        let metrics = server.operators().get("/metrics");
        lines.iter().all(|line| text(&metrics.body).contains(line))
    });
}

fn start(folder: &std::path::Path, drain: &str) -> Server {
    let settings = folder.join("nameplate.toml");
    fs::write(&settings, format!("[limits]\ndrain = \"{drain}\"\n")).unwrap();
    Server::start(&["serve", "--config", settings.to_str().unwrap(), "--admin", "127.0.0.1:0"])
}

fn connect(server: &Server) -> TcpStream {
    let stream = TcpStream::connect(server.address()).unwrap();
    stream.set_read_timeout(Some(TIMEOUT)).unwrap();
    stream
}

#[test]
fn incomplete_requests_and_blocked_readers_are_cut_at_the_drain_deadline() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path(), "1s");
    let mut held = Vec::new();
    for beginning in [
        &b""[..],
        b"GET /v1/states HTTP/1.1\r\nHost:",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"POST /api/mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{",
        b"GET /v1/states HTTP/1.1\r\nHost: a\r\n\r\n",
    ] {
        let mut stream = connect(&server);
        stream.write_all(beginning).unwrap();
        held.push(stream);
    }
    is_at(&server, 5, 1);
    server.signal("-TERM");
    let stopped = server.logs("stopped");
    assert!(!stopped.contains("cut=0"), "{stopped}");
    assert_eq!(server.terminate(), Some(0));
}

#[test]
fn a_request_in_flight_is_answered_after_sigterm() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path(), "20s");
    let body = r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#;
    let (begin, end) = body.split_at(9);
    let mut stream = connect(&server);
    let head = format!(
        "POST /api/mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nContent-Length: {}\r\n\r\n{begin}",
        body.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    is_at(&server, 1, 1);
    server.signal("-TERM");
    // It accepts no new connection, and the request in flight is answered.
    within(TIMEOUT, "no new connection", || TcpStream::connect(server.address()).is_err());
    stream.write_all(end.as_bytes()).unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    let answer = text(&bytes);
    assert!(answer.starts_with("HTTP/1.1 200 ") && answer.contains(r#""id":7"#), "{answer}");
    assert!(answer.to_ascii_lowercase().contains("\r\nconnection: close\r\n"), "{answer}");
    assert_eq!(server.terminate(), Some(0));
}
