//! The `build` command: from a content folder to a published tree. Does nothing if nothing has changed.
//!
//! A build records the hash of its inputs in the lock file. The next build compares the inputs' file times, then their
//! hash, then the size and time of each published file. If all agree, the tree is what a full build would publish. In
//! any other case, errors included, a full build runs and reports.

use directory::Snapshot;
use directory::content::Checked;

use crate::build::{Progress, build_with_progress};
use crate::error::BuildError;
use crate::inputs;
use crate::options::BuildOptions;
use crate::publish::summary::Summary;
use crate::publish::write::Output;

/// Publishes a content folder. Calls `check` to read it unless nothing has changed. Returns `None` if `check` does:
/// the content has errors. Calls `report` from any thread.
///
/// Leaks the snapshot: the process is expected to end, and freeing a large clinic takes longer than exiting.
/// If it fails, the output is unchanged.
pub fn build_folder<E: From<BuildError>>(
    options: &BuildOptions,
    check: impl FnOnce() -> Result<Option<Checked>, E>,
    report: &(dyn Fn(Progress) + Sync),
) -> Result<Option<Summary>, E> {
    if let Some(summary) = unchanged(options) {
        return Ok(Some(summary));
    }
    let Some(checked) = check()? else { return Ok(None) };
    let Checked { directory, fingerprint, warnings, feed } = checked;
    // Warnings keep the texts that they point into.
    let (snapshot, ()) = rayon::join(|| Snapshot::for_publishing(directory), || drop((warnings, feed)));
    let summary = build_with_progress(&snapshot, options, Some(&fingerprint), report)?;
    std::mem::forget(snapshot);
    Ok(Some(summary))
}

/// The summary of a build that would change nothing; `None` if that is not certain. Writes nothing, but removes the
/// stage of a killed build.
fn unchanged(options: &BuildOptions) -> Option<Summary> {
    options.refuse_overlap().ok()?;
    let output = Output { folder: &options.out, force: options.force }.recorded()?;
    if inputs::touched_since(output.recorded_at, options) {
        return None;
    }
    let (inputs, tree) = rayon::join(|| inputs::hash_all(options), || output.intact_tree());
    let tree = tree.filter(|_| inputs == Some(output.record.inputs) && output.sweep())?;
    Some(Summary {
        files: tree.files,
        written: 0,
        removed: 0,
        bytes: tree.bytes,
        generation: tree.generation,
        notes: output.record.notes.clone(),
        changes: Vec::new(),
    })
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests;
