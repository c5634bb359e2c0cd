//! A stream that fails with a timeout when its connection's phase exceeds its deadline.
//!
//! hyper's own timers do not cover this: HTTP/1.1 has one timer for slow heads and idle connections together, HTTP/2 has
//! none for either, and the detection of the version by the first bytes has none at all. All of them read through this
//! stream.
//!
//! A connection has one timer. It is reset when the deadline becomes earlier; if it fires before the deadline, it is
//! reset to the deadline. So a busy connection rarely touches it.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep_until};

use super::phase::ConnectionPhase;

#[derive(Debug)]
pub(super) struct TimedStream {
    stream: TcpStream,
    phase: Arc<ConnectionPhase>,
    timer: Pin<Box<Sleep>>,
    write_waits_since: Option<Instant>,
}

impl TimedStream {
    pub(super) fn new(stream: TcpStream, phase: Arc<ConnectionPhase>) -> Self {
        let timer = Box::pin(sleep_until(phase.deadline(None)));
        Self { stream, phase, timer, write_waits_since: None }
    }

    /// Ready with a timeout error once the deadline has passed.
    fn poll_overdue(&mut self, context: &mut Context<'_>) -> Poll<io::Error> {
        let deadline = self.phase.deadline(self.write_waits_since);
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

    /// Passes a write's outcome on; while the write is blocked, checks the deadline.
    fn written<T>(&mut self, outcome: Poll<io::Result<T>>, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        if outcome.is_pending() {
            self.write_waits_since.get_or_insert_with(Instant::now);
            return self.poll_overdue(context).map(Err);
        }
        self.write_waits_since = None;
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
            Poll::Pending => {
                self.phase.read_waits(context);
                self.poll_overdue(context).map(Err)
            }
            outcome @ Poll::Ready(_) => {
                if buffer.filled().len() > before {
                    self.phase.bytes_read();
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
