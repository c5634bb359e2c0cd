//! Clients that take more than their share: heads, responses that are never read, streams that never end, control frames,
//! idle connections.

use std::convert::Infallible;
use std::io::Read as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::{self, FuturesUnordered};
use http_body_util::StreamBody;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep, timeout};

use super::hostile_tests::{
    END_HEADERS, END_STREAM, HEADERS, PREFACE, RST_STREAM, SETTINGS, connect, fields, frame, frames,
};
use crate::config::HEAD_BUFFER;
use crate::testing::{self, LONG_FILE, Server, body_of, options, until_closed};
use crate::{Clock, Limits, Options, Service, Store};

const SHORT: Duration = Duration::from_millis(200);
/// `SETTINGS_INITIAL_WINDOW_SIZE` 0: no byte of a body may be sent (RFC 9113, 6.5.2).
const NO_WINDOW: &[u8] = &[0, 4, 0, 0, 0, 0];
const DATA: u8 = 0;
const WINDOW_UPDATE: u8 = 8;
/// The default of `SETTINGS_MAX_FRAME_SIZE`.
const MAX_FRAME: usize = 16_384;
const LIST: &str = "/v1/providers?limit=100";

/// Type, stream and payload.
type Frame<'a> = (u8, u32, &'a [u8]);

fn get(stream: u32, path: &str) -> Vec<u8> {
    frame(HEADERS, END_HEADERS | END_STREAM, stream, &fields(0x82, path))
}

/// A POST of JSON as the first request of a connection.
fn post(path: &str, body: &str) -> Vec<u8> {
    // 0x0f10 names the field content-type.
    let head = [&fields(0x83, path)[..], b"\x0f\x10\x10application/json"].concat();
    let mut frames = frame(HEADERS, END_HEADERS, 1, &head);
    for part in body.as_bytes().chunks(MAX_FRAME) {
        frames.extend(frame(DATA, 0, 1, part));
    }
    frames.extend(frame(DATA, END_STREAM, 1, b""));
    frames
}

#[tokio::test]
async fn unread_responses_have_a_common_bound() {
    let server = Server::with_limits(|limits| limits.held_bytes = 256 << 10).await;
    let mut unread = Vec::new();
    for _ in 0..4 {
        let mut stream = connect(&server, NO_WINDOW).await;
        let requests: Vec<u8> = (0..60).flat_map(|number| get(number * 2 + 1, LIST)).collect();
        stream.write_all(&requests).await.unwrap();
        unread.push(stream);
    }
    let end = Instant::now() + Duration::from_secs(5);
    let refused = loop {
        let reply = server.get(LIST).await;
        if reply.status == 503 {
            break reply;
        }
        assert!(Instant::now() < end, "the unread responses are not counted");
        sleep(SHORT / 10).await;
    };
    assert_eq!((refused.header("retry-after"), refused.header("connection")), (Some("1"), Some("close")));
    assert_eq!(refused.json()["code"], "OVERLOADED");
    assert!(refused.header("x-request-id").is_some());
    assert_eq!(server.get("/healthz").await.status, 200, "the health check must not fail");
    drop(unread);
    while server.get(LIST).await.status != 200 {
        assert!(Instant::now() < end + Duration::from_secs(5), "the bytes are not given back");
        sleep(SHORT / 10).await;
    }
}

/// Reads until the frames that have come are enough.
async fn until(stream: &mut TcpStream, bytes: &mut Vec<u8>, is_enough: impl Fn(&[Frame<'_>]) -> bool) {
    while !is_enough(&frames(bytes)) {
        let reading = timeout(Duration::from_secs(10), stream.read_buf(bytes));
        assert!(reading.await.expect("more frames").unwrap() > 0, "the connection stays open");
    }
}

fn count(frames: &[Frame<'_>], kind: u8) -> usize {
    frames.iter().filter(|frame| frame.0 == kind).count()
}

fn refusals(frames: &[Frame<'_>]) -> usize {
    frames.iter().filter(|frame| frame.2.windows(10).any(|part| part == b"OVERLOADED")).count()
}

#[tokio::test]
async fn heads_whose_bodies_are_awaited_have_a_common_bound_and_others_are_served() {
    let server = Server::with_limits(|limits| limits.held_bytes = 1 << 20).await;
    // A literal field with a name of one byte and a value of 13,000 bytes: 0x7f, and 12,873 in groups of seven bits.
    let mut head = fields(0x83, "/api/mcp");
    head.extend(b"\x0f\x10\x10application/json\x00\x01x\x7f\xc9\x64");
    head.resize(head.len() + 13_000, b'y');
    let mut stream = connect(&server, b"").await;
    let (mut reader, mut writer) = stream.split();
    let heads: Vec<u8> =
        (0..60).flat_map(|number| frame(HEADERS, END_HEADERS, number * 2 + 1, &head)).collect();
    let mut bytes = Vec::new();
    // Each takes 13 KiB for its head, and 12 KiB besides. The first is alone; half a megabyte is shared.
    let refused = 60 - 1 - 512 / 25;
    let reading = async {
        while refusals(&frames(&bytes)) < refused {
            assert!(reader.read_buf(&mut bytes).await.unwrap() > 0, "the connection stays open");
        }
    };
    let both = async { tokio::join!(reading, writer.write_all(&heads)).1 };
    timeout(Duration::from_secs(10), both).await.expect("the heads are counted").unwrap();
    assert_eq!(refusals(&frames(&bytes)), refused);
    for target in ["/healthz", "/v1/states"] {
        assert_eq!(server.get(target).await.status, 200, "others are served: {target}");
    }
    stream.write_all(&[get(201, "/v1/states"), get(203, "/healthz")].concat()).await.unwrap();
    let healthy = |frames: &[Frame<'_>]| frames.iter().any(|frame| (frame.0, frame.1) == (DATA, 203));
    until(&mut stream, &mut bytes, healthy).await;
    let health: Vec<u8> = frames(&bytes)
        .iter()
        .filter(|frame| (frame.0, frame.1) == (DATA, 203))
        .flat_map(|f| f.2.to_vec())
        .collect();
    assert_eq!(health, crate::vitals::HEALTHY, "the health check must not fail");
    assert_eq!(refusals(&frames(&bytes)), refused + 1);
}

#[tokio::test]
async fn a_refusal_that_the_clients_window_does_not_allow_is_reset_and_holds_nothing() {
    // There is room for one request.
    let server = Server::with_limits(|limits| limits.held_bytes = 1 << 10).await;
    let mut stream = connect(&server, NO_WINDOW).await;
    let mut bytes = Vec::new();
    // More than the concurrent streams of a connection, and than one that stays.
    for round in 0..4 {
        let asked: Vec<u8> = (0..50).flat_map(|number| get((round * 50 + number) * 2 + 1, LIST)).collect();
        stream.write_all(&asked).await.unwrap();
        let expected = (round as usize + 1) * 50;
        until(&mut stream, &mut bytes, |frames| count(frames, HEADERS) == expected).await;
        until(&mut stream, &mut bytes, |frames| count(frames, RST_STREAM) == expected - 1).await;
    }
    assert_eq!(server.get("/healthz").await.status, 200);
}

#[tokio::test]
async fn bodies_are_reserved_when_they_arrive() {
    let server = Server::with_limits(|limits| limits.held_bytes = 1 << 20).await;
    let head = "POST /api/mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
                content-length: 250000\r\n\r\n";
    let mut waiting = Vec::new();
    for _ in 0..10 {
        let mut stream = server.connect().await;
        stream.write_all(head.as_bytes()).await.unwrap();
        waiting.push(stream);
    }
    let ping =
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"x":"{}"}}}}"#, "x".repeat(100_000));
    for _ in 0..10 {
        let reply = server.request("POST", "/api/mcp", &["content-type: application/json"], &ping).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
    }
    // More than the half that is shared.
    let most = vec![b' '; 200_000];
    for stream in &mut waiting {
        stream.write_all(&most).await.unwrap();
    }
    // Of ten bodies, whose 256 KiB fit twice.
    let start_of = async |stream: &mut TcpStream| {
        let mut start = [0; 12];
        stream.read_exact(&mut start).await.map(|_| start)
    };
    let mut answers: FuturesUnordered<_> = waiting.iter_mut().map(start_of).collect();
    for _ in 0..8 {
        let start = timeout(Duration::from_secs(10), answers.next()).await.expect("eight are refused");
        assert_eq!(&start.unwrap().unwrap(), b"HTTP/1.1 503");
    }
}

#[tokio::test]
async fn floods_of_control_frames_close_their_connection() {
    let server = Server::with_limits(|_| {}).await;
    let (ping, window_update) = (frame(6, 0, 0, &[0; 8]), frame(8, 0, 0, &[0, 0, 0, 1]));
    for control in [ping, window_update, frame(SETTINGS, 0, 0, NO_WINDOW), frame(2, 0, 1, &[0; 5])] {
        let mut stream = connect(&server, b"").await;
        let (mut reader, mut writer) = stream.split();
        let burst = control.repeat(1_000);
        let flood = async {
            let mut bursts = 0;
            while bursts < 10_000 && writer.write_all(&burst).await.is_ok() {
                bursts += 1;
            }
            bursts
        };
        let mut answers = Vec::new();
        let (bursts, _) = tokio::join!(flood, reader.read_to_end(&mut answers));
        assert!(bursts < 10_000, "ten million frames are taken: {control:?}");
    }
}

#[tokio::test]
async fn an_unread_long_file_holds_only_its_pieces() {
    let limits = Limits { held_bytes: 400 << 10, ..Limits::default() };
    let store = Arc::new(Store::new(testing::crowd()));
    let service = Service::new(store, Clock::frozen(testing::now()), Options { limits, ..options() });
    let server = Server::around(service).await;
    let length = server.request("HEAD", LONG_FILE, &[], "").await;
    let length: usize = length.header("content-length").unwrap().parse().unwrap();
    assert!(length > limits.held_bytes);
    let mut unread = Vec::new();
    for _ in 0..2 {
        let mut stream = connect(&server, NO_WINDOW).await;
        stream.write_all(&get(1, LONG_FILE)).await.unwrap();
        let mut bytes = Vec::new();
        while !frames(&bytes).iter().any(|(kind, ..)| *kind == HEADERS) {
            assert!(stream.read_buf(&mut bytes).await.unwrap() > 0, "it is answered");
        }
        assert_eq!(server.get("/v1/states").await.status, 200);
        unread.push(stream);
    }
    let refused = server.get(LONG_FILE).await;
    assert_eq!((refused.status, refused.json()["code"].as_str()), (503, Some("OVERLOADED")));
    assert_eq!(server.request("HEAD", LONG_FILE, &[], "").await.status, 200);
    drop(unread);
    let end = Instant::now() + Duration::from_secs(5);
    while server.get(LONG_FILE).await.body.len() != length {
        assert!(Instant::now() < end, "the bytes are not given back");
        sleep(SHORT / 10).await;
    }
}

#[tokio::test(start_paused = true)]
async fn over_http2_no_more_of_a_body_is_taken_than_over_http1() {
    let (client, server) = tokio::io::duplex(1 << 10);
    let taken = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&taken);
    let answer = service_fn(move |_: hyper::Request<hyper::body::Incoming>| {
        let counted = Arc::clone(&counted);
        let body = stream::repeat_with(move || {
            counted.fetch_add(MAX_FRAME, Ordering::Relaxed);
            Ok::<_, Infallible>(hyper::body::Frame::data(Bytes::from_static(&[0; MAX_FRAME])))
        });
        async { Ok::<_, Infallible>(hyper::Response::new(StreamBody::new(body))) }
    });
    let builder = super::connection::builder(&Limits::default());
    let serving =
        tokio::spawn(async move { _ = builder.serve_connection(TokioIo::new(server), answer).await });
    // The largest windows that there are, of which no byte is read.
    let largest = (i32::MAX as u32).to_be_bytes();
    let settings = [&[0, 4], &largest[..]].concat();
    let opened = frame(WINDOW_UPDATE, 0, 0, &(i32::MAX as u32 - 65_535).to_be_bytes());
    let (_unread, mut to_server) = tokio::io::split(client);
    to_server
        .write_all(&[PREFACE, &frame(SETTINGS, 0, 0, &settings), &opened, &get(1, "/")].concat())
        .await
        .unwrap();
    // Until every task is done.
    sleep(Duration::from_secs(1)).await;
    let taken = taken.load(Ordering::Relaxed);
    assert!((1..=HEAD_BUFFER + 2 * MAX_FRAME).contains(&taken), "{taken}");
    serving.abort();
}

#[tokio::test]
async fn a_batch_waits_for_each_reply_to_be_read_before_it_makes_the_next() {
    // One reply reserves 512 KiB before it is made, and half of the bytes are shared: there is never room for two.
    let server = Server::with_limits(|limits| limits.held_bytes = 1200 << 10).await;
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let batch = format!("[{}]", [call; 20].join(","));
    let fields = ["content-type: application/json", "accept: application/json, text/event-stream"];
    let reply = server.request("POST", "/api/mcp", &fields, &batch).await;
    let events = reply.events();
    assert_eq!(events.len(), 20);
    assert!(events.iter().all(|event| event["result"]["tools"].is_array()));
}

/// In one thread, where all that is made in one go comes before the question.
#[tokio::test]
async fn a_small_question_waits_for_a_few_calls_of_all_batches_and_pipelined_requests() {
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let batch = format!("[{}]", [ping; 20].join(","));
    let post = |body: &str| {
        let length = body.len();
        let fields = format!("host: localhost\r\ncontent-type: application/json\r\ncontent-length: {length}");
        format!("POST /api/mcp HTTP/1.1\r\n{fields}\r\n\r\n{body}")
    };
    for sent in [post(&batch), post(ping).repeat(20)] {
        let server = Server::start(options()).await;
        let mut streams = Vec::new();
        for _ in 0..21 {
            let stream = server.connect().await;
            stream.writable().await.unwrap();
            streams.push(stream);
        }
        let mut question = streams.pop().unwrap();
        for stream in &streams {
            assert_eq!(stream.try_write(sent.as_bytes()).unwrap(), sent.len());
        }
        // By then every connection's requests have come.
        streams[0].readable().await.unwrap();
        question.try_write(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").unwrap();
        assert!(until_closed(&mut question).await.starts_with(b"HTTP/1.1 200"));
        let mut made = 0;
        for stream in streams {
            let mut answers = Vec::new();
            // It doesn't block, and ends with what has come.
            _ = stream.into_std().unwrap().read_to_end(&mut answers);
            made += answers.windows(8).filter(|part| part == b"\"result\"").count();
        }
        assert!(made < 200, "{made} of 400 calls were made before the health check was answered");
    }
}

#[tokio::test]
async fn the_body_of_a_batch_counts_until_its_last_reply() {
    // Half of the bytes are shared. A batch also needs 512 KiB for its first reply, so about seven bodies of 60 KiB leave no
    // room for another one.
    let server = Server::with_limits(|limits| limits.held_bytes = 2 << 20).await;
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"PADDING"}}"#;
    // The second reply is not made before the first one is sent, so the body is needed until then.
    let long = format!("[{},{ping}]", ping.replace("PADDING", &"x".repeat(60 << 10)));
    let fields = ["content-type: application/json"];
    let mut unread = Vec::new();
    while server.request("POST", "/api/mcp", &fields, &long).await.status == 200 {
        assert!(unread.len() < 20, "the bodies are not counted");
        let mut stream = connect(&server, NO_WINDOW).await;
        stream.write_all(&post("/api/mcp", &long)).await.unwrap();
        unread.push(stream);
        sleep(SHORT / 4).await;
    }
    assert!(unread.len() > 4, "a body counts for much more than its length: {}", unread.len());
}

#[tokio::test]
async fn later_requests_do_not_keep_a_stuck_stream_open() {
    let server = Server::with_limits(|limits| limits.answer = SHORT * 3).await;
    let mut stream = connect(&server, NO_WINDOW).await;
    stream.write_all(&get(1, LIST)).await.unwrap();
    let began = Instant::now();
    let (mut reader, mut writer) = stream.into_split();
    let asking = tokio::spawn(async move {
        for number in 1.. {
            // 0x0242 names the method HEAD as a literal.
            let head = [b"\x02\x04HEAD\x86\x04\x0a/v1/states\x01\x09localhost".as_slice()].concat();
            let head = frame(HEADERS, END_HEADERS | END_STREAM, number * 2 + 1, &head);
            if writer.write_all(&head).await.is_err() {
                break;
            }
            sleep(SHORT / 2).await;
        }
    });
    let mut bytes = Vec::new();
    let reading = timeout(Duration::from_mins(1), reader.read_to_end(&mut bytes));
    let _ = reading.await.expect("the connection is closed");
    assert!(began.elapsed() >= SHORT * 3);
    asking.abort();
}

async fn kept_alive(server: &Server) -> TcpStream {
    let mut stream = server.connect().await;
    stream.write_all(b"GET /v1/states HTTP/1.1\r\nhost: localhost\r\n\r\n").await.unwrap();
    let (mut bytes, body) = (Vec::new(), body_of("/v1/states"));
    while !bytes.ends_with(&body) {
        assert!(stream.read_buf(&mut bytes).await.unwrap() > 0, "it is answered");
    }
    stream
}

#[tokio::test]
async fn the_connection_unused_longest_is_closed_for_a_new_one() {
    let server = Server::with_limits(|limits| limits.connections = 3).await;
    let mut unused = Vec::new();
    for _ in 0..3 {
        unused.push(kept_alive(&server).await);
        sleep(SHORT / 10).await;
    }
    assert_eq!(server.get("/v1/states").await.status, 503, "all were used a moment ago");
    sleep(super::registry::UNUSED).await;
    assert_eq!(server.get("/v1/states").await.status, 200);
    assert_eq!(until_closed(&mut unused[0]).await, b"", "the first one is closed");
    let still_open = timeout(SHORT, unused[2].read_u8()).await;
    assert!(still_open.is_err(), "the last one stays open");
}
