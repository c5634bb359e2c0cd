//! A folder that is opened once, for what is done with each of its thousands of files: named from there, a file is
//! found without walking its whole path again. A folder's files are linked and removed by one thread: the system
//! lets only one change a folder at a time, and others would burn their time waiting.
#![expect(clippy::disallowed_methods, reason = "this is the room that writes the tree")]

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use rayon::prelude::*;

/// Which file it is, whatever its names: one with the same identity has the same bytes.
#[cfg(unix)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Identity {
    device: rustix::fs::Dev,
    inode: u64,
}

/// Other systems do not tell.
#[cfg(not(unix))]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Identity;

/// An open folder.
#[cfg(unix)]
#[derive(Debug)]
pub(super) struct Folder(std::os::fd::OwnedFd);

#[cfg(unix)]
impl Folder {
    /// Opens a folder.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        use rustix::fs::{Mode, OFlags};
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(Self(rustix::fs::open(path, flags, Mode::empty())?))
    }

    /// Gives a file of this folder the same name in another.
    pub(super) fn link(&self, name: &str, to: &Self) -> io::Result<()> {
        Ok(rustix::fs::linkat(&self.0, name, &to.0, name, rustix::fs::AtFlags::empty())?)
    }

    /// The file of this name, if it is of this size and time: the file itself, and no link to one.
    pub(super) fn find(&self, name: &str, bytes: u64, modified: Duration) -> Option<Identity> {
        use rustix::fs::{AtFlags, FileType, statat};
        let found = statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
        let is_it = FileType::from_raw_mode(found.st_mode) == FileType::RegularFile
            && u64::try_from(found.st_size) == Ok(bytes)
            && u64::try_from(found.st_mtime) == Ok(modified.as_secs())
            && found.st_mtime_nsec == 0;
        is_it.then_some(Identity { device: found.st_dev, inode: found.st_ino })
    }

    /// Removes what is no folder.
    pub(super) fn remove(&self, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.0, name, rustix::fs::AtFlags::empty())?)
    }
}

/// Other systems have no such calls, and are given whole paths.
#[cfg(not(unix))]
#[derive(Debug)]
pub(super) struct Folder(std::path::PathBuf);

#[cfg(not(unix))]
impl Folder {
    /// Names a folder.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self(path.to_path_buf()))
    }

    /// Gives a file of this folder the same name in another.
    pub(super) fn link(&self, name: &str, to: &Self) -> io::Result<()> {
        fs::hard_link(self.0.join(name), to.0.join(name))
    }

    /// The file of this name, if it is of this size and time.
    pub(super) fn find(&self, name: &str, bytes: u64, modified: Duration) -> Option<Identity> {
        let time = std::time::SystemTime::UNIX_EPOCH + modified;
        let found = fs::symlink_metadata(self.0.join(name)).ok()?;
        let is_it =
            found.is_file() && found.len() == bytes && found.modified().is_ok_and(|found| found == time);
        is_it.then_some(Identity)
    }

    /// Removes what is no folder.
    pub(super) fn remove(&self, name: &OsStr) -> io::Result<()> {
        fs::remove_file(self.0.join(name))
    }
}

/// What is in a folder, by name. `open` is the same folder.
#[cfg(unix)]
pub(super) fn found(folder: &Path, open: &Folder) -> io::Result<HashMap<OsString, Found>> {
    use std::os::unix::fs::DirEntryExt as _;
    let device = rustix::fs::fstat(&open.0)?.st_dev;
    let found = |entry: io::Result<fs::DirEntry>| {
        let entry = entry?;
        let kind = entry.file_type()?;
        let identity = kind.is_file().then(|| Identity { device, inode: entry.ino() });
        Ok((entry.file_name(), Found { identity, is_folder: kind.is_dir() }))
    };
    fs::read_dir(folder)?.map(found).collect()
}

/// Other systems do not tell which file it is.
#[cfg(not(unix))]
pub(super) fn found(folder: &Path, _open: &Folder) -> io::Result<HashMap<OsString, Found>> {
    let found = |entry: io::Result<fs::DirEntry>| {
        let entry = entry?;
        Ok((entry.file_name(), Found { identity: None, is_folder: entry.file_type()?.is_dir() }))
    };
    fs::read_dir(folder)?.map(found).collect()
}

/// What has a name in a folder.
#[derive(Debug)]
pub(super) struct Found {
    /// Which file it is, where it is one and that can be told.
    pub(super) identity: Option<Identity>,
    pub(super) is_folder: bool,
}

/// Removes a folder and all that is in it, or whatever else has its name.
pub(super) fn remove(folder: &Path) -> io::Result<()> {
    if !fs::symlink_metadata(folder)?.is_dir() {
        return fs::remove_file(folder);
    }
    clear(folder);
    fs::remove_dir_all(folder)
}

/// Removes the files below a folder, as far as that can be done. Links are removed and not followed.
fn clear(folder: &Path) {
    let (folders, files) = entries(folder);
    let remove_files = || {
        let Ok(open) = Folder::open(folder) else { return };
        for file in &files {
            _ = open.remove(&file.file_name());
        }
    };
    rayon::join(|| folders.par_iter().for_each(|entry| clear(&entry.path())), remove_files);
}

/// What is in a folder, as far as it can be read: the folders, and all else.
pub(super) fn entries(folder: &Path) -> (Vec<fs::DirEntry>, Vec<fs::DirEntry>) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.partition(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
}
