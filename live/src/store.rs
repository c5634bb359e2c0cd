//! The snapshot that is being served: the last good one, whole.
//!
//! Whoever answers takes the snapshot once and keeps it to the end of the answer. A replacement is seen by
//! the next request, so no answer mixes two generations, and nobody waits for anybody. Whoever changes it
//! (new content, a feed, passing time) waits for the one before, so that no change is lost.

use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwap;
use directory::api::Snapshot;
use directory::calendar::{Calendar, Freshness, Instant, ProviderFeed};

/// Holds the current snapshot.
#[derive(Debug)]
pub struct Store {
    current: ArcSwap<Snapshot>,
    changing: Mutex<()>,
}

impl Store {
    /// Starts with a snapshot; there is never none.
    #[must_use]
    pub fn new(snapshot: Snapshot) -> Self {
        Self { current: ArcSwap::from_pointee(snapshot), changing: Mutex::new(()) }
    }

    /// The snapshot to answer from.
    #[must_use]
    pub fn current(&self) -> Arc<Snapshot> {
        self.current.load_full()
    }

    /// Serves another snapshot from the next request on. What the feed has said so far stays said.
    pub fn replace(&self, snapshot: &Snapshot, now: Instant) {
        self.change(|current| {
            let calendar = current.calendar().for_directory(snapshot.directory(), now);
            snapshot.with_calendar(calendar)
        });
    }

    /// Takes what a feed says of these providers in place of what it said before.
    pub(crate) fn apply_feed(&self, changed: &[ProviderFeed]) {
        self.with_calendar(|calendar, current| calendar.apply(current.directory(), changed));
        let generation = self.current().directory().generation().clone();
        tracing::info!(providers = changed.len(), %generation, "the feed has changed");
    }

    /// Serves the feed's data as being as true as this.
    pub(crate) fn judge_feed(&self, freshness: Freshness) {
        if self.current().calendar().freshness() == freshness {
            return;
        }
        self.with_calendar(|calendar, current| calendar.with_freshness(current.directory(), freshness, &[]));
        tracing::info!(?freshness, "the feed's data is judged anew");
    }

    /// Lets the calendar follow the time; mostly there is nothing to do.
    pub(crate) fn roll(&self, now: Instant) {
        self.with_calendar(|calendar, current| calendar.roll(current.directory(), now));
    }

    fn with_calendar(&self, change: impl FnOnce(&Calendar, &Snapshot) -> Calendar) {
        self.change(|current| current.with_calendar(change(current.calendar(), current)));
    }

    fn change(&self, change: impl FnOnce(&Snapshot) -> Snapshot) {
        // A change that panicked has changed nothing, so the next one may go on.
        let _alone = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        let changed = change(&self.current.load());
        self.current.store(Arc::new(changed));
    }
}
