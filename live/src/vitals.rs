//! A running service's counters and state, for operators.
//!
//! Every response is counted, so counting must be cheap: routes and statuses are small numbers that index arrays of
//! counters.

mod metrics;
mod nats;
mod page;
mod process;
mod ready;
mod releases;
mod route;
mod state;

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, mpsc};
use std::time::Duration;

use chrono::{DateTime, SecondsFormat, Utc};
use directory::calendar::{Instant, Judgement};
use directory::model::Generation;
use serde_json::{Value, json};

pub(crate) use self::route::{HEALTH, HEALTHY, Route};
use self::route::{ROUTES, STATUSES, status_number};
use crate::store::Store;
use feed::{Accepted, Ended, Feed, Feeds, real_now};

/// The upper bounds of the histogram's buckets, in microseconds.
const BOUNDS: [u64; 11] = [50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 50_000, 250_000, 1_000_000];

/// The counters and the state of one process.
#[derive(Debug, Default)]
pub struct Vitals {
    served: OnceLock<(Arc<Store>, Feeds)>,
    content: Mutex<Content>,
    /// `None`: the content is a folder.
    releases: Mutex<Option<Followed>>,
    release_failures: AtomicU64,
    failing: Mutex<state::Failing>,
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

/// The counters of one route.
#[derive(Debug, Default)]
struct Counters {
    statuses: [AtomicU64; STATUSES],
    /// The last bucket counts responses beyond all bounds.
    buckets: [AtomicU64; BOUNDS.len() + 1],
    micros: AtomicU64,
}

/// The state of the content.
#[derive(Debug, Clone, Default)]
struct Content {
    /// When it was last read and found valid.
    taken_at: Option<DateTime<Utc>>,
    /// Whether the service started with the last good content, and has read no other since.
    is_last_good: bool,
    /// Why newer content is refused: it has errors.
    refused: Option<Refused>,
    /// Why newer, valid content waits for an operator's consent, and its generation.
    held: Option<(Refused, Generation)>,
}

/// The state of the releases that a service follows.
#[derive(Debug, Clone, Default)]
struct Followed {
    /// The release that is served.
    release: Option<u64>,
    /// It was read from the cache, and the object store has not confirmed it yet.
    is_from_cache: bool,
    answered_at: Option<DateTime<Utc>>,
    /// Why the object store gives none.
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
    /// The state of a service that has not loaded its content yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the counter of dropped log lines, which the metrics show.
    pub fn log_drops(&self, lines: Arc<AtomicU64>) {
        _ = self.dropped_log_lines.set(lines);
    }

    /// Reports that the first content is loaded.
    pub fn loaded(&self, store: Arc<Store>, feeds: Feeds) {
        _ = self.served.set((store, feeds));
        self.content().taken_at = Some(real_now());
    }

    /// The current feed.
    pub(crate) fn feed(&self) -> Option<Arc<Feed>> {
        self.served.get().and_then(|(_, feeds)| feeds.current())
    }

    /// The verdict that answers are based on; before a feed is first applied, the feed's own.
    pub(crate) fn feed_judgement(&self, feed: &Feed) -> Judgement {
        let served = self.served.get().map(|(store, _)| store.current());
        served.and_then(|served| served.judgement().cloned()).unwrap_or_else(|| feed.judgement())
    }

    /// Reports that the content was read and is valid, even if it is unchanged.
    pub fn content_taken(&self) {
        self.taken.fetch_add(1, Ordering::Relaxed);
        *self.content() = Content { taken_at: Some(real_now()), ..Content::default() };
    }

    /// Reports that new content is refused, with the reason as text.
    pub fn content_refused(&self, why: String) {
        self.refused.fetch_add(1, Ordering::Relaxed);
        // Content that was held before can still be accepted.
        self.content().refused = Some(Refused { at: real_now(), why: why.into() });
    }

    /// Reports that the service started with the last good content, which was read at `kept_at`, because the content has
    /// errors.
    pub fn last_good_served(&self, why: String, kept_at: DateTime<Utc>) {
        self.content_refused(why);
        let mut content = self.content();
        (content.is_last_good, content.taken_at) = (true, Some(kept_at));
    }

    /// Reports that new content is valid but held back, with the reason as text and its generation.
    pub fn content_held(&self, why: String, generation: Generation) {
        self.held.fetch_add(1, Ordering::Relaxed);
        let mut content = self.content();
        content.held = Some((Refused { at: real_now(), why: why.into() }, generation));
        (content.refused, content.is_last_good) = (None, false);
    }

    /// The generation of the content that is held back.
    #[must_use]
    pub fn held(&self) -> Option<Generation> {
        self.content().held.as_ref().map(|(_, generation)| generation.clone())
    }

    /// Reports that the content is again what is held: a broken edit after it was undone.
    pub fn still_held(&self) {
        self.content().refused = None;
    }

    /// Serves the content that is held back, if it is of the generation that an operator names.
    pub(crate) async fn accept_content(&self, named: Option<String>, now: Instant) -> Accepted {
        let Some((store, feeds)) = self.served.get() else { return Accepted::NothingHeld };
        let (held, accepted) = (Arc::clone(store), named.clone());
        // A large directory takes a moment; other requests must be answered in the meantime.
        let accepting = tokio::task::spawn_blocking(move || held.accept_held(named.as_deref(), now));
        let Ok(done) = accepting.await else {
            return Accepted::Refused("an internal error, which is in the log".to_owned());
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

    /// Ends the feed whose file has vanished from the content folder.
    pub(crate) async fn end_feed(&self, now: Instant) -> Ended {
        match self.served.get() {
            Some((store, feeds)) => feeds.end(store, now).await,
            None => Ended::NoFeed,
        }
    }

    /// Why the last change of the content is refused, if it is.
    pub(crate) fn refusal(&self) -> Option<Arc<str>> {
        self.content().refused.as_ref().map(|refused| Arc::clone(&refused.why))
    }

    /// Reports that the service finishes its requests and stops.
    pub(crate) fn stopping(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }

    /// Counts a reading of the view for assistants.
    pub(crate) fn view_read(&self) {
        self.view_reads.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a connection that the system did not hand over.
    pub(crate) fn accept_failed(&self) {
        self.accept_failed.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a connection that was turned away.
    pub(crate) fn shed(&self) {
        self.shed.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a connection. It is open until the returned value is dropped.
    pub(crate) fn connected(self: &Arc<Self>) -> Connected {
        self.connections.fetch_add(1, Ordering::Relaxed);
        self.accepted.fetch_add(1, Ordering::Relaxed);
        Connected(Arc::clone(self))
    }

    /// Counts a request in flight.
    pub(crate) fn begins(&self) {
        self.in_flight.fetch_add(1, Ordering::Relaxed);
    }

    /// Ends a request that was answered or given up.
    pub(crate) fn ends(&self) {
        self.in_flight.fetch_sub(1, Ordering::Relaxed);
    }

    /// Counts a response.
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

/// An open connection.
#[derive(Debug)]
pub(crate) struct Connected(Arc<Vitals>);

impl Drop for Connected {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::Relaxed);
    }
}

fn rfc3339(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}
