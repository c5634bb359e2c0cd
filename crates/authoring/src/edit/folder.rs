//! Changes several files of a content folder: all of them, or none. `journal` says how.
#![expect(clippy::disallowed_methods, reason = "this is the file that edits content")]

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use bytes::Bytes;
use chrono::NaiveDate;
use directory::calendar::FeedMode;
use directory::content::{
    Checked, ContentError, Entries, Folder, OpenError, feed_path, load_and_check_entries_beside_feed,
    published_files,
};

use super::journal::{self, FileChange, Flush, MADE, finish, flush};
use directory::told::Refusal;

/// The largest file that is edited, as for reading content.
const LARGEST: u64 = 1 << 20;
/// The longest time that a reader waits for an edit.
const PATIENCE: Duration = Duration::from_secs(10);
/// The time between two checks.
const PAUSE: Duration = Duration::from_millis(50);

/// Edits of a content folder. The folder is locked until this value is dropped.
pub struct Edits {
    folder: PathBuf,
    opened: Folder,
    changes: BTreeMap<String, FileChange>,
    flush: Flush,
    _lock: File,
}

impl Edits {
    /// Locks a folder, and finishes the edit of a command that was killed.
    pub fn begin(folder: &Path) -> Result<Self, Refusal> {
        let refused = |error: &dyn fmt::Display| {
            Refusal::new(format!("{} cannot be edited: {error}", folder.display()))
        };
        let opened = Folder::open(folder).map_err(|error| {
            Refusal::new(format!(
                "{} cannot be opened: {error}; name the content folder with --content DIR",
                folder.display()
            ))
        })?;
        let lock = File::open(folder).map_err(|error| refused(&error))?;
        lock.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => Refusal::new(format!(
                "another nameplate command edits {}: wait until it is done, and try again",
                folder.display()
            )),
            TryLockError::Error(error) => refused(&error),
        })?;
        let is_begun = journal::is_begun(folder);
        finish(folder, flush).map_err(|error| refused(&error))?;
        if is_begun {
            let told = format!("the edit of {} that was stopped halfway is finished now", folder.display());
            _ = writeln!(io::stderr(), "{told}");
        }
        Ok(Self { folder: folder.to_owned(), opened, changes: BTreeMap::new(), flush, _lock: lock })
    }

    /// A file's text; `None` if there is no such file.
    pub fn read(&self, path: &str) -> Result<Option<String>, Refusal> {
        let refused = |error: &dyn fmt::Display| {
            Refusal::new(format!("{} cannot be read: {error}", self.folder.join(path).display()))
        };
        let mut bytes = Vec::new();
        match self.opened.read(Path::new(path), LARGEST, &mut bytes) {
            Ok(()) => String::from_utf8(bytes).map(Some).map_err(|error| refused(&error)),
            Err(OpenError::Io(error)) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(refused(&error)),
        }
    }

    /// The clinicians' files: slugs and texts, in order.
    pub fn providers(&self) -> Result<Vec<(String, String)>, Refusal> {
        let files = published_files(&self.folder).map_err(Refusal::new)?;
        let slugs = files.iter().filter_map(|(path, _)| {
            let slug = path.strip_prefix("providers/")?.strip_suffix(".toml")?;
            (!slug.contains('/')).then(|| slug.to_owned())
        });
        let read = |slug: String| {
            let text = self.read(&format!("providers/{slug}.toml"))?;
            Ok((slug, text.unwrap_or_default()))
        };
        slugs.map(read).collect()
    }

    /// Plans a change from a known old text. `None` is no file. Equal texts change nothing.
    pub fn change(&mut self, path: String, before: Option<String>, after: Option<String>) {
        if before != after {
            self.changes.insert(path, FileChange { before, after });
        }
    }

    /// A file's text as it will be.
    pub fn planned(&self, path: &str) -> Result<Option<String>, Refusal> {
        match self.changes.get(path) {
            Some(change) => Ok(change.after.clone()),
            None => self.read(path),
        }
    }

    /// Plans a file's new text, replacing any earlier plan. `None` removes the file.
    pub fn plan(&mut self, path: &str, after: Option<String>) -> Result<(), Refusal> {
        let before = match self.changes.remove(path) {
            Some(change) => change.before,
            None => self.read(path)?,
        };
        self.change(path.to_owned(), before, after);
        Ok(())
    }

    /// Checks the content as it will be. A feed in the folder is not read, but counts as hours.
    pub fn check(&self, today: NaiveDate) -> Result<Checked, ContentError> {
        let mut entries = Entries::default();
        let add = |entries: &mut Entries, path: &str, bytes: Bytes| {
            // This cannot fail: existing paths are valid, and new slugs were checked.
            _ = entries.add(path, bytes);
        };
        for (path, bytes) in published_files(&self.folder)?.iter() {
            if !self.changes.contains_key(path) {
                add(&mut entries, path, bytes.clone());
            }
        }
        for (path, change) in &self.changes {
            if let Some(after) = &change.after {
                add(&mut entries, path, Bytes::from(after.clone()));
            }
        }
        for path in [FeedMode::Busy, FeedMode::Open].map(feed_path) {
            if self.folder.join(path).symlink_metadata().is_ok() {
                add(&mut entries, path, Bytes::new());
            }
        }
        load_and_check_entries_beside_feed(entries, today)
    }

    /// Makes the edit. Returns the number of files that changed.
    pub fn apply(self) -> Result<usize, Refusal> {
        if self.changes.is_empty() {
            return Ok(0);
        }
        for (path, change) in &self.changes {
            if self.read(path)? != change.before {
                return Err(Refusal::new(format!(
                    "{} was changed while this command ran, and nothing was written: run it again",
                    self.folder.join(path).display()
                )));
            }
        }
        let folder = self.folder.display();
        journal::prepare(&self.folder, &self.changes).map_err(|error| {
            Refusal::new(format!("{folder} cannot be edited, and nothing was changed: {error}"))
        })?;
        finish(&self.folder, self.flush).map_err(|error| {
            Refusal::new(format!(
                "the edit of {folder} is made, but it is not finished and may not survive a power cut: {error}; run the \
                 command once more, which finishes it"
            ))
        })?;
        Ok(self.changes.len())
    }
}

/// Finishes the edit of a command that was killed, before the folder is read to be edited.
pub fn finish_begun(folder: &Path) -> Result<(), Refusal> {
    if is_made(folder) {
        Edits::begin(folder)?;
    }
    Ok(())
}

/// Reads a folder while no command edits it. What was read during an edit is read again.
pub fn unedited<T>(folder: &Path, read: impl Fn() -> T) -> Result<T, Refusal> {
    let end = Instant::now() + PATIENCE;
    // Every edit adds a folder here, which changes this time.
    let changed = || fs::metadata(folder).and_then(|found| found.modified()).ok();
    loop {
        let before = changed();
        if !is_edited(folder)? {
            let value = read();
            if changed() == before && !is_made(folder) {
                return Ok(value);
            }
        }
        if Instant::now() >= end {
            return Err(edited_now(folder));
        }
        thread::sleep(PAUSE);
    }
}

/// Refuses a folder with an edit that is not finished.
pub fn refuse_unfinished(folder: &Path) -> Result<(), Refusal> {
    if is_edited(folder)? { Err(edited_now(folder)) } else { Ok(()) }
}

/// Whether a command is moving files. Refuses a stopped edit.
fn is_edited(folder: &Path) -> Result<bool, Refusal> {
    if !is_made(folder) {
        return Ok(false);
    }
    let is_locked =
        File::open(folder).is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)));
    // The command may have finished meanwhile.
    if is_locked || !is_made(folder) {
        return Ok(is_locked);
    }
    Err(Refusal::new(format!(
        "a command that edited {0} was stopped halfway, so some files are changed and others are not: run that command once \
         more, which finishes it; if another copy of the folder has {0}/{MADE}, delete it there",
        folder.display()
    )))
}

fn is_made(folder: &Path) -> bool {
    folder.join(MADE).symlink_metadata().is_ok()
}

fn edited_now(folder: &Path) -> Refusal {
    Refusal::new(format!("{} is edited at this moment: try again when that is done", folder.display()))
}

#[cfg(test)]
mod tests;
