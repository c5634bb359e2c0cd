//! A build of a content folder as a command makes it, from the files to the published tree: nothing where nothing has
//! changed.
//!
//! A build that published a tree remembers the hash of all that it was made of, in the lock file. The next one takes a
//! quick look at when the inputs were touched, then reads them all for their hash, then looks at each published file.
//! Where all of that is as it was, the tree is what a whole build would make, and it is done. Whatever is in doubt, an
//! error too, goes the whole way, which says what there is to say.

use directory::Snapshot;
use directory::content::Checked;

use crate::build::{BuildError, Progress, build_and_tell};
use crate::inputs;
use crate::options::BuildOptions;
use crate::summary::Summary;
use crate::write::Output;

/// Publishes a content folder, which `check` reads where that is needed: `None` where it says that there is something
/// wrong with it. `tell` is told how far the build has come, from any thread.
///
/// It is meant for a program that ends with it: a large clinic is left to the system, which takes it back faster than
/// piece by piece.
///
/// # Errors
/// What kept the tree from being published, as a sentence; the output is then as it was.
pub fn build_folder<E: From<BuildError>>(
    options: &BuildOptions,
    check: impl FnOnce() -> Result<Option<Checked>, E>,
    tell: &(dyn Fn(Progress) + Sync),
) -> Result<Option<Summary>, E> {
    if let Some(summary) = unchanged(options) {
        return Ok(Some(summary));
    }
    let Some(checked) = check()? else { return Ok(None) };
    let Checked { directory, fingerprint, warnings, feed } = checked;
    // Nobody asks for the warnings any more, and they keep what they point into.
    let (snapshot, ()) = rayon::join(|| Snapshot::for_publishing(directory), || drop((warnings, feed)));
    let summary = build_and_tell(&snapshot, options, Some(&fingerprint), tell)?;
    std::mem::forget(snapshot);
    Ok(Some(summary))
}

/// What there is to say of a tree that a build would leave as it is; `None` where that is not certain. Nothing is
/// written, and what a killed build has left is removed.
fn unchanged(options: &BuildOptions) -> Option<Summary> {
    options.apart().ok()?;
    let output = Output { folder: &options.out, force: options.force };
    let remembered = output.remembered()?;
    if inputs::touched_since(remembered.since, options) {
        return None;
    }
    let (inputs, whole) = rayon::join(|| inputs::read(options), || remembered.whole());
    let whole = whole.filter(|_| inputs == Some(remembered.memory.inputs) && remembered.sweep())?;
    Some(Summary {
        files: whole.files,
        written: 0,
        removed: 0,
        bytes: whole.bytes,
        generation: whole.generation,
        notes: remembered.memory.notes.clone(),
        changes: Vec::new(),
    })
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests;
