//! Waits for a reason to read the content again: a change in some folders, or an operator's request.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, SystemTime};

use notify_debouncer_full::notify::{RecommendedWatcher, RecursiveMode};
use notify_debouncer_full::{
    DebounceEventResult, DebouncedEvent, Debouncer, RecommendedCache, new_debouncer,
};

use directory::told::count;
use walkdir::WalkDir;

use crate::outcome::Refusal;

/// The time without changes after which content is read: editors write a file in several steps.
const DEBOUNCE: Duration = Duration::from_millis(150);
/// The interval of checks whether a folder was replaced as a whole (a checkout, a restored backup): the watcher would
/// keep watching the old one.
const IDENTITY_CHECK: Duration = Duration::from_secs(1);

/// Changes in some folders, and operators' requests. Watching ends when this is dropped.
pub(crate) struct Changes {
    signals: mpsc::Receiver<()>,
    requests: mpsc::Sender<()>,
    watcher: Option<Debouncer<RecommendedWatcher, RecommendedCache>>,
    folders: Vec<(PathBuf, Option<Identity>)>,
    /// The files before they were first read: changes before watching began give no event.
    before: Option<Fingerprint>,
}

/// A watch that starts on another thread, since the watcher visits every file.
pub(crate) struct StartingWatch(JoinHandle<Result<Changes, Refusal>>);

/// A hash of all files' paths, inodes, sizes and change times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fingerprint(u64);

/// Device, inode and, because file systems reuse inodes, the creation time where it is known.
type Identity = (u64, u64, Option<SystemTime>);

impl StartingWatch {
    pub(crate) fn spawn(folders: &[&Path], before: Fingerprint) -> Self {
        let folders = folders.iter().map(|folder| (*folder).to_owned()).collect();
        Self(thread::spawn(move || Changes::watch(folders, before)))
    }

    pub(crate) fn done(self) -> Result<Changes, Refusal> {
        let mistake = |_| Err(Refusal::new("changes can't be watched because of an internal error"));
        self.0.join().unwrap_or_else(mistake)
    }
}

impl Changes {
    /// Without folders, only requests are received. Watching starts after the content was read, because every opened file is an
    /// event, which would make reading 10,000 files a sixth slower. [`Changes::wait`] notices changes since `before`.
    fn watch(folders: Vec<PathBuf>, before: Fingerprint) -> Result<Self, Refusal> {
        let refused = |error| {
            Refusal::new(format!(
                "changes can't be watched: {error}; on Linux, raise fs.inotify.max_user_watches or \
                 max_user_instances; or set reload = false for serve, and send SIGHUP after each change"
            ))
        };
        let (requests, signals) = mpsc::channel();
        let sender = requests.clone();
        let on_events = move |events: DebounceEventResult| {
            // After an error of the watcher a change may have been missed.
            if events.map_or(true, |events| events.iter().any(is_change)) {
                _ = sender.send(());
            }
        };
        let watcher = (!folders.is_empty()).then(|| new_debouncer(DEBOUNCE, None, on_events));
        let mut watcher = watcher.transpose().map_err(refused)?;
        let mut identified = Vec::new();
        for folder in folders {
            let found = identity(&folder);
            // A missing folder is watched once it appears.
            if let Some(watcher) = watcher.as_mut().filter(|_| found.is_some()) {
                watcher.watch(&folder, RecursiveMode::Recursive).map_err(refused)?;
            }
            identified.push((folder, found));
        }
        Ok(Self { signals, requests, watcher, folders: identified, before: Some(before) })
    }

    pub(crate) fn requests(&self) -> mpsc::Sender<()> {
        self.requests.clone()
    }

    pub(crate) fn wait(&mut self) {
        loop {
            let seen = self.signals.recv_timeout(IDENTITY_CHECK);
            // Simultaneous signals are one change. It also covers changes before watching began.
            while self.signals.try_recv().is_ok() {}
            let before = self.before.take();
            if self.follow() || seen.is_ok() {
                return;
            }
            // This visits every file, so it happens a second after the start, when the first requests are answered.
            if let Some(before) = before
                && Fingerprint::compute(self.folders.iter().map(|(folder, _)| folder.as_path())) != before
            {
                thread::sleep(DEBOUNCE);
                return;
            }
        }
    }

    /// Watches folders again that were replaced; returns whether there were any.
    fn follow(&mut self) -> bool {
        let Some(watcher) = &mut self.watcher else { return false };
        let mut replaced = false;
        for (folder, watched) in &mut self.folders {
            let now = identity(folder);
            if now == *watched {
                continue;
            }
            _ = watcher.unwatch(&*folder);
            // A folder that is moved away and back is watched again, too.
            *watched = None;
            if now.is_some() {
                match watcher.watch(&*folder, RecursiveMode::Recursive) {
                    Ok(()) => (*watched, replaced) = (now, true),
                    // It is tried again in a second.
                    Err(error) => tracing::error!(
                        "{} was replaced, and its changes can't be watched: {error}",
                        folder.display()
                    ),
                }
            }
        }
        replaced
    }
}

/// Whether an event requires reading the content: not if a file was only read, nor if only feed files changed, which
/// have their own readers.
fn is_change(event: &DebouncedEvent) -> bool {
    !event.kind.is_access() && (event.paths.is_empty() || !event.paths.iter().all(|path| is_of_feed(path)))
}

fn is_of_feed(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().contains(".ndjson"))
}

impl Fingerprint {
    pub(crate) fn compute<'a>(folders: impl Iterator<Item = &'a Path>) -> Self {
        // A sum does not depend on the order of the files.
        Self(files(folders).map(|(_, hash)| hash).fold(0, u64::wrapping_add))
    }
}

/// Visits every file, and hashes its path, inode, size and change time (ctime), which programs cannot set.
fn files<'a>(folders: impl Iterator<Item = &'a Path>) -> impl Iterator<Item = (PathBuf, u64)> {
    use std::os::unix::fs::MetadataExt;
    #[expect(clippy::disallowed_methods, reason = "reads files' metadata, not their content")]
    let entries = folders.flat_map(|folder| WalkDir::new(folder).into_iter().filter_map(Result::ok));
    // Folders are left out: replacing a feed file changes them. Their entries are covered by the paths.
    let files = entries.filter(|entry| !entry.file_type().is_dir() && !is_of_feed(entry.path()));
    files.filter_map(|entry| {
        let metadata = entry.metadata().ok()?;
        let mut hasher = DefaultHasher::new();
        (entry.path(), metadata.ino(), metadata.len()).hash(&mut hasher);
        (metadata.ctime(), metadata.ctime_nsec()).hash(&mut hasher);
        Some((entry.into_path(), hasher.finish()))
    })
}

pub(crate) struct Edits {
    folders: Vec<PathBuf>,
    files: BTreeMap<PathBuf, u64>,
}

impl Edits {
    pub(crate) fn of(folders: &[&Path]) -> Self {
        let files = files(folders.iter().copied()).collect();
        Self { folders: folders.iter().map(|folder| (*folder).to_owned()).collect(), files }
    }

    /// Names the files that are new, changed or gone since the last call. `None`: there are none.
    pub(crate) fn take(&mut self) -> Option<String> {
        let now = files(self.folders.iter().map(PathBuf::as_path)).collect();
        let before = std::mem::replace(&mut self.files, now);
        let edited =
            self.files.iter().filter(|(path, hash)| before.get(*path) != Some(*hash)).map(|(path, _)| path);
        let gone = before.keys().filter(|path| !self.files.contains_key(*path));
        let mut names = edited.chain(gone).filter_map(|path| path.file_name()?.to_str());
        let first = names.next()?.to_owned();
        Some(match names.count() {
            0 => first,
            more => format!("{first} and {}", count(more, "other file")),
        })
    }
}

#[expect(clippy::disallowed_methods, reason = "reads a folder's metadata, not its content")]
fn identity(folder: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    let metadata = std::fs::metadata(folder).ok()?;
    Some((metadata.dev(), metadata.ino(), metadata.created().ok()))
}

#[expect(clippy::disallowed_methods, reason = "the tests write files")]
#[cfg(test)]
mod tests {
    use super::*;

    fn is_seen(mut changes: Changes, milliseconds: u64) -> bool {
        let (seeing, seen) = mpsc::channel();
        thread::spawn(move || {
            changes.wait();
            _ = seeing.send(());
        });
        seen.recv_timeout(Duration::from_millis(milliseconds)).is_ok()
    }

    #[test]
    fn an_edit_after_the_fingerprint_is_noticed_and_an_older_one_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let fingerprint = || Fingerprint::compute(std::iter::once(folder.path()));
        let watch = |before| Changes::watch(vec![folder.path().to_owned()], before).unwrap();
        std::fs::create_dir(folder.path().join("providers")).unwrap();
        let before = fingerprint();
        std::fs::write(folder.path().join("providers/a.toml"), "").unwrap();
        assert!(is_seen(watch(before), 5_000));
        assert!(!is_seen(watch(fingerprint()), 2_000));
    }

    #[test]
    fn a_folder_that_is_moved_away_and_back_is_watched_again() {
        let outer = tempfile::tempdir().unwrap();
        let (folder, aside) = (outer.path().join("content"), outer.path().join("aside"));
        std::fs::create_dir(&folder).unwrap();
        let before = Fingerprint::compute(std::iter::once(folder.as_path()));
        let mut changes = Changes::watch(vec![folder.clone()], before).unwrap();
        std::fs::rename(&folder, &aside).unwrap();
        assert!(!changes.follow(), "there is nothing to read");
        std::fs::rename(&aside, &folder).unwrap();
        assert!(changes.follow());
        while changes.signals.recv_timeout(DEBOUNCE * 4).is_ok() {}
        std::fs::write(folder.join("a.toml"), "").unwrap();
        assert!(is_seen(changes, 5_000));
    }

    #[test]
    fn writing_a_feed_file_is_not_an_edit() {
        let folder = tempfile::tempdir().unwrap();
        let fingerprint = || Fingerprint::compute(std::iter::once(folder.path()));
        let empty = fingerprint();
        // By renaming, as publishers do, which changes the folder, too.
        std::fs::write(folder.path().join(".busy.ndjson.new"), "").unwrap();
        std::fs::rename(folder.path().join(".busy.ndjson.new"), folder.path().join("busy.ndjson")).unwrap();
        assert_eq!(fingerprint(), empty);
        std::fs::write(folder.path().join("a.toml"), "").unwrap();
        assert_ne!(fingerprint(), empty);
    }
}
