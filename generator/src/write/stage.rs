//! The tree that is about to be published, beside the output, and the step that publishes it.
#![expect(clippy::disallowed_methods, reason = "this is the room that writes the tree")]

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Thread};
use std::time::Duration;

use directory::model::Generation;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::error::WriteError;
use super::folder::{Folder, remove};
use super::place::{Place, Published, modification_time};
use crate::manifest::{self, ManifestEntry, Sha256Digest};
use crate::path::TreePath;

/// How long the disk may rest while files are written.
const BETWEEN_FLUSHES: Duration = Duration::from_millis(50);

/// A tree in the making. It is made with the first file that differs, so that a build which changes
/// nothing writes nothing, and removed when it goes out of scope: after the exchange, what is removed is
/// the tree of before.
#[derive(Debug)]
pub(super) struct Stage<'a> {
    place: &'a Place,
    /// Every folder of the tree, each after the one around it.
    folders: BTreeSet<&'a str>,
    made: Mutex<Made>,
}

/// How far the stage's folders have come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Made {
    Nothing,
    /// Begun, and perhaps failed: there may be something to remove.
    Begun,
    Whole,
}

impl<'a> Stage<'a> {
    pub(super) fn new(place: &'a Place, folders: BTreeSet<&'a str>) -> Self {
        Self { place, folders, made: Mutex::new(Made::Nothing) }
    }

    /// Writes one file, under a name and an inode that nobody reads yet.
    pub(super) fn write(&self, path: &TreePath, digest: Sha256Digest, body: &[u8]) -> Result<(), WriteError> {
        self.make()?;
        let path = path.under(&self.place.stage);
        let written = File::create_new(&path).and_then(|mut file| {
            file.write_all(body)?;
            file.set_modified(modification_time(digest))
        });
        written.map_err(WriteError::io("write", &path))
    }

    /// Writes the manifest, which is hashed on its way, and tells its hash and how many bytes it has.
    pub(super) fn write_manifest(
        &self,
        path: &TreePath,
        generation: &Generation,
        entries: &[&ManifestEntry],
    ) -> Result<(Sha256Digest, u64), WriteError> {
        self.make()?;
        let path = path.under(&self.place.stage);
        let written = File::create_new(&path).and_then(|file| {
            let mut to = Hashing { file, hash: Sha256::new(), bytes: 0 };
            manifest::write_json(&mut to, generation.as_str(), entries)?;
            let digest = Sha256Digest::from(<[u8; 32]>::from(to.hash.finalize()));
            to.file.set_modified(modification_time(digest))?;
            Ok((digest, to.bytes))
        });
        written.map_err(WriteError::io("write", &path))
    }

    /// Takes over published files, which are sorted by path. One thread works in a folder: the system lets only
    /// one change it at a time.
    pub(super) fn link(&self, kept: &[&TreePath]) -> Result<(), WriteError> {
        self.make()?;
        let by_folder: Vec<_> = kept.chunk_by(|one, next| one.folder() == next.folder()).collect();
        by_folder.par_iter().try_for_each(|files| self.link_folder(files))
    }

    fn link_folder(&self, files: &[&TreePath]) -> Result<(), WriteError> {
        let Some(folder) = files.first().map(|file| file.folder()) else { return Ok(()) };
        let (from, to) = (self.place.out.join(folder), self.place.stage.join(folder));
        let open = |folder: &Path| Folder::open(folder).map_err(WriteError::io("open the folder", folder));
        let (from_folder, to_folder) = (open(&from)?, open(&to)?);
        files.iter().try_for_each(|path| {
            let linked = from_folder.link(path.name(), &to_folder).or_else(|_| {
                // Some file systems have no hard links, and all have a limit for one file.
                let (from, to) = (from.join(path.name()), to.join(path.name()));
                fs::copy(&from, &to)?;
                let time = fs::symlink_metadata(&from)?.modified()?;
                File::options().write(true).open(&to)?.set_modified(time)
            });
            linked.map_err(WriteError::io("link", &path.under(&self.place.stage)))
        })
    }

    /// Does what writes many files, and has those that are written flushed meanwhile: the disk would else begin
    /// when the processors are done. What is flushed early decides nothing; [`Stage::show`] flushes all.
    pub(super) fn flushing<T>(&self, write: impl FnOnce() -> T) -> T {
        let is_done = AtomicBool::new(false);
        thread::scope(|scope| {
            let flusher = scope.spawn(|| {
                while !is_done.load(Ordering::Relaxed) {
                    if *self.made.lock().unwrap_or_else(PoisonError::into_inner) == Made::Whole {
                        let _ = sync(&self.place.stage);
                    }
                    thread::park_timeout(BETWEEN_FLUSHES);
                }
            });
            // However it ends, by a panic too: the scope waits for the other thread.
            let _end = End { is_done: &is_done, of: flusher.thread() };
            write()
        })
    }

    /// Puts the stage where the output is, in one step.
    pub(super) fn show(&self, published: &Published) -> Result<(), WriteError> {
        let Place { out, parent, stage, .. } = self.place;
        // Everything must be on the disk before its name is: else a loss of power could show empty files.
        sync(stage).map_err(WriteError::io("flush to disk", stage))?;
        let shown = if published.exists { exchange(stage, out) } else { fs::rename(stage, out) };
        shown.map_err(|error| match error.kind() {
            io::ErrorKind::Unsupported
            | io::ErrorKind::InvalidInput
            | io::ErrorKind::CrossesDevices
            | io::ErrorKind::ResourceBusy => WriteError::NoExchange(out.clone()),
            _ => WriteError::io("publish as", out)(error),
        })?;
        // The tree is whole either way; this only makes the new name last, and not every system can.
        let _ = File::open(parent).and_then(|parent| parent.sync_all());
        Ok(())
    }

    /// Makes the stage and all its folders, once. After a failure the next file tries again and fails
    /// with the same words, so it does not matter which thread came first.
    pub(super) fn make(&self) -> Result<(), WriteError> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if *made == Made::Whole {
            return Ok(());
        }
        *made = Made::Begun;
        let stage = &self.place.stage;
        let folders = self.folders.iter().map(|folder| stage.join(folder));
        fs::create_dir_all(stage)
            .and_then(|()| folders.into_iter().try_for_each(fs::create_dir_all))
            .map_err(WriteError::io("create the folder", stage))?;
        *made = Made::Whole;
        Ok(())
    }
}

/// A file whose bytes are hashed and counted while they are written.
struct Hashing {
    file: File,
    hash: Sha256,
    bytes: u64,
}

impl io::Write for Hashing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.hash.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Tells a thread that it is to end, when this goes out of scope.
struct End<'a> {
    is_done: &'a AtomicBool,
    of: &'a Thread,
}

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.is_done.store(true, Ordering::Relaxed);
        self.of.unpark();
    }
}

impl Drop for Stage<'_> {
    fn drop(&mut self) {
        let is_made = *self.made.get_mut().unwrap_or_else(PoisonError::into_inner) != Made::Nothing;
        if is_made {
            // What cannot be removed now is swept by the next build.
            let _ = remove(&self.place.stage);
        }
    }
}

/// Flushes the file system of a folder.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn sync(folder: &Path) -> io::Result<()> {
    Ok(rustix::fs::syncfs(File::open(folder)?)?)
}

/// Other systems have no such call; there the tree is safe from a kill, but not from a loss of power.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn sync(_folder: &Path) -> io::Result<()> {
    Ok(())
}

/// Swaps two folders in one step that no reader can see the middle of.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn exchange(stage: &Path, out: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, stage, CWD, out, RenameFlags::EXCHANGE)?)
}

/// Other systems cannot.
#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn exchange(_stage: &Path, _out: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
