//! Publishing: renders every file, writes those that differ, and exchanges the trees in one step.
//!
//! There is no dependency graph and no memory of earlier builds: every file is rendered, on all
//! threads, and its entity tag is compared with the published one. Files that differ are written to a stage folder
//! beside the output, and flushed while others are rendered. Each thread renders into one buffer, so no body is kept.
//! Then the unchanged files are hard-linked into the stage, the manifest is written last, and the stage and the output
//! are exchanged atomically. The stage, which now holds the old tree, is set aside and removed by a later build. Invariants:
//!
//! - If the build is killed, the output is the complete old tree or the complete new one. The next build removes the
//!   stage that is left. A stage has a manifest only once it is complete.
//! - A published folder is never written to, and a changed file is always a new inode. So a process that has the old file
//!   open, or the old folder, keeps reading the old tree (`aside`).
//! - If nothing changed, nothing is written. The published files are checked on the disk: a file's
//!   modification time is a function of its bytes, so an edited or removed file is found by size and time, and is
//!   published again.
//! - A folder that has files but no manifest of this program is never touched.
//! - Of two builds into one folder, the second is refused.
//!
//! The output belongs to the build: files that are not planned are removed with the next change.

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

use self::output::{Lock, OutputPaths, Published};
use self::stage::Stage;
use crate::path::{PathError, TreePath};
use crate::publish::manifest::{MANIFEST_PATH, Manifest, ManifestEntry};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WrittenTree {
    /// The number of published files, including the manifest.
    pub(crate) files: usize,
    pub(crate) bytes: u64,
    /// The number of files that are new or differ, including the manifest.
    pub(crate) written: usize,
    pub(crate) removed: usize,
    /// The removed files that no build had written, sorted.
    pub(crate) foreign: Vec<String>,
}

/// A rendered file: equal to the published one, or written to the stage.
enum Rendered<'a> {
    Unchanged(&'a ManifestEntry),
    Staged(ManifestEntry),
}

/// The output folder, not yet locked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Output<'a> {
    pub(crate) folder: &'a Path,
    /// Whether to replace a folder that has files but no manifest of this program.
    pub(crate) force: bool,
}

/// The output folder while this build holds its lock, and the tree that is published in it.
#[derive(Debug)]
pub(crate) struct LockedOutput {
    paths: OutputPaths,
    published: Published,
    manifest_path: TreePath,
    /// The last field, so that it is released last.
    _lock: Lock,
}

impl Output<'_> {
    pub(crate) fn lock<E: From<WriteError> + From<PathError>>(self) -> Result<LockedOutput, E> {
        let manifest_path: TreePath = MANIFEST_PATH.parse()?;
        let paths = OutputPaths::new(self.folder)?;
        let lock = Lock::take(&paths)?;
        aside::sweep(&paths)?;
        let published = Published::read(&paths, &manifest_path, self.force)?;
        Ok(LockedOutput { paths, published, manifest_path, _lock: lock })
    }
}

impl LockedOutput {
    pub(crate) fn manifest(&self) -> Option<&Manifest> {
        self.published.manifest().map(|(manifest, _)| manifest)
    }

    /// The bytes of a published file; `None` if they cannot be read.
    pub(crate) fn body(&self, listed: &ManifestEntry) -> Option<Vec<u8>> {
        self.published.body(listed)
    }

    /// The bytes of a file that is on the disk as it was published; `None` for any other.
    pub(crate) fn intact_body(&self, path: &TreePath) -> Option<Vec<u8>> {
        let listed = self.manifest()?.get(path.as_str())?;
        let body = self.published.is_on_disk(path, listed).then(|| self.body(listed))??;
        ManifestEntry::if_changed(Some(listed), path, &body).is_none().then_some(body)
    }
}

/// Publishes files, which are sorted by path.
///
/// `render` returns the body of a file, borrowed from the file or from the buffer, which is reused; a file without a
/// body is not published. It is called on any thread. If a tree was published before, `on_change` is called for each
/// file that is new, differs or is removed, with the old and the new body.
/// The error is that of the first file, in order; the output is then unchanged.
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
    debug_assert!(files.is_sorted_by_key(|file| file.as_ref().as_str()), "the manifest lists files in order");
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
        let entry = entry.unwrap_or_else(|| ManifestEntry::of(path, body));
        if published.manifest().is_some() {
            let before = listed.and_then(|listed| published.body(listed));
            on_change(path.as_str(), before.as_deref(), Some(body));
        }
        stage.write(path, entry.sha256, body).map_err(|error| Box::new(E::from(error)))?;
        Ok(Some(Rendered::Staged(entry)))
    };
    // Boxing the error keeps tens of thousands of results small.
    let rendered: Vec<Result<Option<Rendered<'_>>, Box<E>>> =
        stage.while_flushing(|| files.par_iter().enumerate().map_init(Vec::new, publish_one).collect());
    // All files are rendered before the first error is taken, so the error does not depend on the threads.
    let rendered: Vec<Option<Rendered<'_>>> =
        rendered.into_iter().collect::<Result<_, Box<E>>>().map_err(|error| *error)?;

    let entries: Vec<&ManifestEntry> = rendered.iter().flatten().map(Rendered::entry).collect();
    let staged = rendered.iter().flatten().filter(|file| matches!(file, Rendered::Staged(_))).count();
    let removed = published.missing_from(&entries);
    for listed in &removed {
        on_change(&listed.path, published.body(listed).as_deref(), None);
    }
    let outcome = |own_bytes: u64, written: usize, foreign: Vec<String>| WrittenTree {
        files: entries.len() + 1,
        bytes: entries.iter().map(|entry| entry.bytes).sum::<u64>() + own_bytes,
        written,
        removed: removed.len(),
        foreign,
    };
    // Nothing changed, so nothing is written.
    if staged == 0
        && removed.is_empty()
        && let Some((manifest, own)) = published.manifest()
        && manifest.generation() == generation.as_str()
        && published.is_on_disk(manifest_path, own)
    {
        return Ok(outcome(own.bytes, 0, Vec::new()));
    }
    let unchanged: Vec<&TreePath> = files
        .iter()
        .zip(&rendered)
        .filter(|(_, rendered)| matches!(rendered, Some(Rendered::Unchanged(_))))
        .map(|(file, _)| file.as_ref())
        .collect();
    let (linked, foreign) = rayon::join(|| stage.link(&unchanged), || published.foreign(manifest_path));
    linked?;
    let own_bytes = stage.write_manifest(manifest_path, generation, &entries)?;
    let outcome = outcome(own_bytes, staged + 1, foreign);
    stage.publish(published)?;
    aside::remove_old(paths);
    Ok(outcome)
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
#[cfg(unix)]
mod tests;
