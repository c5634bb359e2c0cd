//! `nameplate export`: writes the content in other forms. The target's name decides which: a sheet (`crate::sheet`), or
//! else a folder with the FHIR export.

mod standards;

use crate::args::ExportArguments;
use crate::content::{clock, load, snapshot};
use crate::outcome::{Outcome, Refusal};
use crate::sheet;

#[expect(clippy::disallowed_methods, reason = "the target is a folder of this command")]
pub(crate) fn run(arguments: &ExportArguments) -> Result<Outcome, Refusal> {
    let target = &arguments.target;
    if sheet::is_name_of_sheet(target) {
        return sheet::export(target, &arguments.content.folder);
    }
    // "clinicians.xslx" is a misspelt sheet, not a folder.
    if target.extension().is_some() && !target.is_dir() {
        return Err(Refusal::new(format!(
            "{0} is neither the name of a sheet nor a folder: end it in .xlsx or .csv for the clinicians as a sheet, or make the \
             folder first for the FHIR export",
            target.display()
        )));
    }
    let clock = clock(arguments.now.now);
    let Some(checked) = load(&arguments.content.folder, clock)? else { return Ok(Outcome::Problems) };
    let snapshot = snapshot(checked, clock.now());
    standards::write_folder(target, &snapshot, clock.now())?;
    Ok(Outcome::Done)
}
