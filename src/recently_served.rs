//! What a service has served within a day: new content is compared with it.

use std::sync::{Arc, Mutex};

use chrono::{DateTime, TimeDelta, Utc};
use directory::Directory;
use directory::model::{Baseline, MaxShrink, Shrunk};
use serde::{Deserialize, Serialize};

/// Small losses add up for a day. It starts over after an operator's consent, since content that it doesn't know is then served.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct RecentlyServed {
    baseline: Baseline,
    since: DateTime<Utc>,
    /// The generation that was added last.
    newest: String,
}

/// Shared by the thread that serves new content and the one that keeps it for the next start.
pub(crate) type SharedRecent = Arc<Mutex<Option<RecentlyServed>>>;

impl RecentlyServed {
    const LONGEST: TimeDelta = TimeDelta::days(1);

    pub(crate) fn new(served: &Directory, now: DateTime<Utc>) -> Self {
        let newest = served.generation().as_str().to_owned();
        Self { baseline: Baseline::new(served), since: now, newest }
    }

    pub(crate) fn ends_with(&self, generation: &str) -> bool {
        self.newest == generation
    }

    pub(crate) fn is_over(&self, now: DateTime<Utc>) -> bool {
        now - self.since >= Self::LONGEST
    }

    pub(crate) fn compare(&self, max_shrink: MaxShrink, after: &Directory) -> Option<Shrunk> {
        max_shrink.compare(&self.baseline, after).err()
    }

    pub(crate) fn add(&mut self, served: &Directory) {
        self.baseline.add(served);
        served.generation().as_str().clone_into(&mut self.newest);
    }
}
