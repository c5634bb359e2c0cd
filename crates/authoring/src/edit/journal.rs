//! The journal by which files are changed: all of them or none.
//!
//! 1. The new files are written into a hidden folder, with a list of what is to be done, and flushed to the disk.
//! 2. That folder gets its final name, which commits the edit.
//! 3. That name is flushed to the disk, each file is moved to its place, and the hidden folder is removed.
//!
//! A command that is killed before 2 has changed nothing. If it is killed after, the next command that edits finishes the
//! edit, and `check`, `build` and `publish` refuse the folder until then. A file that was edited by hand meanwhile is not
//! overwritten: the list has the hashes of the old files.
#![expect(clippy::disallowed_methods, reason = "this is the file that edits content")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

/// A committed, unfinished edit. Hidden files are not content.
pub(super) const MADE: &str = ".nameplate-edit";
/// The edit that is being prepared.
pub(super) const PREPARED: &str = ".nameplate-edit.new";
/// The list in these folders: a line `NUMBER OLD PATH` for each file that is moved to its place, `- OLD PATH` for each that
/// is removed. OLD is the SHA-256 of the file that is replaced, or `-` if there is none.
pub(super) const LIST: &str = "list";

/// What becomes of a file. `None` is no file.
pub(super) struct FileChange {
    pub(super) before: Option<String>,
    pub(super) after: Option<String>,
}

/// Whether a committed edit is unfinished.
pub(super) fn is_begun(folder: &Path) -> bool {
    folder.join(MADE).join(LIST).symlink_metadata().is_ok()
}

/// The steps 1 and 2.
pub(super) fn prepare(folder: &Path, changes: &BTreeMap<String, FileChange>) -> io::Result<()> {
    let prepared = folder.join(PREPARED);
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
    for (number, (path, change)) in changes.iter().enumerate() {
        match &change.after {
            None => _ = writeln!(list, "- {} {path}", hash(change.before.as_deref())),
            Some(after) => {
                let old = folder.join(path);
                write(&number.to_string(), after, change.before.is_some().then_some(old.as_path()))?;
                _ = writeln!(list, "{number} {} {path}", hash(change.before.as_deref()));
            }
        }
    }
    write(LIST, &list, None)?;
    flush(&prepared)?;
    fs::rename(&prepared, folder.join(MADE))
}

/// Makes the names in a folder durable. Tests give one that fails.
pub(super) type Flush = fn(&Path) -> io::Result<()>;

/// The [`Flush`] of a disk.
pub(super) fn flush(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Step 3, from wherever it stopped.
pub(super) fn finish(folder: &Path, flush: Flush) -> io::Result<()> {
    let made = folder.join(MADE);
    match made.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
        Ok(found) if !found.is_dir() => return Err(unknown(&made)),
        Ok(_) => {}
    }
    let list = match fs::read_to_string(made.join(LIST)) {
        Ok(list) => list,
        // No list: the edit is done.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return fs::remove_dir_all(&made),
        Err(error) => return Err(error),
    };
    let steps: Vec<Step> = list
        .lines()
        .map(|line| Step::of(line, folder))
        .collect::<Option<_>>()
        .ok_or_else(|| unknown(&made))?;
    for step in &steps {
        step.refuse_to_lose()?;
    }
    // Otherwise a power cut could undo step 2 but keep some of the moves.
    flush(folder)?;
    for step in &steps {
        match step.take() {
            // It was done before the command was killed.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            done => done?,
        }
    }
    for name in ["providers", "availability"] {
        let below = folder.join(name);
        if below.is_dir() {
            flush(&below)?;
        }
    }
    flush(folder)?;
    fs::remove_file(made.join(LIST))?;
    fs::remove_dir_all(&made)
}

/// A line of the list.
struct Step {
    /// The new file; `None` if the old one is removed.
    new: Option<PathBuf>,
    old: String,
    to: PathBuf,
}

impl Step {
    fn of(line: &str, folder: &Path) -> Option<Self> {
        let (number, rest) = line.split_once(' ')?;
        let (old, path) = rest.split_once(' ')?;
        let number = if number == "-" { None } else { Some(number.parse::<usize>().ok()?) };
        Some(Self {
            new: number.map(|number| folder.join(MADE).join(number.to_string())),
            old: old.to_owned(),
            to: folder.join(content_path(folder, path)?),
        })
    }

    /// Fails if the file is neither the old nor the new one.
    fn refuse_to_lose(&self) -> io::Result<()> {
        let new = match &self.new {
            None => hash(None),
            Some(new) => match new.symlink_metadata() {
                // It was moved to its place.
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
                _ => hash_of(new)?,
            },
        };
        let now = hash_of(&self.to)?;
        if now == self.old || now == new {
            return Ok(());
        }
        let to = self.to.display();
        Err(io::Error::other(match &self.new {
            Some(new) => format!(
                "{to} was changed by hand after a command was stopped halfway, and the text that the command has for it is in \
                 {new}: write into {to} what is right of both, delete {new}, and run the command again",
                new = new.display()
            ),
            None => format!(
                "{to} was changed by hand after a command that removes it was stopped halfway: copy what you need of it to \
                 another folder, delete {to}, and run the command again"
            ),
        }))
    }

    fn take(&self) -> io::Result<()> {
        let Some(new) = &self.new else { return fs::remove_file(&self.to) };
        self.to.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::rename(new, &self.to)
    }
}

/// What the list says of a file's text.
fn hash(text: Option<&str>) -> String {
    text.map_or_else(|| "-".to_owned(), |text| hex(text.as_bytes()))
}

fn hash_of(file: &Path) -> io::Result<String> {
    match file.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(hash(None)),
        Err(error) => Err(error),
        Ok(found) if found.is_file() => Ok(hex(&fs::read(file)?)),
        Ok(_) => Ok("not a file".to_owned()),
    }
}

fn hex(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(bytes))
}

fn unknown(made: &Path) -> io::Error {
    let what = format!("{} was not written by this program: look at it, and delete it", made.display());
    io::Error::other(what)
}

/// The path of an entry, if it is that of a content file. A journal that was written by others cannot lead out of the
/// folder.
fn content_path<'a>(folder: &Path, path: &'a str) -> Option<&'a Path> {
    let path = Path::new(path);
    let parts: Vec<Component<'_>> = path.components().collect();
    let is_plain = parts.iter().all(|part| matches!(part, Component::Normal(_)));
    let is_toml = path.extension().is_some_and(|extension| extension == "toml");
    let below = folder.join(path.parent()?).symlink_metadata();
    let is_behind_link = parts.len() > 1 && below.is_ok_and(|found| !found.is_dir());
    (is_plain && is_toml && parts.len() <= 2 && !is_behind_link).then_some(path)
}
