//! Applies a feed's sets to the snapshot that is served.

use directory::Directory;
use directory::calendar::ProviderFeed;
use directory::model::Generation;

use crate::judgement::Judgement;
use crate::store::Store;

/// What a feed is applied to.
pub trait Target: Send + Sync + 'static {
    /// Calls `work` with the present directory.
    fn with_directory<T>(&self, work: impl FnOnce(&Directory) -> T) -> T
    where
        Self: Sized;

    /// Replaces the sets of these providers and the feed's judgement. No other change can be made while `judge` runs.
    fn apply(&self, changed: &[ProviderFeed], judge: impl FnOnce() -> Judgement)
    where
        Self: Sized;

    /// Stops withholding the providers that are new in this generation. Call it once every part was read after the
    /// generation was served.
    fn release_unapplied(&self, of: Option<&Generation>, judge: impl FnOnce() -> Judgement)
    where
        Self: Sized;
}

impl Target for Store {
    fn with_directory<T>(&self, work: impl FnOnce(&Directory) -> T) -> T {
        work(self.current().directory())
    }

    fn apply(&self, changed: &[ProviderFeed], judge: impl FnOnce() -> Judgement) {
        self.apply_feed(changed, judge);
    }

    fn release_unapplied(&self, of: Option<&Generation>, judge: impl FnOnce() -> Judgement) {
        self.release_unapplied(of, judge);
    }
}
