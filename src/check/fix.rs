//! `nameplate check --fix`: applies certain repairs, or also likely ones without an alternative.

use std::io::{self, Write};

use ::feed::Clock;
use directory::content::{ContentError, Problem, Report, choose, load_and_check, mend};
use directory::told::count;
use directory::visible;

use super::{CheckArguments, openings, print_repairable, print_summary, repairable};
use crate::content::{lock, no_folder, print_report, refuse_inner};
use crate::outcome::{Outcome, Refusal};
use crate::progress::while_slow;
use crate::terminal::{is_quiet, notes};

pub(super) fn run(arguments: &CheckArguments) -> Result<Outcome, Refusal> {
    let folder = &arguments.content.folder;
    refuse_inner(folder)?;
    let now = Clock::system().now();
    let today = now.date_naive();
    let report = || match load_and_check(folder, today) {
        Ok(checked) => Ok((checked.warnings, Some((checked.directory, checked.feed)))),
        Err(ContentError::Invalid(report)) => Ok((*report, None)),
        Err(ContentError::Load(error)) => Err(no_folder(&error)),
    };
    let (before, _) = report()?;
    let mut edits = lock(folder)?;
    let mended = while_slow("Trying repairs", || mend(folder, today, arguments.fix_likely))
        .map_err(|error| no_folder(&error))?;
    let is_shown = |report: &Report| !is_quiet() || report.errors() > 0;
    let mut out = io::stdout();
    if arguments.diff && is_shown(&before) {
        print_report(&mut out, &before)?;
    }
    let (repairs, problems) = (mended.applied.len(), repairable(&before, arguments.fix_likely));
    // One repair heals all problems with its cause.
    let healed = if repairs < problems { format!(" for {problems} problems") } else { String::new() };
    let repairs = count(repairs, "repair") + if repairs > 0 { &healed } else { "" };
    if arguments.diff {
        for (path, texts) in &mended.files {
            print_changes(&mut out, &folder.join(path).display().to_string(), texts)?;
        }
        let how = match mended.applied.len() {
            0 => "",
            1 => ": leave out --diff to apply it",
            _ => ": leave out --diff to apply them",
        };
        let beyond_certain = repairable(&before, true) > problems;
        if !mended.applied.is_empty() || !beyond_certain {
            writeln!(out, "{repairs} can be applied. Nothing was written{how}.")?;
        }
        if !arguments.fix_likely {
            print_repairable(&mut out, &before, folder, true)?;
        }
        let is_good = before.errors() == 0 && mended.applied.is_empty();
        return Ok(if is_good { Outcome::Done } else { Outcome::Problems });
    }
    for (path, (before, after)) in mended.files {
        edits.add_change(path, before, after);
    }
    let files = count(edits.apply()?, "file");
    for (place, title) in &mended.applied {
        let done =
            [("Write ", "Wrote "), ("Rename ", "Renamed "), ("Delete ", "Deleted "), ("Move ", "Moved ")];
        let done =
            done.iter().find_map(|(order, done)| Some(format!("{done}{}", title.strip_prefix(order)?)));
        writeln!(out, "{}: {}", visible::line(place), visible::lines(done.as_ref().unwrap_or(title)))?;
    }
    let (report, known) = report()?;
    let is_choice = |problem: &&Problem| problem.repairs().len() > 1;
    let mut out = notes();
    match (mended.applied.len(), report.problems().iter().filter(is_choice).count()) {
        (0, 0) if report.problems().is_empty() => {
            writeln!(out, "Nothing needed a repair: there are no errors and no warnings.")?;
        }
        (0, 0)
            if arguments.fix_likely
                && report.problems().iter().any(|problem| !problem.repairs().is_empty()) =>
        {
            writeln!(
                out,
                "Nothing was repaired. What is offered below removes or changes facts: make each change yourself if it's right."
            )?;
        }
        (0, 0) if report.problems().iter().any(|problem| choose(problem.repairs(), true).is_some()) => {
            writeln!(out, "Nothing was repaired: no repair below is certain.")?;
        }
        (0, 0) => writeln!(out, "Nothing was repaired: what is below needs your decision.")?,
        (0, choices) => writeln!(
            out,
            "Nothing was repaired. {} can be repaired in several ways: choose one if it's right.",
            count(choices, "problem")
        )?,
        _ if report.problems().is_empty() => {
            writeln!(out, "Applied {repairs} in {files}. No errors and no warnings are left.")?;
        }
        _ if report.errors() == 0 => writeln!(out, "Applied {repairs} in {files}. No errors are left.")?,
        _ => writeln!(out, "Applied {repairs} in {files}.")?,
    }
    drop(out);
    let mut out = io::stdout();
    if is_shown(&report) {
        print_report(&mut out, &report)?;
    }
    if let Some((directory, feed)) = known.filter(|_| !is_quiet() && !report.problems().is_empty()) {
        openings::print(&mut out, &directory, feed.as_ref(), now)?;
        print_summary(&mut out, &directory, &visible::line(&folder.display().to_string()), &report)?;
    }
    if !arguments.fix_likely {
        print_repairable(&mut out, &report, folder, true)?;
    }
    Ok(if report.errors() == 0 { Outcome::Done } else { Outcome::Problems })
}

/// Shows a file's changed lines as `diff` does, below the place of each.
fn print_changes(
    out: &mut impl Write,
    path: &str,
    (before, after): &(Option<String>, Option<String>),
) -> io::Result<()> {
    let lines = |text: &Option<String>| -> Vec<String> {
        text.iter().flat_map(|text| text.lines()).map(|line| visible::lines(line).into_owned()).collect()
    };
    let (before, after) = (lines(before), lines(after));
    let (mut old, mut new) = (0, 0);
    while old < before.len() || new < after.len() {
        if before.get(old) == after.get(new) {
            (old, new) = (old + 1, new + 1);
            continue;
        }
        // The fewest lines after which both go on alike, or end.
        let splits =
            (1..).flat_map(|lines| (0..=lines).map(move |removed| (old + removed, new + lines - removed)));
        let is_alike = |&(old, new): &(usize, usize)| {
            let is_over = old >= before.len() && new >= after.len();
            is_over || old < before.len() && before.get(old) == after.get(new)
        };
        let (old_end, new_end) = splits.into_iter().find(is_alike).unwrap_or((before.len(), after.len()));
        writeln!(out, "{}:{}", visible::line(path), old + 1)?;
        for line in before.iter().take(old_end).skip(old) {
            writeln!(out, "- {line}")?;
        }
        for line in after.iter().take(new_end).skip(new) {
            writeln!(out, "+ {line}")?;
        }
        (old, new) = (old_end, new_end);
    }
    Ok(())
}
