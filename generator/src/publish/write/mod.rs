//! Publishes a tree: renders every file, writes those that differ to a stage beside the output, hard-links the others into
//! it, writes the manifest last, and exchanges the two folders in one step. A later build removes the old tree.
//!
//! - If the build is killed, the output is the complete old tree or the complete new one.
//! - Nothing in a published folder is ever written, and a changed file is a new inode. So a process that has opened an old
//!   file or folder keeps reading the old tree.
//! - If nothing changed, nothing is written. An edited or removed published file is published again: its size and
//!   modification time are compared, and the time is a function of the bytes.
//! - A folder that has files but no manifest of this program is never touched, unless the operator forces it.
//! - While a build publishes to a folder, other builds to it are refused.

mod aside;
mod error;
mod folder;
mod output;
mod stage;

use std::collections::BTreeSet;
use std::path::Path;

use directory::model::Generation;
use rayon::prelude::*;

pub use error::WriteError;
pub use output::Watching;

use self::output::{Lock, OutputPaths, PublishedTree};
use self::stage::Stage;
use crate::path::{PathError, TreePath};
use crate::publish::manifest::{MANIFEST_PATH, Manifest, ManifestEntry};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WrittenTree {
    /// Including the manifest.
    pub(crate) files: usize,
    pub(crate) bytes: u64,
    /// New and changed, including the manifest.
    pub(crate) written: usize,
    pub(crate) removed: usize,
    /// Removed files that no build had written, sorted by path.
    pub(crate) foreign: Vec<String>,
    /// Others, which were kept.
    pub(crate) kept: Vec<String>,
}

enum Rendered<'a> {
    Unchanged(&'a ManifestEntry),
    Staged(ManifestEntry),
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Output<'a> {
    pub(crate) folder: &'a Path,
    /// Replace a folder that has files but no manifest of this program.
    pub(crate) force: bool,
}

#[derive(Debug)]
pub(crate) struct LockedOutput {
    paths: OutputPaths,
    published: PublishedTree,
    manifest_path: TreePath,
    /// The last field, because fields are dropped in order.
    _lock: Lock,
}

impl Output<'_> {
    pub(crate) fn lock<E: From<WriteError> + From<PathError>>(self) -> Result<LockedOutput, E> {
        let manifest_path: TreePath = MANIFEST_PATH.parse()?;
        let paths = OutputPaths::new(self.folder)?;
        let lock = Lock::take(&paths)?;
        aside::clear_stage(&paths)?;
        let published = PublishedTree::read(&paths, &manifest_path, self.force)?;
        Ok(LockedOutput { paths, published, manifest_path, _lock: lock })
    }
}

impl LockedOutput {
    pub(crate) fn manifest(&self) -> Option<&Manifest> {
        self.published.manifest().map(|(manifest, _)| manifest)
    }

    pub(crate) fn body(&self, listed: &ManifestEntry) -> Option<Vec<u8>> {
        self.published.body(listed)
    }

    /// `None` if someone has changed the file since.
    pub(crate) fn intact_body(&self, path: &TreePath) -> Option<Vec<u8>> {
        let listed = self.manifest()?.get(path.as_str())?;
        let body = self.published.is_on_disk(path, listed).then(|| self.body(listed))??;
        ManifestEntry::if_changed(Some(listed), path, &body).is_none().then_some(body)
    }
}

/// Files must be sorted by path. On failure, returns the error of the first file, and leaves the output unchanged. `render`
/// may write to the buffer; a file without a body is not published. `on_change` gets the path, the old and the new body,
/// unless no tree was published before. Both are called from several threads.
pub(crate) fn publish<F, E>(
    output: &LockedOutput,
    generation: &Generation,
    files: &[F],
    render: impl for<'b> Fn(&'b F, &'b mut Vec<u8>) -> Result<Option<&'b [u8]>, E> + Sync,
    on_change: impl Fn(&str, Option<&[u8]>, Option<&[u8]>) + Sync,
) -> Result<WrittenTree, E>
where
    F: AsRef<TreePath> + Sync,
    E: From<WriteError> + Send,
{
    let LockedOutput { paths, published, manifest_path, .. } = output;
    debug_assert!(files.is_sorted_by_key(|file| file.as_ref().as_str()), "files must be sorted by path");
    let stage = Stage::new(paths, folders(files.iter().map(AsRef::as_ref).chain([manifest_path])));

    let publish_one = |buffer: &mut Vec<u8>, (at, file)| {
        let path = F::as_ref(file);
        let Some(body) = render(file, buffer).map_err(Box::new)? else { return Ok(None) };
        let listed = published.listed(at, path);
        let entry = ManifestEntry::if_changed(listed, path, body);
        if let (None, Some(listed)) = (&entry, listed)
            && published.is_on_disk(path, listed)
        {
            return Ok(Some(Rendered::Unchanged(listed)));
        }
        let entry = entry.unwrap_or_else(|| ManifestEntry::new(path, body));
        if published.manifest().is_some() {
            let before = listed.and_then(|listed| published.body(listed));
            on_change(path.as_str(), before.as_deref(), Some(body));
        }
        stage.write(path, entry.sha256, body).map_err(|error| Box::new(E::from(error)))?;
        Ok(Some(Rendered::Staged(entry)))
    };
    // Boxed, because there are tens of thousands of results.
    let rendered: Vec<Result<Option<Rendered<'_>>, Box<E>>> =
        stage.while_flushing(|| files.par_iter().enumerate().map_init(Vec::new, publish_one).collect());
    // Only now, so that the error does not depend on the order of the threads.
    let rendered: Vec<Option<Rendered<'_>>> =
        rendered.into_iter().collect::<Result<_, Box<E>>>().map_err(|error| *error)?;

    let entries: Vec<&ManifestEntry> = rendered.iter().flatten().map(Rendered::entry).collect();
    let staged = rendered.iter().flatten().filter(|file| matches!(file, Rendered::Staged(_))).count();
    let removed = published.missing_from(&entries);
    for listed in &removed {
        on_change(&listed.path, published.body(listed).as_deref(), None);
    }
    let tree = |manifest_bytes: u64, written: usize, [kept, foreign]: [Vec<String>; 2]| WrittenTree {
        files: entries.len() + 1,
        bytes: entries.iter().map(|entry| entry.bytes).sum::<u64>() + manifest_bytes,
        written,
        removed: removed.len(),
        foreign,
        kept,
    };
    let has_same_files = staged == 0 && removed.is_empty();
    if has_same_files
        && let Some((manifest, manifest_entry)) = published.manifest()
        && manifest.generation() == generation.as_str()
        && published.is_on_disk(manifest_path, manifest_entry)
    {
        return Ok(tree(manifest_entry.bytes, 0, Default::default()));
    }
    let unchanged: Vec<&TreePath> = files
        .iter()
        .zip(&rendered)
        .filter(|(_, rendered)| matches!(rendered, Some(Rendered::Unchanged(_))))
        .map(|(file, _)| file.as_ref())
        .collect();
    let (linked, foreign) = rayon::join(|| stage.link(&unchanged), || published.foreign(manifest_path));
    linked?;
    let is_ours = published.manifest().is_some();
    let (kept, foreign) = foreign.into_iter().partition(|path| is_ours && stage.keep(path));
    let manifest_bytes = stage.write_manifest(manifest_path, generation, &entries)?;
    stage.publish(published)?;
    aside::remove_old(paths);
    Ok(tree(manifest_bytes, staged + 1, [kept, foreign]))
}

impl Rendered<'_> {
    fn entry(&self) -> &ManifestEntry {
        match self {
            Self::Unchanged(entry) => entry,
            Self::Staged(entry) => entry,
        }
    }
}

fn folders<'a>(paths: impl Iterator<Item = &'a TreePath>) -> BTreeSet<&'a str> {
    let (mut folders, mut last) = (BTreeSet::new(), "");
    for path in paths {
        if path.folder() != last {
            last = path.folder();
            folders.extend(path.folders());
        }
    }
    folders
}

#[cfg(test)]
mod tests;
