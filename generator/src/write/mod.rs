//! Publishing: render everything, write the differences, and show the new tree in one step.
//!
//! There is no graph of what depends on what. Every file is rendered, on all threads; its hash is compared
//! with what is published; what differs is staged in a folder beside the output, and flushed while the next
//! ones are rendered. No body is kept: each thread makes them one behind the other in one buffer.
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
    /// The files that no build had put there, and that went with the old tree; sorted.
    pub(crate) foreign: Vec<String>,
}

/// A file that was made, and whether it is published already.
type Rendered = (ManifestEntry, bool);

/// Where to publish, and how.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Output<'a> {
    /// The folder.
    pub(crate) folder: &'a Path,
    /// Whether a folder may be replaced that has files in it but no manifest of ours.
    pub(crate) force: bool,
}

/// Publishes files as `out`. `render` makes the body of each, on any thread, in a buffer that the next one uses
/// again, or lends it from the file; a file without one is not published. `differs` is told of each file that is new, differs or is gone, with what was published before
/// and what is now: the former only where there was a tree.
///
/// # Errors
/// The first file, in order, that could not be rendered, or what kept the tree from being written. The
/// output is then as it was.
pub(crate) fn publish<F, E>(
    out: Output<'_>,
    generation: &Generation,
    files: &[F],
    render: impl for<'b> Fn(&'b F, &'b mut Vec<u8>) -> Result<Option<&'b [u8]>, E> + Sync,
    differs: impl Fn(&str, Option<&[u8]>, Option<&[u8]>) + Sync,
) -> Result<Changes, E>
where
    F: AsRef<TreePath> + Sync,
    E: From<WriteError> + From<PathError> + Send,
{
    let manifest_path: TreePath = MANIFEST_PATH.parse()?;
    let place = Place::new(out.folder)?;
    let _lock = Lock::take(&place)?;
    place.sweep()?;
    let published = Published::look(&place, &manifest_path, out.force)?;

    let paths = files.iter().map(AsRef::as_ref).chain([&manifest_path]);
    let folders: BTreeSet<&str> = paths.flat_map(TreePath::folders).collect();
    let stage = Stage::new(&place, folders);

    let publish_one = |buffer: &mut Vec<u8>, (at, file)| {
        let path = F::as_ref(file);
        let Some(body) = render(file, buffer).map_err(Box::new)? else { return Ok(None) };
        let entry = ManifestEntry::of(path, body);
        let is_kept = published.has(at, path, &entry);
        if !is_kept {
            if published.is_a_tree() {
                differs(path.as_str(), published.body(path.as_str()).as_deref(), Some(body));
            }
            stage.write(path, &entry, body).map_err(|error| Box::new(E::from(error)))?;
        }
        Ok(Some((entry, is_kept)))
    };
    // The error is boxed, since there are tens of thousands of results and next to never an error.
    let rendered: Vec<Result<Option<Rendered>, Box<E>>> =
        stage.flushing(|| files.par_iter().enumerate().map_init(Vec::new, publish_one).collect());
    // Collected before the first error is picked, so that the error does not depend on the threads.
    let rendered: Vec<Option<Rendered>> =
        rendered.into_iter().collect::<Result<_, Box<E>>>().map_err(|error| *error)?;

    let kept: Vec<&TreePath> = files
        .iter()
        .zip(&rendered)
        .filter(|(_, rendered)| rendered.as_ref().is_some_and(|(_, is_kept)| *is_kept))
        .map(|(file, _)| file.as_ref())
        .collect();
    let entries: Vec<ManifestEntry> = rendered.into_iter().flatten().map(|(entry, _)| entry).collect();
    let staged = entries.len() - kept.len();
    let bytes: u64 = entries.iter().map(ManifestEntry::bytes).sum();
    let files = entries.len() + 1;
    let manifest = Manifest::new(generation, entries);
    let gone = published.missing_from(&manifest);
    let removed = gone.len();
    for path in gone {
        differs(path, published.body(path).as_deref(), None);
    }
    let body = manifest.to_json();
    let entry = ManifestEntry::of(&manifest_path, &body);
    let mut changes =
        Changes { files, bytes: bytes + entry.bytes(), written: staged, removed, foreign: Vec::new() };
    if staged == 0 && published.has_manifest(&manifest_path, &entry) {
        return Ok(changes);
    }
    let keep = || kept.par_iter().try_for_each(|path| stage.keep(path));
    let (joined, foreign) = rayon::join(keep, || published.foreign(&manifest_path));
    joined?;
    stage.write(&manifest_path, &entry, &body)?;
    changes.written += 1;
    changes.foreign = foreign;
    stage.show(&published)?;
    Ok(changes)
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
