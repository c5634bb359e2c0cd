//! Says what a sheet changes, and what `check` finds wrong with it, by cell.

use std::collections::HashSet;

use directory::content::{Position, Problem, Report, Severity};

use super::advice::in_cell;
use super::column::{Column, PLANS, shown};
use super::fault::Fault;
use super::plan::{CellChange, Plan, RowPlan};
use crate::edit::{NewValue, text};
use directory::told::count;

/// A line of words for each change.
#[must_use]
pub fn changes(plan: &Plan) -> Vec<String> {
    let mut lines = Vec::new();
    for RowPlan { row, profile, before, changes } in &plan.rows {
        let slug = &profile.slug;
        if before.is_none() {
            lines.push(format!("{slug} (row {}) is new: {}", row + 1, profile.path()));
            continue;
        }
        lines.push(format!("{slug} (row {}):", row + 1));
        lines.extend(changes.iter().map(|change| format!("  {}", change_in_words(change))));
    }
    let new = plan.rows.iter().filter(|row| row.before.is_none()).count();
    let changed = plan.rows.len() - new;
    let same = plan.clinicians - plan.rows.len();
    let verb = |number: usize, one: &str, many: &str| {
        format!("{} {}", count(number, "clinician"), if number == 1 { one } else { many })
    };
    lines.push(format!(
        "{}, {}, {}",
        verb(changed, "changes", "change"),
        verb(new, "is new", "are new"),
        verb(same, "stays the same", "stay the same")
    ));
    lines
}

fn change_in_words(CellChange { column, from, to }: &CellChange) -> String {
    let name = column.name();
    let old = from.as_ref().map(shown);
    match (from, to) {
        (Some(NewValue::Texts(from)), Some(NewValue::Texts(to))) => lists(&name, from, to),
        (Some(NewValue::Numbers(from)), Some(NewValue::Numbers(to))) => {
            let texts = |numbers: &[i64]| numbers.iter().map(i64::to_string).collect::<Vec<_>>();
            lists(&name, &texts(from), &texts(to))
        }
        (Some(_), Some(_)) if column.is_long() => format!("{name} changes"),
        (Some(_), None) if column.is_long() => format!("{name} is removed"),
        (_, Some(to)) => match old {
            Some(old) => format!("{name} becomes {} (was {old})", shown(to)),
            None => format!("{name} is {} (was empty)", shown(to)),
        },
        (_, None) => format!("{name} is removed (was {})", old.unwrap_or_default()),
    }
}

fn lists(name: &str, from: &[String], to: &[String]) -> String {
    let (old, new): (HashSet<_>, HashSet<_>) = (from.iter().collect(), to.iter().collect());
    let added: Vec<&str> = to.iter().filter(|item| !old.contains(item)).map(String::as_str).collect();
    let lost: Vec<&str> = from.iter().filter(|item| !new.contains(item)).map(String::as_str).collect();
    match (added.is_empty(), lost.is_empty()) {
        (true, true) => format!("{name} has another order"),
        (false, true) => format!("{name} gains {}", added.join("; ")),
        (true, false) => format!("{name} loses {}", lost.join("; ")),
        (false, false) => format!("{name} gains {} and loses {}", added.join("; "), lost.join("; ")),
    }
}

/// The errors of the content as it would be. Errors about clinicians whose rows have mistakes are left out: the rows are not
/// applied, which may be the cause.
#[must_use]
pub fn faults(report: &Report, plan: &Plan) -> Vec<Fault> {
    let is_unplanned = |position: &Position| stem(position).is_some_and(|slug| plan.unplanned.contains(slug));
    let is_sure = |problem: &&Problem| {
        !is_unplanned(&report.position(problem))
            && !report.other_position(problem).is_some_and(|other| is_unplanned(&other))
    };
    let errors = report.problems().iter().filter(|problem| problem.severity() == Severity::Error);
    let errors = errors.filter(is_sure);
    let mut faults: Vec<Fault> = errors.map(|problem| fault(report, problem, plan)).collect();
    faults.extend(report.unlisted().into_iter().map(|what| Fault { place: "the files".to_owned(), what }));
    faults
}

/// The first warnings that were not there before, and the number of the others. A report lists so many problems of a file, and
/// counts the rest: a count that was not there before is told, too.
pub fn new_warnings(before: &Report, after: &Report, plan: &Plan) -> (Vec<Fault>, usize) {
    const SHOWN: usize = 50;
    fn key(problem: &Problem) -> (&str, &str) {
        (problem.path(), problem.what())
    }
    let known: HashSet<_> = before.problems().iter().map(key).collect();
    let mut new = after.problems().iter().filter(|problem| !known.contains(&key(problem)));
    let mut shown: Vec<Fault> = new.by_ref().take(SHOWN).map(|problem| fault(after, problem, plan)).collect();
    let more = new.count();
    let counted = before.unlisted();
    let unlisted = after.unlisted().into_iter().filter(|sentence| !counted.contains(sentence));
    shown.extend(unlisted.map(|what| Fault { place: "the files".to_owned(), what }));
    (shown, more)
}

fn fault(report: &Report, problem: &Problem, plan: &Plan) -> Fault {
    let position = report.position(problem);
    let cell = place(&position, plan).or_else(|| place(&report.other_position(problem)?, plan));
    let what = match (problem.help(), &cell) {
        (Some(help), Some((_, column))) => {
            let is_list = column.is_some_and(Column::is_list);
            format!("{}: {}", problem.what(), in_cell(help, is_list))
        }
        (Some(help), None) => format!("{}: {help}", problem.what()),
        (None, _) => problem.what().to_owned(),
    };
    Fault { place: cell.map_or_else(|| position.to_string(), |(place, _)| place), what }
}

/// A value's cell, or else its file's row; and the column.
fn place(position: &Position, plan: &Plan) -> Option<(String, Option<Column>)> {
    let slug = stem(position)?;
    let row = plan.rows.iter().find(|row| row.profile.slug == slug)?;
    let is_whole_file = (position.line, position.column) == (1, 1);
    let column = if is_whole_file {
        // What is wrong with a new file as a whole is its name.
        row.before.is_none().then_some(Column::Slug)
    } else if position.path == row.profile.path() {
        column_at(&row.profile.text, position.line)
    } else {
        None
    };
    let cell = column.and_then(|column| plan.place(row.row, column));
    let place = cell.unwrap_or_else(|| format!("row {} ({}:{})", row.row + 1, position.path, position.line));
    Some((place, column))
}

/// The name of a position's file, which is a clinician's slug if it is about one.
fn stem(position: &Position) -> Option<&str> {
    position.path.rsplit('/').next().and_then(|name| name.strip_suffix(".toml"))
}

/// The column whose value stands on a line of the file.
fn column_at(file: &str, line: usize) -> Option<Column> {
    let file = file.strip_prefix('\u{feff}').unwrap_or(file);
    let line_of = |offset: usize| file[..offset].matches('\n').count() + 1;
    let places = text::places(file, PLANS);
    let (path, _) =
        places.iter().find(|(_, range)| (line_of(range.start)..=line_of(range.end)).contains(&line))?;
    Column::of(&path.join(" ")).ok()
}
