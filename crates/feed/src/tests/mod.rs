//! Feeds of a publisher with every fault, and of a file.

mod file;
mod held;
mod ics;
mod memory;
mod parts;
mod publisher;
mod smart;
mod support;

use std::path::Path;
use std::sync::{Arc, Mutex};

use directory::Directory;
use directory::api::Snapshot;
use directory::calendar::{FeedMode, Instant, Judgement, ProviderFeed};
use directory::model::Generation;
use support::{Scripted, Told, accept, beat, clock, files, lines, now, until};

use super::{
    Accepted, Clock, Feed, FeedOptions, FeedStatus, Polled, Source, SourceError, Target, moment, real_now,
};

/// The same slots, with the status that counts in a mode.
fn lines_in(mode: FeedMode, slugs: &[&str]) -> String {
    let status = if mode == FeedMode::Open { "free" } else { "busy" };
    lines(slugs).replace("free", status)
}

/// The content of the live service's tests.
fn snapshot() -> Snapshot {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../live/tests/fixture");
    let checked = directory::content::load_and_check(&folder, now().date_naive());
    Snapshot::new(checked.unwrap_or_else(|error| panic!("{error:?}")).directory)
}

/// Starts a feed of a file or a publisher.
fn started(options: FeedOptions, target: Arc<Recorder>) -> Feed {
    Feed::start(Polled::of(&options).unwrap(), options, target, clock())
}

/// Records what is applied.
struct Recorder {
    snapshot: Snapshot,
    applied: Mutex<Vec<Vec<ProviderFeed>>>,
}

impl Recorder {
    fn new() -> Arc<Self> {
        Arc::new(Self { snapshot: snapshot(), applied: Mutex::default() })
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

    fn apply_feed(&self, changed: &[ProviderFeed], judge: impl FnOnce() -> Judgement) {
        if !changed.is_empty() {
            self.applied.lock().unwrap().push(changed.to_vec());
        }
        judge();
    }

    fn release_unapplied(&self, _: Option<&Generation>, judge: impl FnOnce() -> Judgement) {
        judge();
    }

    fn await_feed(&self, _: FeedMode) {}

    fn judge_feed(&self, judge: impl Fn() -> Judgement) {
        judge();
    }

    fn end_feed(&self, _: Instant) {}
}
