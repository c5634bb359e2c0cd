//! Feeds of a publisher with every fault, and of a file.

mod closed;
mod content;
mod file;
mod found;
mod held;
mod keys;
mod memory;
mod parts;
mod publisher;
mod smart;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use directory::Directory;
use directory::api::Snapshot;
use directory::calendar::{FeedMode, ProviderFeed};
use directory::model::Generation;
use tokio::sync::mpsc;

use super::{Accepted, Event, Feed, Judgement, Source, SourceError, Target};
use crate::{Clock, testing};

/// The longest wait of a test.
const PATIENCE: Duration = Duration::from_secs(20);

/// A clock before the slots of these tests.
fn clock() -> Clock {
    Clock::frozen(testing::now())
}

/// A free slot of each of these providers, as plain lines.
fn lines(slugs: &[&str]) -> String {
    let line = |slug| {
        format!(
            "{{\"provider\":\"{slug}\",\"start\":\"2026-03-02T17:00:00Z\",\"end\":\"2026-03-02T17:30:00Z\",\
             \"status\":\"free\"}}\n"
        )
    };
    slugs.iter().map(line).collect()
}

/// The same slots, with the status that counts in a mode.
fn lines_in(mode: FeedMode, slugs: &[&str]) -> String {
    let status = if mode == FeedMode::Open { "free" } else { "busy" };
    lines(slugs).replace("free", status)
}

/// A source whose events a test sends.
struct Scripted(mpsc::Receiver<Result<Event, SourceError>>);

impl Source for Scripted {
    fn name(&self) -> String {
        "scripted".to_owned()
    }

    async fn next(&mut self) -> Result<Event, SourceError> {
        match self.0.recv().await {
            Some(told) => told,
            None => std::future::pending().await,
        }
    }
}

/// Records what is applied.
struct Recorder {
    snapshot: Snapshot,
    applied: Mutex<Vec<Vec<ProviderFeed>>>,
}

impl Recorder {
    fn new() -> Arc<Self> {
        Arc::new(Self { snapshot: testing::snapshot(), applied: Mutex::default() })
    }

    /// The slugs of each application: first those with entries, then those without.
    fn applied(&self) -> Vec<(Vec<String>, Vec<String>)> {
        let split = |feeds: &Vec<ProviderFeed>| {
            let has_slots = |feed: &&ProviderFeed| !feed.entries.is_empty();
            let (with, without): (Vec<_>, Vec<_>) = feeds.iter().partition(has_slots);
            let slugs =
                |feeds: Vec<&ProviderFeed>| feeds.iter().map(|feed| feed.provider.to_string()).collect();
            (slugs(with), slugs(without))
        };
        self.applied.lock().unwrap().iter().map(split).collect()
    }
}

impl Target for Recorder {
    fn with_directory<T>(&self, work: impl FnOnce(&Directory) -> T) -> T {
        work(self.snapshot.directory())
    }

    fn apply(&self, changed: &[ProviderFeed], judge: impl FnOnce() -> Judgement) {
        if !changed.is_empty() {
            self.applied.lock().unwrap().push(changed.to_vec());
        }
        judge();
    }

    fn release_unapplied(&self, _: Option<&Generation>, judge: impl FnOnce() -> Judgement) {
        judge();
    }
}

/// Accepts what is held now, as an operator who has just seen it.
async fn accept(feed: &Feed) -> Accepted {
    feed.accept_held(feed.status().token).await
}

/// Waits until a feed's status is as it should be.
async fn until(feed: &Feed, is_so: impl Fn(&super::FeedStatus) -> bool) {
    let waiting = async {
        while !is_so(&feed.status()) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let waited = tokio::time::timeout(PATIENCE, waiting).await;
    assert!(waited.is_ok(), "{:?}", feed.status());
}
