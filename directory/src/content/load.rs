//! Walks the content folder and reads its files, which `open` opens. No other file of this crate reads content.
//!
//! Links are not followed, so that only files in the folder are published. A feed is not published and may be a link,
//! but only the service that listens to it follows the link: a report here would show lines of any file. A file that
//! cannot be read becomes a problem. Only a missing folder stops the run.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use sha2::{Digest, Sha256};
use walkdir::WalkDir;

use super::open::{Folder, OpenError, kind};
use super::passed_over::{is_lock, passed_over};
use super::picture::Picture;
use super::problem::{Place, Problem};
use super::problems::Problems;
use super::words::not_text;

/// The largest file that is read, in bytes.
const LARGEST: u64 = 1 << 20;
/// The largest portrait that is published, in bytes.
pub const LARGEST_PORTRAIT: u64 = 1 << 20;
/// The largest feed file that is read, in bytes. A larger feed belongs outside the content folder.
const LARGEST_FEED: u64 = 32 << 20;
/// The feed files.
pub(super) const BUSY_PATH: &str = "availability/busy.ndjson";
pub(super) const OPEN_PATH: &str = "availability/open.ndjson";
/// The initial size of a read buffer, into which nearly every file fits.
const ROOM: usize = 8 << 10;
/// The folders with one file for each provider.
const MANY: [&str; 2] = ["providers/", "availability/"];
/// The deepest folder that is walked. Content files are at most two deep.
const DEEPEST: usize = 4;

/// The content folder cannot be read at all.
#[derive(Debug, thiserror::Error)]
#[error("cannot read the content folder {}: {reason}", folder.display())]
pub struct LoadError {
    folder: PathBuf,
    reason: String,
}

/// The files of a content folder, by their path in it.
#[derive(Debug)]
pub(super) struct Sources {
    folder: Folder,
    shown_folder: String,
    files: BTreeMap<String, Source>,
}

/// Who checks the folder's feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FeedIs {
    /// It is read and checked with the content.
    Judged,
    /// A service listens to it. Here it only has to exist.
    ListenedTo,
}

/// A file.
#[derive(Debug)]
pub(super) enum Source {
    /// A TOML file's text, without a byte order mark.
    Text(String),
    /// A provider's TOML file. `check` reads it later, and keeps the text only if it has problems.
    Later,
    /// A feed's text. It changes by the minute and is not part of the generation.
    Feed(String),
    /// A feed that is a link to a file elsewhere, which is not read here.
    LinkedFeed,
    /// A portrait: the hash of its bytes, and its format.
    Portrait { hash: [u8; 32], picture: Picture },
    /// Any other file. Its content is not read.
    Unread,
}

impl Source {
    /// Whether it is a TOML file that could be read.
    pub(super) fn is_text(&self) -> bool {
        matches!(self, Self::Text(_) | Self::Later)
    }
}

impl Sources {
    /// The files below a folder inside the content folder, in order, with their paths.
    pub(super) fn below(&self, folder: &str) -> impl Iterator<Item = (&str, &Source)> {
        let from = format!("{folder}/");
        let range = self.files.range(from.clone()..);
        range
            .take_while(move |(path, _)| path.starts_with(&from))
            .map(|(path, source)| (path.as_str(), source))
    }

    /// Every file, in order, with its path.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &Source)> {
        self.files.iter().map(|(path, source)| (path.as_str(), source))
    }

    /// The paths below a folder that are still to be read.
    pub(super) fn later(&self, folder: &str) -> Vec<String> {
        let later = self.below(folder).filter(|(_, source)| matches!(source, Source::Later));
        later.map(|(path, _)| path.to_owned()).collect()
    }

    /// Reads a provider's file into a buffer. `None` if the file is gone by now.
    pub(super) fn read<'b>(
        &self,
        path: &str,
        buffer: &'b mut Vec<u8>,
    ) -> Result<Option<&'b str>, Box<Problem>> {
        read_text(&self.folder, path, buffer)
    }

    /// Keeps a text for the report, or forgets a file that could not be read.
    pub(super) fn keep(&mut self, path: &str, text: Option<String>) {
        match text {
            Some(text) => _ = self.files.insert(path.to_owned(), Source::Text(text)),
            None => _ = self.files.remove(path),
        }
    }

    /// Reads a dropped text again, because the report shows a line of it.
    pub(super) fn recall(&mut self, path: &str) {
        if matches!(self.files.get(path), Some(Source::Later))
            && let Ok(Some(text)) = self.read(path, &mut Vec::new())
        {
            let text = text.to_owned();
            self.keep(path, Some(text));
        }
    }

    /// Drops a file that the report does not show.
    pub(super) fn forget(&mut self, path: &str) {
        self.files.remove(path);
    }

    /// Drops the files that the report does not show.
    pub(super) fn forget_all_but(&mut self, is_needed: impl Fn(&str) -> bool) {
        self.files.retain(|path, _| is_needed(path));
    }

    pub(super) fn text(&self, path: &str) -> Option<&str> {
        match self.files.get(path) {
            Some(Source::Text(text) | Source::Feed(text)) => Some(text),
            _ => None,
        }
    }

    pub(super) fn get(&self, path: &str) -> Option<&Source> {
        self.files.get(path)
    }

    /// A file's path below the folder's name as the user typed it.
    pub(super) fn shown_path(&self, path: &str) -> String {
        match self.shown_folder.as_str() {
            "" => path.to_owned(),
            folder => format!("{folder}/{path}"),
        }
    }
}

/// Reads a content folder. Returns its files and the problems with reading them.
pub(super) fn load(folder: &Path, feed: FeedIs) -> Result<(Sources, Problems), LoadError> {
    let refused = |reason: String| LoadError { folder: folder.to_owned(), reason };
    let opened = Folder::open(folder).map_err(|error| refused(plain_of_folder(&error)))?;
    let mut problems = Problems::default();
    let mut found = Vec::new();
    let mut files = Vec::new();
    #[expect(clippy::disallowed_methods, reason = "this is the file that reads the content folder")]
    // The folder itself may be a link.
    let walk = WalkDir::new(folder).min_depth(1).max_depth(DEEPEST).into_iter();
    for entry in walk.filter_entry(|entry| !passed_over(entry.file_name())) {
        match entry {
            Ok(entry) if entry.file_name().to_str().is_none() => {
                let place = Place::file(&relative(folder, entry.path()));
                let problem = Problem::error(place, "this file's name is not plain text");
                problems.push(problem.hint("rename it, for example to jane-doe.toml"));
            }
            Ok(entry) if entry.file_type().is_dir() => {
                let path = relative(folder, entry.path());
                // Mounting a feed file that does not exist creates a folder in its place.
                if has_text_ending(&path) || is_feed(&path) {
                    let (place, what) = (Place::file(&path), "this is a folder where a file should be");
                    // A service can wait for its feed: this must not hold back the content.
                    let is_awaited = is_feed(&path) && feed == FeedIs::ListenedTo;
                    let tell = if is_awaited { Problem::warning } else { Problem::error };
                    let problem = tell(place, what);
                    problems.push(problem.hint("move what is in it out, and delete the folder"));
                }
            }
            Ok(entry) if entry.file_type().is_file() => found.push(relative(folder, entry.path())),
            Ok(entry) => {
                let path = relative(folder, entry.path());
                if is_feed(&path) && entry.path_is_symlink() {
                    problems.extend(about_linked_feed(entry.path(), &path, feed));
                    let source = if feed == FeedIs::Judged { Source::LinkedFeed } else { Source::Unread };
                    files.push((path, source));
                    continue;
                }
                let what = format!("this is {}, and only files are read", kind(entry.file_type()));
                let hint = if is_feed(&path) {
                    "write the feed into a file, and rename that to this name"
                } else {
                    "put the file itself here"
                };
                problems.push(Problem::error(Place::file(&path), what).hint(hint));
            }
            // The content folder itself cannot be read.
            Err(error) if error.depth() == 0 => {
                return Err(refused(error.io_error().map_or_else(|| error.to_string(), plain)));
            }
            Err(error) => {
                let path = error.path().map_or_else(String::new, |path| relative(folder, path));
                let reason = error.io_error().map_or_else(|| error.to_string(), plain);
                problems.push(Problem::error(Place::file(&path), format!("this cannot be read: {reason}")));
            }
        }
    }
    let read = |path: String| read(&opened, &path, feed).map(|source| Some((path, source?)));
    let found: Vec<_> = found.into_par_iter().with_min_len(16).map(read).collect();
    for file in found {
        match file {
            Ok(Some(file)) => files.push(file),
            // Deleted since the folder was listed: text editors write temporary files.
            Ok(None) => {}
            Err(problem) => problems.push(*problem),
        }
    }
    files.par_sort_unstable_by(|(path, _), (other, _)| path.cmp(other));
    let shown_folder = folder.to_string_lossy().trim_end_matches('/').to_owned();
    let sources = Sources { folder: opened, shown_folder, files: files.into_iter().collect() };
    Ok((sources, problems))
}

/// The problem of a feed that is a link. A service that listens to it gets only a warning of a broken link, because the
/// target can change at any time without an edit.
fn about_linked_feed(link: &Path, path: &str, feed: FeedIs) -> Option<Problem> {
    #[expect(clippy::disallowed_methods, reason = "this is the file that reads the content folder")]
    let leads_to_file = fs::metadata(link).is_ok_and(|metadata| metadata.is_file());
    let place = Place::file(path);
    if leads_to_file {
        let what = "this is a link: a service listens to the file it leads to, and nothing is checked here";
        let problem = || {
            Problem::warning(place, what).hint("to have the lines checked, check a copy of the file itself")
        };
        return (feed == FeedIs::Judged).then(problem);
    }
    let what = "this is a link, and it leads to no file that can be read";
    let problem = match feed {
        FeedIs::Judged => Problem::error(place, what),
        FeedIs::ListenedTo => Problem::warning(place, what),
    };
    Some(problem.hint("let it lead to the feed's file, or delete it"))
}

/// Reads the lists and hashes the portraits. Providers' files are read later.
fn read(folder: &Folder, path: &str, feed: FeedIs) -> Result<Option<Source>, Box<Problem>> {
    if has_text_ending(path) && !is_lock(path) {
        return if MANY.iter().any(|many| path.starts_with(many)) {
            Ok(Some(Source::Later))
        } else {
            Ok(owned_text(folder, path)?.map(Source::Text))
        };
    }
    if is_feed(path) && feed == FeedIs::Judged {
        return Ok(owned_text(folder, path)?.map(Source::Feed));
    }
    if path.starts_with("headshots/") {
        let mut bytes = Vec::new();
        let too_large = "save it smaller: 600 by 600 pixels do";
        let is_there = read_bytes(folder, path, LARGEST_PORTRAIT, too_large, &mut bytes)?;
        return Ok(is_there.then(|| Source::Portrait {
            hash: Sha256::digest(&bytes).into(),
            picture: Picture::of(&bytes),
        }));
    }
    Ok(Some(Source::Unread))
}

fn owned_text(folder: &Folder, path: &str) -> Result<Option<String>, Box<Problem>> {
    Ok(read_text(folder, path, &mut Vec::new())?.map(str::to_owned))
}

fn read_text<'b>(
    folder: &Folder,
    path: &str,
    buffer: &'b mut Vec<u8>,
) -> Result<Option<&'b str>, Box<Problem>> {
    let (largest, too_large) = match path {
        BUSY_PATH | OPEN_PATH => {
            (LARGEST_FEED, "publish fewer months, or keep the feed outside the content folder")
        }
        _ => (LARGEST, "is it really a content file?"),
    };
    if !read_bytes(folder, path, largest, too_large, buffer)? {
        return Ok(None);
    }
    let text = str::from_utf8(buffer).map_err(|error| {
        let (what, hint) = not_text(buffer, error.valid_up_to());
        Box::new(Problem::error(Place::file(path), what).hint(hint))
    })?;
    Ok(Some(text.strip_prefix('\u{feff}').unwrap_or(text)))
}

/// Reads a file into the buffer. `false` if the file is gone by now.
fn read_bytes(
    folder: &Folder,
    path: &str,
    largest: u64,
    too_large: &str,
    buffer: &mut Vec<u8>,
) -> Result<bool, Box<Problem>> {
    buffer.clear();
    buffer.reserve(ROOM);
    let (what, hint) = match folder.read(Path::new(path), largest, buffer) {
        Ok(()) => return Ok(true),
        Err(OpenError::Io(error)) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(OpenError::Io(error)) => {
            (format!("this file cannot be read: {}", plain(&error)), "look at who may read it")
        }
        Err(OpenError::TooLarge(_)) => (format!("this file is larger than {} MB", largest >> 20), too_large),
        Err(error @ OpenError::NotAFile(_)) => (error.to_string(), "put the file itself here"),
    };
    Err(Box::new(Problem::error(Place::file(path), what).hint(hint)))
}

fn is_feed(path: &str) -> bool {
    matches!(path, BUSY_PATH | OPEN_PATH)
}

pub(super) fn has_text_ending(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|extension| extension == "toml")
}

/// A path relative to the folder, with `/` between its parts on every system.
fn relative(folder: &Path, path: &Path) -> String {
    let inside = path.strip_prefix(folder).unwrap_or(path).to_string_lossy();
    if std::path::MAIN_SEPARATOR == '/' {
        return inside.into_owned();
    }
    inside.replace(std::path::MAIN_SEPARATOR, "/")
}

/// Why a folder cannot be opened, in words.
fn plain_of_folder(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotADirectory => "it is a file, not a folder".to_owned(),
        _ => plain(error),
    }
}

/// An error of the system, in words.
fn plain(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "it is not there".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deleted_file_is_none_and_an_unreadable_one_is_a_problem() {
        let folder = tempfile::tempdir().unwrap();
        #[expect(clippy::disallowed_methods, reason = "a test makes what it reads")]
        std::fs::write(folder.path().join("here.toml"), "1234").unwrap();
        let opened = Folder::open(folder.path()).unwrap();
        let read = |path: &str, largest: u64| {
            let mut bytes = Vec::new();
            let is_there = read_bytes(&opened, path, largest, "make it shorter", &mut bytes)?;
            Ok::<_, Box<Problem>>(is_there.then_some(bytes))
        };
        assert_eq!(read("here.toml", 4).unwrap().unwrap(), b"1234");
        assert_eq!(read("gone.toml", 4).unwrap(), None);
        let too_large = read("here.toml", 3).unwrap_err();
        assert!(too_large.what().contains("larger than"), "{too_large:?}");
        // A folder in the feed's place is an error, not a missing feed.
        #[expect(clippy::disallowed_methods, reason = "a test makes what it reads")]
        std::fs::create_dir_all(folder.path().join(BUSY_PATH)).unwrap();
        let (_, problems) = load(folder.path(), FeedIs::Judged).unwrap();
        assert!(problems.iter().any(|problem| problem.what().contains("a folder where a file should be")));
        // A file in a folder's place is an error, not a missing file.
        let unreadable = read("here.toml/inside.toml", 4).unwrap_err();
        assert!(unreadable.what().contains("cannot be read"), "{unreadable:?}");
    }
}
