//! The interface of a feed's sources.

use std::future::Future;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use directory::calendar::{FeedError, FeedFile, Instant};

/// The result of a successful look at a source.
#[derive(Debug, Clone)]
pub enum Event {
    /// Everything that it has.
    Snapshot {
        /// The parts, each under a name of its own.
        parts: Vec<Arc<FeedFile>>,
        /// The source's own time of this data, if it gives one.
        as_of: Option<Instant>,
        /// Those of the parts that could not be read and are as they were before.
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
}

/// A part that could not be read. What was read of it before grows old; the other parts do not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Late {
    /// Its name.
    pub part: Arc<str>,
    /// Why it could not be read.
    pub why: String,
}

/// Why a look at a source failed. The next look follows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// It could not be read.
    #[error("{0}")]
    Unreadable(String),
    /// Its manifest is wrong.
    #[error("{0}")]
    Manifest(String),
    /// Its lines are wrong.
    #[error(transparent)]
    Lines(#[from] FeedError),
}

/// Where a feed comes from.
///
/// [`Source::next`] waits until the next look is due, and returns its result. The caller calls it again without end.
pub trait Source: Send + 'static {
    /// Its name in the log: a path, or an address without secrets.
    fn name(&self) -> String;

    /// Waits for the next look, and returns its result.
    fn next(&mut self) -> impl Future<Output = Result<Event, SourceError>> + Send;
}

/// The time of the system's clock, also under `--now`: for the ages of feeds.
pub(crate) fn real_now() -> DateTime<Utc> {
    crate::clock::Clock::system().now()
}
