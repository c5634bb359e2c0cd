//! Work that a client can ask for in bulk is made in turns: the calls of a batch, pipelined requests, and the streams of an
//! HTTP/2 connection. As many are made at once as there are processors. Between two of them the runtime looks after everyone
//! else, so a small question waits for a few of them, however many are queued. A connection has no more places in the queue
//! than there are processors, so one with many streams doesn't hold up the others.

use std::future::poll_fn;
use std::mem::replace;
use std::num::NonZero;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::thread;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::yield_now;

/// Of a connection. Clones are of the same one.
#[derive(Debug, Clone)]
pub(crate) struct Turns {
    of_all: Arc<Semaphore>,
    of_connection: Arc<Semaphore>,
    at_once: usize,
}

/// Ends when it is dropped. It must not be kept while a client is awaited, or another turn.
#[derive(Debug)]
#[must_use]
pub(crate) struct Turn {
    _of_all: Option<OwnedSemaphorePermit>,
    _of_connection: Option<OwnedSemaphorePermit>,
}

impl Turns {
    pub(crate) fn for_processors() -> Self {
        Self::new(thread::available_parallelism().map_or(1, NonZero::get))
    }

    fn new(at_once: usize) -> Self {
        let semaphore = || Arc::new(Semaphore::new(at_once));
        Self { of_all: semaphore(), of_connection: semaphore(), at_once }
    }

    #[must_use]
    pub(crate) fn of_new_connection(&self) -> Self {
        Self { of_connection: Arc::new(Semaphore::new(self.at_once)), ..self.clone() }
    }

    /// In the order in which it is asked for.
    pub(crate) async fn take(&self) -> Turn {
        // The semaphores are never closed.
        let of_connection = Arc::clone(&self.of_connection).acquire_owned().await.ok();
        let of_all = Arc::clone(&self.of_all).acquire_owned().await.ok();
        // tokio goes on with a task that yields only after it has looked for new connections and bytes.
        yield_now().await;
        Turn { _of_all: of_all, _of_connection: of_connection }
    }

    /// Each poll of the future takes a turn, so that it has none while it waits.
    pub(crate) async fn poll_in_turns<F: Future>(&self, future: F) -> F::Output {
        let mut future = pin!(future);
        loop {
            let turn = self.take().await;
            let polled = poll_fn(|context| Poll::Ready(future.as_mut().poll(context))).await;
            drop(turn);
            if let Poll::Ready(output) = polled {
                return output;
            }
            // The future has this task's waker, so the next poll means that it may continue.
            let mut is_woken = false;
            poll_fn(|_| if replace(&mut is_woken, true) { Poll::Ready(()) } else { Poll::Pending }).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use futures_util::FutureExt;
    use tokio::sync::oneshot;

    use super::*;

    #[tokio::test]
    async fn others_continue_after_a_few_turns_however_many_are_queued() {
        let (turns, taken) = (Turns::new(2), Arc::new(AtomicUsize::new(0)));
        for _ in 0..100 {
            let (turns, taken) = (turns.of_new_connection(), Arc::clone(&taken));
            tokio::spawn(async move {
                for _ in 0..20 {
                    let _turn = turns.take().await;
                    taken.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        // Each step of another task waits for one turn of each that is made at once.
        for step in 1..10 {
            yield_now().await;
            let taken = taken.load(Ordering::Relaxed);
            assert!(taken <= 4 * step, "{taken} turns after {step} steps");
        }
    }

    #[tokio::test]
    async fn a_connection_has_few_places_in_the_queue() {
        let turns = Turns::new(1);
        let (first, second) = (turns.of_new_connection(), turns.of_new_connection());
        let held = first.take().await;
        let mut same: Vec<_> = (0..10).map(|_| Box::pin(first.take())).collect();
        assert!(same.iter_mut().all(|waiting| waiting.now_or_never().is_none()));
        let mut other = pin!(second.take());
        assert!(other.as_mut().now_or_never().is_none());
        drop(held);
        // It is before nine of the other connection's ten.
        drop(other.await);
        for waiting in same {
            drop(waiting.await);
        }
    }

    #[tokio::test]
    async fn a_future_that_waits_has_no_turn() {
        let turns = Turns::new(1);
        let (sender, receiver) = oneshot::channel();
        let mut waiting = pin!(turns.poll_in_turns(receiver));
        while turns.of_all.available_permits() == 1 {
            assert!(futures_util::poll!(waiting.as_mut()).is_pending());
        }
        assert!(futures_util::poll!(waiting.as_mut()).is_pending());
        drop(turns.take().await);
        sender.send(7).unwrap();
        assert_eq!(waiting.await, Ok(7));
    }
}
