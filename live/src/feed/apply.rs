//! Where a feed's sets meet the snapshot that is served.

use directory::Directory;
use directory::calendar::ProviderFeed;
use directory::model::Generation;

use super::status::Judgement;
use crate::store::Store;

/// What a feed's data is handed to.
pub trait Target: Send + Sync + 'static {
    /// Does something with the directory of the moment: the one that [`Target::apply`] is about.
    fn with_directory<T>(&self, work: impl FnOnce(&Directory) -> T) -> T
    where
        Self: Sized;

    /// Takes the sets of these providers in place of what each of them had, and how true the feed is with them.
    /// Both are seen at once. `judge` notes that they are applied and judges; no other judgement is made meanwhile.
    fn apply(&self, changed: &[ProviderFeed], judge: impl FnOnce() -> Judgement)
    where
        Self: Sized;

    /// The source was read after the directory of this generation was served, and is applied to it: its word counts for
    /// everybody in it.
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
