//! Writes the FHIR export into a folder, for a bucket that a timer fills. Each file is replaced atomically, and the manifest
//! last, so that its readers find the files that it names. Files that did not change are not touched.

use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use directory::content::replace_file;
use directory::told::reason;
use directory::{Fault, Snapshot};
use standards::{FhirExport, FhirTarget, SLOTS_PATH};

use crate::outcome::Refusal;
use crate::terminal::notes;

pub(super) fn write_folder(folder: &Path, snapshot: &Snapshot, now: DateTime<Utc>) -> Result<(), Refusal> {
    let export = FhirExport::new(snapshot.directory()).ok_or_else(|| {
        Refusal::new(
            "directory.toml has no [standards], so there is no FHIR to export: add it as docs/STANDARDS.md says, or name a spreadsheet, such as clinicians.xlsx",
        )
    })?;
    let body = |target: &FhirTarget| -> Result<Vec<u8>, Refusal> {
        let refused = |fault: Fault| Refusal::new(format!("nothing was exported: {}", fault.message()));
        let document = export.answer(target, snapshot.calendar(), now).map_err(refused)?;
        Ok(document.map(|document| document.body).unwrap_or_default())
    };
    // Made first: it fails if openings are unknown, and then nothing is written.
    let manifest = body(&FhirTarget::Manifest)?;
    let (mut files, mut changed, mut slots) = (HashSet::new(), 0, 0);
    for target in export.files(now) {
        let path = folder.join(target.path().trim_start_matches('/'));
        let made = if target == FhirTarget::Manifest { None } else { Some(body(&target)?) };
        let bytes = made.as_ref().unwrap_or(&manifest);
        if matches!(target, FhirTarget::Slots(_)) {
            slots += bytes.split(|byte| *byte == b'\n').count() - 1;
        }
        changed += usize::from(replace(&path, bytes)?);
        files.insert(path);
    }
    let removed = remove_old_slots(folder, &files)?;
    let count = files.len();
    writeln!(
        notes(),
        "{}: {} ({changed} new or changed), with {slots} openings; {removed} removed",
        folder.display(),
        directory::told::count(count, "file")
    )?;
    Ok(())
}

/// Replaces a file atomically; `false` if it has these bytes already.
#[expect(clippy::disallowed_methods, reason = "the user names the place of the export")]
fn replace(path: &Path, bytes: &[u8]) -> Result<bool, Refusal> {
    if std::fs::read(path).is_ok_and(|before| before == bytes) {
        return Ok(false);
    }
    let folder = std::fs::create_dir_all(path.parent().unwrap_or(path));
    let written = folder.and_then(|()| replace_file(path, bytes));
    written
        .map_err(|error| Refusal::new(format!("{} can't be written: {}", path.display(), reason(&error))))?;
    Ok(true)
}

/// Removes the files of slots that this export did not write. Other files are not touched.
#[expect(clippy::disallowed_methods, reason = "the user names the place of the export")]
fn remove_old_slots(folder: &Path, written: &HashSet<PathBuf>) -> Result<usize, Refusal> {
    let slots = folder.join(SLOTS_PATH.trim_start_matches('/'));
    let mut removed = 0;
    for entry in walkdir::WalkDir::new(&slots).min_depth(1).max_depth(2).into_iter().filter_map(Result::ok) {
        let path = entry.path();
        let name = path.strip_prefix(&slots).ok().and_then(Path::to_str).unwrap_or_default();
        let is_ours = matches!(FhirTarget::parse(&format!("{SLOTS_PATH}{name}")), Some(FhirTarget::Slots(_)));
        if entry.file_type().is_file() && is_ours && !written.contains(path) {
            let failed = |error| Refusal::new(format!("{} can't be removed: {error}", path.display()));
            std::fs::remove_file(path).map_err(failed)?;
            removed += 1;
        }
    }
    Ok(removed)
}
