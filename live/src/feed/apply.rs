//! Where a feed's sets meet the snapshot that is served.

use directory::Directory;
use directory::calendar::ProviderFeed;

use super::driver::Target;
use crate::store::Store;

impl Target for Store {
    fn with_directory<T>(&self, work: impl FnOnce(&Directory) -> T) -> T {
        work(self.current().directory())
    }

    fn apply(&self, changed: &[ProviderFeed]) {
        self.apply_feed(changed);
    }
}
