//! What a running service knows about itself: for operators, not for patients.
//!
//! Counting is on the way of every answer, so it is a few additions to places that are known beforehand: a route is
//! a number, a status is a number, and nothing is looked up by name or allocated.

mod metrics;
mod ready;
mod route;

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use chrono::{DateTime, Utc};
use directory::calendar::Instant;

pub(crate) use self::route::{HEALTH, HEALTHY, Route};
use self::route::{ROUTES, STATUSES, status_number};
use crate::feed::{Feed, Feeds, Judgement, real_now};
use crate::store::Store;

/// The upper bounds of the histogram's buckets, in microseconds.
const BOUNDS: [u64; 11] = [50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 50_000, 250_000, 1_000_000];

/// What a service counts and knows. One belongs to one process.
#[derive(Debug, Default)]
pub struct Vitals {
    served: OnceLock<(Arc<Store>, Feeds)>,
    content: Mutex<Content>,
    stopping: AtomicBool,
    routes: [Counters; ROUTES],
    in_flight: AtomicI64,
    connections: AtomicI64,
    accepted: AtomicU64,
    shed: AtomicU64,
    taken: AtomicU64,
    refused: AtomicU64,
    held: AtomicU64,
}

/// What is counted of each route.
#[derive(Debug, Default)]
struct Counters {
    statuses: [AtomicU64; STATUSES],
    /// One more than there are bounds: what took longer than all of them.
    buckets: [AtomicU64; BOUNDS.len() + 1],
    micros: AtomicU64,
}

/// What became of the content.
#[derive(Debug, Clone, Default)]
struct Content {
    /// When what is served was last read and found good.
    taken_at: Option<DateTime<Utc>>,
    /// Why what was read after that is not served: it is broken.
    refused: Option<Refused>,
    /// Why it is not served: it is good, and an operator has to accept it.
    held: Option<Refused>,
}

#[derive(Debug, Clone)]
struct Refused {
    at: DateTime<Utc>,
    why: Arc<str>,
}

impl Vitals {
    /// Of a service that has yet to load its content.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// There is something to serve.
    pub fn loaded(&self, store: Arc<Store>, feeds: Feeds) {
        _ = self.served.set((store, feeds));
        self.content().taken_at = Some(real_now());
    }

    /// The feed of what is served, if there is one by now.
    pub(crate) fn feed(&self) -> Option<Arc<Feed>> {
        self.served.get().and_then(|(_, feeds)| feeds.current())
    }

    /// How true the feed is by which is answered; of a feed that nothing was taken from yet, how true it would be.
    pub(crate) fn feed_judgement(&self, feed: &Feed) -> Judgement {
        let served = self.served.get().map(|(store, _)| store.current());
        served.and_then(|served| served.judgement().cloned()).unwrap_or_else(|| feed.judgement())
    }

    /// New content was read and is good, whether or not it is new.
    pub fn content_taken(&self) {
        self.taken.fetch_add(1, Ordering::Relaxed);
        *self.content() = Content { taken_at: Some(real_now()), refused: None, held: None };
    }

    /// New content is not served: why, for people.
    pub fn content_refused(&self, why: String) {
        self.refused.fetch_add(1, Ordering::Relaxed);
        // What was held before can still be accepted.
        self.content().refused = Some(Refused { at: real_now(), why: why.into() });
    }

    /// New content is good, and is held back: why, for people.
    pub fn content_held(&self, why: String) {
        self.held.fetch_add(1, Ordering::Relaxed);
        let mut content = self.content();
        content.held = Some(Refused { at: real_now(), why: why.into() });
        content.refused = None;
    }

    /// Serves the content that is held back; `false` if there is none.
    pub(crate) async fn accept_content(&self, now: Instant) -> bool {
        let Some((store, feeds)) = self.served.get() else { return false };
        let held = Arc::clone(store);
        // A large directory takes a moment, in which other questions are to be answered.
        let accepted = tokio::task::spawn_blocking(move || held.accept_held(now)).await.unwrap_or_default();
        if accepted {
            feeds.apply_again().await;
            self.taken.fetch_add(1, Ordering::Relaxed);
            {
                // What was edited after it may be broken, and is so still.
                let mut content = self.content();
                (content.taken_at, content.held) = (Some(real_now()), None);
            }
            let generation = store.current().directory().generation().clone();
            tracing::warn!(%generation, "an operator accepts the content that was held: it is served");
        }
        accepted
    }

    /// Why the last change of the content is not served, if it is not.
    pub(crate) fn refusal(&self) -> Option<Arc<str>> {
        self.content().refused.as_ref().map(|refused| Arc::clone(&refused.why))
    }

    /// The service answers what is under way, and then ends.
    pub(crate) fn stopping(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }

    /// Somebody was turned away.
    pub(crate) fn shed(&self) {
        self.shed.fetch_add(1, Ordering::Relaxed);
    }

    /// Somebody is connected until what is returned here is dropped.
    pub(crate) fn connected(self: &Arc<Self>) -> Connected {
        self.connections.fetch_add(1, Ordering::Relaxed);
        self.accepted.fetch_add(1, Ordering::Relaxed);
        Connected(Arc::clone(self))
    }

    /// A request begins.
    pub(crate) fn begins(&self) {
        self.in_flight.fetch_add(1, Ordering::Relaxed);
    }

    /// It was given up, or answered.
    pub(crate) fn ends(&self) {
        self.in_flight.fetch_sub(1, Ordering::Relaxed);
    }

    /// A request was answered.
    pub(crate) fn answered(&self, route: Route, status: u16, took: Duration) {
        let counters = &self.routes[route.number()];
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let bucket = BOUNDS.iter().position(|&bound| micros <= bound).unwrap_or(BOUNDS.len());
        counters.statuses[status_number(status)].fetch_add(1, Ordering::Relaxed);
        counters.buckets[bucket].fetch_add(1, Ordering::Relaxed);
        counters.micros.fetch_add(micros, Ordering::Relaxed);
    }

    fn content(&self) -> MutexGuard<'_, Content> {
        self.content.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection that is served.
#[derive(Debug)]
pub(crate) struct Connected(Arc<Vitals>);

impl Drop for Connected {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::Relaxed);
    }
}
