//! The stage: the new tree beside the output, and the step that publishes it.
#![expect(clippy::disallowed_methods, reason = "this module writes the tree")]

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, ScopedJoinHandle, Thread};
use std::time::Duration;

use directory::model::Generation;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::aside::set_aside;
use super::error::WriteError;
use super::folder::{Folder, remove};
use super::output::{OutputPaths, Published, modification_time};
use crate::path::TreePath;
use crate::publish::manifest::{self, ManifestEntry, Sha256Digest};

const FLUSH_INTERVAL: Duration = Duration::from_millis(50);

/// A new tree. Its folders are created with the first file, so a build without changes writes nothing. Removed on drop.
#[derive(Debug)]
pub(super) struct Stage<'a> {
    paths: &'a OutputPaths,
    /// Every folder of the tree, parents first.
    folders: BTreeSet<&'a str>,
    state: Mutex<StageState>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StageState {
    Absent,
    Incomplete,
    Complete,
}

impl<'a> Stage<'a> {
    pub(super) fn new(paths: &'a OutputPaths, folders: BTreeSet<&'a str>) -> Self {
        Self { paths, folders, state: Mutex::new(StageState::Absent) }
    }

    /// Writes a new or changed file.
    pub(super) fn write(&self, path: &TreePath, digest: Sha256Digest, body: &[u8]) -> Result<(), WriteError> {
        self.create_folders()?;
        let path = path.under(&self.paths.stage);
        let written = File::create_new(&path).and_then(|mut file| {
            file.write_all(body)?;
            file.set_modified(modification_time(digest))
        });
        written.map_err(WriteError::io("write", &path))
    }

    /// Writes the manifest. Returns its size.
    pub(super) fn write_manifest(
        &self,
        path: &TreePath,
        generation: &Generation,
        entries: &[&ManifestEntry],
    ) -> Result<u64, WriteError> {
        self.create_folders()?;
        let path = path.under(&self.paths.stage);
        let written = File::create_new(&path).and_then(|file| {
            let mut to = HashingWriter { file, hash: Sha256::new(), bytes: 0 };
            manifest::write_json(&mut to, generation.as_str(), entries)?;
            let digest = Sha256Digest::from(<[u8; 32]>::from(to.hash.finalize()));
            to.file.set_modified(modification_time(digest))?;
            Ok(to.bytes)
        });
        written.map_err(WriteError::io("write", &path))
    }

    /// Links unchanged files, which are sorted by path, into the stage. One thread works in each folder, since the system
    /// serializes changes of a folder.
    pub(super) fn link(&self, unchanged: &[&TreePath]) -> Result<(), WriteError> {
        self.create_folders()?;
        let by_folder: Vec<_> = unchanged.chunk_by(|one, next| one.folder() == next.folder()).collect();
        by_folder.par_iter().try_for_each(|files| self.link_folder(files))
    }

    fn link_folder(&self, files: &[&TreePath]) -> Result<(), WriteError> {
        let Some(folder) = files.first().map(|file| file.folder()) else { return Ok(()) };
        let (from, to) = (self.paths.out.join(folder), self.paths.stage.join(folder));
        let open = |folder: &Path| Folder::open(folder).map_err(WriteError::io("open the folder", folder));
        let (from_folder, to_folder) = (open(&from)?, open(&to)?);
        files.iter().try_for_each(|path| {
            let linked = from_folder.link(path.name(), &to_folder).or_else(|_| {
                // Some file systems have no hard links, and all limit their number for one file.
                let (from, to) = (from.join(path.name()), to.join(path.name()));
                fs::copy(&from, &to)?;
                let time = fs::symlink_metadata(&from)?.modified()?;
                File::options().write(true).open(&to)?.set_modified(time)
            });
            linked.map_err(WriteError::io("link", &path.under(&self.paths.stage)))
        })
    }

    /// Runs `write` and meanwhile flushes the files it has written, so that the disk and the processors work at the same
    /// time. Only for speed: [`Stage::publish`] flushes everything.
    pub(super) fn while_flushing<T>(&self, write: impl FnOnce() -> T) -> T {
        let is_done = AtomicBool::new(false);
        thread::scope(|scope| {
            let flusher = thread::Builder::new().spawn_scoped(scope, || {
                while !is_done.load(Ordering::Relaxed) {
                    if *self.state.lock().unwrap_or_else(PoisonError::into_inner) == StageState::Complete {
                        let _ = sync(&self.paths.stage);
                    }
                    thread::park_timeout(FLUSH_INTERVAL);
                }
            });
            // Without a thread, everything is flushed at the end.
            let flusher = flusher.ok();
            // Stops it even if `write` panics: the scope waits for it.
            let thread = flusher.as_ref().map(ScopedJoinHandle::thread);
            let _stop = thread.map(|thread| StopOnDrop { is_done: &is_done, thread });
            write()
        })
    }

    /// Puts the stage in the output's place, in one step.
    pub(super) fn publish(&self, published: &Published) -> Result<(), WriteError> {
        let OutputPaths { out, parent, stage, .. } = self.paths;
        // The bytes must be on the disk before the name is, or a loss of power could leave empty files.
        sync(stage).map_err(WriteError::io("flush to disk", stage))?;
        let moved = if published.exists { exchange(stage, out) } else { fs::rename(stage, out) };
        moved.map_err(|error| match error.kind() {
            io::ErrorKind::Unsupported
            | io::ErrorKind::InvalidInput
            | io::ErrorKind::CrossesDevices
            | io::ErrorKind::ResourceBusy => WriteError::NoExchange(out.clone()),
            _ => WriteError::io("publish as", out)(error),
        })?;
        if published.exists {
            // If that fails, dropping the stage removes the old tree.
            _ = set_aside(self.paths);
        }
        // Makes the new name durable. The tree is complete without it, and not every system can.
        let _ = File::open(parent).and_then(|parent| parent.sync_all());
        Ok(())
    }

    /// Creates all folders, once. After a failure the next file tries again and gets the same error, whichever thread
    /// comes first.
    fn create_folders(&self) -> Result<(), WriteError> {
        let mut current = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if *current == StageState::Complete {
            return Ok(());
        }
        *current = StageState::Incomplete;
        let stage = &self.paths.stage;
        let folders = self.folders.iter().map(|folder| stage.join(folder));
        fs::create_dir_all(stage)
            .and_then(|()| folders.into_iter().try_for_each(fs::create_dir_all))
            .map_err(WriteError::io("create the folder", stage))?;
        *current = StageState::Complete;
        Ok(())
    }
}

/// Hashes and counts the bytes that it writes to a file.
struct HashingWriter {
    file: File,
    hash: Sha256,
    bytes: u64,
}

impl io::Write for HashingWriter {
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

/// Stops the flusher when dropped.
struct StopOnDrop<'a> {
    is_done: &'a AtomicBool,
    thread: &'a Thread,
}

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.is_done.store(true, Ordering::Relaxed);
        self.thread.unpark();
    }
}

impl Drop for Stage<'_> {
    fn drop(&mut self) {
        if *self.state.get_mut().unwrap_or_else(PoisonError::into_inner) != StageState::Absent {
            // On failure the next build removes it.
            let _ = remove(&self.paths.stage);
        }
    }
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn sync(folder: &Path) -> io::Result<()> {
    Ok(rustix::fs::syncfs(File::open(folder)?)?)
}

/// Other systems have no such call: the tree survives a kill, but perhaps not a loss of power.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn sync(_folder: &Path) -> io::Result<()> {
    Ok(())
}

/// Exchanges two folders atomically.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn exchange(stage: &Path, out: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, stage, CWD, out, RenameFlags::EXCHANGE)?)
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn exchange(_stage: &Path, _out: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
