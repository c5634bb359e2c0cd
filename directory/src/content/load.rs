//! The only place in this crate that reads files: a sorted walk of the content folder.
//!
//! Links are not followed: what is published is what stands in the folder. What cannot be read becomes a
//! problem like any other; only a folder that is not there at all stops the run.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use sha2::{Digest, Sha256};
use walkdir::WalkDir;

use super::report::{Place, Problem};

/// The largest file that is read, in bytes.
const LARGEST: u64 = 1 << 20;
/// The largest feed file that is read, in bytes: larger feeds belong outside the content folder.
const LARGEST_FEED: u64 = 32 << 20;
/// The feed files, found by presence.
pub(super) const BUSY_PATH: &str = "availability/busy.ndjson";
pub(super) const OPEN_PATH: &str = "availability/open.ndjson";
/// The deepest folder that is looked into: nothing that is read lies deeper than two.
const DEEPEST: usize = 4;

/// The content folder cannot be read at all.
#[derive(Debug, thiserror::Error)]
#[error("cannot read the content folder {}: {reason}", folder.display())]
pub struct LoadError {
    folder: PathBuf,
    reason: String,
}

/// The files of a content folder, by their path in it.
#[derive(Debug, Default)]
pub(super) struct Sources {
    shown_folder: String,
    files: BTreeMap<String, Source>,
}

/// A file.
#[derive(Debug)]
pub(super) enum Source {
    /// A TOML file's text, without a byte order mark.
    Text(String),
    /// A feed's text: it changes by the minute, so it is no part of the generation.
    Feed(String),
    /// A portrait: the hash of its bytes.
    Portrait([u8; 32]),
    /// Any other file; what is in it is nobody's business.
    Unread,
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

    /// The text of a file that is text.
    pub(super) fn text(&self, path: &str) -> Option<&str> {
        match self.files.get(path) {
            Some(Source::Text(text) | Source::Feed(text)) => Some(text),
            _ => None,
        }
    }

    /// The file at a path.
    pub(super) fn get(&self, path: &str) -> Option<&Source> {
        self.files.get(path)
    }

    /// A file's path as the person who typed the folder's name would open it.
    pub(super) fn shown_path(&self, path: &str) -> String {
        match self.shown_folder.as_str() {
            "" => path.to_owned(),
            folder => format!("{folder}/{path}"),
        }
    }
}

/// Reads a content folder: its files, and what is wrong with reading them.
pub(super) fn load(folder: &Path) -> Result<(Sources, Vec<Problem>), LoadError> {
    let refused = |reason: String| LoadError { folder: folder.to_owned(), reason };
    #[expect(clippy::disallowed_methods, reason = "this is the file that reads the content folder")]
    let metadata = fs::metadata(folder).map_err(|error| refused(plain(&error)))?;
    if !metadata.is_dir() {
        return Err(refused("it is a file, not a folder".to_owned()));
    }
    let mut problems = Vec::new();
    let mut found = Vec::new();
    let walk = WalkDir::new(folder).max_depth(DEEPEST).sort_by_file_name().into_iter();
    for entry in walk.filter_entry(|entry| entry.depth() == 0 || !is_hidden(entry.file_name())) {
        match entry {
            Ok(entry) if entry.file_type().is_dir() => {
                if has_text_ending(&relative(folder, entry.path())) {
                    let place = Place::file(&relative(folder, entry.path()));
                    problems.push(Problem::error(place, "this is a folder where a file should be"));
                }
            }
            Ok(entry) if entry.file_type().is_file() => found.push(relative(folder, entry.path())),
            Ok(entry) => {
                let kind = if entry.path_is_symlink() { "a link" } else { "no ordinary file" };
                let place = Place::file(&relative(folder, entry.path()));
                let problem = Problem::error(place, format!("this is {kind}, and only files are read"));
                problems.push(problem.hint("put the file itself here"));
            }
            Err(error) => {
                let path = error.path().map_or_else(String::new, |path| relative(folder, path));
                let reason = error.io_error().map_or_else(|| error.to_string(), plain);
                problems.push(Problem::error(Place::file(&path), format!("this cannot be read: {reason}")));
            }
        }
    }
    let read: Vec<_> = found.into_par_iter().map(|path| (read(folder, &path), path)).collect();
    let mut files = BTreeMap::new();
    for (source, path) in read {
        match source {
            Ok(source) => {
                files.insert(path, source);
            }
            Err(problem) => problems.push(*problem),
        }
    }
    let shown_folder = folder.to_string_lossy().trim_end_matches('/').to_owned();
    Ok((Sources { shown_folder, files }, problems))
}

fn read(folder: &Path, path: &str) -> Result<Source, Box<Problem>> {
    let problem = |what: String, hint: &str| Box::new(Problem::error(Place::file(path), what).hint(hint));
    let unreadable = |error: &io::Error| {
        problem(format!("this file cannot be read: {}", plain(error)), "look at who may read it")
    };
    let full = folder.join(path);
    #[expect(clippy::disallowed_methods, reason = "this is the file that reads the content folder")]
    let file = File::open(&full).map_err(|error| unreadable(&error))?;
    let bytes = file.metadata().map_err(|error| unreadable(&error))?.len();
    let is_text = has_text_ending(path);
    let is_feed = matches!(path, BUSY_PATH | OPEN_PATH);
    let largest = if is_feed { LARGEST_FEED } else { LARGEST };
    if !is_text && !is_feed && !path.starts_with("headshots/") {
        return Ok(Source::Unread);
    }
    let mut content = Vec::with_capacity(usize::try_from(bytes.min(largest)).unwrap_or_default());
    file.take(largest + 1).read_to_end(&mut content).map_err(|error| unreadable(&error))?;
    if content.len() as u64 > largest {
        let hint = match (is_text, is_feed) {
            (true, _) => "is it really a content file?",
            (_, true) => "publish fewer months, or keep the feed outside the content folder",
            _ => "save it smaller: 600 by 600 points do",
        };
        return Err(problem(format!("this file is larger than {} MB", largest >> 20), hint));
    }
    if !is_text && !is_feed {
        return Ok(Source::Portrait(Sha256::digest(&content).into()));
    }
    let text = String::from_utf8(content).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = String::from_utf8_lossy(valid).matches('\n').count() + 1;
        let what = format!("this file is not UTF-8 text: line {line} has a byte that is no character");
        problem(what, "save it again with the encoding UTF-8")
    })?;
    let text = match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    };
    Ok(if is_feed { Source::Feed(text) } else { Source::Text(text) })
}

fn has_text_ending(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|extension| extension == "toml")
}

fn is_hidden(name: &std::ffi::OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// A path inside the folder, with `/` between its parts on every system.
fn relative(folder: &Path, path: &Path) -> String {
    let inside = path.strip_prefix(folder).unwrap_or(path);
    let parts: Vec<_> = inside.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    parts.join("/")
}

/// An error of the system, in words.
fn plain(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "it is not there".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    }
}
