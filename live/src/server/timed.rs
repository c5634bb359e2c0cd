//! A stream that fails when its connection's phase exceeds its deadline or an HTTP/2 client sends too many control frames.
//! hyper's own timers do not cover this: HTTP/1.1 has one for slow heads and idle connections together, HTTP/2 and the
//! detection of the version have none. A connection has one timer, which a busy one rarely touches; each read checks it, so
//! bytes that keep arriving do not put a deadline off.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};

use super::frames::Frames;
use super::phase::ConnectionPhase;

#[derive(Debug)]
pub(super) struct TimedStream<S> {
    stream: S,
    phase: Arc<ConnectionPhase>,
    timer: Pin<Box<Sleep>>,
    write_waits_since: Option<Instant>,
    frames: Frames,
}

impl<S> TimedStream<S> {
    pub(super) fn new(stream: S, phase: Arc<ConnectionPhase>) -> Self {
        let deadline = phase.deadline(None);
        let mut timer = Box::pin(sleep_until(deadline));
        // It fires only once it is registered: by this, or by its first poll, which waits for a read that has to wait.
        timer.as_mut().reset(deadline);
        Self { stream, phase, timer, write_waits_since: None, frames: Frames::default() }
    }

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

    fn bytes_written(
        &mut self,
        outcome: Poll<io::Result<usize>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<usize>> {
        if let Poll::Ready(Ok(count)) = outcome {
            self.frames.bytes_written(count);
        }
        self.written(outcome, context)
    }

    /// While the write is blocked, checks the deadline.
    fn written<T>(&mut self, outcome: Poll<io::Result<T>>, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        if outcome.is_pending() {
            self.write_waits_since.get_or_insert_with(Instant::now);
            return self.poll_overdue(context).map(Err);
        }
        self.write_waits_since = None;
        outcome
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for TimedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.timer.is_elapsed()
            && let Poll::Ready(error) = self.poll_overdue(context)
        {
            return Poll::Ready(Err(error));
        }
        let before = buffer.filled().len();
        match Pin::new(&mut self.stream).poll_read(context, buffer) {
            Poll::Pending => {
                self.phase.read_waits(context);
                self.poll_overdue(context).map(Err)
            }
            outcome @ Poll::Ready(_) => {
                let read = &buffer.filled()[before..];
                if !read.is_empty() {
                    self.phase.bytes_read();
                }
                if !self.frames.bytes_read(read) {
                    return Poll::Ready(Err(io::Error::other("too many control frames")));
                }
                outcome
            }
        }
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for TimedStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.bytes_written(outcome, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.bytes_written(outcome, context)
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

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, join, repeat, sink};

    use super::*;
    use crate::config::Limits;

    #[tokio::test(start_paused = true)]
    async fn bytes_that_keep_arriving_do_not_put_a_deadline_off() {
        let limits = Limits::default();
        let phase = ConnectionPhase::new(limits);
        // Reading from it never waits.
        let mut stream = TimedStream::new(join(repeat(b'x'), sink()), Arc::clone(&phase));
        let mut bytes = [0; 64];
        assert_eq!(stream.read(&mut bytes).await.unwrap(), 64);
        tokio::time::advance(limits.head).await;
        let (request, _) = phase.begin_request(true);
        assert_eq!(stream.read(&mut bytes).await.unwrap(), 64, "the head was complete in time");
        tokio::time::advance(limits.answer).await;
        assert_eq!(stream.read(&mut bytes).await.unwrap_err().kind(), io::ErrorKind::TimedOut);
        drop(request);
    }
}
