use std::cell::Cell;
use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::ops::ControlFlow::{Break, Continue};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;
use std::time::Duration;

use futures_util::FutureExt;
use hyper::rt::Executor;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::Watcher;
use tokio::net::TcpStream;
use warp::http::Version;
use warp::http::header::{CONNECTION, HeaderValue};

use super::outgoing::Outgoing;
use super::refusal::RefusalStream;
use super::registry::Registered;
use super::timed::TimedStream;
use crate::budget::Reserved;
use crate::config::{HEAD_BUFFER, Limits};
use crate::http::Service;
use crate::vitals::Connected;
use feed::Clock;

/// Of a connection.
const STREAMS: u32 = 64;
/// The bytes of bodies that a client may send before they are read: HTTP/2's own default. Memory is reserved only when they
/// are read.
const WINDOW: u32 = (1 << 16) - 1;
/// The interval of HTTP/2 pings, and the time for their answer.
const HTTP2_PING: Duration = Duration::from_secs(20);

thread_local! {
    /// The stream that this thread executes next is a refusal.
    static IS_REFUSAL: Cell<bool> = const { Cell::new(false) };
}

/// Executes the streams of HTTP/2. A refusal is sent at once, as far as the client's window allows, and is then dropped: no
/// memory is reserved for it, so it must not wait.
#[derive(Debug, Clone, Copy)]
pub(super) struct StreamExecutor;

impl<F: Future<Output = ()> + Send + 'static> Executor<F> for StreamExecutor {
    fn execute(&self, stream: F) {
        if IS_REFUSAL.take() {
            _ = stream.now_or_never();
        } else {
            tokio::spawn(stream);
        }
    }
}

pub(super) async fn serve(
    stream: TcpStream,
    service: Service,
    stopping: Arc<AtomicBool>,
    watcher: Watcher,
    (registered, _connected): (Registered, Connected),
) {
    let phase = Arc::clone(&registered.phase);
    let builder = builder(&service.inner.limits);
    let io = TimedStream::new(stream, Arc::clone(&phase));
    let io = TokioIo::new(RefusalStream::new(io, Arc::clone(&service.inner.vitals)));
    // One Arc around all: one reference count per request instead of three.
    let turns = service.inner.turns.of_new_connection();
    let shared = Arc::new((service, stopping, turns));
    let answer = service_fn(move |request: hyper::Request<hyper::body::Incoming>| {
        let is_multiplexed = request.version() == Version::HTTP_2;
        let (in_flight, began) = phase.begin_request(is_multiplexed);
        let (is_alone, is_in_bulk) = (in_flight.is_alone, in_flight.is_in_bulk);
        let admitted = shared.0.admit(&request, began, is_alone);
        let admitted = admitted.map_continue(|reserved| (request, reserved));
        IS_REFUSAL.set(is_multiplexed && admitted.is_break());
        let shared = Arc::clone(&shared);
        async move {
            let (service, stopping, turns) = &*shared;
            let (mut response, reserved) = match admitted {
                Continue((request, reserved)) => {
                    service.answer(request, began, (reserved, is_alone), (turns, is_in_bulk)).await
                }
                Break(response) => (response, Reserved::default()),
            };
            if !is_multiplexed && stopping.load(Ordering::Relaxed) {
                response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            }
            Ok::<_, Infallible>(response.map(|body| Outgoing::new(body, (in_flight, reserved))))
        }
    });
    let connection = builder.serve_connection(io, answer).into_owned();
    let mut connection = pin!(watcher.watch(connection));
    // hyper writes the date whenever it is polled.
    let dated = poll_fn(|context| {
        if Clock::has_http_date() {
            connection.as_mut().poll(context)
        } else {
            Poll::Ready(Err("the system clock is outside the range of HTTP dates".into()))
        }
    });
    if let Err(error) = dated.await {
        tracing::debug!(error, "a connection ended early");
    }
}

pub(super) fn builder(limits: &Limits) -> auto::Builder<StreamExecutor> {
    let mut builder = auto::Builder::new(StreamExecutor);
    // `TimedStream` keeps the deadlines; hyper's header timer would also close idle connections.
    builder.http1().header_read_timeout(None).max_buf_size(HEAD_BUFFER).timer(TokioTimer::new());
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(STREAMS)
        .initial_connection_window_size(WINDOW)
        .initial_stream_window_size(WINDOW)
        // A response counts as what it may hold over HTTP/1.
        .max_send_buf_size(HEAD_BUFFER)
        .max_header_list_size(u32::try_from(limits.field_bytes + limits.target_bytes).unwrap_or(u32::MAX))
        .keep_alive_interval(HTTP2_PING)
        .keep_alive_timeout(HTTP2_PING);
    builder
}
