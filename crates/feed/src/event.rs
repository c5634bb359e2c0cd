//! What a source reports at a look, and how old it is.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use directory::calendar::{FeedError, FeedFile, Instant, KeyChange};
use tokio::time::Instant as Tick;

/// The result of a successful look at a source.
#[derive(Debug, Clone)]
pub enum Event {
    /// Everything that it has.
    Snapshot {
        /// The parts, each under a name of its own.
        parts: Vec<Arc<FeedFile>>,
        /// The source's own time of this data, if it gives one.
        as_of: Option<Instant>,
        /// The parts that could not be read. Their data is that of an earlier look.
        late: Vec<Late>,
    },
    /// Nothing has changed since the look before: this keeps a quiet feed fresh. After an error the next event is a
    /// snapshot.
    Unchanged {
        /// The source's own time of its data, if it gives one.
        as_of: Option<Instant>,
        /// Parts that could not be read.
        late: Vec<Late>,
    },
    /// Some keys have changed; all others are as before. The first event, and the first one after an error, is a
    /// snapshot of keys.
    Keys {
        /// Whether `changed` lists all keys (a snapshot, which is judged for losses) or only those that differ. A
        /// snapshot leaves out keys whose value is refused: their former value stays, and the site lists them as
        /// late.
        is_whole: bool,
        changed: Vec<KeyChange>,
        /// The age of each site's data. Status and age belong to a site, not to a key.
        sites: Arc<BTreeMap<Arc<str>, SiteRead>>,
    },
}

/// The state of a site. A site is the keys of one writer, and its data has one age.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteRead {
    /// The last confirmation that was accepted; `None`: there was none, and the site counts as expired.
    pub confirmed: Option<Confirmation>,
    /// Whether the writer's mode differs from the feed's: then the site counts as expired.
    pub is_of_another_mode: bool,
    /// Whether the keys differ from those that the writer confirmed: then the site is not confirmed and grows old.
    pub is_diverged: bool,
    /// The keys whose data is older than the site's.
    pub late: BTreeMap<Arc<str>, LateKey>,
}

/// A writer's confirmation of its keys. Their age is the greatest of three: since `as_of`, since `stored_at`, and since
/// `heard`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Confirmation {
    /// The writer's own time of the data.
    pub as_of: Instant,
    /// The server's time of the confirmation.
    pub stored_at: DateTime<Utc>,
    /// When this process received it.
    pub heard: Tick,
}

impl Confirmation {
    /// The earlier of the writer's time and the server's.
    #[must_use]
    pub fn oldest(self) -> Instant {
        self.as_of.min(Instant::floor(self.stored_at))
    }
}

/// A key whose data is older than the site's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LateKey {
    /// When its data was true; `None`: nothing of it was ever read.
    pub as_of: Option<Instant>,
    /// Why its value is refused, if it is; what was read of it before stays.
    pub why: Option<Arc<str>>,
}

/// A part that could not be read. What was read of it before grows old; the other parts do not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Late {
    pub part: Arc<str>,
    pub why: String,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    #[error("{0}")]
    Unreadable(String),
    #[error("{0}")]
    Manifest(String),
    #[error(transparent)]
    Lines(#[from] FeedError),
}

/// The time of the system's clock, also under `--now`: for the ages of feeds.
#[must_use]
pub fn real_now() -> DateTime<Utc> {
    crate::clock::Clock::system().now()
}
