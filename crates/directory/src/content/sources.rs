//! The files of a content folder, read from the folder or from memory. Both give the same files with the same limits, so
//! what is checked does not depend on where it comes from.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use bytes::Bytes;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::entries::Entries;
use super::mistakes::not_text;
use super::open::{Folder, OpenError};
use super::parse::artwork_in;
use super::passed_over::is_lock;
use super::picture::Picture;
use super::problem::{Problem, sentence};

const LARGEST: u64 = 1 << 20;
pub const LARGEST_PORTRAIT: u64 = 1 << 20;
/// A larger feed belongs outside the content folder.
const LARGEST_FEED: u64 = 32 << 20;
pub(super) const ORGANIZATION_PATH: &str = "directory.toml";
pub(super) const BUSY_PATH: &str = "availability/busy.ndjson";
pub(super) const OPEN_PATH: &str = "availability/open.ndjson";
/// Where the editors' form is and where it saves. It is private: neither read here nor part of the generation.
pub(super) const EDITOR_PATH: &str = "editor.toml";
/// The initial size of a read buffer, into which nearly every file fits.
const ROOM: usize = 8 << 10;
/// The folders with one file for each provider.
const MANY: [&str; 2] = ["providers/", "availability/"];

/// The texts of files that an edit changes, before it is applied: `None` is a file that it removes.
pub(super) type Edited = BTreeMap<String, Option<String>>;

#[derive(Debug)]
pub(super) enum Opened {
    Folder(Folder, Edited),
    Memory(Entries),
}

impl Opened {
    fn read(&self, path: &str, largest: u64, buffer: &mut Vec<u8>) -> Result<(), OpenError> {
        match self {
            Self::Folder(folder, edited) => match edited.get(path) {
                Some(Some(text)) => {
                    buffer.extend_from_slice(text.as_bytes());
                    Ok(())
                }
                Some(None) => Err(io::Error::from(io::ErrorKind::NotFound).into()),
                None => folder.read(Path::new(path), largest, buffer),
            },
            Self::Memory(entries) => entries.read(path, largest, buffer),
        }
    }
}

#[derive(Debug)]
pub(super) struct Sources {
    opened: Opened,
    shown_folder: String,
    files: BTreeMap<String, SourceFile>,
    feed: FeedIs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FeedIs {
    /// It is read and checked with the content.
    Judged,
    /// For a service that starts, which must work on any day: the date refuses nothing.
    Started,
    /// A service listens to it. Here it only has to exist.
    ListenedTo,
}

impl FeedIs {
    pub(super) fn is_read(self) -> bool {
        self != Self::ListenedTo
    }
}

#[derive(Debug, Clone)]
pub(super) enum SourceFile {
    /// A TOML file's text, without a byte order mark.
    Text(String),
    /// A provider's TOML file. `check` reads it later, and keeps the text only if it has problems.
    Later,
    /// A feed's text. It changes by the minute and is not part of the generation.
    Feed(String),
    /// A feed that is a link to a file elsewhere, which is not read here.
    LinkedFeed,
    /// A portrait, the logo or the share image: the hash of its bytes, and its format.
    Portrait { hash: [u8; 32], picture: Picture },
    /// Any other file. Its content is not read.
    Unread,
}

impl SourceFile {
    pub(super) fn is_text(&self) -> bool {
        matches!(self, Self::Text(_) | Self::Later)
    }
}

impl Sources {
    /// `known` are files that are not read.
    pub(super) fn read_all(
        opened: Opened,
        shown_folder: String,
        paths: Vec<String>,
        known: Vec<(String, SourceFile)>,
        feed: FeedIs,
    ) -> (Self, Vec<Problem>) {
        let read = |path: String| read(&opened, &path, feed).map(|source| Some((path, source?)));
        let read: Vec<_> = paths.into_par_iter().with_min_len(16).map(read).collect();
        let (mut files, mut problems) = (known, Vec::new());
        for file in read {
            match file {
                Ok(Some(file)) => files.push(file),
                // Deleted since the folder was listed: text editors write temporary files.
                Ok(None) => {}
                Err(problem) => problems.push(*problem),
            }
        }
        files.par_sort_unstable_by(|(path, _), (other, _)| path.cmp(other));
        let mut sources = Self { opened, shown_folder, files: files.into_iter().collect(), feed };
        problems.extend(sources.read_artwork());
        (sources, problems)
    }

    fn read_artwork(&mut self) -> Vec<Problem> {
        let mut problems = Vec::new();
        for name in self.text(ORGANIZATION_PATH).map(artwork_in).unwrap_or_default() {
            if matches!(self.get(&name), Some(SourceFile::Unread)) && !name.contains('/') {
                match read_picture(&self.opened, &name) {
                    Ok(picture) => _ = picture.and_then(|picture| self.files.insert(name, picture)),
                    Err(problem) => problems.push(*problem),
                }
            }
        }
        problems
    }

    /// Whether a person has the content checked, and not a service that needs some content to serve.
    pub(super) fn are_judged(&self) -> bool {
        self.feed == FeedIs::Judged
    }

    pub(super) fn below(&self, folder: &str) -> impl Iterator<Item = (&str, &SourceFile)> {
        self.beginning(format!("{folder}/"))
    }

    pub(super) fn beginning(&self, from: String) -> impl Iterator<Item = (&str, &SourceFile)> {
        let range = self.files.range(from.clone()..);
        range
            .take_while(move |(path, _)| path.starts_with(&from))
            .map(|(path, source)| (path.as_str(), source))
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &SourceFile)> {
        self.files.iter().map(|(path, source)| (path.as_str(), source))
    }

    pub(super) fn later(&self, folder: &str) -> Vec<String> {
        let later = self.below(folder).filter(|(_, source)| matches!(source, SourceFile::Later));
        later.map(|(path, _)| path.to_owned()).collect()
    }

    /// `None` if the file is gone by now.
    pub(super) fn read<'b>(
        &self,
        path: &str,
        buffer: &'b mut Vec<u8>,
    ) -> Result<Option<&'b str>, Box<Problem>> {
        read_text(&self.opened, path, buffer)
    }

    /// Keeps a text for the report, or forgets a file that could not be read.
    pub(super) fn keep(&mut self, path: &str, text: Option<String>) {
        match text {
            Some(text) => _ = self.files.insert(path.to_owned(), SourceFile::Text(text)),
            None => _ = self.files.remove(path),
        }
    }

    /// Reads a dropped text again, because the report shows a line of it.
    pub(super) fn recall(&mut self, path: &str) {
        if matches!(self.files.get(path), Some(SourceFile::Later))
            && let Ok(Some(text)) = self.read(path, &mut Vec::new())
        {
            let text = text.to_owned();
            self.keep(path, Some(text));
        }
    }

    pub(super) fn forget_all_but(&mut self, is_needed: impl Fn(&str) -> bool) {
        self.files.retain(|path, _| is_needed(path));
        if let Opened::Memory(entries) = &mut self.opened {
            *entries = Entries::default();
        }
    }

    pub(super) fn text(&self, path: &str) -> Option<&str> {
        match self.files.get(path) {
            Some(SourceFile::Text(text) | SourceFile::Feed(text)) => Some(text),
            _ => None,
        }
    }

    pub(super) fn has_mark(&self, path: &str) -> bool {
        let mut bytes = Vec::new();
        self.opened.read(path, LARGEST, &mut bytes).is_ok() && bytes.starts_with("\u{feff}".as_bytes())
    }

    /// The text of any file, read again where it was not kept.
    pub(super) fn whole_text(&self, path: &str) -> Option<String> {
        if let Some(text) = self.text(path) {
            return Some(text.to_owned());
        }
        owned_text(&self.opened, path).ok()?
    }

    pub(super) fn get(&self, path: &str) -> Option<&SourceFile> {
        self.files.get(path)
    }

    /// A file's path below the folder's name as the user typed it.
    pub(super) fn shown_path(&self, path: &str) -> String {
        match self.shown_folder.as_str() {
            "" => path.to_owned(),
            folder => format!("{folder}/{path}"),
        }
    }

    /// The bytes of the files that the generation covers.
    pub(super) fn published(&self) -> Entries {
        let is_covered =
            |source: &SourceFile| source.is_text() || matches!(source, SourceFile::Portrait { .. });
        let covered = self.iter().filter(|(_, source)| is_covered(source));
        let read = covered.filter_map(|(path, _)| {
            let mut bytes = Vec::new();
            self.opened.read(path, LARGEST.max(LARGEST_PORTRAIT), &mut bytes).ok()?;
            Some((path.to_owned(), Bytes::from(bytes)))
        });
        Entries::known(read)
    }
}

fn read(opened: &Opened, path: &str, feed: FeedIs) -> Result<Option<SourceFile>, Box<Problem>> {
    if path == EDITOR_PATH {
        return Ok(Some(SourceFile::Unread));
    }
    if has_text_ending(path) && !is_lock(path) {
        return if MANY.iter().any(|many| path.starts_with(many)) {
            Ok(Some(SourceFile::Later))
        } else {
            Ok(owned_text(opened, path)?.map(SourceFile::Text))
        };
    }
    if is_feed(path) && feed.is_read() {
        return Ok(owned_text(opened, path)?.map(SourceFile::Feed));
    }
    if path.starts_with("headshots/") {
        return read_picture(opened, path);
    }
    Ok(Some(SourceFile::Unread))
}

fn read_picture(opened: &Opened, path: &str) -> Result<Option<SourceFile>, Box<Problem>> {
    let mut bytes = Vec::new();
    let too_large = if path.starts_with("headshots/") {
        "Save a smaller copy; 600 × 600 pixels is enough."
    } else {
        "Save a copy with fewer pixels or colors."
    };
    let is_there = read_bytes(opened, path, LARGEST_PORTRAIT, too_large, &mut bytes)?;
    Ok(is_there.then(|| SourceFile::Portrait {
        hash: Sha256::digest(&bytes).into(),
        picture: Picture::detect(&bytes),
    }))
}

fn owned_text(opened: &Opened, path: &str) -> Result<Option<String>, Box<Problem>> {
    Ok(read_text(opened, path, &mut Vec::new())?.map(str::to_owned))
}

fn read_text<'b>(
    opened: &Opened,
    path: &str,
    buffer: &'b mut Vec<u8>,
) -> Result<Option<&'b str>, Box<Problem>> {
    let (largest, too_large) = match path {
        BUSY_PATH | OPEN_PATH => {
            (LARGEST_FEED, "Publish fewer months, or keep the feed outside the content folder.")
        }
        _ => (LARGEST, "Is it really a content file?"),
    };
    if !read_bytes(opened, path, largest, too_large, buffer)? {
        return Ok(None);
    }
    let text = str::from_utf8(buffer).map_err(|error| {
        let (what, hint) = not_text(buffer, error.valid_up_to());
        Box::new(Problem::in_file(path, what).hint(hint))
    })?;
    Ok(Some(text.strip_prefix('\u{feff}').unwrap_or(text)))
}

/// `false` if the file is gone by now.
fn read_bytes(
    opened: &Opened,
    path: &str,
    largest: u64,
    too_large: &str,
    buffer: &mut Vec<u8>,
) -> Result<bool, Box<Problem>> {
    buffer.clear();
    buffer.reserve(ROOM);
    let (what, hint) = match opened.read(path, largest, buffer) {
        Ok(()) => return Ok(true),
        Err(OpenError::Io(error)) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(OpenError::Io(error)) => (
            format!("This file can't be read: {}.", plain(&error)),
            "Check the file's permissions: your account has to be allowed to read it (chmod u+r).",
        ),
        Err(OpenError::TooLarge(_)) => (format!("This file is larger than {} MB.", largest >> 20), too_large),
        Err(error @ OpenError::NotAFile(_)) => (sentence(error), "Put the file itself here."),
    };
    Err(Box::new(Problem::in_file(path, what).hint(hint)))
}

pub(super) fn is_feed(path: &str) -> bool {
    matches!(path, BUSY_PATH | OPEN_PATH)
}

pub(super) fn has_text_ending(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|extension| extension == "toml")
}

pub(super) const MISSING: &str = "it doesn't exist";

pub(super) fn plain(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => MISSING.to_owned(),
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
        let opened = Opened::Folder(Folder::open(folder.path()).unwrap(), Edited::new());
        let read = |path: &str, largest: u64| {
            let mut bytes = Vec::new();
            let is_there = read_bytes(&opened, path, largest, "make it shorter", &mut bytes)?;
            Ok::<_, Box<Problem>>(is_there.then_some(bytes))
        };
        assert_eq!(read("here.toml", 4).unwrap().unwrap(), b"1234");
        assert_eq!(read("gone.toml", 4).unwrap(), None);
        let too_large = read("here.toml", 3).unwrap_err();
        assert!(too_large.what().contains("larger than"), "{too_large:?}");
        // A file in a folder's place is an error, not a missing file.
        let unreadable = read("here.toml/inside.toml", 4).unwrap_err();
        assert!(unreadable.what().contains("can't be read"), "{unreadable:?}");
    }
}
