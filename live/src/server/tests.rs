use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use warp::Filter;

use crate::reply::Response;
use crate::testing::{Reply, Server, body_of, options, store, until_closed};
use crate::{Limits, Service};

const SHORT: Duration = Duration::from_millis(200);
/// Longer than a slow machine takes, and shorter than the default deadline of an idle connection.
const HANG: Duration = Duration::from_mins(1);

fn status(bytes: &[u8]) -> u16 {
    Reply::parse(bytes).status
}

#[tokio::test]
async fn a_request_needs_exactly_one_host() {
    let server = Server::start(options()).await;
    for (head, expected) in [
        ("GET /v1/states HTTP/1.1\r\n", 400),
        ("GET /v1/states HTTP/1.1\r\nhost: a\r\nhost: a\r\n", 400),
        ("GET /v1/states HTTP/1.1\r\nhost: a\r\nHost: b\r\n", 400),
        ("GET /v1/states HTTP/1.1\r\nhost: a b\r\n", 400),
        ("GET /v1/states HTTP/1.1\r\nhost: user@a\r\n", 400),
        ("GET /v1/states HTTP/1.1\r\nhost:\r\n", 400),
        ("GET http://a/v1/states HTTP/1.1\r\n", 400),
        ("GET /v1/states HTTP/1.1\r\nhost: [::1]:80\r\n", 200),
        ("GET http://a/v1/states HTTP/1.1\r\nhost: a\r\n", 200),
        ("GET /v1/states HTTP/1.0\r\n", 200),
    ] {
        let bytes = server.raw(format!("{head}connection: close\r\n\r\n").as_bytes()).await;
        assert_eq!(status(&bytes), expected, "{head}");
        if expected == 400 {
            assert_eq!(Reply::parse(&bytes).json()["code"], "BAD_REQUEST");
        }
    }
}

#[tokio::test]
async fn unusual_targets_are_answered_without_a_panic() {
    let server = Server::start(options()).await;
    for (head, expected) in [
        ("CONNECT example.com:443 HTTP/1.1\r\nhost: example.com:443", 405),
        ("CONNECT /v1/states HTTP/1.1\r\nhost: a", 405),
        ("GET * HTTP/1.1\r\nhost: a", 400),
        ("OPTIONS * HTTP/1.1\r\nhost: a", 204),
        ("TRACE /v1/states HTTP/1.1\r\nhost: a", 405),
        ("GET /%00 HTTP/1.1\r\nhost: a", 404),
        ("GET //v1/states HTTP/1.1\r\nhost: a", 404),
    ] {
        let bytes = server.raw(format!("{head}\r\nconnection: close\r\n\r\n").as_bytes()).await;
        assert_eq!(status(&bytes), expected, "{head}");
    }
    assert_eq!(server.get("/v1/states").await.status, 200);
}

#[tokio::test]
async fn a_head_above_the_limits_is_refused() {
    let server = Server::start(options()).await;
    let long = server.get(&format!("/v1/providers?state={}", "x".repeat(9_000))).await;
    assert_eq!((long.status, &long.json()["code"]), (414, &"URI_TOO_LONG".into()));
    let field = format!("x-large: {}", "x".repeat(30_000));
    let large = server.request("GET", "/v1/states", &[&field], "").await;
    assert_eq!((large.status, &large.json()["code"]), (431, &"HEADERS_TOO_LARGE".into()));
    // hyper refuses far larger heads before the guard.
    let target = format!("/{}", "x".repeat(70_000));
    assert_eq!(server.get(&target).await.status, 414);
    let field = format!("x-large: {}", "x".repeat(500_000));
    assert_eq!(server.request("GET", "/v1/states", &[&field], "").await.status, 431);
    let many: Vec<_> = (0..101).map(|number| format!("x-{number}: y")).collect();
    let many: Vec<_> = many.iter().map(String::as_str).collect();
    assert_eq!(server.request("GET", "/v1/states", &many, "").await.status, 431);
}

#[tokio::test]
async fn ambiguous_body_framing_closes_the_connection() {
    let server = Server::start(options()).await;
    let smuggled = "GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n";
    for framing in [
        "content-length: 5\r\ntransfer-encoding: chunked",
        "transfer-encoding: chunked\r\ncontent-length: 5",
        "content-length: 5\r\ncontent-length: 6",
        "content-length: +5",
        "transfer-encoding: xchunked",
        "transfer-encoding: chunked, identity",
        "transfer-encoding:\x0bchunked",
        "content-length : 5",
        // Some parsers read a folded line as one field, others as two.
        "content-length: 5\r\n transfer-encoding: chunked",
        "x-a: y\r\n content-length: 5",
    ] {
        let request = format!("GET /v1/states HTTP/1.1\r\nhost: a\r\n{framing}\r\n\r\n0\r\n\r\n{smuggled}");
        let bytes = server.raw(request.as_bytes()).await;
        let answers = bytes.windows(9).filter(|window| window == b"HTTP/1.1 ").count();
        assert_eq!(answers, 1, "{framing}: {}", String::from_utf8_lossy(&bytes));
    }
}

#[tokio::test]
async fn an_idle_connection_outlives_the_head_deadline() {
    let server = Server::with_limits(|limits| limits.head = SHORT).await;
    let mut stream = server.connect().await;
    let expected = body_of("/v1/states");
    for _ in 0..3 {
        stream.write_all(b"GET /v1/states HTTP/1.1\r\nhost: a\r\n\r\n").await.unwrap();
        let mut bytes = Vec::new();
        while !bytes.ends_with(&expected) {
            assert!(stream.read_buf(&mut bytes).await.unwrap() > 0);
        }
        tokio::time::sleep(SHORT * 2).await;
    }
}

#[tokio::test]
async fn silent_and_slow_connections_are_closed_at_the_head_deadline() {
    let server = Server::with_limits(|limits| limits.head = SHORT).await;
    for start in
        [&b""[..], b"GET /v1/states HT", b"PRI * HTTP/2.0\r\n\r\nSM", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"]
    {
        let mut stream = server.connect().await;
        stream.write_all(start).await.unwrap();
        let began = Instant::now();
        until_closed(&mut stream).await;
        assert!(began.elapsed() < HANG, "{start:?}");
    }
    let mut stream = server.connect().await;
    let began = Instant::now();
    stream.write_all(b"GET /v1/states HTTP/1.1\r\n").await.unwrap();
    while stream.write_all(b"x: y\r\n").await.is_ok() {
        tokio::time::sleep(SHORT / 8).await;
        assert!(began.elapsed() < HANG, "further bytes keep a connection open");
    }
}

#[tokio::test]
async fn a_second_head_and_an_idle_phase_have_their_own_deadlines() {
    let server = Server::with_limits(|limits| {
        limits.head = SHORT;
        limits.idle = HANG * 5;
    })
    .await;
    let mut stream = server.connect().await;
    stream.write_all(b"GET /v1/states HTTP/1.1\r\nhost: a\r\n\r\n").await.unwrap();
    let expected = body_of("/v1/states");
    let mut bytes = Vec::new();
    while !bytes.ends_with(&expected) {
        assert!(stream.read_buf(&mut bytes).await.unwrap() > 0);
    }
    let began = Instant::now();
    stream.write_all(b"GET /v1").await.unwrap();
    until_closed(&mut stream).await;
    assert!(began.elapsed() < HANG, "the half-sent second head");

    let server = Server::with_limits(|limits| {
        limits.head = SHORT;
        limits.idle = SHORT * 5;
    })
    .await;
    let mut stream = server.connect().await;
    stream.write_all(b"GET /v1/states HTTP/1.1\r\nhost: a\r\n\r\n").await.unwrap();
    let began = Instant::now();
    until_closed(&mut stream).await;
    assert!(began.elapsed() >= SHORT * 4, "the idle deadline is longer than the head's");
}

#[tokio::test]
async fn a_connection_above_the_limit_gets_503_at_once() {
    let server = Server::with_limits(|limits| limits.connections = 1).await;
    let mut first = server.connect().await;
    first.write_all(b"GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n").await.unwrap();
    let mut byte = [0; 1];
    first.read_exact(&mut byte).await.unwrap();
    let refused = server.get("/v1/states").await;
    assert_eq!((refused.status, refused.header("retry-after")), (503, Some("1")));
    assert_eq!(refused.json()["code"], "OVERLOADED");
    assert_eq!(refused.header("access-control-allow-origin"), Some("*"));
    // The request is not read (see docs/API.md).
    assert_eq!((refused.header("nameplate-generation"), refused.header("x-request-id")), (None, None));
    drop(first);
    let mut reply = server.get("/v1/states").await;
    for _ in 0..50 {
        if reply.status == 200 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
        reply = server.get("/v1/states").await;
    }
    panic!("the closed connection still counts");
}

fn slow_service(wait: Duration, limits: Limits) -> Service {
    let table = warp::path::full().then(move |path: warp::path::FullPath| async move {
        tokio::time::sleep(wait).await;
        assert!(path.as_str() != "/panic", "a bug");
        Response::new("done".into())
    });
    Service::around(store(), limits, table)
}

async fn slow(wait: Duration, limits: Limits) -> Server {
    Server::around(slow_service(wait, limits)).await
}

#[tokio::test]
async fn a_panic_is_one_json_500_that_is_counted_and_the_service_continues() {
    let service = slow_service(Duration::ZERO, Limits::default());
    let vitals = std::sync::Arc::clone(&service.inner.vitals);
    let server = Server::around(service).await;
    let reply = server.get("/panic").await;
    assert_eq!((reply.status, &reply.json()["code"]), (500, &"INTERNAL".into()));
    assert!(!reply.text().contains("bug"), "the body must not contain the panic's message");
    assert_eq!(reply.header("access-control-allow-origin"), Some("*"));
    assert_eq!(server.get("/").await.text(), "done");
    let metrics = vitals.metrics();
    for line in [
        "nameplate_requests_total{route=\"other\",status=\"500\"} 1\n",
        "nameplate_requests_total{route=\"other\",status=\"200\"} 1\n",
        "nameplate_requests_in_flight 0\n",
    ] {
        assert!(metrics.contains(line), "{line}{metrics}");
    }
    let mut stream = server.connect().await;
    let request =
        "GET /panic HTTP/1.1\r\nhost: a\r\n\r\nGET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n";
    stream.write_all(request.as_bytes()).await.unwrap();
    let bytes = String::from_utf8(until_closed(&mut stream).await).unwrap();
    assert!(bytes.starts_with("HTTP/1.1 500 ") && bytes.ends_with("done"), "{bytes}");
}

#[tokio::test]
async fn a_stop_waits_for_requests_in_flight() {
    let server = slow(SHORT, Limits::default()).await;
    let mut stream = server.connect().await;
    stream.write_all(b"GET / HTTP/1.1\r\nhost: a\r\n\r\n").await.unwrap();
    let mut idle = server.connect().await;
    tokio::time::sleep(SHORT / 4).await;
    let address = server.address;
    let drained = server.stop().await;
    assert_eq!(drained.cut, 0);
    assert!(until_closed(&mut stream).await.ends_with(b"done"));
    assert_eq!(until_closed(&mut idle).await, b"");
    assert!(tokio::net::TcpStream::connect(address).await.is_err());
}

#[tokio::test]
async fn an_idle_connection_may_send_a_last_request_after_the_stop_signal() {
    let server = Server::start(options()).await;
    let mut stream = server.connect().await;
    stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n").await.unwrap();
    let mut bytes = Vec::new();
    while !bytes.ends_with(b"}") {
        assert!(stream.read_buf(&mut bytes).await.unwrap() > 0);
    }
    let stopping = tokio::spawn(server.stop());
    tokio::time::sleep(SHORT).await;
    stream.write_all(b"GET /v1/states HTTP/1.1\r\nhost: a\r\n\r\n").await.unwrap();
    let last = Reply::parse(&until_closed(&mut stream).await);
    assert_eq!((last.status, last.header("connection")), (200, Some("close")));
    assert_eq!(stopping.await.unwrap().cut, 0);
}

#[tokio::test]
async fn a_request_with_two_hosts_closes_its_connection() {
    let server = Server::start(options()).await;
    let mut stream = server.connect().await;
    let request = "GET /v1/states HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n";
    stream.write_all(request.as_bytes()).await.unwrap();
    let reply = Reply::parse(&until_closed(&mut stream).await);
    assert_eq!((reply.status, reply.header("connection")), (400, Some("close")));
}

#[tokio::test]
async fn a_half_sent_head_delays_the_stop_only_to_the_drain_deadline() {
    let server = Server::with_limits(|limits| limits.drain = SHORT).await;
    let mut stream = server.connect().await;
    stream.write_all(b"GET /v1/states HTTP/1.1\r\nhost:").await.unwrap();
    tokio::time::sleep(SHORT / 4).await;
    let drained = server.stop().await;
    assert!(drained.cut <= 1);
    until_closed(&mut stream).await;
}

#[tokio::test]
async fn a_request_in_flight_is_cut_at_the_drain_deadline_and_not_before() {
    let drain = Duration::from_secs(2);
    let server = slow(drain * 5, Limits { drain, ..Limits::default() }).await;
    let mut stream = server.connect().await;
    stream.write_all(b"GET / HTTP/1.1\r\nhost: a\r\n\r\n").await.unwrap();
    tokio::time::sleep(SHORT).await;
    let began = Instant::now();
    assert_eq!(server.stop().await.cut, 1);
    assert!(began.elapsed() >= drain);
}

#[tokio::test]
async fn clients_that_do_not_read_are_cut_while_others_are_served() {
    let large: bytes::Bytes = vec![b'x'; 16 * 1024 * 1024].into();
    let table = warp::path::full().map(move |path: warp::path::FullPath| {
        let body = if path.as_str() == "/large" { large.clone() } else { "small".into() };
        Response::new(body.into())
    });
    let limits = Limits { stalled: SHORT * 3, ..Limits::default() };
    let server = Server::around(Service::around(store(), limits, table)).await;
    let mut stuck = Vec::new();
    for _ in 0..200 {
        let mut stream = server.connect().await;
        stream.write_all(b"GET /large HTTP/1.1\r\nhost: a\r\n\r\n").await.unwrap();
        stuck.push(stream);
    }
    assert_eq!(server.get("/").await.text(), "small");
    tokio::time::sleep(SHORT * 6).await;
    for mut stream in stuck {
        assert!(until_closed(&mut stream).await.len() < 16 * 1024 * 1024, "the response was not cut");
    }
}

#[tokio::test]
async fn a_slow_reader_is_cut_at_the_answer_deadline() {
    let table = warp::any().map(|| Response::new(vec![b'x'; 16 * 1024 * 1024].into()));
    let limits = Limits { answer: SHORT * 3, ..Limits::default() };
    let server = Server::around(Service::around(store(), limits, table)).await;
    let mut stream = server.connect().await;
    stream.write_all(b"GET / HTTP/1.1\r\nhost: a\r\n\r\n").await.unwrap();
    let mut some = vec![0; 64 * 1024];
    for _ in 0..10 {
        let _ = stream.read(&mut some).await;
        tokio::time::sleep(SHORT / 2).await;
    }
    assert!(until_closed(&mut stream).await.len() < 15 * 1024 * 1024, "the response was not cut");
}
