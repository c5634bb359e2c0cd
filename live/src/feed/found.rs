//! The feed of a service: the configured one, or a feed file in the content folder.

use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwapOption;
use directory::calendar::FeedMode;

use super::handle::Feed;
use super::options::FeedOptions;
use super::source::SourceError;
use crate::clock::Clock;
use crate::store::Store;

/// The time between two looks for a feed file.
const LOOK: Duration = Duration::from_secs(1);
/// How long a start waits for a slow publisher. After that the service answers, and open times are unknown.
const FIRST_LOOK: Duration = Duration::from_secs(5);

/// The feed of a service, if it has one. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct Feeds {
    current: Arc<ArcSwapOption<Feed>>,
}

impl Feeds {
    /// Without a feed.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// The feed, once there is one.
    #[must_use]
    pub fn current(&self) -> Option<Arc<Feed>> {
        self.current.load_full()
    }

    /// Starts a feed, and waits up to five seconds for its first look. Must be called inside the runtime.
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
        let generation = || store.current().directory().generation().clone();
        let before = generation();
        let feed = Feed::start(options, Arc::clone(store), clock)?;
        // A timeout means a slow publisher: the service starts without it.
        _ = tokio::time::timeout(FIRST_LOOK, feed.first_look()).await;
        self.current.store(Some(Arc::new(feed)));
        // Content that was replaced meanwhile did not know of this feed.
        if generation() != before {
            self.apply_again().await;
        }
        self.judge(store);
        Ok(())
    }

    /// Waits until one of the feed files exists, and starts its feed. From then on weekly hours are offered only with the
    /// feed: if it cannot be used, open times are unknown.
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

    /// Updates the freshness that answers state.
    pub fn judge(&self, store: &Store) {
        if let Some(feed) = self.current() {
            store.judge_feed(feed.mode(), || feed.judgement());
        }
    }

    /// Applies the feed to the store's new directory.
    pub async fn apply_again(&self) {
        if let Some(feed) = self.current() {
            feed.apply_again().await;
        }
    }
}
