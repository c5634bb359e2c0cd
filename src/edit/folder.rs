//! Changes several files of a content folder: all of them, or none.
//!
//! 1. The new files are written into a hidden folder, with a list of what is to be done, and flushed to the disk.
//! 2. That folder gets its final name: from here on the edit is made.
//! 3. Each file is moved to its place, and the hidden folder is removed.
//!
//! A command that is killed before 2 has changed nothing. If it is killed after, the next command that edits finishes the
//! edit, and `check`, `build` and `publish` refuse the folder until then.
#![expect(clippy::disallowed_methods, reason = "this is the file that edits content")]

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

use bytes::Bytes;
use chrono::NaiveDate;
use directory::content::{
    Checked, ContentError, Entries, Folder, OpenError, load_and_check_entries, published_files,
};

use crate::outcome::Refusal;

/// The largest file that is edited, as for reading content.
const LARGEST: u64 = 1 << 20;
/// The edit that is made and not yet finished. Hidden files are no content.
const MADE: &str = ".nameplate-edit";
/// The edit that is being prepared.
const PREPARED: &str = ".nameplate-edit.new";
/// The list in these folders: a line `NUMBER PATH` for each file that is moved to its place, `- PATH` for each that is
/// removed.
const LIST: &str = "list";

/// Edits of a content folder, which this command alone may edit until the value is dropped.
pub(crate) struct Edits {
    folder: PathBuf,
    opened: Folder,
    changes: BTreeMap<String, Change>,
    /// Locked.
    _lock: File,
}

struct Change {
    before: Option<String>,
    after: Option<String>,
}

impl Edits {
    /// Locks a folder, and finishes the edit of a command that was killed.
    pub(crate) fn begin(folder: &Path) -> Result<Self, Refusal> {
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
        let is_begun = folder.join(MADE).join(LIST).symlink_metadata().is_ok();
        finish(folder).map_err(|error| refused(&error))?;
        if is_begun {
            let told = format!("the edit of {} that was stopped halfway is finished now", folder.display());
            _ = writeln!(io::stderr(), "{told}");
        }
        Ok(Self { folder: folder.to_owned(), opened, changes: BTreeMap::new(), _lock: lock })
    }

    /// A file's text; `None` if there is no such file.
    pub(crate) fn read(&self, path: &str) -> Result<Option<String>, Refusal> {
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
    pub(crate) fn providers(&self) -> Result<Vec<(String, String)>, Refusal> {
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

    /// Plans that a file becomes another. `None` is no file. Text that stays the same is no change.
    pub(crate) fn change(&mut self, path: String, before: Option<String>, after: Option<String>) {
        if before != after {
            self.changes.insert(path, Change { before, after });
        }
    }

    /// A file's text as it will be.
    pub(crate) fn planned(&self, path: &str) -> Result<Option<String>, Refusal> {
        match self.changes.get(path) {
            Some(change) => Ok(change.after.clone()),
            None => self.read(path),
        }
    }

    /// Plans another text of a file, or of one that is planned already. `None` removes it.
    pub(crate) fn plan(&mut self, path: &str, after: Option<String>) -> Result<(), Refusal> {
        let before = match self.changes.remove(path) {
            Some(change) => change.before,
            None => self.read(path)?,
        };
        self.change(path.to_owned(), before, after);
        Ok(())
    }

    /// Checks the content as it will be. The folder's feed is not read.
    pub(crate) fn check(&self, today: NaiveDate) -> Result<Checked, ContentError> {
        let mut entries = Entries::default();
        let add = |entries: &mut Entries, path: &str, bytes: Bytes| {
            // A path that cannot be in a folder is that of a new file, and none passed the check of slugs.
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
        load_and_check_entries(entries, today)
    }

    /// Makes the edit. Returns the number of files that changed.
    pub(crate) fn apply(self) -> Result<usize, Refusal> {
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
        let refused = |what: &str, error: &io::Error| {
            Refusal::new(format!("{} cannot be edited, {what}: {error}", self.folder.display()))
        };
        self.prepare().map_err(|error| refused("and nothing was changed", &error))?;
        finish(&self.folder).map_err(|error| {
            refused("and some files are changed; run the command once more, which finishes it", &error)
        })?;
        Ok(self.changes.len())
    }

    /// The steps 1 and 2.
    fn prepare(&self) -> io::Result<()> {
        let prepared = self.folder.join(PREPARED);
        if prepared.symlink_metadata().is_ok() {
            fs::remove_dir_all(&prepared)?;
        }
        fs::create_dir(&prepared)?;
        let write = |name: &str, text: &str, like: Option<&Path>| {
            let mut file = File::create_new(prepared.join(name))?;
            file.write_all(text.as_bytes())?;
            if let Some(like) = like {
                file.set_permissions(fs::metadata(like)?.permissions())?;
            }
            file.sync_all()
        };
        let mut list = String::new();
        for (number, (path, change)) in self.changes.iter().enumerate() {
            match &change.after {
                None => _ = writeln!(list, "- {path}"),
                Some(after) => {
                    let old = self.folder.join(path);
                    write(&number.to_string(), after, change.before.is_some().then_some(old.as_path()))?;
                    _ = writeln!(list, "{number} {path}");
                }
            }
        }
        write(LIST, &list, None)?;
        File::open(&prepared)?.sync_all()?;
        fs::rename(&prepared, self.folder.join(MADE))?;
        File::open(&self.folder)?.sync_all()
    }
}

/// Step 3, from wherever it stopped.
fn finish(folder: &Path) -> io::Result<()> {
    let made = folder.join(MADE);
    match made.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
        Ok(found) if !found.is_dir() => return Err(unknown(&made)),
        Ok(_) => {}
    }
    let list = match fs::read_to_string(made.join(LIST)) {
        Ok(list) => list,
        // The list is removed first.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return fs::remove_dir_all(&made),
        Err(error) => return Err(error),
    };
    for line in list.lines() {
        let (number, path) = line.split_once(' ').ok_or_else(|| unknown(&made))?;
        let to = folder.join(content_path(folder, path).ok_or_else(|| unknown(&made))?);
        let done = if number == "-" {
            fs::remove_file(&to)
        } else {
            let number: usize = number.parse().map_err(|_| unknown(&made))?;
            to.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::rename(made.join(number.to_string()), &to)
        };
        match done {
            // It was done before the command was killed.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            done => done?,
        }
    }
    for name in ["providers", "availability"] {
        if let Ok(below) = File::open(folder.join(name)) {
            below.sync_all()?;
        }
    }
    File::open(folder)?.sync_all()?;
    fs::remove_file(made.join(LIST))?;
    fs::remove_dir_all(&made)
}

fn unknown(made: &Path) -> io::Error {
    let what = format!("{} was not written by this program: look at it, and delete it", made.display());
    io::Error::other(what)
}

/// A path of a list, if it is that of a content file: nobody else's list can lead out of the folder.
fn content_path<'a>(folder: &Path, path: &'a str) -> Option<&'a Path> {
    let path = Path::new(path);
    let parts: Vec<Component<'_>> = path.components().collect();
    let is_plain = parts.iter().all(|part| matches!(part, Component::Normal(_)));
    let is_toml = path.extension().is_some_and(|extension| extension == "toml");
    let below = folder.join(path.parent()?).symlink_metadata();
    let is_behind_link = parts.len() > 1 && below.is_ok_and(|found| !found.is_dir());
    (is_plain && is_toml && parts.len() <= 2 && !is_behind_link).then_some(path)
}

/// Finishes the edit of a command that was killed, before the folder is read to be edited.
pub(crate) fn finish_begun(folder: &Path) -> Result<(), Refusal> {
    if folder.join(MADE).symlink_metadata().is_ok() {
        Edits::begin(folder)?;
    }
    Ok(())
}

/// Refuses a folder with an edit that was begun and not finished.
pub(crate) fn refuse_unfinished(folder: &Path) -> Result<(), Refusal> {
    if folder.join(MADE).symlink_metadata().is_err() {
        return Ok(());
    }
    Err(Refusal::new(format!(
        "a command that edited {0} was stopped halfway, so some files are changed and others are not: run that command once \
         more, which finishes it; if another copy of the folder has {0}/{MADE}, delete it there",
        folder.display()
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("providers")).unwrap();
        for name in ["a", "b", "c"] {
            fs::write(folder.path().join(format!("providers/{name}.toml")), name).unwrap();
        }
        folder
    }

    /// Its content files, and whether anything hidden is left.
    fn state(folder: &Path) -> (String, bool) {
        let mut files: Vec<_> =
            fs::read_dir(folder.join("providers")).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        let text = files.iter().map(|file| fs::read_to_string(file).unwrap()).collect::<Vec<_>>().join(" ");
        (text, folder.join(MADE).exists() || folder.join(PREPARED).exists())
    }

    fn edits(folder: &Path) -> Edits {
        let mut edits = Edits::begin(folder).unwrap();
        let text = |text: &str| Some(text.to_owned());
        edits.change("providers/a.toml".to_owned(), text("a"), text("A"));
        edits.change("providers/b.toml".to_owned(), text("b"), None);
        edits.change("providers/d.toml".to_owned(), None, text("D"));
        edits.change("providers/c.toml".to_owned(), text("c"), text("c"));
        edits
    }

    #[test]
    fn an_edit_is_made_whole() {
        let folder = folder();
        assert_eq!(edits(folder.path()).apply().unwrap(), 3);
        assert_eq!(state(folder.path()), ("A c D".to_owned(), false));
    }

    #[test]
    fn a_command_that_is_killed_at_any_step_leaves_the_old_or_the_new_files() {
        // While it is prepared.
        let before = folder();
        edits(before.path()).prepare().unwrap();
        fs::rename(before.path().join(MADE), before.path().join(PREPARED)).unwrap();
        refuse_unfinished(before.path()).unwrap();
        assert_eq!(state(before.path()).0, "a b c");
        assert_eq!(edits(before.path()).apply().unwrap(), 3);
        assert_eq!(state(before.path()), ("A c D".to_owned(), false));
        // When each number of steps of the list is done.
        for steps in 0..=3 {
            let after = folder();
            let edits = edits(after.path());
            edits.prepare().unwrap();
            drop(edits);
            let made = after.path().join(MADE);
            let list = fs::read_to_string(made.join(LIST)).unwrap();
            let begun = list.lines().take(steps).collect::<Vec<_>>().join("\n");
            fs::write(made.join(LIST), begun).unwrap();
            let spare = after.path().join("spare");
            fs::create_dir(&spare).unwrap();
            for name in ["0", "2"] {
                fs::copy(made.join(name), spare.join(name)).unwrap();
            }
            finish(after.path()).unwrap();
            // As the killed command left it.
            fs::create_dir(&made).unwrap();
            for (name, moved) in [("0", steps > 0), ("2", steps > 2)] {
                if !moved {
                    fs::copy(spare.join(name), made.join(name)).unwrap();
                }
            }
            fs::write(made.join(LIST), &list).unwrap();
            assert!(refuse_unfinished(after.path()).is_err());
            drop(Edits::begin(after.path()).unwrap());
            assert_eq!(state(after.path()), ("A c D".to_owned(), false), "{steps}");
        }
    }

    #[test]
    fn files_that_changed_meanwhile_are_not_overwritten() {
        let folder = folder();
        let edits = edits(folder.path());
        assert!(Edits::begin(folder.path()).is_err(), "two commands edit at once");
        fs::write(folder.path().join("providers/b.toml"), "other").unwrap();
        assert!(edits.apply().unwrap_err().to_string().contains("b.toml was changed while this command ran"));
        assert_eq!(state(folder.path()), ("a other c".to_owned(), false));
    }

    #[test]
    fn a_list_from_elsewhere_leads_nowhere() {
        for line in
            ["- ../x.toml", "- /x.toml", "0 providers/x.sh", "- a/b/c.toml", "-", "x providers/a.toml"]
        {
            let folder = folder();
            fs::create_dir(folder.path().join(MADE)).unwrap();
            fs::write(folder.path().join(MADE).join(LIST), line).unwrap();
            assert!(Edits::begin(folder.path()).is_err(), "{line}");
        }
    }
}
