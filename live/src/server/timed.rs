//! A stream that ends when its connection's phase has taken too long, whoever is reading or writing.
//!
//! hyper's one timer cannot tell a head that drips in from a connection that rests, its HTTP/2 has none for
//! either, and the look at a connection's first bytes that decides between the versions has none at all. All
//! of them read through this stream, so the deadlines are kept here.
//!
//! One timer serves a connection. It is set anew only when it would ring too late; when it rings too early,
//! it is set to what is then the deadline. A connection that is used again and again hardly touches it.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep_until};

use super::pulse::Pulse;

/// A stream under deadlines.
#[derive(Debug)]
pub(super) struct TimedStream {
    stream: TcpStream,
    pulse: Arc<Pulse>,
    timer: Pin<Box<Sleep>>,
    write_waits_since: Option<Instant>,
}

impl TimedStream {
    pub(super) fn new(stream: TcpStream, pulse: Arc<Pulse>) -> Self {
        let timer = Box::pin(sleep_until(pulse.deadline(None)));
        Self { stream, pulse, timer, write_waits_since: None }
    }

    /// Ready, with the error to end with, once a deadline has passed.
    fn poll_overdue(&mut self, context: &mut Context<'_>) -> Poll<io::Error> {
        let deadline = self.pulse.deadline(self.write_waits_since);
        if self.timer.deadline() > deadline {
            self.timer.as_mut().reset(deadline);
        }
        loop {
            ready!(self.timer.as_mut().poll(context));
            if deadline <= Instant::now() {
                return Poll::Ready(io::ErrorKind::TimedOut.into());
            }
            self.timer.as_mut().reset(deadline);
        }
    }

    /// What a write came to; while it waits, the deadlines are looked at.
    fn written<T>(&mut self, outcome: Poll<io::Result<T>>, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        if outcome.is_pending() {
            self.write_waits_since.get_or_insert_with(Instant::now);
            return self.poll_overdue(context).map(Err);
        }
        if self.write_waits_since.take().is_some() {
            self.pulse.moved_on();
        }
        outcome
    }
}

impl AsyncRead for TimedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        match Pin::new(&mut self.stream).poll_read(context, buffer) {
            Poll::Pending => self.poll_overdue(context).map(Err),
            outcome @ Poll::Ready(_) => {
                if buffer.filled().len() > before {
                    self.pulse.heard();
                }
                outcome
            }
        }
    }
}

impl AsyncWrite for TimedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.written(outcome, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.written(outcome, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let outcome = Pin::new(&mut self.stream).poll_flush(context);
        self.written(outcome, context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let outcome = Pin::new(&mut self.stream).poll_shutdown(context);
        self.written(outcome, context)
    }
}
