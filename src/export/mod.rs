//! `nameplate export`: writes the content in other forms. What is written follows from the target: a folder is for the
//! FHIR export.

mod standards;

use std::path::Path;

use crate::args::ExportArguments;
use crate::content::{clock, load, snapshot};
use crate::outcome::{Outcome, Refusal};

pub(crate) fn run(arguments: &ExportArguments) -> Result<Outcome, Refusal> {
    let clock = clock(arguments.now.now);
    if let Some(target) = arguments.target.as_deref().filter(|target| is_sheet(target)) {
        let what =
            format!("{} is not the name of a folder: write one without .csv or .xlsx", target.display());
        return Err(Refusal::new(what));
    }
    let Some(checked) = load(&arguments.content.folder, clock)? else { return Ok(Outcome::Problems) };
    let snapshot = snapshot(checked, clock.now());
    if let Some(folder) = &arguments.target {
        standards::write_folder(folder, &snapshot, clock.now())?;
    }
    if let Some(file) = &arguments.npd {
        standards::write_submission(file, snapshot.directory())?;
    }
    Ok(Outcome::Done)
}

/// Whether a file of this name is a sheet.
fn is_sheet(target: &Path) -> bool {
    let extension = target.extension().and_then(|extension| extension.to_str());
    extension
        .is_some_and(|extension| ["csv", "xlsx"].iter().any(|known| extension.eq_ignore_ascii_case(known)))
}
