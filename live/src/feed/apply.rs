//! Where a feed's sets meet the snapshot that is served.

use directory::Directory;
use directory::calendar::ProviderFeed;

use crate::store::Store;

/// What a feed's data is handed to.
pub trait Target: Send + Sync + 'static {
    /// Does something with the directory of the moment: the one that [`Target::apply`] is about.
    fn with_directory<T>(&self, work: impl FnOnce(&Directory) -> T) -> T
    where
        Self: Sized;

    /// Takes the sets of these providers in place of what each of them had.
    fn apply(&self, changed: &[ProviderFeed]);
}

impl Target for Store {
    fn with_directory<T>(&self, work: impl FnOnce(&Directory) -> T) -> T {
        work(self.current().directory())
    }

    fn apply(&self, changed: &[ProviderFeed]) {
        self.apply_feed(changed);
    }
}
