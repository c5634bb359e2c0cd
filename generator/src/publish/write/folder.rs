//! Opens a folder once for operations on thousands of files, so that the system does not resolve each path.
#![expect(clippy::disallowed_methods, reason = "this module writes the tree")]

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use rayon::prelude::*;

#[derive(Debug)]
pub(super) struct OpenFolder(std::os::fd::OwnedFd);

impl OpenFolder {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        use rustix::fs::{Mode, OFlags};
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(Self(rustix::fs::open(path, flags, Mode::empty())?))
    }

    pub(super) fn link(&self, name: &str, to: &Self) -> io::Result<()> {
        Ok(rustix::fs::linkat(&self.0, name, &to.0, name, rustix::fs::AtFlags::empty())?)
    }

    /// As a regular file.
    pub(super) fn has(&self, name: &str, bytes: u64, modified: Duration) -> bool {
        use rustix::fs::{AtFlags, FileType, statat};
        let Ok(found) = statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW) else { return false };
        FileType::from_raw_mode(found.st_mode) == FileType::RegularFile
            && u64::try_from(found.st_size) == Ok(bytes)
            && u64::try_from(found.st_mtime) == Ok(modified.as_secs())
            && found.st_mtime_nsec == 0
    }

    pub(super) fn remove(&self, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.0, name, rustix::fs::AtFlags::empty())?)
    }
}

/// Also a file or a link.
pub(super) fn remove(folder: &Path) -> io::Result<()> {
    if !fs::symlink_metadata(folder)?.is_dir() {
        return fs::remove_file(folder);
    }
    remove_files(folder);
    fs::remove_dir_all(folder)
}

/// On all threads. Ignores errors.
fn remove_files(folder: &Path) {
    let (folders, files) = entries(folder);
    let remove_direct = || {
        let Ok(open) = OpenFolder::open(folder) else { return };
        for file in &files {
            _ = open.remove(&file.file_name());
        }
    };
    rayon::join(|| folders.par_iter().for_each(|entry| remove_files(&entry.path())), remove_direct);
}

/// The folders, and the other entries. Skips what cannot be read.
pub(super) fn entries(folder: &Path) -> (Vec<fs::DirEntry>, Vec<fs::DirEntry>) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.partition(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
}
