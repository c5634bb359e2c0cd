//! Fills the store of a service with its first content.

use directory::Snapshot;
use directory::calendar::{Calendar, FeedMode, Instant};
use directory::content::{Checked, FolderFeed};
use feed::{FeedOptions, remembered};
use live::{Documents, Store};

use super::{FilledStore, ServiceRunner};
use crate::content::snapshot;
use crate::loaded::LoadedContent;
use crate::outcome::Refusal;
use crate::settings::FeedChoice;

impl ServiceRunner {
    /// `kept_feed` is the mode of the feed that the content folder had when its copy was kept.
    pub(crate) fn fill(
        &self,
        content: LoadedContent,
        kept_feed: Option<FeedMode>,
    ) -> Result<FilledStore, Refusal> {
        let now = self.clock.now();
        let unread = |checked: Checked, feed: &FeedOptions| {
            let snapshot = Snapshot::new(checked.directory);
            let calendar = Calendar::with_feed(snapshot.directory(), feed.mode(), Instant::ceil(now));
            (filled(snapshot.with_calendar(calendar)), Some(feed.clone()))
        };
        let candidates = match &self.settings.feed {
            FeedChoice::Named(_) | FeedChoice::None => Vec::new(),
            FeedChoice::Found(both) => both.to_vec(),
        };
        let (store, first) = match (&self.settings.feed, content) {
            (FeedChoice::Named(options), content) => unread(content.into_checked(), options),
            (FeedChoice::Found(both), LoadedContent::BesideFeed(checked, _)) => {
                let only = both.iter().find(|options| options.is_named());
                let gone = || {
                    Refusal::new("the feed file was removed while the content was read: start again")
                        .passing()
                };
                unread(checked, only.ok_or_else(gone)?)
            }
            (FeedChoice::Found(both), LoadedContent::LastGood(kept)) => {
                let is_named = |options: &&FeedOptions| options.is_named();
                let now_there = both.iter().find(is_named);
                match now_there.or_else(|| remembered(&candidates, kept_feed)) {
                    Some(options) => unread(kept.checked, options),
                    None => (filled(snapshot(kept.checked, now)), None),
                }
            }
            (FeedChoice::Found(both), LoadedContent::Whole(checked)) => {
                let mode = checked.feed.as_ref().map(FolderFeed::mode);
                let first = both.iter().find(|options| Some(options.mode()) == mode).cloned();
                let missed = if first.is_none() { remembered(&candidates, kept_feed) } else { None };
                if let Some(missed) = missed {
                    tracing::warn!(
                        "the content folder had the feed {} and has none now: its data from before the restart is used \
                         until it expires; then no openings are shown",
                        missed.name()
                    );
                    unread(checked, missed)
                } else {
                    if first.is_none() {
                        tracing::info!(
                            "no feed is configured and the content folder has none: all weekly hours are offered"
                        );
                    }
                    (filled(snapshot(checked, now)), first)
                }
            }
            (FeedChoice::None, content) => (filled(snapshot(content.into_checked(), now)), None),
        };
        self.listen(store, first, candidates)
    }

    /// Fills a store with content without its own feed: only the settings name one.
    #[cfg(feature = "replicas")]
    pub(crate) fn fill_with(&self, snapshot: &Snapshot) -> Result<FilledStore, Refusal> {
        let (directory, now) = (snapshot.directory(), Instant::ceil(self.clock.now()));
        let (calendar, feed) = if let FeedChoice::Named(feed) = &self.settings.feed {
            (Calendar::with_feed(directory, feed.mode(), now), Some(FeedOptions::clone(feed)))
        } else {
            tracing::info!("no feed is configured: all weekly hours are offered");
            (Calendar::from_hours(directory, now), None)
        };
        self.listen(filled(snapshot.with_calendar(calendar)), feed, Vec::new())
    }
}

fn filled(snapshot: Snapshot) -> Store {
    Store::with_documents(snapshot, documents)
}

fn documents(snapshot: &Snapshot) -> Documents {
    let documents = generator::documents(snapshot).unwrap_or_else(|error| {
        tracing::error!(%error, "the documents for programs couldn't be built");
        Vec::new()
    });
    documents.into_iter().map(|(path, bytes)| (path.to_string(), bytes)).collect()
}
