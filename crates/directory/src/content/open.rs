//! Opens regular files below a folder without leaving it. What was looked at can become a link before it is opened, so each
//! part of a path is opened inside the folder that was opened before it. Nothing waits for the other end of a pipe. The
//! folder itself may be a link, or lie behind one.

use std::fs::{self, File, FileType, Metadata};
use std::io::{self, Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileTypeExt as _;
use std::path::{Component, Path};

use rustix::fs::{CWD, Mode, OFlags, open, openat};
use rustix::io::Errno;

/// Without `NONBLOCK`, opening a pipe waits until someone writes to it.
const READ: OFlags = OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::CLOEXEC);

#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("this is {0}; only files are read")]
    NotAFile(&'static str),
    #[error("this file is larger than {0} bytes")]
    TooLarge(u64),
    #[error("{}", crate::told::reason(.0))]
    Io(#[from] io::Error),
}

#[derive(Debug)]
pub struct Folder(OwnedFd);

impl Folder {
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self(open(path, READ | OFlags::DIRECTORY, Mode::empty())?))
    }

    pub fn file(&self, path: &Path) -> Result<File, OpenError> {
        if !path.components().all(|part| matches!(part, Component::Normal(_))) {
            return Err(io::Error::from(io::ErrorKind::InvalidInput).into());
        }
        ordinary(self.open_below(path)?)
    }

    pub fn read(&self, path: &Path, largest: u64, buffer: &mut Vec<u8>) -> Result<(), OpenError> {
        let file = self.file(path)?;
        buffer.clear();
        read_all(file, largest, buffer)
    }

    fn open_below(&self, path: &Path) -> Result<File, OpenError> {
        let mut inside: Option<OwnedFd> = None;
        for name in path.parent().into_iter().flatten() {
            let from = inside.as_ref().unwrap_or(&self.0);
            let flags = READ | OFlags::DIRECTORY | OFlags::NOFOLLOW;
            let opened = openat(from, name, flags, Mode::empty()).map_err(|error| match error {
                Errno::NOTDIR | Errno::LOOP => io::Error::other("it's behind a symlink or a file"),
                error => error.into(),
            });
            inside = Some(opened?);
        }
        let from = inside.as_ref().unwrap_or(&self.0);
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput).map_err(io::Error::from)?;
        match openat(from, name, READ | OFlags::NOFOLLOW, Mode::empty()) {
            Err(Errno::LOOP | Errno::MLINK) => Err(OpenError::NotAFile("a symlink")),
            Err(Errno::NXIO) => Err(OpenError::NotAFile("not a regular file")),
            opened => Ok(opened.map_err(io::Error::from)?.into()),
        }
    }
}

/// Opens a regular file that may be a link, as a feed may.
pub fn open_linked(path: &Path) -> Result<File, OpenError> {
    match openat(CWD, path, READ, Mode::empty()) {
        Err(Errno::NXIO) => Err(OpenError::NotAFile("not a regular file")),
        opened => ordinary(opened.map_err(io::Error::from)?.into()),
    }
}

/// Reads a file that its user names, which may be a link.
pub fn read_linked(path: &Path, largest: u64) -> Result<Vec<u8>, OpenError> {
    let mut bytes = Vec::new();
    read_all(open_linked(path)?, largest, &mut bytes)?;
    Ok(bytes)
}

/// The folder may be a link, and the file may not.
pub fn read_file(path: &Path, largest: u64) -> Result<Vec<u8>, OpenError> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(io::Error::from(io::ErrorKind::InvalidInput).into());
    };
    let mut bytes = Vec::new();
    Folder::open(folder)?.read(Path::new(name), largest, &mut bytes)?;
    Ok(bytes)
}

/// A power loss leaves the old file or the new one. A link or a pipe in its place is replaced and never followed.
#[expect(clippy::disallowed_methods, reason = "the callers replace files of their own")]
pub fn replace_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let new = path.with_added_extension("new");
    // What is there was left by a process that ended while it wrote. Opening a new file follows no link.
    if let Err(error) = fs::remove_file(&new)
        && error.kind() != io::ErrorKind::NotFound
    {
        return Err(error);
    }
    let mut file = File::create_new(&new)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&new, path)?;
    File::open(path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new(".")))?
        .sync_all()?;
    Ok(())
}

fn read_all(file: File, largest: u64, buffer: &mut Vec<u8>) -> Result<(), OpenError> {
    // One byte more shows that a file is too large, even one that grows while it is read.
    file.take(largest + 1).read_to_end(buffer)?;
    if buffer.len() as u64 > largest { Err(OpenError::TooLarge(largest)) } else { Ok(()) }
}

fn ordinary(file: File) -> Result<File, OpenError> {
    let found: Metadata = file.metadata()?;
    if found.is_file() { Ok(file) } else { Err(OpenError::NotAFile(kind(found.file_type()))) }
}

pub(super) fn kind(found: FileType) -> &'static str {
    if found.is_fifo() {
        "a pipe"
    } else if found.is_symlink() {
        "a symlink"
    } else if found.is_dir() {
        "a folder"
    } else {
        "not a regular file"
    }
}

#[expect(clippy::disallowed_methods, reason = "tests make what they read")]
#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;
    use std::process::Command;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    fn read(folder: &Folder, path: &str) -> Result<Vec<u8>, OpenError> {
        let mut bytes = Vec::new();
        folder.read(Path::new(path), 100, &mut bytes).map(|()| bytes)
    }

    #[test]
    fn only_regular_files_below_the_folder_are_read() {
        let outside = tempfile::tempdir().unwrap();
        let at = |name: &str| outside.path().join(name);
        fs::create_dir_all(at("real/deep")).unwrap();
        fs::write(at("secret"), "secret").unwrap();
        fs::write(at("real/deep/a"), "a").unwrap();
        fs::write(at("real/large"), [0; 101]).unwrap();
        symlink("../secret", at("real/link")).unwrap();
        symlink("..", at("real/up")).unwrap();
        symlink("real", at("content")).unwrap();
        assert!(Command::new("mkfifo").arg(at("real/pipe")).status().unwrap().success());
        // The folder itself may be a link.
        let folder = Folder::open(&at("content")).unwrap();
        assert_eq!(read(&folder, "deep/a").unwrap(), b"a");
        // Nothing waits for a writer of the pipe.
        for (path, why) in [
            ("link", "this is a symlink; only files are read"),
            ("pipe", "this is a pipe; only files are read"),
            ("deep", "this is a folder; only files are read"),
            ("large", "this file is larger than 100 bytes"),
            ("up/secret", "it's behind a symlink or a file"),
            ("large/a", "it's behind a symlink or a file"),
            ("../secret", "invalid input parameter"),
            ("/etc/hostname", "invalid input parameter"),
        ] {
            assert_eq!(read(&folder, path).unwrap_err().to_string(), why, "{path}");
        }
        assert!(
            matches!(read(&folder, "gone"), Err(OpenError::Io(error)) if error.kind() == io::ErrorKind::NotFound)
        );
        assert!(matches!(read_file(&at("real/link"), 100), Err(OpenError::NotAFile("a symlink"))));
        assert_eq!(read_file(&at("content/deep/a"), 100).unwrap(), b"a");
        assert!(open_linked(&at("real/link")).is_ok());
        assert!(matches!(open_linked(&at("real/pipe")), Err(OpenError::NotAFile("a pipe"))));
    }

    #[test]
    fn a_file_is_replaced_and_nothing_behind_a_link_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("outside"), "outside").unwrap();
        symlink("outside", at("file")).unwrap();
        let replace = |text: &str| replace_file(&at("file"), text.as_bytes());
        for (text, kind) in [("one", "link"), ("two", "pipe")] {
            if kind == "link" {
                symlink("outside", at("file.new")).unwrap();
            } else {
                assert!(Command::new("mkfifo").arg(at("file.new")).status().unwrap().success());
            }
            replace(text).unwrap();
            assert_eq!(read_file(&at("file"), 100).unwrap(), text.as_bytes());
        }
        assert_eq!(fs::read_to_string(at("outside")).unwrap(), "outside");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing is left beside it");
    }

    #[test]
    fn a_file_or_a_folder_that_is_exchanged_for_a_link_never_leads_outside() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("content/sub")).unwrap();
        fs::create_dir_all(at("outside")).unwrap();
        fs::write(at("content/sub/a"), "inside").unwrap();
        fs::write(at("outside/a"), "secret").unwrap();
        symlink("../../outside/a", at("content/sub/link")).unwrap();
        symlink("../outside", at("content/linked")).unwrap();
        let exchange = |one: &str, other: &str| {
            use rustix::fs::{CWD, RenameFlags, renameat_with};
            _ = renameat_with(CWD, at(one), CWD, at(other), RenameFlags::EXCHANGE);
        };
        let is_done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !is_done.load(Ordering::Relaxed) {
                    exchange("content/sub/a", "content/sub/link");
                    exchange("content/sub", "content/linked");
                }
            });
            let opened = Folder::open(&at("content")).unwrap();
            let (mut inside, mut refused) = (0, 0);
            for _ in 0..20_000 {
                match read(&opened, "sub/a") {
                    Ok(bytes) => {
                        assert_eq!(bytes, b"inside");
                        inside += 1;
                    }
                    Err(_) => refused += 1,
                }
            }
            is_done.store(true, Ordering::Relaxed);
            assert!(inside > 0 && refused > 0, "{inside} read, {refused} refused");
        });
    }
}
