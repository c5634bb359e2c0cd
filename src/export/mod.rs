//! `nameplate export`: writes the content in other forms. The target's name decides which: a sheet (`crate::sheet`), or
//! else a folder with the FHIR export, or with what the stores of assistants ask for.

mod listing;
mod standards;

use std::path::PathBuf;

use clap::Args;

use crate::content::{Content, Now, clock, load, snapshot};
use crate::outcome::{Outcome, Refusal};
use crate::settings::file_with_feed;
use crate::sheet;

#[derive(Debug, Args)]
pub(crate) struct ExportArguments {
    /// A file name that ends in .xlsx or .csv: a spreadsheet of all clinicians, to edit and import. Any other name: a
    /// folder for the FHIR export, with a file for each type, the openings of each day, and the manifest
    #[arg(value_name = "FILE|DIR")]
    target: PathBuf,
    /// Write what ChatGPT's and Claude's app directories require to the folder: their forms, the logo, and the tools
    #[arg(long)]
    listing: bool,
    #[command(flatten)]
    content: Content,
    #[command(flatten)]
    now: Now,
}

#[expect(clippy::disallowed_methods, reason = "the target is a folder of this command")]
pub(crate) fn run(arguments: &ExportArguments) -> Result<Outcome, Refusal> {
    let target = &arguments.target;
    if !arguments.listing && authoring::sheet::has_sheet_extension(target) {
        return sheet::export(target, &arguments.content.folder);
    }
    // "clinicians.xslx" is a misspelled sheet, not a folder.
    if !arguments.listing && target.extension().is_some() && !target.is_dir() {
        return Err(Refusal::new(format!(
            "{} is neither a spreadsheet nor a folder: for a spreadsheet, run `nameplate export {}`; for FHIR, run \
             `nameplate export fhir`",
            target.display(),
            target.with_extension("xlsx").display()
        )));
    }
    let clock = clock(arguments.now.now);
    let Some(checked) = load(&arguments.content.folder, clock)? else { return Ok(Outcome::Problems) };
    let snapshot = snapshot(checked, clock.now());
    if arguments.listing {
        return listing::write_folder(target, &arguments.content.folder, &snapshot, clock.now());
    }
    if let Some(file) = file_with_feed() {
        return Err(Refusal::new(format!(
            "{file} has a [feed] that this export doesn't read, so booked times would be listed as free: let \
             the live service answer /fhir/$bulk-publish, or rename that file if it isn't for this clinic"
        )));
    }
    standards::write_folder(target, &snapshot, clock.now())?;
    Ok(Outcome::Done)
}
