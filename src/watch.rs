//! What new content is taken up for: a change below some folders, or an operator who asks.

use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::{Duration, SystemTime};

use notify_debouncer_full::notify::{RecommendedWatcher, RecursiveMode};
use notify_debouncer_full::{
    DebounceEventResult, DebouncedEvent, Debouncer, RecommendedCache, new_debouncer,
};

use crate::outcome::Refusal;

/// For how long nothing must change before it is looked at: editors write a file in several steps.
const SETTLED: Duration = Duration::from_millis(150);
/// How often to look whether the folder is still the one that is watched: whoever replaces it as a whole
/// (a checkout, a restored backup) leaves the watcher with the old one.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// Changes below some folders. Watching ends when this is dropped.
pub(crate) struct Changes {
    signals: mpsc::Receiver<()>,
    asking: mpsc::Sender<()>,
    watcher: Debouncer<RecommendedWatcher, RecommendedCache>,
    /// Each folder, and which folder of the file system it was when watching began.
    folders: Vec<(PathBuf, Option<Identity>)>,
}

/// Device, inode and, because file systems give inodes away again, the time of birth where it is known.
type Identity = (u64, u64, Option<SystemTime>);

impl Changes {
    /// Watches these folders; none, and only those who ask are heard.
    pub(crate) fn watch(folders: &[&Path]) -> Result<Self, Refusal> {
        let refused = |error| {
            Refusal::new(format!(
                "changes cannot be watched: {error}; reload = false does without, and SIGHUP asks"
            ))
        };
        let (asking, signals) = mpsc::channel();
        let sender = asking.clone();
        let on_events = move |events: DebounceEventResult| {
            if events.is_ok_and(|events| events.iter().any(is_change)) {
                _ = sender.send(());
            }
        };
        let mut watcher = new_debouncer(SETTLED, None, on_events).map_err(refused)?;
        let mut identified = Vec::new();
        for folder in folders {
            watcher.watch(folder, RecursiveMode::Recursive).map_err(refused)?;
            identified.push(((*folder).to_owned(), identity(folder)));
        }
        Ok(Self { signals, asking, watcher, folders: identified })
    }

    /// Where to ask.
    pub(crate) fn asking(&self) -> mpsc::Sender<()> {
        self.asking.clone()
    }

    /// Waits for a change.
    pub(crate) fn wait(&mut self) {
        loop {
            let seen = self.signals.recv_timeout(LOOK_AGAIN);
            // What came together is one change.
            while self.signals.try_recv().is_ok() {}
            if self.follow() || seen.is_ok() {
                return;
            }
        }
    }

    /// Watches anew where a folder has been replaced; true when one has.
    fn follow(&mut self) -> bool {
        let mut replaced = false;
        for (folder, watched) in &mut self.folders {
            let now = identity(folder);
            if now.is_some() && now != *watched {
                // The old one may be gone, and then there is nothing to stop watching.
                _ = self.watcher.unwatch(&*folder);
                replaced |= self.watcher.watch(&*folder, RecursiveMode::Recursive).is_ok();
                *watched = now;
            }
        }
        replaced
    }
}

/// Reading the content is an event too, and must not lead to reading it again; and a feed is listened to by others,
/// each time that it is written.
fn is_change(event: &DebouncedEvent) -> bool {
    let is_of_feed =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().contains(".ndjson"));
    !event.kind.is_access() && (event.paths.is_empty() || !event.paths.iter().all(is_of_feed))
}

#[expect(clippy::disallowed_methods, reason = "looks which folder it is, not into it")]
fn identity(folder: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    let metadata = std::fs::metadata(folder).ok()?;
    Some((metadata.dev(), metadata.ino(), metadata.created().ok()))
}
