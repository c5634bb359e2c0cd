//! Edits several files of a content folder: all of them, or none. `journal` explains how.
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

use super::journal::{COMMITTED, FileChange, Flush, commit, finish, flush_folder, has_files_to_move};
use directory::told::{Refusal, reason};

/// The largest file, in bytes. The same limit applies when content is read.
const LARGEST_FILE: u64 = 1 << 20;
const LONGEST_WAIT: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(50);

/// Edits of a content folder, which are collected and then applied together. The folder is locked until this is dropped.
pub struct Edits {
    root: PathBuf,
    folder: Folder,
    changes: BTreeMap<String, FileChange>,
    flush: Flush,
    _lock: File,
}

impl Edits {
    /// Locks a folder, and finishes the edit of a command that was interrupted.
    pub fn lock(root: &Path) -> Result<Self, Refusal> {
        let name = root.display();
        let refused = |error: &dyn fmt::Display| Refusal::new(format!("{name} can't be edited: {error}"));
        let folder = Folder::open(root).map_err(|error| {
            Refusal::new(format!(
                "{name} can't be opened: {}; name the content folder with --content DIR",
                reason(&error)
            ))
        })?;
        let lock = File::open(root).map_err(|error| refused(&error))?;
        lock.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => Refusal::new(format!(
                "another nameplate command is editing {name}: wait until it is done, and try again"
            )),
            TryLockError::Error(error) => refused(&error),
        })?;
        let was_interrupted = has_files_to_move(root);
        finish(root, flush_folder).map_err(|error| refused(&error))?;
        if was_interrupted {
            _ = writeln!(io::stderr(), "finished an interrupted edit of {name}");
        }
        Ok(Self { root: root.to_owned(), folder, changes: BTreeMap::new(), flush: flush_folder, _lock: lock })
    }

    pub fn read(&self, path: &str) -> Result<Option<String>, Refusal> {
        let refused = |error: &dyn fmt::Display| {
            Refusal::new(format!("{} can't be read: {error}", self.root.join(path).display()))
        };
        let mut bytes = Vec::new();
        match self.folder.read(Path::new(path), LARGEST_FILE, &mut bytes) {
            Ok(()) => String::from_utf8(bytes).map(Some).map_err(|error| refused(&error)),
            Err(OpenError::Io(error)) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(refused(&error)),
        }
    }

    pub fn providers(&self) -> Result<Vec<(String, String)>, Refusal> {
        let files = published_files(&self.root).map_err(Refusal::new)?;
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

    pub fn add_change(&mut self, path: String, before: Option<String>, after: Option<String>) {
        if before != after {
            self.changes.insert(path, FileChange { before, after });
        }
    }

    pub fn edited_text(&self, path: &str) -> Result<Option<String>, Refusal> {
        match self.changes.get(path) {
            Some(change) => Ok(change.after.clone()),
            None => self.read(path),
        }
    }

    /// Sets a file's new text in place of any earlier edit. `None` removes the file.
    pub fn set_text(&mut self, path: &str, after: Option<String>) -> Result<(), Refusal> {
        let before = match self.changes.remove(path) {
            Some(change) => change.before,
            None => self.read(path)?,
        };
        self.add_change(path.to_owned(), before, after);
        Ok(())
    }

    /// A feed in the folder is not read, but counts: a clinician without hours may have open times in it.
    pub fn check(&self, today: NaiveDate) -> Result<Checked, ContentError> {
        let mut entries = Entries::default();
        let mut add = |path: &str, bytes: Bytes| {
            // This fails only if the path is invalid. The paths in the folder are valid, and new slugs were checked.
            _ = entries.add(path, bytes);
        };
        for (path, bytes) in published_files(&self.root)?.iter() {
            if !self.changes.contains_key(path) {
                add(path, bytes.clone());
            }
        }
        for (path, change) in &self.changes {
            if let Some(after) = &change.after {
                add(path, Bytes::from(after.clone()));
            }
        }
        for path in [FeedMode::Busy, FeedMode::Open].map(feed_path) {
            // An empty file is enough: the check does not read it.
            if self.root.join(path).symlink_metadata().is_ok() {
                add(path, Bytes::new());
            }
        }
        load_and_check_entries_beside_feed(entries, today)
    }

    pub fn apply(self) -> Result<usize, Refusal> {
        if self.changes.is_empty() {
            return Ok(0);
        }
        for (path, change) in &self.changes {
            if self.read(path)? != change.before {
                return Err(Refusal::new(format!(
                    "{} changed while this command ran, so nothing was written: run it again",
                    self.root.join(path).display()
                )));
            }
        }
        let name = self.root.display();
        commit(&self.root, &self.changes).map_err(|error| {
            let is_denied = error.kind() == io::ErrorKind::PermissionDenied;
            let (why, there) = (reason(&error), if is_denied { " to write there" } else { "" });
            Refusal::new(format!("{name} can't be edited, so nothing was changed: {why}{there}"))
        })?;
        finish(&self.root, self.flush).map_err(|error| {
            Refusal::new(format!(
                "the edit of {name} is saved but not finished, and may not survive a power outage: {error}; run the command \
                 again to finish it"
            ))
        })?;
        Ok(self.changes.len())
    }
}

/// A command calls this before it loads a folder that it will edit.
pub fn finish_interrupted_edit(folder: &Path) -> Result<(), Refusal> {
    if has_journal_folder(folder) {
        Edits::lock(folder)?;
    }
    Ok(())
}

/// Returns the result of `read`, which reads a folder. Calls it again if a command edited the folder in the meantime.
pub fn read_between_edits<T>(folder: &Path, read: impl Fn() -> T) -> Result<T, Refusal> {
    let deadline = Instant::now() + LONGEST_WAIT;
    // Every edit creates its journal in this folder, which changes the folder's time.
    let modified_time = || fs::metadata(folder).and_then(|found| found.modified()).ok();
    loop {
        let time_before = modified_time();
        if !is_being_edited(folder)? {
            let value = read();
            if modified_time() == time_before && !has_journal_folder(folder) {
                return Ok(value);
            }
        }
        if Instant::now() >= deadline {
            return Err(being_edited(folder));
        }
        thread::sleep(PAUSE);
    }
}

pub fn refuse_unfinished_edit(folder: &Path) -> Result<(), Refusal> {
    if is_being_edited(folder)? { Err(being_edited(folder)) } else { Ok(()) }
}

/// Returns whether a command is moving files now. Fails if a command was interrupted while it moved files.
fn is_being_edited(folder: &Path) -> Result<bool, Refusal> {
    if !has_journal_folder(folder) {
        return Ok(false);
    }
    let is_locked =
        File::open(folder).is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)));
    if is_locked {
        return Ok(true);
    }
    // The command may have finished before the lock was tried. If it did not, then it was interrupted.
    if !has_journal_folder(folder) {
        return Ok(false);
    }
    Err(Refusal::new(format!(
        "a command that edited {0} was interrupted, so only some files are changed: run that command again to finish it; or, \
         if this is a copy of a folder where the command did finish, delete {0}/{COMMITTED}",
        folder.display()
    )))
}

fn has_journal_folder(folder: &Path) -> bool {
    folder.join(COMMITTED).symlink_metadata().is_ok()
}

fn being_edited(folder: &Path) -> Refusal {
    Refusal::new(format!("another command is editing {}: try again when it is done", folder.display()))
}

#[cfg(test)]
mod tests;
