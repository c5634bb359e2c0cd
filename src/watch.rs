//! What new content is taken up for: a change below some folders, or an operator who asks.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, SystemTime};

use notify_debouncer_full::notify::{RecommendedWatcher, RecursiveMode};
use notify_debouncer_full::{
    DebounceEventResult, DebouncedEvent, Debouncer, RecommendedCache, new_debouncer,
};

use walkdir::WalkDir;

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
    /// Where there is a folder to be watched.
    watcher: Option<Debouncer<RecommendedWatcher, RecommendedCache>>,
    /// Each folder, and which folder of the file system it was when watching began.
    folders: Vec<(PathBuf, Option<Identity>)>,
    /// How the files were before they were read: a change between that and the begin of watching has not been heard.
    before: Option<Marks>,
}

/// Watching that begins while something else is done: the watcher looks at every file, too.
pub(crate) struct Beginning(JoinHandle<Result<Changes, Refusal>>);

/// By what a change of some file below the folders is known: each file's path, inode, size and time of change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Marks(u64);

/// Device, inode and, because file systems give inodes away again, the time of birth where it is known.
type Identity = (u64, u64, Option<SystemTime>);

impl Beginning {
    /// Begins to watch; see [`Changes`].
    pub(crate) fn of(folders: &[&Path], before: Marks) -> Self {
        let folders = folders.iter().map(|folder| (*folder).to_owned()).collect();
        Self(thread::spawn(move || Changes::watch(folders, before)))
    }

    /// Waits until everything is watched.
    pub(crate) fn done(self) -> Result<Changes, Refusal> {
        let mistake = |_| Err(Refusal::new("changes cannot be watched, by a mistake of nameplate's own"));
        self.0.join().unwrap_or_else(mistake)
    }
}

impl Changes {
    /// Watches these folders. Where there are none, only those who ask are heard, and the system is asked for nothing.
    /// What has changed since before the folders were read counts as a change that is seen now: reading ten thousand
    /// files while they are watched would cost a sixth more, because each one that is opened is an event.
    fn watch(folders: Vec<PathBuf>, before: Marks) -> Result<Self, Refusal> {
        let refused = |error| {
            Refusal::new(format!(
                "changes cannot be watched: {error}; on Linux, raise fs.inotify.max_user_watches or \
                 max_user_instances; serve does without where its settings say reload = false, and SIGHUP asks"
            ))
        };
        let (asking, signals) = mpsc::channel();
        let sender = asking.clone();
        let on_events = move |events: DebounceEventResult| {
            if events.is_ok_and(|events| events.iter().any(is_change)) {
                _ = sender.send(());
            }
        };
        let watcher = (!folders.is_empty()).then(|| new_debouncer(SETTLED, None, on_events));
        let mut watcher = watcher.transpose().map_err(refused)?;
        let mut identified = Vec::new();
        for folder in folders {
            if let Some(watcher) = &mut watcher {
                watcher.watch(&folder, RecursiveMode::Recursive).map_err(refused)?;
            }
            let found = identity(&folder);
            identified.push((folder, found));
        }
        Ok(Self { signals, asking, watcher, folders: identified, before: Some(before) })
    }

    /// Where to ask.
    pub(crate) fn asking(&self) -> mpsc::Sender<()> {
        self.asking.clone()
    }

    /// Waits for a change.
    pub(crate) fn wait(&mut self) {
        loop {
            let seen = self.signals.recv_timeout(LOOK_AGAIN);
            // What came together is one change, and what was not heard is taken up with it.
            while self.signals.try_recv().is_ok() {}
            let before = self.before.take();
            if self.follow() || seen.is_ok() {
                return;
            }
            // Not before there was time to answer the first who ask: it is a look at every file.
            if let Some(before) = before
                && Marks::of(self.folders.iter().map(|(folder, _)| folder.as_path())) != before
            {
                // Whoever is in the middle of an edit gets the time to finish it.
                thread::sleep(SETTLED);
                return;
            }
        }
    }

    /// Watches anew where a folder has been replaced; true when one has.
    fn follow(&mut self) -> bool {
        let Some(watcher) = &mut self.watcher else { return false };
        let mut replaced = false;
        for (folder, watched) in &mut self.folders {
            let now = identity(folder);
            if now.is_some() && now != *watched {
                // The old one may be gone, and then there is nothing to stop watching.
                _ = watcher.unwatch(&*folder);
                replaced |= watcher.watch(&*folder, RecursiveMode::Recursive).is_ok();
                *watched = now;
            }
        }
        replaced
    }
}

/// Reading the content is an event too, and must not lead to reading it again; and a feed is listened to by others,
/// each time that it is written.
fn is_change(event: &DebouncedEvent) -> bool {
    !event.kind.is_access() && (event.paths.is_empty() || !event.paths.iter().all(|path| is_of_feed(path)))
}

fn is_of_feed(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().contains(".ndjson"))
}

impl Marks {
    /// Looks at every file. The time of change is the one that no program can set back.
    pub(crate) fn of<'a>(folders: impl Iterator<Item = &'a Path>) -> Self {
        use std::os::unix::fs::MetadataExt;
        #[expect(clippy::disallowed_methods, reason = "looks at the times of files, not into them")]
        let entries = folders.flat_map(|folder| WalkDir::new(folder).into_iter().filter_map(Result::ok));
        // Folders change whenever a feed beside the content is exchanged; what they list is seen by the paths.
        let files = entries.filter(|entry| !entry.file_type().is_dir() && !is_of_feed(entry.path()));
        let marks = files.filter_map(|entry| {
            let metadata = entry.metadata().ok()?;
            let mut hasher = DefaultHasher::new();
            (entry.path(), metadata.ino(), metadata.len()).hash(&mut hasher);
            (metadata.ctime(), metadata.ctime_nsec()).hash(&mut hasher);
            Some(hasher.finish())
        });
        // A sum does not depend on the order in which a file system lists its files.
        Self(marks.fold(0, u64::wrapping_add))
    }
}

#[expect(clippy::disallowed_methods, reason = "looks which folder it is, not into it")]
fn identity(folder: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    let metadata = std::fs::metadata(folder).ok()?;
    Some((metadata.dev(), metadata.ino(), metadata.created().ok()))
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the tests change files of their own")]
mod tests {
    use super::*;

    /// Whether a change is seen within so many milliseconds.
    fn is_seen(mut changes: Changes, milliseconds: u64) -> bool {
        let (seeing, seen) = mpsc::channel();
        thread::spawn(move || {
            changes.wait();
            _ = seeing.send(());
        });
        seen.recv_timeout(Duration::from_millis(milliseconds)).is_ok()
    }

    #[test]
    fn an_edit_between_reading_and_watching_is_seen_and_an_older_one_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let marks = || Marks::of(std::iter::once(folder.path()));
        let watch = |before| Changes::watch(vec![folder.path().to_owned()], before).unwrap();
        std::fs::create_dir(folder.path().join("providers")).unwrap();
        let before = marks();
        std::fs::write(folder.path().join("providers/a.toml"), "").unwrap();
        assert!(is_seen(watch(before), 5_000));
        // Although it was made a moment ago.
        assert!(!is_seen(watch(marks()), 2_000));
    }

    #[test]
    fn a_feed_that_is_written_is_no_edit() {
        let folder = tempfile::tempdir().unwrap();
        let marks = || Marks::of(std::iter::once(folder.path()));
        let empty = marks();
        // As publishers do it, which changes the folder, too.
        std::fs::write(folder.path().join(".busy.ndjson.new"), "").unwrap();
        std::fs::rename(folder.path().join(".busy.ndjson.new"), folder.path().join("busy.ndjson")).unwrap();
        assert_eq!(marks(), empty);
        std::fs::write(folder.path().join("a.toml"), "").unwrap();
        assert_ne!(marks(), empty);
    }
}
