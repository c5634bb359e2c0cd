//! Attacks: handmade HTTP/2 frames, and bodies that never end.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::Options;
use crate::testing::{Reply, Server, body_of, options, until_closed};

const SHORT: Duration = Duration::from_millis(200);

pub(super) const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
// Frame types and flags of RFC 9113.
pub(super) const HEADERS: u8 = 1;
pub(super) const RST_STREAM: u8 = 3;
pub(super) const SETTINGS: u8 = 4;
const GOAWAY: u8 = 7;
const CONTINUATION: u8 = 9;
pub(super) const END_STREAM: u8 = 1;
pub(super) const END_HEADERS: u8 = 4;
const REFUSED_STREAM: [u8; 4] = [0, 0, 0, 7];

pub(super) fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    let mut frame = length[1..].to_vec();
    frame.extend([kind, flags]);
    frame.extend(stream.to_be_bytes());
    frame.extend(payload);
    frame
}

/// A request's field block without compression: RFC 7541, indexed fields and never-indexed literals.
pub(super) fn fields(method: u8, path: &str) -> Vec<u8> {
    // 0x82 is GET, 0x83 POST, 0x86 http; 0x04 and 0x01 start a path and an authority.
    let mut block = vec![method, 0x86, 0x04, u8::try_from(path.len()).unwrap()];
    block.extend(path.as_bytes());
    block.extend(b"\x01\x09localhost");
    block
}

pub(super) async fn connect(server: &Server, settings: &[u8]) -> TcpStream {
    let mut stream = server.connect().await;
    stream.write_all(&[PREFACE, &frame(SETTINGS, 0, 0, settings)].concat()).await.unwrap();
    stream
}

pub(super) fn frames(mut bytes: &[u8]) -> Vec<(u8, u32, &[u8])> {
    let mut frames = Vec::new();
    while let [a, b, c, kind, _, w, x, y, z, rest @ ..] = bytes {
        let length = u32::from_be_bytes([0, *a, *b, *c]) as usize;
        let Some((payload, after)) = rest.split_at_checked(length) else { break };
        frames.push((*kind, u32::from_be_bytes([*w, *x, *y, *z]), payload));
        bytes = after;
    }
    frames
}

async fn assert_others_are_served(server: &Server) {
    let answer = tokio::time::timeout(Duration::from_secs(5), server.get("/v1/states")).await;
    assert_eq!(answer.expect("another client is served").body, body_of("/v1/states"));
}

/// h2 resets a stream with an invalid path before a handler sees it.
#[tokio::test]
async fn an_invalid_path_is_a_stream_error_over_http_2() {
    let server = Server::start(options()).await;
    let mut stream = connect(&server, b"").await;
    let bad = fields(0x82, "/v1/providers?state=New York");
    let good = fields(0x82, "/v1/states");
    let heads = [
        frame(HEADERS, END_HEADERS | END_STREAM, 1, &bad),
        frame(HEADERS, END_HEADERS | END_STREAM, 3, &good),
    ];
    stream.write_all(&heads.concat()).await.unwrap();
    let mut bytes = Vec::new();
    let is_answered = |bytes: &[u8]| frames(bytes).iter().any(|frame| (frame.0, frame.1) == (HEADERS, 3));
    while !is_answered(&bytes) {
        assert!(stream.read_buf(&mut bytes).await.unwrap() > 0, "the other stream is answered");
    }
    assert!(frames(&bytes).iter().any(|frame| (frame.0, frame.1) == (RST_STREAM, 1)));
    assert!(!frames(&bytes).iter().any(|frame| (frame.0, frame.1) == (HEADERS, 1)));
}

#[tokio::test]
async fn streams_above_the_limit_are_refused_and_others_stay_open() {
    let server = Server::with_limits(|limits| limits.answer = SHORT * 3).await;
    let mut stream = connect(&server, b"").await;
    // Heads without their bodies, on more streams than allowed. 0x0f10 is content-type, 0x0f04 accept.
    let mut head = fields(0x83, "/api/mcp");
    head.extend(b"\x0f\x10\x10application/json\x0f\x04\x23application/json, text/event-stream");
    let heads: Vec<u8> =
        (0..120_u32).flat_map(|number| frame(HEADERS, END_HEADERS, number * 2 + 1, &head)).collect();
    stream.write_all(&heads).await.unwrap();
    assert_others_are_served(&server).await;
    let bytes = until_closed(&mut stream).await;
    let refused =
        frames(&bytes).iter().filter(|frame| frame.0 == RST_STREAM && frame.2 == REFUSED_STREAM).count();
    assert_eq!(refused, 120 - 64);
}

#[tokio::test]
async fn rapid_resets_close_the_connection_and_do_not_delay_others() {
    let vitals = Arc::new(crate::Vitals::new());
    let server = Server::start(Options { vitals: Arc::clone(&vitals), ..options() }).await;
    let mut stream = connect(&server, b"").await;
    let mut number = 1;
    // A server without a limit would accept all of them.
    for _ in 0..2_000 {
        let mut burst = Vec::new();
        for _ in 0..50 {
            burst.extend(frame(HEADERS, END_HEADERS | END_STREAM, number, &fields(0x82, "/v1/states")));
            burst.extend(frame(RST_STREAM, 0, number, &[0, 0, 0, 8]));
            number += 2;
        }
        if stream.write_all(&burst).await.is_err() {
            break;
        }
    }
    assert_others_are_served(&server).await;
    let bytes = until_closed(&mut stream).await;
    assert!(number < 200_001 || frames(&bytes).iter().any(|frame| frame.0 == GOAWAY), "{number}");
    drop(stream);
    for _ in 0..100 {
        if vitals.metrics().contains("nameplate_requests_in_flight 0\n") {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("reset requests are still in flight");
}

#[tokio::test]
async fn an_endless_head_is_cut() {
    let server = Server::start(options()).await;
    let mut stream = connect(&server, b"").await;
    stream.write_all(&frame(HEADERS, END_STREAM, 1, &fields(0x82, "/v1/states"))).await.unwrap();
    // Each frame has a field of 16,000 bytes, a literal with a new name of one byte; none is the last frame.
    let mut field = b"\x00\x01x\x7f\x81\x7c".to_vec();
    field.resize(field.len() + 16_000, b'y');
    let continuation = frame(CONTINUATION, 0, 1, &field);
    let mut sent = 0;
    while stream.write_all(&continuation).await.is_ok() {
        sent += continuation.len();
        assert!(sent < 64 << 20, "a head of {sent} bytes is still accepted");
    }
    assert_others_are_served(&server).await;
}

#[tokio::test]
async fn a_client_that_never_opens_its_window_is_cut() {
    let server = Server::with_limits(|limits| limits.answer = SHORT * 2).await;
    // SETTINGS_INITIAL_WINDOW_SIZE 0: the server must not send any byte of a body.
    let mut stream = connect(&server, &[0, 4, 0, 0, 0, 0]).await;
    let asked = frame(HEADERS, END_HEADERS | END_STREAM, 1, &fields(0x82, "/v1/providers"));
    stream.write_all(&asked).await.unwrap();
    assert_others_are_served(&server).await;
    let bytes = until_closed(&mut stream).await;
    assert!(frames(&bytes).iter().any(|frame| (frame.0, frame.1) == (HEADERS, 1)), "the head was answered");
}

#[tokio::test]
async fn invalid_http_2_closes_the_connection() {
    let server = Server::with_limits(|limits| limits.head = SHORT).await;
    for nonsense in [
        frame(HEADERS, END_HEADERS | END_STREAM, 2, &fields(0x82, "/v1/states")),
        frame(HEADERS, END_HEADERS | END_STREAM, 1, b"\xff\xff\xff\xff\xff"),
        frame(CONTINUATION, 0, 1, b""),
        b"GET / HTTP/1.1\r\nhost: a\r\n\r\n".to_vec(),
    ] {
        let mut stream = connect(&server, b"").await;
        stream.write_all(&nonsense).await.unwrap();
        until_closed(&mut stream).await;
    }
    assert_others_are_served(&server).await;
}

#[tokio::test]
async fn a_slow_body_times_out_and_a_short_body_is_an_error() {
    let server = Server::with_limits(|limits| limits.body = SHORT).await;
    let head = "POST /api/mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n";
    let mut stream = server.connect().await;
    stream.write_all(head.as_bytes()).await.unwrap();
    let (mut reading, mut writing) = stream.into_split();
    let drip = tokio::spawn(async move {
        while writing.write_all(b" ").await.is_ok() {
            tokio::time::sleep(SHORT / 8).await;
        }
    });
    let mut bytes = Vec::new();
    let read = tokio::time::timeout(Duration::from_secs(10), reading.read_to_end(&mut bytes)).await;
    assert!(read.is_ok(), "further bytes keep a request alive");
    let late = Reply::parse(&bytes);
    assert_eq!((late.status, late.header("content-type")), (408, Some("application/json")));
    drip.abort();

    let mut stream = server.connect().await;
    stream.write_all(format!("{head}{{").as_bytes()).await.unwrap();
    stream.shutdown().await.unwrap();
    let bytes = until_closed(&mut stream).await;
    assert!(bytes.is_empty() || Reply::parse(&bytes).status == 400);
}
