//! What a feed stands between: a source, which says what has changed, and a target, which offers openings.

use std::future::{Future, ready};
use std::sync::Arc;

use directory::Directory;
use directory::calendar::{Event, FeedError, FeedMode, Instant, Judgment, ProviderFeed};
use directory::model::Generation;

use crate::nats_health::NatsHealth;

/// Where a feed comes from. [`Source::due`] and [`Source::next`] are called in turn, without end. The first news is
/// everything that the source has; after an error it may tell everything again.
pub trait Source: Send + 'static {
    /// Its name in the log: a path, or an address without secrets.
    fn name(&self) -> String;

    /// Waits until a look is due, and says whether the next one begins now: an earlier one may still run.
    fn due(&mut self) -> impl Future<Output = bool> + Send {
        ready(true)
    }

    fn next(&mut self) -> impl Future<Output = Result<Vec<Event>, SourceError>> + Send;

    fn nats_health(&self) -> Option<Arc<NatsHealth>> {
        None
    }
}

/// Why a look at a source failed: nothing of it is known to be true now.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    #[error("{0}")]
    Unreadable(String),
    #[error(transparent)]
    Lines(#[from] FeedError),
}

pub trait Target: Send + Sync + 'static {
    /// Gives no open times until a feed of this mode is applied. Does nothing if a feed is known.
    fn await_feed(&self, mode: FeedMode);

    fn with_directory<T>(&self, work: impl FnOnce(&Directory) -> T) -> T;

    /// Replaces the sets of these providers and the feed's state. No other change can be made while `judge` runs.
    fn apply_feed(&self, changed: &[ProviderFeed], judge: impl FnOnce() -> Judgment);

    /// Stops withholding the providers that are new in this generation, once every part was read after it was served.
    fn release_unapplied(&self, of: Option<&Generation>, judge: impl FnOnce() -> Judgment);

    fn judge_feed(&self, judge: impl Fn() -> Judgment);

    /// Offers all weekly hours: the feed has ended.
    fn end_feed(&self, now: Instant);
}
