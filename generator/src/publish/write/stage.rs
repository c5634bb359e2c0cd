#![expect(clippy::disallowed_methods, reason = "this module writes the tree")]

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, ScopedJoinHandle, Thread};
use std::time::Duration;

use directory::changes::Sha256Digest;
use directory::model::Generation;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::aside::set_aside;
use super::error::WriteError;
use super::folder::{OpenFolder, remove};
use super::output::{OutputPaths, PublishedTree, modification_time};
use crate::path::TreePath;
use crate::publish::manifest::{self, ManifestEntry};

const FLUSH_INTERVAL: Duration = Duration::from_millis(50);

/// Folders are created with the first file. On drop, the stage is removed.
#[derive(Debug)]
pub(super) struct Stage<'a> {
    paths: &'a OutputPaths,
    /// Parents first.
    folders: BTreeSet<&'a str>,
    folder_state: Mutex<FolderState>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FolderState {
    Absent,
    Incomplete,
    Complete,
}

impl<'a> Stage<'a> {
    pub(super) fn new(paths: &'a OutputPaths, folders: BTreeSet<&'a str>) -> Self {
        Self { paths, folders, folder_state: Mutex::new(FolderState::Absent) }
    }

    pub(super) fn write(&self, path: &TreePath, digest: Sha256Digest, body: &[u8]) -> Result<(), WriteError> {
        self.create_folders()?;
        let path = path.under(&self.paths.stage);
        let written = File::create_new(&path).and_then(|mut file| {
            file.write_all(body)?;
            file.set_modified(modification_time(digest))
        });
        written.map_err(WriteError::io("write", &path))
    }

    /// Returns the manifest's size.
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
            let digest = Sha256Digest(to.hash.finalize().into());
            to.file.set_modified(modification_time(digest))?;
            Ok(to.bytes)
        });
        written.map_err(WriteError::io("write", &path))
    }

    /// Sorted by path. The system serializes changes of a folder, so each has one thread.
    pub(super) fn link(&self, unchanged: &[&TreePath]) -> Result<(), WriteError> {
        self.create_folders()?;
        let by_folder: Vec<_> = unchanged.chunk_by(|one, next| one.folder() == next.folder()).collect();
        by_folder.par_iter().try_for_each(|files| self.link_folder(files))
    }

    fn link_folder(&self, files: &[&TreePath]) -> Result<(), WriteError> {
        let Some(folder) = files.first().map(|file| file.folder()) else { return Ok(()) };
        let (from, to) = (self.paths.out.join(folder), self.paths.stage.join(folder));
        let open =
            |folder: &Path| OpenFolder::open(folder).map_err(WriteError::io("open the folder", folder));
        let (from_folder, to_folder) = (open(&from)?, open(&to)?);
        files.iter().try_for_each(|path| {
            let linked = from_folder.link(path.name(), &to_folder).or_else(|_| {
                // Some file systems have no hard links, and all limit the number of links to a file.
                let (from, to) = (from.join(path.name()), to.join(path.name()));
                fs::copy(&from, &to)?;
                let time = fs::symlink_metadata(&from)?.modified()?;
                File::options().write(true).open(&to)?.set_modified(time)
            });
            linked.map_err(WriteError::io("link", &path.under(&self.paths.stage)))
        })
    }

    /// Keeps a file that no build had written, such as `CNAME`, where hosts and search engines look for one: at the top and
    /// in `.well-known`. One made from another file, such as `index.html.br`, would be out of date.
    pub(super) fn keep(&self, path: &str) -> bool {
        let name = path.strip_prefix(".well-known/").unwrap_or(path);
        let [from, to] = [&self.paths.out, &self.paths.stage].map(|folder| folder.join(path));
        let is_made = from.extension().is_some() && from.with_extension("").is_file();
        let is_file = fs::symlink_metadata(&from).is_ok_and(|found| found.is_file());
        if name.contains('/') || name.starts_with('.') || is_made || !is_file || to.exists() {
            return false;
        }
        let folder = to.parent().map_or(Ok(()), fs::create_dir_all);
        folder.and_then(|()| fs::hard_link(&from, &to).or_else(|_| fs::copy(&from, &to).map(drop))).is_ok()
    }

    /// Flushes files at the same time. This only saves time: [`Stage::publish`] flushes all.
    pub(super) fn while_flushing<T>(&self, write: impl FnOnce() -> T) -> T {
        let is_done = AtomicBool::new(false);
        thread::scope(|scope| {
            let flusher = thread::Builder::new().spawn_scoped(scope, || {
                while !is_done.load(Ordering::Relaxed) {
                    if *self.folder_state.lock().unwrap_or_else(PoisonError::into_inner)
                        == FolderState::Complete
                    {
                        let _ = sync(&self.paths.stage);
                    }
                    thread::park_timeout(FLUSH_INTERVAL);
                }
            });
            // If no thread can be started, `publish` flushes everything.
            let flusher = flusher.ok();
            // The scope waits for the thread, so it must also stop if `write` panics.
            let thread = flusher.as_ref().map(ScopedJoinHandle::thread);
            let _stop = thread.map(|thread| StopOnDrop { is_done: &is_done, thread });
            write()
        })
    }

    /// In one step.
    pub(super) fn publish(&self, published: &PublishedTree) -> Result<(), WriteError> {
        let OutputPaths { out, parent, stage, .. } = self.paths;
        // The bytes must be on the disk before the name. Otherwise, a loss of power could leave empty files.
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
            // If this fails, dropping the stage removes the old tree.
            _ = set_aside(self.paths);
        }
        // Makes the new name durable. The tree is complete anyway, and some systems cannot do this.
        let _ = File::open(parent).and_then(|parent| parent.sync_all());
        Ok(())
    }

    /// After a failure, each file tries again, so the error does not depend on the threads' order.
    fn create_folders(&self) -> Result<(), WriteError> {
        let mut current = self.folder_state.lock().unwrap_or_else(PoisonError::into_inner);
        if *current == FolderState::Complete {
            return Ok(());
        }
        *current = FolderState::Incomplete;
        let stage = &self.paths.stage;
        let folders = self.folders.iter().map(|folder| stage.join(folder));
        fs::create_dir_all(stage)
            .and_then(|()| folders.into_iter().try_for_each(fs::create_dir_all))
            .map_err(WriteError::io("create the folder", stage))?;
        *current = FolderState::Complete;
        Ok(())
    }
}

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
        if *self.folder_state.get_mut().unwrap_or_else(PoisonError::into_inner) != FolderState::Absent {
            // If this fails, the next build removes the stage.
            let _ = remove(&self.paths.stage);
        }
    }
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn sync(folder: &Path) -> io::Result<()> {
    Ok(rustix::fs::syncfs(File::open(folder)?)?)
}

/// The tree survives a killed build, but may not survive a loss of power.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn sync(_folder: &Path) -> io::Result<()> {
    Ok(())
}

fn exchange(stage: &Path, out: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, stage, CWD, out, RenameFlags::EXCHANGE)?)
}
