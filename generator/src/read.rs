//! Reads the portraits, and the templates and assets of a site folder.
//!
//! Never follows a link and never reads a file beyond its limit, so a build publishes only files that lie in the given
//! folders.
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
    #[error("cannot read {path}: {source}; check that it exists and that you may read it", path = path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A link, a folder or something else that is not a file.
    #[error("{0} is not a plain file; put the file itself there, not a link to it")]
    NotAFile(PathBuf),
    /// Larger than the limit.
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
    // Reading one byte beyond the limit detects a file that grows while it is read.
    File::open(path).and_then(|file| file.take(limit + 1).read_to_end(&mut bytes)).map_err(io)?;
    if bytes.len() as u64 > limit {
        return Err(ReadError::TooLarge(path.to_path_buf(), limit));
    }
    Ok(bytes)
}

/// Whether a folder, or a file in it that is not hidden, was touched after `moment`. True if a time cannot be read.
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

/// When a file was last touched: its change time, which programs cannot set, where the system has one.
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

/// The absolute path, with links resolved in the part of it that exists.
pub(crate) fn resolved(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let existing = path.ancestors().find_map(|part| Some((part, fs::canonicalize(part).ok()?)));
    match existing.and_then(|(part, target)| Some(target.join(path.strip_prefix(part).ok()?))) {
        // Collecting removes the trailing separator that joining an empty rest adds.
        Some(resolved) => resolved.components().collect(),
        None => path,
    }
}

/// The files below a folder, sorted, as relative paths with `/` between segments. Skips hidden files and folders.
pub(crate) fn names(folder: &Path) -> Result<Vec<String>, ReadError> {
    let is_hidden = |name: &std::ffi::OsStr| name.as_encoded_bytes().starts_with(b".");
    #[expect(clippy::disallowed_methods, reason = "this is the file that reads the site's folder")]
    // The folder itself may be a link.
    let walk = WalkDir::new(folder).min_depth(1).sort_by_file_name().into_iter();
    let mut names = Vec::new();
    for entry in walk.filter_entry(|entry| !is_hidden(entry.file_name())) {
        let entry = entry.map_err(|error| {
            let path = error.path().unwrap_or(folder).to_path_buf();
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
