//! What a build knows of the tree that it has published: it is kept in the lock file beside the output.
//!
//! A memory says that from certain inputs comes a certain tree. That is true for ever, since the same inputs give the
//! same tree: it does not matter when it is written, nor whether somebody has spoilt the tree meanwhile, which is
//! looked at anyway. What is not read back whole is no memory.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, Write as _};
use std::time::SystemTime;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::Output;
use super::place::{Lock, Place, Published};
use crate::manifest::{MANIFEST_PATH, ManifestEntry, Sha256Digest};
use crate::path::TreePath;

/// More than any memory takes.
const LARGEST: u64 = 1 << 20;

/// From these inputs comes that tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Memory {
    pub(crate) inputs: Sha256Digest,
    /// The hash of the tree's manifest.
    pub(crate) manifest: Sha256Digest,
    /// What a person should know about the tree.
    pub(crate) notes: Vec<String>,
}

impl Memory {
    /// Reads what the last build has written, and when.
    fn read(file: &File) -> Option<(Self, SystemTime)> {
        let mut bytes = Vec::new();
        let mut from = file;
        from.rewind().ok()?;
        from.take(LARGEST).read_to_end(&mut bytes).ok()?;
        Some((serde_json::from_slice(&bytes).ok()?, file.metadata().ok()?.modified().ok()?))
    }

    /// Writes it, in place of what is there. Whoever is killed between leaves half a memory, which is none.
    pub(super) fn write(&self, mut to: &File) -> io::Result<()> {
        let bytes = serde_json::to_vec(self)?;
        to.set_len(0)?;
        to.rewind()?;
        to.write_all(&bytes)
    }
}

/// An output of which there is a memory, and which this build alone may look after.
#[derive(Debug)]
pub(crate) struct Remembered {
    pub(crate) memory: Memory,
    /// When it was written.
    pub(crate) since: SystemTime,
    place: Place,
    _lock: Lock,
}

/// A tree that is on the disk as it was published.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Whole {
    /// The manifest included.
    pub(crate) files: usize,
    pub(crate) bytes: u64,
    pub(crate) generation: String,
}

impl Output<'_> {
    /// Takes hold of an output if there is a memory of it. Nothing is made and nobody is told: whoever gets `None` goes
    /// the whole way, which says why.
    pub(crate) fn remembered(self) -> Option<Remembered> {
        let place = Place::of(self.folder).ok()?;
        if !place.has_manifest() {
            return None;
        }
        let lock = Lock::find(&place)?;
        let (memory, since) = Memory::read(lock.file())?;
        Some(Remembered { memory, since, place, _lock: lock })
    }
}

impl Remembered {
    /// The tree, if it is the one that is remembered, and whole. Each file is looked at as a build looks at it.
    pub(crate) fn whole(&self) -> Option<Whole> {
        let path: TreePath = MANIFEST_PATH.parse().ok()?;
        let published = Published::look(&self.place, &path, false).ok()?;
        let (manifest, own) = published.manifest()?;
        if own.sha256() != self.memory.manifest || !published.is_on_disk(&path, own) {
            return None;
        }
        let is_there = |listed| published.is_listed_on_disk(listed);
        manifest.files().par_iter().all(is_there).then(|| Whole {
            files: manifest.files().len() + 1,
            bytes: manifest.files().iter().map(ManifestEntry::bytes).sum::<u64>() + own.bytes(),
            generation: manifest.generation().to_owned(),
        })
    }

    /// Removes what a killed build has left; whether that could be done.
    pub(crate) fn sweep(&self) -> bool {
        self.place.sweep().is_ok()
    }
}
