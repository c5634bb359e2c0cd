//! The feed of a service: the one that is named, or the one that is found, from when it is there.

use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwapOption;
use directory::calendar::FeedMode;

use super::handle::Feed;
use super::options::FeedOptions;
use super::source::SourceError;
use crate::clock::Clock;
use crate::store::Store;

/// How often is looked whether there is one.
const LOOK: Duration = Duration::from_secs(1);
/// How long a start waits for a publisher that is slow: after that the service answers, and says that slots are
/// not known yet.
const FIRST_LOOK: Duration = Duration::from_secs(5);

/// The feed of a service, if it has one by now. Cheap to clone; all clones see the same.
#[derive(Debug, Clone, Default)]
pub struct Feeds {
    current: Arc<ArcSwapOption<Feed>>,
}

impl Feeds {
    /// No feed yet.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// The feed, once there is one.
    #[must_use]
    pub fn current(&self) -> Option<Arc<Feed>> {
        self.current.load_full()
    }

    /// Listens to a feed from now on, and waits until it has been looked at once, but not for long. Must be called
    /// inside the runtime.
    ///
    /// # Errors
    /// The machine has no way to speak HTTPS.
    pub async fn listen(
        &self,
        options: FeedOptions,
        store: &Arc<Store>,
        clock: Clock,
    ) -> Result<(), SourceError> {
        let mode = if options.mode() == FeedMode::Open { "open" } else { "busy" };
        tracing::info!(mode, feed = options.name(), "listening to a feed");
        let feed = Feed::start(options, Arc::clone(store), clock)?;
        // An error is a publisher that takes its time.
        _ = tokio::time::timeout(FIRST_LOOK, feed.first_look()).await;
        self.current.store(Some(Arc::new(feed)));
        self.judge(store);
        Ok(())
    }

    /// Waits until one of the feeds is there, and listens to it. From then on the weekly hours alone are not offered: a
    /// feed that cannot be used is expired.
    pub async fn find(&self, candidates: Vec<FeedOptions>, store: &Arc<Store>, clock: Clock) {
        let candidates = Arc::new(candidates);
        while self.current().is_none() {
            tokio::time::sleep(LOOK).await;
            let looked = Arc::clone(&candidates);
            let looking = move || looked.iter().find(|options| options.is_there()).cloned();
            let Ok(Some(found)) = tokio::task::spawn_blocking(looking).await else { continue };
            if let Err(error) = self.listen(found, store, clock).await {
                tracing::error!("{error}");
            }
        }
    }

    /// Serves the feed's data as being as true as it is now.
    pub fn judge(&self, store: &Store) {
        if let Some(feed) = self.current() {
            store.judge_feed(feed.mode(), || feed.judgement());
        }
    }

    /// Hands everything to the store again: its directory is a new one.
    pub async fn apply_again(&self) {
        if let Some(feed) = self.current() {
            feed.apply_again().await;
        }
    }
}
