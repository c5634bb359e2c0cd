//! A running service's counters and state, for operators. Every response is counted, so routes and statuses are small
//! numbers that index arrays of counters.

mod metrics;
mod nats;
mod page;
mod process;
mod ready;
mod releases;
mod route;
mod site;
mod state;

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, mpsc};
use std::time::Duration;

use chrono::{DateTime, Utc};
use directory::calendar::{Instant, Judgment};
use directory::model::Generation;
use directory::told::rfc3339;
use serde_json::{Value, json};

pub(crate) use self::route::{HEALTH, HEALTHY, Route};
use self::route::{ROUTES, STATUSES, status_number};
use crate::store::Store;
use feed::{Accepted, Ended, Feed, Feeds, real_now};

/// The upper bounds of the histogram's buckets, in microseconds.
const BOUNDS: [u64; 11] = [50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 50_000, 250_000, 1_000_000];

#[derive(Debug, Default)]
pub struct Vitals {
    served: OnceLock<(Arc<Store>, Feeds)>,
    content: Mutex<Content>,
    /// `None`: the content is a folder.
    releases: Mutex<Option<Followed>>,
    release_failures: AtomicU64,
    failing: Mutex<state::Failing>,
    /// `None` without `--static`.
    site: Mutex<Option<site::StaticTree>>,
    on_accept: OnceLock<mpsc::Sender<()>>,
    stopping: AtomicBool,
    dropped_log_lines: OnceLock<Arc<AtomicU64>>,
    routes: [Counters; ROUTES],
    in_flight: AtomicI64,
    connections: AtomicI64,
    accepted: AtomicU64,
    shed: AtomicU64,
    accept_failed: AtomicU64,
    taken: AtomicU64,
    refused: AtomicU64,
    held: AtomicU64,
    view_reads: AtomicU64,
}

#[derive(Debug, Default)]
struct Counters {
    statuses: [AtomicU64; STATUSES],
    /// The last bucket counts responses beyond all bounds.
    buckets: [AtomicU64; BOUNDS.len() + 1],
    micros: AtomicU64,
}

#[derive(Debug, Clone, Default)]
struct Content {
    /// When it was last read and valid.
    taken_at: Option<DateTime<Utc>>,
    /// The service started with the last good content, and has read no other since.
    is_last_good: bool,
    /// Newer content has errors.
    refused: Option<Refused>,
    /// Newer, valid content of this generation waits for an operator's consent.
    held: Option<(Refused, Generation)>,
}

#[derive(Debug, Clone, Default)]
struct Followed {
    release: Option<u64>,
    /// The object store has not confirmed it yet.
    is_from_cache: bool,
    answered_at: Option<DateTime<Utc>>,
    /// The object store gives none.
    failed: Option<Refused>,
}

#[derive(Debug, Clone)]
struct Refused {
    at: DateTime<Utc>,
    why: Arc<str>,
}

impl Refused {
    fn shown(&self) -> Value {
        json!({"at": rfc3339(self.at), "what": &*self.why})
    }
}

impl Vitals {
    /// Nothing is loaded yet.
    pub fn new() -> Self {
        Self::default()
    }

    pub fn log_drops(&self, lines: Arc<AtomicU64>) {
        _ = self.dropped_log_lines.set(lines);
    }

    pub fn loaded(&self, store: Arc<Store>, feeds: Feeds) {
        _ = self.served.set((store, feeds));
        self.content().taken_at = Some(real_now());
    }

    pub(crate) fn feed(&self) -> Option<Arc<Feed>> {
        self.served.get().and_then(|(_, feeds)| feeds.current())
    }

    /// Answers are based on it; before a feed is first applied, it is the feed's own.
    pub(crate) fn feed_judgment(&self, feed: &Feed) -> Judgment {
        let served = self.served.get().map(|(store, _)| store.current());
        served.and_then(|served| served.judgment().cloned()).unwrap_or_else(|| feed.judgment())
    }

    /// Even if it is unchanged.
    pub fn content_taken(&self) {
        self.taken.fetch_add(1, Ordering::Relaxed);
        *self.content() = Content { taken_at: Some(real_now()), ..Content::default() };
    }

    pub fn content_refused(&self, why: String) {
        self.refused.fetch_add(1, Ordering::Relaxed);
        // Content that was held before can still be accepted.
        self.content().refused = Some(Refused { at: real_now(), why: why.into() });
    }

    /// Whether what was last read was refused.
    pub fn refuses_content(&self) -> bool {
        self.content().refused.is_some()
    }

    /// The service started with the last good content, which was read at `kept_at`.
    pub fn last_good_served(&self, kept_at: DateTime<Utc>) {
        let mut content = self.content();
        (content.is_last_good, content.taken_at) = (true, Some(kept_at));
    }

    pub fn content_held(&self, why: String, generation: Generation) {
        self.held.fetch_add(1, Ordering::Relaxed);
        let mut content = self.content();
        content.held = Some((Refused { at: real_now(), why: why.into() }, generation));
        content.refused = None;
    }

    pub fn held(&self) -> Option<Generation> {
        self.content().held.as_ref().map(|(_, generation)| generation.clone())
    }

    /// The content is again what is held: a broken edit after it was undone.
    pub fn still_held(&self) {
        self.content().refused = None;
    }

    /// Only the generation that the operator names.
    pub(crate) async fn accept_content(&self, named: Option<String>, now: Instant) -> Accepted {
        let Some((store, feeds)) = self.served.get() else { return Accepted::NothingHeld };
        let (held, accepted) = (Arc::clone(store), named.clone());
        // A large directory takes a moment; other requests must be answered in the meantime.
        let accepting = tokio::task::spawn_blocking(move || held.accept_held(named.as_deref(), now));
        let Ok(done) = accepting.await else {
            return Accepted::Refused("internal error; see the log".to_owned());
        };
        if let Err(other) = done {
            let Some(other) = other else { return Accepted::NothingHeld };
            let what = self.content().held.as_ref().map(|(held, _)| held.why.to_string());
            return Accepted::Other { token: other.to_string(), what: what.unwrap_or_default() };
        }
        self.taken.fetch_add(1, Ordering::Relaxed);
        {
            // `refused` stays: content that was edited later may still have errors.
            let mut content = self.content();
            (content.taken_at, content.is_last_good) = (Some(real_now()), false);
            // Later content may be held by now.
            content.held.take_if(|(_, held)| Some(held.as_str()) == accepted.as_deref());
        }
        let generation = accepted.unwrap_or_default();
        tracing::warn!(%generation, "operator accepted the held content; it is now served");
        feeds.apply_again().await;
        if let Some(told) = self.on_accept.get() {
            _ = told.send(());
        }
        Accepted::Applied(format!("now serving generation {generation}"))
    }

    /// Sends a message whenever an operator accepts content that was held.
    pub fn notify_on_accept(&self, told: mpsc::Sender<()>) {
        _ = self.on_accept.set(told);
    }

    pub(crate) async fn end_feed(&self, now: Instant) -> Ended {
        match self.served.get() {
            Some((store, feeds)) => feeds.end(store, now).await,
            None => Ended::NoFeed,
        }
    }

    pub(crate) fn refusal(&self) -> Option<Arc<str>> {
        self.content().refused.as_ref().map(|refused| Arc::clone(&refused.why))
    }

    pub(crate) fn stopping(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }

    pub(crate) fn view_read(&self) {
        self.view_reads.fetch_add(1, Ordering::Relaxed);
    }

    /// The system did not hand over a connection.
    pub(crate) fn accept_failed(&self) {
        self.accept_failed.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn shed(&self) {
        self.shed.fetch_add(1, Ordering::Relaxed);
    }

    /// The connection is open until the returned value is dropped.
    pub(crate) fn connected(self: &Arc<Self>) -> Connected {
        self.connections.fetch_add(1, Ordering::Relaxed);
        self.accepted.fetch_add(1, Ordering::Relaxed);
        Connected(Arc::clone(self))
    }

    pub(crate) fn begins(&self) {
        self.in_flight.fetch_add(1, Ordering::Relaxed);
    }

    /// The request was answered or given up.
    pub(crate) fn ends(&self) {
        self.in_flight.fetch_sub(1, Ordering::Relaxed);
    }

    pub(crate) fn answered(&self, route: Route, status: u16, took: Duration) {
        let counters = &self.routes[route.number()];
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let bucket = BOUNDS.iter().position(|&bound| micros <= bound).unwrap_or(BOUNDS.len());
        counters.statuses[status_number(status)].fetch_add(1, Ordering::Relaxed);
        counters.buckets[bucket].fetch_add(1, Ordering::Relaxed);
        counters.micros.fetch_add(micros, Ordering::Relaxed);
    }

    fn releases(&self) -> MutexGuard<'_, Option<Followed>> {
        self.releases.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn content(&self) -> MutexGuard<'_, Content> {
        self.content.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Debug)]
pub(crate) struct Connected(Arc<Vitals>);

impl Drop for Connected {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::Relaxed);
    }
}
