//! The journal of an edit. It makes sure that an edit changes all of its files or none.
//! 1. The new files are written into a hidden folder, with a list of what to do. They are flushed to the disk.
//! 2. The hidden folder gets its final name. This commits the edit.
//! 3. The new name is flushed to the disk, each file is moved to its place, and the hidden folder is removed.
//!
//! A command that is interrupted before step 2 has changed nothing. If it is interrupted later, then the next command that
//! edits finishes the edit. Until then, `check`, `build` and `publish` refuse the folder. The list has the hashes of the old
//! files, so a file that was edited by hand in the meantime is not overwritten.
#![expect(clippy::disallowed_methods, reason = "this is the file that edits content")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};
use std::thread;

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

/// The folder of an edit that is committed but not finished. Its name is hidden, so it is not content.
pub(super) const COMMITTED: &str = ".nameplate-edit";
pub(super) const PREPARED: &str = ".nameplate-edit.new";
/// The list in either folder. It has a line `NUMBER OLD PATH` for each new file, and `- OLD PATH` for each file to remove.
/// NUMBER is the new file's name, in the list's folder. OLD is the SHA-256 of the existing file, or `-` if there is none.
pub(super) const LIST: &str = "list";

const WRITERS: usize = 16;

/// A file's text before and after an edit. `None` means that the file doesn't exist.
pub(super) struct FileChange {
    pub(super) before: Option<String>,
    pub(super) after: Option<String>,
}

/// Makes the names in a folder durable. Tests replace it with a function that fails.
pub(super) type Flush = fn(&Path) -> io::Result<()>;

pub(super) fn flush_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

pub(super) fn has_files_to_move(folder: &Path) -> bool {
    folder.join(COMMITTED).join(LIST).symlink_metadata().is_ok()
}

/// Does steps 1 and 2.
pub(super) fn commit(folder: &Path, changes: &BTreeMap<String, FileChange>) -> io::Result<()> {
    let is_refused = |(path, change): &(&String, &FileChange)| {
        content_path(folder, path, change.after.is_some()).is_none()
    };
    if let Some((path, _)) = changes.iter().find(is_refused) {
        return Err(io::Error::other(format!("{path} isn't a file of content")));
    }
    let prepared = folder.join(PREPARED);
    if prepared.symlink_metadata().is_ok() {
        fs::remove_dir_all(&prepared)?;
    }
    fs::create_dir(&prepared)?;
    let write = |name: &str, text: &str, permissions_from: Option<&Path>| {
        let mut file = File::create_new(prepared.join(name))?;
        file.write_all(text.as_bytes())?;
        if let Some(old_file) = permissions_from {
            file.set_permissions(fs::metadata(old_file)?.permissions())?;
        }
        file.sync_all()
    };
    let mut list = String::new();
    let mut new_files = Vec::new();
    for (number, (path, change)) in changes.iter().enumerate() {
        let old_hash = hash_text(change.before.as_deref());
        match &change.after {
            None => _ = writeln!(list, "- {old_hash} {path}"),
            Some(after) => {
                let old_file = change.before.is_some().then(|| folder.join(path));
                new_files.push((number.to_string(), after, old_file));
                _ = writeln!(list, "{number} {old_hash} {path}");
            }
        }
    }
    let write_all = |files: &[(String, &String, Option<PathBuf>)]| {
        files.iter().try_for_each(|(name, after, old_file)| write(name, after, old_file.as_deref()))
    };
    // Threads wait for the disk together.
    thread::scope(|scope| {
        let parts = new_files.chunks(new_files.len().div_ceil(WRITERS).max(1));
        let writers: Vec<_> = parts.map(|files| scope.spawn(move || write_all(files))).collect();
        let ended = |writer: thread::ScopedJoinHandle<'_, io::Result<()>>| {
            writer.join().unwrap_or_else(|_| Err(io::Error::other("a file wasn't written")))
        };
        writers.into_iter().try_for_each(ended)
    })?;
    write(LIST, &list, None)?;
    flush_folder(&prepared)?;
    fs::rename(&prepared, folder.join(COMMITTED))
}

/// Does step 3, from wherever it was interrupted. Does nothing if no edit is committed.
pub(super) fn finish(folder: &Path, flush: Flush) -> io::Result<()> {
    let committed = folder.join(COMMITTED);
    match committed.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
        Ok(found) if !found.is_dir() => return Err(unknown_journal(&committed)),
        Ok(_) => {}
    }
    let list = match fs::read_to_string(committed.join(LIST)) {
        Ok(list) => list,
        // The list is removed when every file is in its place.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return fs::remove_dir_all(&committed),
        Err(error) => return Err(error),
    };
    let changes: Vec<ListedChange> = list
        .lines()
        .map(|line| ListedChange::parse(line, folder))
        .collect::<Option<_>>()
        .ok_or_else(|| unknown_journal(&committed))?;
    for change in &changes {
        change.refuse_edited_file()?;
    }
    // Without this flush, a power cut could undo step 2 but keep some of the moves.
    flush(folder)?;
    for change in &changes {
        match change.apply() {
            // The change was applied before the interruption.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            result => result?,
        }
    }
    let parents: BTreeSet<&Path> = changes.iter().filter_map(|change| change.target.parent()).collect();
    // A removed file's folder may be gone, too.
    for parent in parents.into_iter().filter(|parent| parent.is_dir()) {
        flush(parent)?;
    }
    flush(folder)?;
    fs::remove_file(committed.join(LIST))?;
    fs::remove_dir_all(&committed)
}

struct ListedChange {
    /// The new file in the journal's folder, or `None` if the existing file is removed.
    new_file: Option<PathBuf>,
    old_hash: String,
    target: PathBuf,
}

impl ListedChange {
    fn parse(line: &str, folder: &Path) -> Option<Self> {
        let (number, rest) = line.split_once(' ')?;
        let (old_hash, path) = rest.split_once(' ')?;
        let number = if number == "-" { None } else { Some(number.parse::<usize>().ok()?) };
        Some(Self {
            new_file: number.map(|number| folder.join(COMMITTED).join(number.to_string())),
            old_hash: old_hash.to_owned(),
            target: folder.join(content_path(folder, path, number.is_some())?),
        })
    }

    /// Fails if the target is neither the old file nor the new one.
    fn refuse_edited_file(&self) -> io::Result<()> {
        let new_hash = match &self.new_file {
            None => hash_text(None),
            Some(new_file) => match new_file.symlink_metadata() {
                // The file was moved before the interruption.
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
                _ => hash_file(new_file)?,
            },
        };
        let hash = hash_file(&self.target)?;
        if hash == self.old_hash || hash == new_hash {
            return Ok(());
        }
        let target = self.target.display();
        Err(io::Error::other(match &self.new_file {
            Some(new_file) => format!(
                "{target} was edited after a command was interrupted, and the command's version of it is {new}: copy what \
                 you need from {new} into {target}, delete {new}, and run the command again",
                new = new_file.display()
            ),
            None => format!(
                "{target} was edited after a command that removes it was interrupted: copy what you need from it to another \
                 folder, delete {target}, and run the command again"
            ),
        }))
    }

    fn apply(&self) -> io::Result<()> {
        let Some(new_file) = &self.new_file else { return fs::remove_file(&self.target) };
        if let Some(parent) = self.target.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::rename(new_file, &self.target)
    }
}

/// Returns the hash of a text, or of a file that does not exist, as it is written in the list.
fn hash_text(text: Option<&str>) -> String {
    text.map_or_else(|| "-".to_owned(), |text| hash_bytes(text.as_bytes()))
}

fn hash_file(file: &Path) -> io::Result<String> {
    match file.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(hash_text(None)),
        Err(error) => Err(error),
        Ok(found) if found.is_file() => Ok(hash_bytes(&fs::read(file)?)),
        Ok(_) => Ok("not a file".to_owned()),
    }
}

fn hash_bytes(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(bytes))
}

fn unknown_journal(committed: &Path) -> io::Error {
    let committed = committed.display();
    io::Error::other(format!("{committed} wasn't written by nameplate: review it, then delete it"))
}

/// Returns the path if it can be a content file's; a file that is removed may have a wrong name, such as `.toml.txt`. A
/// foreign journal must not lead out of the folder.
fn content_path<'a>(folder: &Path, path: &'a str, is_written: bool) -> Option<&'a Path> {
    let path = Path::new(path);
    let parts: Vec<Component<'_>> = path.components().collect();
    // The list of the journal has a line for each path.
    let is_plain = parts.iter().all(|part| matches!(part, Component::Normal(_)))
        && !path.to_string_lossy().contains(char::is_control);
    let is_toml = path.extension().is_some_and(|extension| extension == "toml");
    let parent = folder.join(path.parent()?).symlink_metadata();
    let leads_through_link = parts.len() > 1 && parent.is_ok_and(|found| !found.is_dir());
    (is_plain && (is_toml || !is_written) && parts.len() <= 2 && !leads_through_link).then_some(path)
}
