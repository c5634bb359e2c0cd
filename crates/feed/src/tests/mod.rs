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
use directory::calendar::{FeedMode, Instant, Judgment, ProviderFeed};
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
    snapshot_of("../../live/tests/fixture")
}

fn snapshot_of(folder: &str) -> Snapshot {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let checked = directory::content::load_and_check(&folder, now().date_naive());
    Snapshot::new(checked.unwrap_or_else(|error| panic!("{error:?}")).directory)
}

/// Starts a feed of a file or a publisher.
fn started(options: FeedOptions, target: Arc<Recorder>) -> Feed {
    Feed::start(Polled::of(&options).unwrap(), options, target, clock())
}

/// Records what is applied.
struct Recorder {
    snapshot: Mutex<Arc<Snapshot>>,
    applied: Mutex<Vec<Vec<ProviderFeed>>>,
    /// The generations in which new providers were offered, each once in a row.
    released: Mutex<Vec<Generation>>,
}

impl Recorder {
    fn new() -> Arc<Self> {
        let snapshot = Mutex::new(Arc::new(snapshot()));
        Arc::new(Self { snapshot, applied: Mutex::default(), released: Mutex::default() })
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
        let snapshot = Arc::clone(&self.snapshot.lock().unwrap());
        work(snapshot.directory())
    }

    fn apply_feed(&self, changed: &[ProviderFeed], judge: impl FnOnce() -> Judgment) {
        if !changed.is_empty() {
            self.applied.lock().unwrap().push(changed.to_vec());
        }
        judge();
    }

    fn release_unapplied(&self, of: Option<&Generation>, judge: impl FnOnce() -> Judgment) {
        let mut released = self.released.lock().unwrap();
        if released.last() != of {
            released.extend(of.cloned());
        }
        judge();
    }

    fn await_feed(&self, _: FeedMode) {}

    fn judge_feed(&self, judge: impl Fn() -> Judgment) {
        judge();
    }

    fn end_feed(&self, _: Instant) {}
}
