//! `nameplate check --fix`: applies certain repairs, or also likely ones without an alternative.

use std::io::{self, Write};

use ::feed::Clock;
use authoring::edit::Edits;
use directory::content::{ContentError, Problem, Report, choose, load_and_check, mend};
use directory::told::count;
use directory::visible;

use super::CheckArguments;
use crate::content::{no_folder, print_report};
use crate::outcome::{Outcome, Refusal};
use crate::progress::while_slow;
use crate::terminal::{is_quiet, notes};

pub(super) fn run(arguments: &CheckArguments) -> Result<Outcome, Refusal> {
    let folder = &arguments.content.folder;
    let today = Clock::system().now().date_naive();
    let report = || match load_and_check(folder, today) {
        Ok(checked) => Ok(checked.warnings),
        Err(ContentError::Invalid(report)) => Ok(*report),
        Err(ContentError::Load(error)) => Err(no_folder(&error)),
    };
    let before = report()?;
    let mut edits = Edits::lock(folder)?;
    let mended = while_slow("Trying repairs", || mend(folder, today, arguments.fix_likely))
        .map_err(|error| no_folder(&error))?;
    let is_shown = |report: &Report| !is_quiet() || report.errors() > 0;
    let mut out = io::stdout();
    if arguments.diff && is_shown(&before) {
        print_report(&mut out, &before)?;
    }
    for (place, title) in &mended.applied {
        writeln!(out, "{}: {}", visible::line(place), visible::lines(title))?;
    }
    let repairs = count(mended.applied.len(), "repair");
    if arguments.diff {
        writeln!(out, "{repairs} can be applied; nothing was written")?;
        let is_good = before.errors() == 0 && mended.applied.is_empty();
        return Ok(if is_good { Outcome::Done } else { Outcome::Problems });
    }
    for (path, (before, after)) in mended.files {
        edits.add_change(path, before, after);
    }
    let files = count(edits.apply()?, "file");
    let report = report()?;
    let is_choice = |problem: &&Problem| problem.repairs().len() > 1;
    let mut out = notes();
    match (mended.applied.len(), report.problems().iter().filter(is_choice).count()) {
        (0, 0) => writeln!(out, "Nothing was repaired.")?,
        (0, choices) => writeln!(
            out,
            "Nothing was repaired. {} can be repaired in several ways: choose one.",
            count(choices, "problem")
        )?,
        _ => writeln!(out, "applied {repairs} in {files}")?,
    }
    drop(out);
    let mut out = io::stdout();
    if is_shown(&report) {
        print_report(&mut out, &report)?;
    }
    let is_likely = |problem: &&Problem| choose(problem.repairs(), true).is_some();
    let likely = report.problems().iter().filter(is_likely).count();
    if likely > 0 && !arguments.fix_likely {
        writeln!(out, "{} can be applied with --fix-likely, if you agree", count(likely, "more repair"))?;
    }
    Ok(if report.errors() == 0 { Outcome::Done } else { Outcome::Problems })
}
