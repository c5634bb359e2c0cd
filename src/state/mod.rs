//! The state folder. It has the feed's memory, and copies of the last good content, so that a service that restarts with
//! broken content serves what it served before.
//!
//! There are two copies. New content goes into the one that is not current. Once it is checked, `current.json` is replaced to
//! point to it, so one complete copy always exists. `current-2.json` is a backup of that file. Files that did not change are
//! linked from the other copy. Feeds are left out, because their times age. One service has the folder, and `current.json`
//! says whose it is. Nothing in it is read or written through a link.
#![expect(clippy::disallowed_methods, reason = "this module keeps files of its own")]

mod copy;
mod lock;

use std::fs;
use std::io;
use std::path::{self, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use chrono::{DateTime, Utc};
use directory::Directory;
use directory::calendar::FeedMode;
use directory::changes::History;
use directory::content::{
    Checked, OpenError, feed_path, load_and_check_beside_feed, read_file, replace_file, site_url_of,
};
use directory::model::{MaxShrink, Shrunk};
use directory::told::rfc3339;
use feed::Clock;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use self::copy::copy_folder;
pub(crate) use self::lock::{Closed, Lock, opened};
use crate::outcome::Refusal;
use crate::recently_served::RecentlyServed;

/// The file that says what the folder has, and its second copy.
const CURRENT: [&str; 2] = ["current.json", "current-2.json"];
const COPIES: [&str; 2] = ["content-0", "content-1"];
const RECENT: &str = "served.json";
/// What `/v1/changes` lists, with the hashes of what was served last.
const HISTORY: &str = "changes.json";
/// Two hundred bytes for each of a million clinicians.
const LARGEST_SERVED: u64 = 200_000_000;

#[derive(Debug)]
pub(crate) struct StateFolder {
    lock: Lock,
    content: PathBuf,
    /// The older copy, if the newest is damaged. It becomes the current one, so that the damaged one is overwritten.
    fallback: Mutex<Option<Kept>>,
}

pub(crate) struct LastGood {
    pub(crate) checked: Checked,
    pub(crate) at: DateTime<Utc>,
}

pub(crate) enum AtStart {
    /// With what was served within a day, as far as it is known.
    Allowed(Option<RecentlyServed>),
    /// Too much was lost: the last good content is served.
    Lost { last_good: Box<LastGood>, recent: RecentlyServed, shrunk: Shrunk },
}

/// What the folder has, as `current.json` says. Earlier versions wrote less.
#[derive(Debug, Serialize, Deserialize)]
struct Current {
    #[serde(flatten)]
    kept: Kept,
    before: Option<Kept>,
    feed: Option<String>,
    site: Option<String>,
    content: Option<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Kept {
    copy: usize,
    generation: String,
    at: String,
}

/// The mode of the feed that this content folder had when its copy was kept in a state folder that is not used now.
pub(crate) fn feed_before(folder: &Path, content: &Path) -> Option<FeedMode> {
    let current = current_in(folder).ok()??;
    current.feed.filter(|_| current.content == Some(written(content)))?.parse().ok()
}

pub(crate) fn feed_memory(folder: &Path) -> PathBuf {
    folder.join("feed.json")
}

impl StateFolder {
    /// Opens the state folder of a content folder. With `is_shared`, another service may have it until it stops.
    pub(crate) fn open(folder: &Path, content: &Path, is_shared: bool) -> Result<Self, Closed> {
        // Each copy would be content there.
        let existing = path::absolute(folder).ok();
        let existing = existing.iter().flat_map(|folder| folder.ancestors());
        if let (Some(inner), Ok(outer)) =
            (existing.map(Path::canonicalize).find_map(Result::ok), content.canonicalize())
            && inner.starts_with(&outer)
        {
            return Err(Closed::Refused(Refusal::new(format!(
                "the state folder {} is inside the content folder {}: choose one outside it with --state-dir DIR",
                folder.display(),
                content.display()
            ))));
        }
        let (lock, fallback) = (Lock::acquire(folder, is_shared)?, Mutex::default());
        let state = Self { lock, content: content.to_owned(), fallback };
        state.check_owner().map_err(Closed::Unusable)?;
        // A folder that is read-only is read. Writing it fails later and is reported then.
        _ = state.lock.ensure();
        Ok(state)
    }

    /// Compares whose the folder is with the content. While `directory.toml` is broken, the content folder's path counts.
    fn check_owner(&self) -> Result<(), String> {
        let Ok(Some(current)) = self.current() else { return Ok(()) };
        let (ours, theirs) = match (site_of(&self.content), current.site, current.content) {
            (Some(ours), Some(theirs), _) => (ours, theirs),
            (None, _, Some(theirs)) => (self.content(), theirs),
            _ => return Ok(()),
        };
        if ours == theirs {
            return Ok(());
        }
        let folder = self.lock.folder.display();
        Err(format!(
            "the state folder {folder} belongs to {theirs}, but this content belongs to {ours}. It isn't used. Choose another \
             with --state-dir DIR, or empty it if the clinic's address has changed. Then restart"
        ))
    }

    pub(crate) fn feed(&self) -> Option<FeedMode> {
        self.current().ok()??.feed?.parse().ok()
    }

    /// Compares a directory with what was served before the restart. `Err`: that cannot be read.
    pub(crate) fn compare(
        &self,
        after: &Directory,
        max_shrink: MaxShrink,
        clock: Clock,
    ) -> Result<AtStart, String> {
        let now = clock.now();
        let Some(current) = self.current()? else {
            let has_copy = (0..COPIES.len()).any(|copy| is_folder(&self.copy(copy)));
            let missing = || format!("{} is missing next to its copies", CURRENT[0]);
            return if has_copy { Err(missing()) } else { Ok(AtStart::Allowed(None)) };
        };
        let recent = self.recent(&current.kept.generation, now)?;
        if current.kept.generation == after.generation().as_str() {
            return Ok(AtStart::Allowed(recent));
        }
        let Some(kept) = self.last_good(clock)? else { return Ok(AtStart::Allowed(None)) };
        let mut recent = recent.unwrap_or_else(|| RecentlyServed::new(&kept.checked.directory, now));
        if let Some(shrunk) = recent.compare(max_shrink, after) {
            return Ok(AtStart::Lost { last_good: Box::new(kept), recent, shrunk });
        }
        recent.add(after);
        Ok(AtStart::Allowed(Some(recent)))
    }

    /// What was served within a day, if the content of this generation was the last of it.
    fn recent(&self, generation: &str, now: DateTime<Utc>) -> Result<Option<RecentlyServed>, String> {
        let recent: Option<RecentlyServed> = read(&self.lock.folder.join(RECENT), LARGEST_SERVED)?;
        Ok(recent.filter(|recent| recent.ends_with(generation) && !recent.is_over(now)))
    }

    /// What `/v1/changes` listed. If it is damaged, the list starts over, and readers read everything once.
    pub(crate) fn history(&self) -> Option<History> {
        let warn = |why| tracing::warn!("the list of changes starts over: {why}");
        read(&self.lock.folder.join(HISTORY), LARGEST_SERVED).map_err(warn).ok().flatten()
    }

    pub(crate) fn keep_served(
        &self,
        recent: Option<&RecentlyServed>,
        history: &History,
    ) -> Result<(), String> {
        self.replace(HISTORY, history)?;
        recent.map_or(Ok(()), |recent| self.replace(RECENT, recent))
    }

    fn replace(&self, name: &str, value: &impl Serialize) -> Result<(), String> {
        let (file, text) = (self.lock.folder.join(name), serde_json::to_vec(value));
        text.map_err(io::Error::from)
            .and_then(|text| replace_file(&file, &text))
            .map_err(|error| format!("{} can't be written: {error}", file.display()))
    }

    /// `None`: none was kept. If the newest copy is not served, the one before it is. `Err`: why neither is.
    pub(crate) fn last_good(&self, clock: Clock) -> Result<Option<LastGood>, String> {
        let Some(current) = self.current()? else { return Ok(None) };
        let refused = match self.load(&current.kept, clock) {
            Ok(good) => return Ok(Some(good)),
            Err(refused) => refused,
        };
        let Some(before) = current.before else { return Err(refused) };
        let good = self.load(&before, clock).map_err(|why| format!("{refused}; {why}"))?;
        tracing::error!("the newest copy of the content is damaged; using the one before it: {refused}");
        *self.fallback.lock().unwrap_or_else(PoisonError::into_inner) = Some(before);
        Ok(Some(good))
    }

    fn load(&self, kept: &Kept, clock: Clock) -> Result<LastGood, String> {
        let folder = self.copy(kept.copy);
        let refused = |why: &str| format!("{}: {why}", folder.display());
        if !is_folder(&folder) {
            return Err(refused("it isn't a folder"));
        }
        let checked = load_and_check_beside_feed(&folder, clock.now().date_naive())
            .map_err(|error| refused(&error.to_string()))?;
        if checked.directory.generation().as_str() != kept.generation {
            return Err(refused("a file in it was changed after it was saved"));
        }
        let at = kept.at.parse().map_err(|_| refused("its time is damaged"))?;
        Ok(LastGood { checked, at })
    }

    /// Does nothing if the current copy has this directory, too. `missed` is the mode of the folder's feed if its file has
    /// vanished while the service ran. `Err`: also if the content folder has changed in the meantime.
    pub(crate) fn keep(
        &self,
        directory: &Directory,
        missed: Option<FeedMode>,
        now: DateTime<Utc>,
    ) -> Result<(), String> {
        let folder = self.lock.folder.display();
        self.lock.ensure().map_err(|error| error.to_string())?;
        self.keep_copy(directory, missed, now)
            .map_err(|error| format!("the content can't be copied into {folder}: {error}"))
    }

    fn keep_copy(
        &self,
        directory: &Directory,
        missed: Option<FeedMode>,
        now: DateTime<Utc>,
    ) -> Result<(), io::Error> {
        let generation = directory.generation();
        // A damaged file is replaced.
        let mut before = self.current().unwrap_or_default();
        // The damaged copy is replaced, and not the one that is served.
        let mut fallback = self.fallback.lock().unwrap_or_else(PoisonError::into_inner);
        if let (Some(current), Some(served)) = (&mut before, &*fallback) {
            (current.kept, current.before) = (served.clone(), None);
            self.write(current)?;
            *fallback = None;
        }
        let feed = [FeedMode::Busy, FeedMode::Open]
            .into_iter()
            .find(|mode| self.content.join(feed_path(*mode)).symlink_metadata().is_ok())
            .or(missed);
        let copy = before.as_ref().map_or(0, |before| 1 - before.kept.copy);
        let current = Current {
            kept: Kept { copy, generation: generation.as_str().to_owned(), at: rfc3339(now) },
            feed: feed.map(|feed| feed.word().to_owned()),
            site: Some(directory.organization().site_url.clone()),
            content: Some(self.content()),
            before: before.as_ref().map(|before| before.kept.clone()),
        };
        let said =
            |of: &Current| (of.kept.generation.clone(), of.feed.clone(), of.site.clone(), of.content.clone());
        let is_whole =
            CURRENT.iter().all(|name| matches!(read_current(&self.lock.folder.join(name)), Ok(Some(_))));
        let is_kept =
            |before: &Current| is_folder(&self.copy(before.kept.copy)) && said(before) == said(&current);
        if is_whole && before.as_ref().is_some_and(is_kept) {
            return Ok(());
        }
        let (to, other) = (self.copy(copy), Some(self.copy(1 - copy)).filter(|other| is_folder(other)));
        if !is_folder(&to) && to.symlink_metadata().is_ok() {
            fs::remove_file(&to)?;
        }
        let load = || load_and_check_beside_feed(&to, now.date_naive());
        copy_folder(&self.content, &to, other.as_deref())?;
        let mut copied = load();
        if !copied.as_ref().is_ok_and(|checked| checked.directory.generation() == generation) {
            // A file may have changed and have the size and the time that it had before, for example in a Nix store, where
            // all files have one time. So every file is copied.
            fs::remove_dir_all(&to)?;
            copy_folder(&self.content, &to, None)?;
            copied = load();
        }
        if copied.map_err(io::Error::other)?.directory.generation() != generation {
            return Err(io::Error::other("the content folder has been changed since this content was read"));
        }
        // Other systems have no such call: there a copy may not survive a loss of power.
        #[cfg(target_os = "linux")]
        rustix::fs::syncfs(fs::File::open(&to)?)?;
        self.write(&current)
    }

    fn current(&self) -> Result<Option<Current>, String> {
        current_in(&self.lock.folder)
    }

    fn write(&self, current: &Current) -> io::Result<()> {
        let text = serde_json::to_string(current)? + "\n";
        CURRENT.iter().try_for_each(|name| replace_file(&self.lock.folder.join(name), text.as_bytes()))
    }

    fn copy(&self, number: usize) -> PathBuf {
        self.lock.folder.join(COPIES[number])
    }

    fn content(&self) -> String {
        written(&self.content)
    }
}

fn written(content: &Path) -> String {
    path::absolute(content).unwrap_or_else(|_| content.to_owned()).display().to_string()
}

/// What a state folder has. Its second file is read if the first is missing or damaged.
fn current_in(folder: &Path) -> Result<Option<Current>, String> {
    let [first, second] = CURRENT.map(|name| read_current(&folder.join(name)));
    match (first, second) {
        (Ok(None) | Err(_), Ok(Some(current))) => Ok(Some(current)),
        (Ok(None), damaged) => damaged,
        (first, _) => first,
    }
}

fn read_current(file: &Path) -> Result<Option<Current>, String> {
    let is_known =
        |current: &Current| current.before.iter().chain([&current.kept]).all(|kept| kept.copy < COPIES.len());
    match read(file, 1 << 16)? {
        Some(current) if !is_known(&current) => Err(damaged(file)),
        current => Ok(current),
    }
}

fn read<T: DeserializeOwned>(file: &Path, most: u64) -> Result<Option<T>, String> {
    let bytes = match read_file(file, most) {
        Ok(bytes) => bytes,
        Err(OpenError::Io(error)) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(format!("{} can't be read: {error}", file.display())),
    };
    serde_json::from_slice(&bytes).map(Some).map_err(|_| damaged(file))
}

fn damaged(file: &Path) -> String {
    format!("{} is damaged", file.display())
}

/// Whether this is a folder, and no link to one.
fn is_folder(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|found| found.is_dir())
}

fn site_of(content: &Path) -> Option<String> {
    let bytes = read_file(&content.join("directory.toml"), 1 << 20).ok()?;
    site_url_of(str::from_utf8(&bytes).ok()?)
}

#[cfg(test)]
mod tests;
