//! The record of the last build, kept in the lock file beside the output.
//!
//! A record is the hash of a build's inputs and of the manifest that they gave. It never becomes wrong, since the same
//! inputs always give the same tree. Whether the tree on the disk is still intact is checked separately. An unreadable
//! record is ignored.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, Write as _};
use std::time::SystemTime;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::Output;
use super::aside::sweep;
use super::output::{Lock, OutputPaths, Published};
use crate::path::TreePath;
use crate::publish::manifest::{MANIFEST_PATH, ManifestEntry, Sha256Digest};

const LARGEST: u64 = 1 << 20;

/// The inputs of a build and the tree that they give.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BuildRecord {
    pub(crate) inputs: Sha256Digest,
    pub(crate) manifest: Sha256Digest,
    pub(crate) notes: Vec<String>,
}

impl BuildRecord {
    /// Reads the record and the time it was written.
    fn read(file: &File) -> Option<(Self, SystemTime)> {
        let mut bytes = Vec::new();
        let mut from = file;
        from.rewind().ok()?;
        from.take(LARGEST).read_to_end(&mut bytes).ok()?;
        Some((serde_json::from_slice(&bytes).ok()?, file.metadata().ok()?.modified().ok()?))
    }

    /// Replaces the record. If the process dies midway the file is invalid and is ignored.
    pub(super) fn write(&self, mut to: &File) -> io::Result<()> {
        let bytes = serde_json::to_vec(self)?;
        to.set_len(0)?;
        to.rewind()?;
        to.write_all(&bytes)
    }
}

/// A locked output with a record of the last build.
#[derive(Debug)]
pub(crate) struct RecordedOutput {
    pub(crate) record: BuildRecord,
    pub(crate) recorded_at: SystemTime,
    paths: OutputPaths,
    _lock: Lock,
}

/// A tree that is on the disk as it was published.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct IntactTree {
    /// Including the manifest.
    pub(crate) files: usize,
    pub(crate) bytes: u64,
    pub(crate) generation: String,
}

impl Output<'_> {
    /// Locks an output that has a record. Creates nothing. `None` if there is no record, or on any error, which the
    /// full build then reports.
    pub(crate) fn recorded(self) -> Option<RecordedOutput> {
        let paths = OutputPaths::of(self.folder).ok()?;
        if !paths.has_manifest() {
            return None;
        }
        let lock = Lock::find(&paths)?;
        let (record, recorded_at) = BuildRecord::read(lock.file())?;
        Some(RecordedOutput { record, recorded_at, paths, _lock: lock })
    }
}

impl RecordedOutput {
    /// The published tree, if it is the recorded one and every file has its size and time.
    pub(crate) fn intact_tree(&self) -> Option<IntactTree> {
        let path: TreePath = MANIFEST_PATH.parse().ok()?;
        let published = Published::read(&self.paths, &path, false).ok()?;
        let (manifest, own) = published.manifest()?;
        if own.sha256() != self.record.manifest || !published.is_on_disk(&path, own) {
            return None;
        }
        let is_there = |listed| published.is_listed_on_disk(listed);
        manifest.files().par_iter().all(is_there).then(|| IntactTree {
            files: manifest.files().len() + 1,
            bytes: manifest.files().iter().map(ManifestEntry::bytes).sum::<u64>() + own.bytes(),
            generation: manifest.generation().to_owned(),
        })
    }

    /// Removes the stage of a killed build. Returns whether that succeeded.
    pub(crate) fn sweep(&self) -> bool {
        sweep(&self.paths).is_ok()
    }
}
