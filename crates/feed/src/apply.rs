//! Applies a feed's sets to the snapshot that is served.

use directory::Directory;
use directory::calendar::{FeedMode, Instant, Judgement, ProviderFeed};
use directory::model::Generation;

/// What a feed is applied to.
pub trait Target: Send + Sync + 'static {
    /// Gives no open times until a feed of this mode is applied. Does nothing if a feed is known.
    fn await_feed(&self, mode: FeedMode);

    /// Calls `work` with the present directory.
    fn with_directory<T>(&self, work: impl FnOnce(&Directory) -> T) -> T;

    /// Replaces the sets of these providers and the feed's state. No other change can be made while `judge` runs.
    fn apply_feed(&self, changed: &[ProviderFeed], judge: impl FnOnce() -> Judgement);

    /// Stops withholding the providers that are new in this generation. Call it once every part was read after the
    /// generation was served.
    fn release_unapplied(&self, of: Option<&Generation>, judge: impl FnOnce() -> Judgement);

    /// Updates the freshness of the feed's data.
    fn judge_feed(&self, judge: impl Fn() -> Judgement);

    /// Offers all weekly hours: the feed has ended.
    fn end_feed(&self, now: Instant);
}
