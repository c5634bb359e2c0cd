//! The feed of a service: the configured one, or a feed file in the content folder.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use arc_swap::ArcSwapOption;
use directory::calendar::{FeedMode, Instant};

use crate::clock::Clock;
use crate::file::is_there;
use crate::handle::Feed;
use crate::memory::{remember_end, remember_found};
use crate::options::FeedOptions;
use crate::polled::Polled;
use crate::source::{Source, Target};

const LOOK: Duration = Duration::from_secs(1);
/// How long a start waits for a slow publisher. After that the service answers, and open times are unknown.
const FIRST_LOOK: Duration = Duration::from_secs(5);

/// The feed of a service, if it has one. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct Feeds {
    current: Arc<ArcSwapOption<Feed>>,
    /// Locked while the feed is judged or ended, so that a feed that has ended is not judged again.
    judging: Arc<Mutex<()>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// All weekly hours are offered.
    Done,
    NoFeed,
    Refused(String),
}

impl Feeds {
    pub fn current(&self) -> Option<Arc<Feed>> {
        self.current.load_full()
    }

    /// Starts a feed, and waits up to five seconds for its first look. Must be called inside the runtime.
    pub async fn listen(
        &self,
        options: FeedOptions,
        source: impl Source,
        store: &Arc<impl Target>,
        clock: Clock,
    ) {
        tracing::info!(mode = options.mode().word(), feed = options.name(), "listening to a feed");
        store.await_feed(options.mode());
        remember(&options).await;
        let generation = || store.with_directory(|directory| directory.generation().clone());
        let before = generation();
        let feed = Feed::start(source, options, Arc::clone(store), clock);
        // A timeout means a slow publisher: the service starts without it.
        _ = tokio::time::timeout(FIRST_LOOK, feed.first_look()).await;
        self.current.store(Some(Arc::new(feed)));
        // Content that was replaced in the meantime didn't know about this feed.
        if generation() != before {
            self.apply_again().await;
        }
        self.judge(store);
    }

    /// Looks for the feed files each second while there is no feed, and starts the feed of the one that it finds. From then on
    /// weekly hours are offered only with that feed, even if it cannot be used. Never returns.
    pub async fn find(&self, candidates: Vec<FeedOptions>, store: &Arc<impl Target>, clock: Clock) {
        let candidates = Arc::new(candidates);
        loop {
            tokio::time::sleep(LOOK).await;
            if self.current().is_some() {
                continue;
            }
            let looked = Arc::clone(&candidates);
            let looking = move || looked.iter().find(|options| options.is_there()).cloned();
            let Ok(Some(found)) = tokio::task::spawn_blocking(looking).await else { continue };
            match Polled::of(&found) {
                Ok(source) => self.listen(found, source, store, clock).await,
                Err(error) => tracing::error!("{error}"),
            }
        }
    }

    pub fn judge(&self, store: &Arc<impl Target>) {
        let _alone = self.judging.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(feed) = self.current() {
            store.judge_feed(|| feed.judgment());
        }
    }

    /// The mode of the feed that the content folder has, or had until its file vanished.
    pub fn mode_of_content(&self) -> Option<FeedMode> {
        let feed = self.current()?;
        feed.options.is_of_content().then(|| feed.mode())
    }

    /// Ends a feed whose file has vanished from the content folder: all weekly hours are offered from now on. The end
    /// is remembered, so that the next start does not miss the feed.
    pub async fn end(&self, store: &Arc<impl Target>, now: Instant) -> Ended {
        let Some(feed) = self.current() else { return Ended::NoFeed };
        let options = &feed.options;
        if !options.is_of_content() {
            return Ended::Refused("the settings name it: remove the [feed] table and restart".to_owned());
        }
        if options.is_named() {
            return Ended::Refused(format!("{} exists: remove it first", options.name()));
        }
        if let Some(other) = options.rival.as_deref().filter(|other| is_there(other)) {
            let other = other.display();
            return Ended::Refused(format!("{other} exists but isn't read: restart nameplate to read it"));
        }
        feed.end().await;
        let (feeds, store, feed) = (self.clone(), Arc::clone(store), Arc::clone(&feed));
        let end = move || {
            let _alone = feeds.judging.lock().unwrap_or_else(PoisonError::into_inner);
            store.end_feed(now);
            feeds.current.store(None);
            let options = &feed.options;
            tracing::warn!(feed = options.name(), "operator ended the feed: all weekly hours are offered");
            let remembered =
                options.memory.as_deref().map_or(Ok(()), |file| remember_end(file, &options.name()));
            if let Err(error) = remembered {
                tracing::error!(
                    "the end of the feed can't be saved, so the next start treats its file as missing: {error}"
                );
            }
        };
        match tokio::task::spawn_blocking(end).await {
            Ok(()) => Ended::Done,
            Err(_) => Ended::Refused("internal error: restart nameplate, then try again".to_owned()),
        }
    }

    pub async fn apply_again(&self) {
        if let Some(feed) = self.current() {
            feed.apply_again().await;
        }
    }
}

/// A restart after the file has vanished must not offer all weekly hours, even if the feed was never usable.
async fn remember(options: &FeedOptions) {
    let Some(file) = options.memory.clone().filter(|_| options.is_of_content()) else { return };
    let name = options.name();
    let remembered = tokio::task::spawn_blocking(move || remember_found(&file, &name)).await;
    if let Ok(Err(error)) = remembered {
        tracing::error!("a restart will forget that there is a feed: {error}");
    }
}
