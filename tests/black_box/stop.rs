//! A service that is stopped while clients have requests in progress.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::thread;
use std::time::Duration;

use crate::harness::{Server, text, within};

fn start(folder: &std::path::Path, drain: &str) -> Server {
    let settings = folder.join("nameplate.toml");
    fs::write(&settings, format!("[limits]\ndrain = \"{drain}\"\n")).unwrap();
    Server::start(&["serve", "--config", settings.to_str().unwrap()])
}

fn connect(server: &Server) -> TcpStream {
    let stream = TcpStream::connect(server.address()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
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
    thread::sleep(Duration::from_millis(300));
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
    thread::sleep(Duration::from_millis(300));
    assert!(Command::new("kill").args(["-TERM", &server.id().to_string()]).status().unwrap().success());
    // It accepts no new connection, and the request in flight is answered.
    within(Duration::from_secs(15), "no new connection", || TcpStream::connect(server.address()).is_err());
    stream.write_all(end.as_bytes()).unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    let answer = text(&bytes);
    assert!(answer.starts_with("HTTP/1.1 200 ") && answer.contains(r#""id":7"#), "{answer}");
    assert!(answer.to_ascii_lowercase().contains("\r\nconnection: close\r\n"), "{answer}");
    assert_eq!(server.terminate(), Some(0));
}
