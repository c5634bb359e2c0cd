//! What a feed comes from.

use std::future::Future;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use directory::calendar::{FeedError, FeedFile, Instant};

/// What a source tells.
#[derive(Debug, Clone)]
pub enum Event {
    /// Everything that it has: whatever was there before and is not here is gone.
    Snapshot {
        /// The parts, each under a name of its own.
        parts: Vec<Arc<FeedFile>>,
        /// When the source says that this was true, where it says so.
        as_of: Option<Instant>,
        /// Parts that are here as they were read before.
        late: Vec<Late>,
    },
    /// The source is there, as it was at the look before, and nothing has changed: what keeps a quiet feed fresh.
    /// After a failure the next event is a whole snapshot.
    Unchanged {
        /// When the source says that what it has was true, where it says so.
        as_of: Option<Instant>,
        /// Parts of which nobody knows whether they have changed.
        late: Vec<Late>,
    },
}

/// A part that could not be read this time: what was read of it before grows old, and the others do not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Late {
    /// Its name.
    pub part: Arc<str>,
    /// Why it could not be read.
    pub why: String,
}

/// Why a source could not be read this time. It is asked again.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// It could not be reached or gave no answer of use.
    #[error("{0}")]
    Unreadable(String),
    /// Its manifest was read, and says something that cannot be right.
    #[error("{0}")]
    Manifest(String),
    /// It was read, and its lines are wrong.
    #[error(transparent)]
    Lines(#[from] FeedError),
}

/// Where a feed comes from.
///
/// It keeps its own time: [`Source::next`] returns when there is something to tell, waits between two looks, and
/// longer after a failure. Whoever listens calls it again, always, and drops it to end it.
pub trait Source: Send + 'static {
    /// What it is called in the log: a path or an address, with nothing secret in it.
    fn name(&self) -> String;

    /// Waits for the next thing to tell.
    fn next(&mut self) -> impl Future<Output = Result<Event, SourceError>> + Send;
}

/// What the system's clock shows, whatever `--now` says: for the ages of feeds.
pub(crate) fn real_now() -> DateTime<Utc> {
    crate::clock::Clock::system().now()
}
