//! `nameplate check --fix`: applies the repairs that are certain, or also those that are likely and offered alone.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::Range;

use ::feed::Clock;
use authoring::edit::Edits;
use directory::content::{Class, ContentError, Edit, Problem, Repair, Report, load_and_check};
use directory::told::count;
use directory::visible;

use super::CheckArguments;
use crate::content::{no_folder, print_report};
use crate::outcome::{Outcome, Refusal};

/// How often the content is checked again: a repair can uncover another mistake.
const ROUNDS: usize = 4;

/// The repairs that only write what is there in another way. Of the others, a person says which way out is right.
const ONLY_WRITES: [&str; 8] = ["value", "line", "key", "header", "characters", "place", "meant", "file"];

/// A repair to apply: its edits in bytes of the files on disk.
struct Chosen {
    place: String,
    title: String,
    edits: Vec<Edit>,
    renames: Vec<(String, Option<String>)>,
}

pub(super) fn run(arguments: &CheckArguments) -> Result<Outcome, Refusal> {
    let folder = &arguments.content.folder;
    let today = Clock::system().now().date_naive();
    let mut edits = Edits::lock(folder)?;
    let mut applied: Vec<Chosen> = Vec::new();
    let mut report = report_of(load_and_check(folder, today))?;
    for _ in 0..ROUNDS {
        let chosen = disjoint(choose(&report, arguments.fix_likely));
        if chosen.is_empty() {
            break;
        }
        let errors = report.errors();
        let before = snapshot(&edits, &chosen)?;
        apply(&mut edits, &chosen)?;
        let after = report_of(edits.check(today))?;
        if after.errors() < errors {
            report = after;
            applied.extend(chosen);
            continue;
        }
        // Together they made something worse: each alone then.
        restore(&mut edits, before)?;
        let mut kept = false;
        for one in chosen {
            let alone = std::slice::from_ref(&one);
            let before = snapshot(&edits, alone)?;
            apply(&mut edits, alone)?;
            let after = report_of(edits.check(today))?;
            if after.errors() < report.errors() {
                (report, kept) = (after, true);
                applied.push(one);
                break;
            }
            restore(&mut edits, before)?;
        }
        if !kept {
            break;
        }
    }
    let mut out = io::stdout().lock();
    for Chosen { place, title, .. } in &applied {
        writeln!(out, "{}: {}", visible::line(place), visible::line(title))?;
    }
    if arguments.diff {
        writeln!(out, "{} can be applied; nothing was written", count(applied.len(), "repair"))?;
        return Ok(if applied.is_empty() { Outcome::Done } else { Outcome::Problems });
    }
    let files = edits.apply()?;
    writeln!(out, "applied {} in {}", count(applied.len(), "repair"), count(files, "file"))?;
    let report = report_of(load_and_check(folder, today))?;
    print_report(&mut out, &report)?;
    Ok(if report.errors() == 0 { Outcome::Done } else { Outcome::Problems })
}

fn report_of(checked: Result<directory::content::Checked, ContentError>) -> Result<Report, Refusal> {
    match checked {
        Ok(checked) => Ok(checked.warnings),
        Err(ContentError::Invalid(report)) => Ok(*report),
        Err(ContentError::Load(error)) => Err(no_folder(&error)),
    }
}

fn choose(report: &Report, with_likely: bool) -> Vec<Chosen> {
    let chosen = report.problems().iter().filter_map(|problem: &Problem| {
        let repair: &Repair = match problem.repairs() {
            [first, ..] if first.class == Class::Certain => first,
            [only] if with_likely && ONLY_WRITES.contains(&only.name) => only,
            _ => return None,
        };
        Some(Chosen {
            place: report.position(problem).to_string(),
            title: repair.title.clone(),
            edits: report.edits_on_disk(repair),
            renames: repair.moves.iter().map(|moved| (moved.from.clone(), moved.to.clone())).collect(),
        })
    });
    chosen.collect()
}

/// The repairs that touch nothing that an earlier one touches.
fn disjoint(chosen: Vec<Chosen>) -> Vec<Chosen> {
    let mut touched: BTreeMap<String, Vec<Range<usize>>> = BTreeMap::new();
    let mut kept = Vec::new();
    for one in chosen {
        let whole = one.renames.iter().flat_map(|(from, to)| [Some(from), to.as_ref()]).flatten();
        let ranges = one.edits.iter().map(|edit| (&edit.path, edit.span.clone()));
        let ranges: Vec<_> = ranges.chain(whole.map(|path| (path, 0..usize::MAX))).collect();
        let is_free = ranges.iter().all(|(path, range)| {
            touched.get(*path).is_none_or(|taken| {
                taken.iter().all(|other| other.end < range.start || range.end < other.start)
            })
        });
        if is_free {
            for (path, range) in ranges {
                touched.entry(path.clone()).or_default().push(range);
            }
            kept.push(one);
        }
    }
    kept
}

fn apply(edits: &mut Edits, chosen: &[Chosen]) -> Result<(), Refusal> {
    let mut all: Vec<&Edit> = chosen.iter().flat_map(|one| &one.edits).collect();
    // From the end of each file to its beginning, so that the offsets stay right.
    all.sort_by_key(|edit| (&edit.path, Reverse(edit.span.start)));
    for edit in all {
        let mut text = edits.edited_text(&edit.path)?.unwrap_or_default();
        if text.get(edit.span.clone()).is_none() {
            return Err(Refusal::new(format!("{} changed while this command ran: run it again", edit.path)));
        }
        text.replace_range(edit.span.clone(), &edit.text);
        edits.set_text(&edit.path, Some(text))?;
    }
    for (from, to) in chosen.iter().flat_map(|one| &one.renames) {
        let text = edits.edited_text(from)?;
        edits.set_text(from, None)?;
        if let Some(to) = to {
            edits.set_text(to, text)?;
        }
    }
    Ok(())
}

/// The texts of the files that repairs touch.
fn snapshot(edits: &Edits, chosen: &[Chosen]) -> Result<BTreeMap<String, Option<String>>, Refusal> {
    let mut texts = BTreeMap::new();
    for one in chosen {
        let renamed = one.renames.iter().flat_map(|(from, to)| [Some(from), to.as_ref()]).flatten();
        for path in one.edits.iter().map(|edit| &edit.path).chain(renamed) {
            texts.insert(path.clone(), edits.edited_text(path)?);
        }
    }
    Ok(texts)
}

fn restore(edits: &mut Edits, texts: BTreeMap<String, Option<String>>) -> Result<(), Refusal> {
    for (path, text) in texts {
        edits.set_text(&path, text)?;
    }
    Ok(())
}
