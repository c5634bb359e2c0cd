//! Publishing: render everything, write the differences, and show the new tree in one step.
//!
//! There is no graph of what depends on what. Unless all inputs are those of the tree that is published (`memory`),
//! every file is rendered, on all threads; its tag is compared with what is published; what differs is staged in a
//! folder beside the output, and flushed while the next ones are rendered. No body is kept: each thread makes them one
//! behind the other in one buffer. Then the unchanged files join the stage as hard links, the manifest is written last,
//! and stage and output change places in one atomic step of the file system. The stage, which then holds the tree of
//! before, is removed. What this holds:
//!
//! - Killed at any instant, the output is the old tree or the new one, whole. What a killed build leaves
//!   beside it is swept by the next one. A stage has a manifest only while it is a whole tree.
//! - Nothing is written through a link: a changed file is always a new inode, so a reader who has the old
//!   one open goes on reading the old one.
//! - Nothing changed means not one write to the tree, nor beside it but for the memory. "Unchanged" is checked against
//!   the disk, not believed: since a file's modification time is a function of its bytes, one look at size and time
//!   finds a published file that somebody has edited or removed, and it is published anew.
//! - A folder that has files but no manifest of ours is never touched.
//! - Two builds into one folder do not meet: the second is refused.
//!
//! Everything inside the output belongs to the build: what is not planned is gone after a change.

mod error;
mod folder;
mod memory;
mod place;
mod stage;

use std::collections::BTreeSet;
use std::path::Path;

use directory::model::Generation;
use rayon::prelude::*;

pub use error::WriteError;
pub(crate) use memory::Memory;

use self::place::{Lock, Place, Published};
use self::stage::Stage;
use crate::manifest::{MANIFEST_PATH, Manifest, ManifestEntry, Sha256Digest};
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
    /// The hash of the manifest.
    pub(crate) manifest: Sha256Digest,
    /// The files that no build had put there, and that went with the old tree; sorted.
    pub(crate) foreign: Vec<String>,
}

/// A file that was made: described by the published manifest, if nothing has changed about it, or anew.
enum Made<'a> {
    Kept(&'a ManifestEntry),
    Staged(ManifestEntry),
}

/// Where to publish, and how.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Output<'a> {
    /// The folder.
    pub(crate) folder: &'a Path,
    /// Whether a folder may be replaced that has files in it but no manifest of ours.
    pub(crate) force: bool,
}

/// An output that this build alone may write to, and what is published there.
#[derive(Debug)]
pub(crate) struct Held {
    place: Place,
    published: Published,
    manifest_path: TreePath,
    /// The last field: what is above is done with before somebody else may come.
    lock: Lock,
}

impl Output<'_> {
    /// Takes hold of the output, and looks at what is there.
    pub(crate) fn hold<E: From<WriteError> + From<PathError>>(self) -> Result<Held, E> {
        let manifest_path: TreePath = MANIFEST_PATH.parse()?;
        let place = Place::new(self.folder)?;
        let lock = Lock::take(&place)?;
        place.sweep()?;
        let published = Published::look(&place, &manifest_path, self.force)?;
        Ok(Held { place, published, manifest_path, lock })
    }
}

impl Held {
    /// What is published there, if it is a tree of this program.
    pub(crate) fn manifest(&self) -> Option<&Manifest> {
        self.published.manifest().map(|(manifest, _)| manifest)
    }

    /// The bytes of a published file; `None` too when they cannot be read.
    pub(crate) fn body(&self, listed: &ManifestEntry) -> Option<Vec<u8>> {
        self.published.body(listed)
    }

    /// Keeps what the next build can know of the tree. Without a memory it goes the whole way, so it is no failure if
    /// there is no room for one.
    pub(crate) fn remember(&self, memory: &Memory) {
        _ = memory.write(self.lock.file());
    }
}

/// Publishes files, which are sorted by their paths. `render` makes the body of each, on any thread, in a buffer that
/// the next one uses again, or lends it from the file; a file without one is not published. `differs` is told of each
/// file that is new, differs or is gone, with what was published before and what is now: the former only where there
/// was a tree.
///
/// # Errors
/// The first file, in order, that could not be rendered, or what kept the tree from being written. The
/// output is then as it was.
pub(crate) fn publish<F, E>(
    held: &Held,
    generation: &Generation,
    files: &[F],
    render: impl for<'b> Fn(&'b F, &'b mut Vec<u8>) -> Result<Option<&'b [u8]>, E> + Sync,
    differs: impl Fn(&str, Option<&[u8]>, Option<&[u8]>) + Sync,
) -> Result<Changes, E>
where
    F: AsRef<TreePath> + Sync,
    E: From<WriteError> + Send,
{
    let Held { place, published, manifest_path, .. } = held;
    debug_assert!(files.is_sorted_by_key(|file| file.as_ref().as_str()), "the manifest lists files in order");
    let stage = Stage::new(place, folders(files.iter().map(AsRef::as_ref).chain([manifest_path])));

    let publish_one = |buffer: &mut Vec<u8>, (at, file)| {
        let path = F::as_ref(file);
        let Some(body) = render(file, buffer).map_err(Box::new)? else { return Ok(None) };
        let listed = published.listed(at, path);
        let entry = ManifestEntry::unless(listed, path, body);
        if let (None, Some(listed)) = (&entry, listed)
            && published.is_on_disk(path, listed)
        {
            return Ok(Some(Made::Kept(listed)));
        }
        let entry = entry.unwrap_or_else(|| ManifestEntry::of(path, body));
        if published.is_a_tree() {
            let before = listed.and_then(|listed| published.body(listed));
            differs(path.as_str(), before.as_deref(), Some(body));
        }
        stage.write(path, entry.sha256(), body).map_err(|error| Box::new(E::from(error)))?;
        Ok(Some(Made::Staged(entry)))
    };
    // The error is boxed, since there are tens of thousands of results and next to never an error.
    let made: Vec<Result<Option<Made<'_>>, Box<E>>> =
        stage.flushing(|| files.par_iter().enumerate().map_init(Vec::new, publish_one).collect());
    // Collected before the first error is picked, so that the error does not depend on the threads.
    let made: Vec<Option<Made<'_>>> =
        made.into_iter().collect::<Result<_, Box<E>>>().map_err(|error| *error)?;

    let entries: Vec<&ManifestEntry> = made.iter().flatten().map(Made::entry).collect();
    let staged = made.iter().flatten().filter(|made| matches!(made, Made::Staged(_))).count();
    let gone = published.missing_from(&entries);
    for listed in &gone {
        differs(listed.path(), published.body(listed).as_deref(), None);
    }
    let changes =
        |(manifest, own_bytes): (Sha256Digest, u64), written: usize, foreign: Vec<String>| Changes {
            files: entries.len() + 1,
            bytes: entries.iter().map(|entry| entry.bytes()).sum::<u64>() + own_bytes,
            written,
            removed: gone.len(),
            manifest,
            foreign,
        };
    // Every file and the content are those of the published manifest, so it is what would be written.
    if staged == 0
        && gone.is_empty()
        && let Some((manifest, own)) = published.manifest()
        && manifest.generation() == generation.as_str()
        && published.is_on_disk(manifest_path, own)
    {
        return Ok(changes((own.sha256(), own.bytes()), 0, Vec::new()));
    }
    let kept = files.iter().zip(&made).filter(|(_, made)| matches!(made, Some(Made::Kept(_))));
    let kept: Vec<&TreePath> = kept.map(|(file, _)| file.as_ref()).collect();
    let (linked, foreign) = rayon::join(|| stage.link(&kept), || published.foreign(manifest_path));
    linked?;
    let own = stage.write_manifest(manifest_path, generation, &entries)?;
    let changes = changes(own, staged + 1, foreign);
    stage.show(published)?;
    Ok(changes)
}

impl Made<'_> {
    fn entry(&self) -> &ManifestEntry {
        match self {
            Self::Kept(entry) => entry,
            Self::Staged(entry) => entry,
        }
    }
}

/// Every folder that sorted files need.
fn folders<'a>(paths: impl Iterator<Item = &'a TreePath>) -> BTreeSet<&'a str> {
    let (mut folders, mut around) = (BTreeSet::new(), "");
    for path in paths {
        // Thousands of files share a folder.
        if path.folder() != around {
            around = path.folder();
            folders.extend(path.folders());
        }
    }
    folders
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
