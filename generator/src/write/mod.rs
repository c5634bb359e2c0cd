//! Publishing: render everything, write the differences, and show the new tree in one step.
//!
//! There is no graph of what depends on what. Every file is rendered, on all threads; its hash is compared
//! with what is published; what differs is staged in a folder beside the output, and the body is dropped.
//! Then the unchanged files join the stage as hard links, the manifest is written last, and stage and
//! output change places in one atomic step of the file system. What this holds:
//!
//! - Killed at any instant, the output is the old tree or the new one, whole. What a killed build leaves
//!   beside it is swept by the next one.
//! - Nothing is written through a link: a changed file is always a new inode, so a reader who has the old
//!   one open goes on reading the old one.
//! - Nothing changed means not one write. "Unchanged" is checked against the disk, not believed: since a
//!   file's modification time is a function of its bytes, one look at size and time finds a published file
//!   that somebody has edited or removed, and it is published anew.
//! - A folder that has files but no manifest of ours is never touched.
//! - Two builds into one folder do not meet: the second is refused.
//!
//! Everything inside the output belongs to the build: what is not planned is gone after a change.

mod error;
mod place;
mod stage;

use std::collections::BTreeSet;
use std::path::Path;

use bytes::Bytes;
use directory::model::Generation;
use rayon::prelude::*;

pub use error::WriteError;

use self::place::{Lock, Place, Published};
use self::stage::Stage;
use crate::manifest::{MANIFEST_PATH, Manifest, ManifestEntry};
use crate::path::{PathError, TreePath};

/// What a build did to the output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Changes {
    /// What is published now, the manifest included.
    pub(crate) files: usize,
    /// The bytes of all of it.
    pub(crate) bytes: u64,
    /// The files that are new or differ, the manifest included.
    pub(crate) written: usize,
    /// The files that are no longer published.
    pub(crate) removed: usize,
}

/// Publishes files as `out`; `render` makes the body of each, on any thread.
///
/// # Errors
/// The first file, in order, that could not be rendered, or what kept the tree from being written. The
/// output is then as it was.
pub(crate) fn publish<F, E>(
    out: &Path,
    generation: &Generation,
    files: &[F],
    render: impl Fn(&F) -> Result<Bytes, E> + Sync,
) -> Result<Changes, E>
where
    F: AsRef<TreePath> + Sync,
    E: From<WriteError> + From<PathError> + Send,
{
    let manifest_path: TreePath = MANIFEST_PATH.parse()?;
    let place = Place::new(out)?;
    let _lock = Lock::take(&place)?;
    place.sweep()?;
    let published = Published::look(&place, &manifest_path)?;

    let paths = files.iter().map(AsRef::as_ref).chain([&manifest_path]);
    let folders: BTreeSet<&str> = paths.flat_map(TreePath::folders).collect();
    let stage = Stage::new(&place, folders);

    let rendered: Vec<Result<(ManifestEntry, bool), E>> = files
        .par_iter()
        .map(|file| {
            let path = file.as_ref();
            let body = render(file)?;
            let entry = ManifestEntry::of(path, &body);
            let is_kept = published.has(path, &entry);
            if !is_kept {
                stage.write(path, &entry, &body)?;
            }
            Ok((entry, is_kept))
        })
        .collect();
    // Collected before the first error is picked, so that the error does not depend on the threads.
    let rendered: Vec<(ManifestEntry, bool)> = rendered.into_iter().collect::<Result<_, E>>()?;

    let kept: Vec<&TreePath> = files
        .iter()
        .zip(&rendered)
        .filter(|(_, (_, is_kept))| *is_kept)
        .map(|(file, _)| file.as_ref())
        .collect();
    let staged = files.len() - kept.len();
    let bytes: u64 = rendered.iter().map(|(entry, _)| entry.bytes()).sum();
    let manifest = Manifest::new(generation, rendered.into_iter().map(|(entry, _)| entry).collect());
    let removed = published.missing_from(&manifest);
    let body = manifest.to_json();
    let entry = ManifestEntry::of(&manifest_path, &body);
    let mut changes =
        Changes { files: files.len() + 1, bytes: bytes + entry.bytes(), written: staged, removed };
    if staged == 0 && published.has_manifest(&manifest_path, &entry) {
        return Ok(changes);
    }
    kept.par_iter().try_for_each(|path| stage.keep(path))?;
    stage.write(&manifest_path, &entry, &body)?;
    changes.written += 1;
    stage.show(&published)?;
    Ok(changes)
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
