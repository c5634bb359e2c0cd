//! Reading what people put into folders: portraits, and templates of their own.
//!
//! A link is never followed and a file is never read beyond its limit, so that a build on somebody's
//! machine publishes nothing but what lies in the folder it was given.
#![expect(clippy::disallowed_methods, reason = "portraits and templates are read here; content is not")]

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rayon::prelude::*;
use walkdir::WalkDir;

/// Why a file was not read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The system refused.
    #[error("cannot read {path}: {source}; look whether it is there and who may read it", path = path.display())]
    Io {
        /// Which file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A link, a folder or something else that is not a file.
    #[error("{0} is not a plain file; put the file itself there, not a link to it")]
    NotAFile(PathBuf),
    /// Too large to be meant.
    #[error("{0} is larger than {1} bytes; make it smaller")]
    TooLarge(PathBuf, u64),
    /// Its name cannot be published.
    #[error("{0} has a name that cannot be published; use letters, digits, \"-\", \"_\" and \".\"")]
    Name(PathBuf),
}

/// Reads a plain file of at most `limit` bytes.
pub(crate) fn file(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    let io = |source| ReadError::Io { path: path.to_path_buf(), source };
    let found = fs::symlink_metadata(path).map_err(io)?;
    if !found.is_file() {
        return Err(ReadError::NotAFile(path.to_path_buf()));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(found.len().min(limit)).unwrap_or_default());
    // One byte more than allowed tells a file that is too large, even if it grows while it is read.
    File::open(path).and_then(|file| file.take(limit + 1).read_to_end(&mut bytes)).map_err(io)?;
    if bytes.len() as u64 > limit {
        return Err(ReadError::TooLarge(path.to_path_buf(), limit));
    }
    Ok(bytes)
}

/// Whether something in a folder that somebody would read, or the list of it, was touched after that moment. Whoever
/// cannot tell says yes.
pub(crate) fn touched_since(moment: SystemTime, folder: &Path) -> bool {
    let is_later = |found: io::Result<fs::Metadata>| found.map_or(true, |found| touched(&found) > moment);
    if is_later(fs::metadata(folder)) {
        return true;
    }
    let Ok(entries) = fs::read_dir(folder) else { return true };
    let entries: Vec<_> = entries.collect();
    entries.into_par_iter().any(|entry| {
        let Ok(entry) = entry else { return true };
        match entry.file_type() {
            _ if entry.file_name().as_encoded_bytes().starts_with(b".") => false,
            Ok(kind) if kind.is_dir() => touched_since(moment, &entry.path()),
            _ => is_later(entry.metadata()),
        }
    })
}

/// When a file was last touched: not the time that a program can set, where the system keeps another.
#[cfg(unix)]
fn touched(found: &fs::Metadata) -> SystemTime {
    use std::os::unix::fs::MetadataExt as _;
    let (seconds, nanoseconds) = (u64::try_from(found.ctime()), u32::try_from(found.ctime_nsec()));
    match (seconds, nanoseconds) {
        (Ok(seconds), Ok(nanoseconds)) => SystemTime::UNIX_EPOCH + Duration::new(seconds, nanoseconds),
        _ => SystemTime::UNIX_EPOCH,
    }
}

#[cfg(not(unix))]
fn touched(found: &fs::Metadata) -> SystemTime {
    found.modified().unwrap_or(SystemTime::UNIX_EPOCH)
}

/// Where a path leads with every link resolved, as far as there is something on the way.
pub(crate) fn place_of(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let resolved = path.ancestors().find_map(|known| Some((known, fs::canonicalize(known).ok()?)));
    match resolved.and_then(|(known, place)| Some(place.join(path.strip_prefix(known).ok()?))) {
        // Joining an empty rest would add a separator, which is no part of a place.
        Some(place) => place.components().collect(),
        None => path,
    }
}

/// The files below a folder, sorted, each as its path from there with `/` between the segments. Hidden
/// files and folders are left out: they are the editor's and the system's.
pub(crate) fn names(folder: &Path) -> Result<Vec<String>, ReadError> {
    let is_hidden = |name: &std::ffi::OsStr| name.as_encoded_bytes().starts_with(b".");
    #[expect(clippy::disallowed_methods, reason = "this is the file that reads the site's folder")]
    // The folder itself may be a link, which whoever named it has made.
    let walk = WalkDir::new(folder).min_depth(1).sort_by_file_name().into_iter();
    let mut names = Vec::new();
    for entry in walk.filter_entry(|entry| !is_hidden(entry.file_name())) {
        let entry = entry.map_err(|error| {
            let path = error.path().unwrap_or(folder).to_path_buf();
            // The other words name the path once more.
            let kind = error.io_error().map_or(io::ErrorKind::Other, io::Error::kind);
            ReadError::Io { path, source: error.into_io_error().unwrap_or_else(|| kind.into()) }
        })?;
        if entry.file_type().is_dir() {
            continue;
        }
        let name = || ReadError::Name(entry.path().to_path_buf());
        let relative = entry.path().strip_prefix(folder).map_err(|_| name())?;
        let segments: Option<Vec<&str>> = relative.iter().map(std::ffi::OsStr::to_str).collect();
        names.push(segments.ok_or_else(name)?.join("/"));
    }
    Ok(names)
}
