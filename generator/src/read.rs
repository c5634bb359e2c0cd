//! Reads portraits, templates and assets. Never follows a link inside these folders, so a build publishes no other files.
#![expect(clippy::disallowed_methods, reason = "portraits and templates are read here; content is not")]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use directory::content::{Folder, OpenError};
use walkdir::WalkDir;

#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("there is no folder \"{0}\"; name another, or start one with `nameplate init --site {0}`")]
    NoFolder(PathBuf),
    #[error("can't read {path}: {source}; check that it exists and that you may read it", path = path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("{0} isn't a regular file; replace the link with the file itself")]
    NotAFile(PathBuf),
    #[error("{0} is larger than {1} bytes; make it smaller")]
    TooLarge(PathBuf, u64),
    #[error("{0} has a name that can't be published; use letters, digits, \"-\", \"_\" and \".\"")]
    Name(PathBuf),
    #[error("{0} changed during the build; build again")]
    Changed(PathBuf),
}

pub(crate) fn file(folder: &Path, name: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    let path = || folder.join(name);
    let mut bytes = Vec::new();
    let read =
        Folder::open(folder).map_err(OpenError::from).and_then(|folder| folder.read(name, limit, &mut bytes));
    read.map_err(|error| match error {
        OpenError::NotAFile(_) => ReadError::NotAFile(path()),
        OpenError::TooLarge(limit) => ReadError::TooLarge(path(), limit),
        OpenError::Io(source) => ReadError::Io { path: path(), source },
    })?;
    Ok(bytes)
}

/// Links are resolved in the part of the path that exists.
pub(crate) fn resolved(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let existing = path.ancestors().find_map(|part| Some((part, fs::canonicalize(part).ok()?)));
    match existing.and_then(|(part, target)| Some(target.join(path.strip_prefix(part).ok()?))) {
        // Collecting removes the trailing separator that joining an empty rest adds.
        Some(resolved) => resolved.components().collect(),
        None => path,
    }
}

/// Sorted relative paths. Skips hidden files and folders.
pub(crate) fn names(folder: &Path) -> Result<Vec<String>, ReadError> {
    let is_hidden = |name: &std::ffi::OsStr| name.as_encoded_bytes().starts_with(b".");
    #[expect(clippy::disallowed_methods, reason = "this is the file that reads the site's folder")]
    // `folder` itself may be a link. WalkDir does not follow others.
    let walk = WalkDir::new(folder).min_depth(1).sort_by_file_name().into_iter();
    let mut names = Vec::new();
    for entry in walk.filter_entry(|entry| !is_hidden(entry.file_name())) {
        let entry = entry.map_err(|error| {
            let path = error.path().unwrap_or(folder).to_path_buf();
            let kind = error.io_error().map_or(io::ErrorKind::Other, io::Error::kind);
            if error.depth() == 0 && kind == io::ErrorKind::NotFound {
                return ReadError::NoFolder(path);
            }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_of_the_folder_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let content = folder.path().join("content");
        fs::create_dir_all(content.join("headshots")).unwrap();
        fs::write(folder.path().join("secret"), "secret").unwrap();
        fs::write(content.join("headshots/a.png"), "1234").unwrap();
        std::os::unix::fs::symlink("../../secret", content.join("headshots/link.png")).unwrap();
        std::os::unix::fs::symlink("..", content.join("up")).unwrap();
        let pipe = content.join("headshots/pipe.png");
        assert!(std::process::Command::new("mkfifo").arg(pipe).status().unwrap().success());
        let read = |name: &str, limit: u64| file(&content, Path::new(name), limit);
        assert_eq!(read("headshots/a.png", 4).unwrap(), b"1234");
        assert!(matches!(read("headshots/a.png", 3), Err(ReadError::TooLarge(_, 3))));
        assert!(matches!(read("headshots/link.png", 9), Err(ReadError::NotAFile(_))));
        assert!(matches!(read("headshots/pipe.png", 9), Err(ReadError::NotAFile(_))));
        assert!(matches!(read("up/secret", 9), Err(ReadError::Io { .. })));
    }
}
