//! Describes what a sheet changes, and what `check` would then find wrong, cell by cell.

use std::collections::HashSet;
use std::hash::Hash;
use std::ops::Range;

use directory::content::{Position, Problem, Report, Severity};

use super::advice;
use super::column::{Column, LEAVE, PLANS, cell_text};
use super::edits::{CellChange, RowEdit, SheetEdits};
use super::fault::{Faults, SheetFault};
use crate::edit::{NewValue, text};
use directory::told::count;

const EMPTY: &str = "(empty)";
/// In how many cells below one another the same new value was probably filled down.
const FILLED: usize = 3;
/// How many letters of a text are shown, and how many of them before and after a change in it.
const LONGEST: usize = 80;
const CONTEXT: usize = 20;

pub fn describe_changes(edits: &SheetEdits) -> Vec<String> {
    let mut lines = Vec::new();
    for RowEdit { row, profile, before, changes } in &edits.rows {
        let slug = &profile.slug;
        if before.is_none() {
            lines.push(format!("{slug} (row {}) is new: {}", row + 1, profile.path()));
            continue;
        }
        lines.push(format!("{slug} (row {}):", row + 1));
        lines.extend(changes.iter().map(|change| format!("  {}", describe_change(change))));
    }
    let new = edits.rows.iter().filter(|row| row.before.is_none()).count();
    let changed = count(edits.rows.len() - new, "clinician");
    let unchanged = edits.clinician_count - edits.rows.len();
    lines.push(format!("{changed} changed, {new} new, {unchanged} unchanged"));
    if let [first @ .., last] = &edits.absent[..] {
        let names = match first {
            [] => last.clone(),
            [one] => format!("{one} and {last}"),
            [one, others @ ..] => format!("{one} and {} more", others.len() + 1),
        };
        lines.push(format!(
            "not in the sheet, and unchanged: {names}. To remove a clinician, keep the row (undo, or export again), and write withdrawn in its `status`."
        ));
    }
    lines
}

fn describe_change(CellChange { column, from, to }: &CellChange) -> String {
    let name = column.name();
    match (from, to) {
        (Some(NewValue::Texts(from)), Some(NewValue::Texts(to))) => describe_list_change(&name, from, to),
        (Some(NewValue::Numbers(from)), Some(NewValue::Numbers(to))) => describe_list_change(&name, from, to),
        _ => {
            let text = |value: &Option<NewValue>| value.as_ref().map_or_else(|| EMPTY.to_owned(), cell_text);
            let (old, new) = shorten(&text(from), &text(to));
            format!("{name}: {old} → {new}")
        }
    }
}

/// Shortens two texts so that they show where they differ, with some letters before and after it.
fn shorten(old: &str, new: &str) -> (String, String) {
    let [old, new] = [old, new].map(|text| text.chars().collect::<Vec<char>>());
    let same = |pairs: &mut dyn Iterator<Item = (&char, &char)>| {
        pairs.take_while(|(one, other)| one == other).count()
    };
    let start = same(&mut old.iter().zip(&new));
    let end = same(&mut old[start..].iter().rev().zip(new[start..].iter().rev()));
    let shorten = |text: &[char]| {
        let from = if text.len() > LONGEST { start.saturating_sub(CONTEXT) } else { 0 };
        let to = if text.len() > LONGEST { (text.len() - end + CONTEXT).min(text.len()) } else { text.len() };
        let before = if from > 0 { "…" } else { "" };
        let after = if to < text.len() { "…" } else { "" };
        let part = &text[from..to];
        let part = if part.len() > LONGEST {
            let [first, last] =
                [&part[..LONGEST / 2], &part[part.len() - LONGEST / 2..]].map(String::from_iter);
            format!("{} … {}", first.trim_end(), last.trim_start())
        } else {
            String::from_iter(part)
        };
        format!("{before}{part}{after}")
    };
    (shorten(&old), shorten(&new))
}

fn describe_list_change<T: Eq + Hash + ToString>(name: &str, from: &[T], to: &[T]) -> String {
    let (old, new): (HashSet<_>, HashSet<_>) = (from.iter().collect(), to.iter().collect());
    let added: Vec<_> = to.iter().filter(|item| !old.contains(item)).map(T::to_string).collect();
    let removed: Vec<_> = from.iter().filter(|item| !new.contains(item)).map(T::to_string).collect();
    match (added.is_empty(), removed.is_empty()) {
        (true, true) => format!("{name} changes its order"),
        (false, true) => format!("{name} gains {}", added.join("; ")),
        (true, false) => format!("{name} loses {}", removed.join("; ")),
        (false, false) => format!("{name} gains {} and loses {}", added.join("; "), removed.join("; ")),
    }
}

/// Errors about a clinician whose row has mistakes are left out: their cause may be that the row is not imported.
pub fn content_faults(report: &Report, edits: &SheetEdits) -> Vec<SheetFault> {
    let is_about_faulty_row =
        |position: &Position| file_stem(position).is_some_and(|slug| edits.faulty_slugs.contains(slug));
    let is_reported = |problem: &&Problem| {
        problem.severity() == Severity::Error
            && !is_about_faulty_row(&report.position(problem))
            && !report.other_position(problem).is_some_and(|other| is_about_faulty_row(&other))
    };
    let errors = report.problems().iter().filter(is_reported);
    // A report may leave out some problems of a file. If so, it has a message that says how many.
    let omissions = report.unlisted().into_iter().map(|message| SheetFault::new("the files", message));
    let faults = errors.map(|problem| describe_problem(report, problem, edits)).chain(omissions).collect();
    with_filled_cells_joined(faults, edits)
}

/// One message in place of those for cells below one another that were given one value, as by dragging a cell down.
fn with_filled_cells_joined(mut faults: Faults, edits: &SheetEdits) -> Faults {
    for column in edits.header.in_order() {
        let change = |edit: &RowEdit| {
            let change = edit.changes.iter().find(|change| change.column == column)?;
            let from = change.from.as_ref().map_or_else(|| EMPTY.to_owned(), cell_text);
            Some((edit.row, from, cell_text(change.to.as_ref()?)))
        };
        let changed: Vec<(usize, String, String)> = edits.rows.iter().filter_map(change).collect();
        for run in changed.chunk_by(|(row, _, to), (next, _, other)| row + 1 == *next && to == other) {
            let mut old: Vec<String> = run.iter().map(|(_, from, _)| format!("\"{from}\"")).collect();
            old.dedup();
            let cells: Vec<String> =
                run.iter().filter_map(|(row, ..)| edits.header.cell_name(*row, column)).collect();
            let ([first, .., last], [(.., value), ..]) = (&cells[..], run) else { continue };
            if run.len() < FILLED || old.len() == 1 || column.is_long() {
                continue;
            }
            let of_run: HashSet<&String> = cells.iter().collect();
            let Some(at) = faults.iter().position(|fault| of_run.contains(&fault.place)) else { continue };
            let message = format!(
                "{first} to {last} were all changed to \"{value}\". Was a cell filled down? The export had {}. Undo \
                 this (Ctrl+Z), or write the old values again",
                old.join(", ")
            );
            let fault = SheetFault::new(first, message);
            faults.retain(|fault| !of_run.contains(&fault.place));
            faults.insert(at, fault);
        }
    }
    faults
}

/// Returns the first new warnings, and how many more new ones there are.
pub fn new_warnings(before: &Report, after: &Report, edits: &SheetEdits) -> (Vec<SheetFault>, usize) {
    const MOST_WARNINGS: usize = 50;
    fn identity(problem: &Problem) -> (&str, &str) {
        (problem.path(), problem.what())
    }
    let known: HashSet<_> = before.problems().iter().map(identity).collect();
    let mut new = after.problems().iter().filter(|problem| !known.contains(&identity(problem)));
    let first = new.by_ref().take(MOST_WARNINGS);
    let mut warnings: Vec<_> = first.map(|problem| describe_problem(after, problem, edits)).collect();
    let more = new.count();
    let known_messages = before.unlisted();
    let new_messages = after.unlisted().into_iter().filter(|message| !known_messages.contains(message));
    warnings.extend(new_messages.map(|message| SheetFault::new("the files", message)));
    (warnings, more)
}

fn describe_problem(report: &Report, problem: &Problem, edits: &SheetEdits) -> SheetFault {
    let position = report.position(problem);
    let in_sheet =
        find_in_sheet(&position, edits).or_else(|| find_in_sheet(&report.other_position(problem)?, edits));
    let message = match (problem.help_in_form(), &in_sheet) {
        // The files were right before: the name was changed in the sheet.
        (Some(_), Some(_)) if problem.repairs().iter().any(|repair| repair.name == "undo-rename") => format!(
            "{} Write the old name in these cells again. To rename a plan, run `nameplate rename plan` with its old and \
             its new name, and then export again",
            problem.what()
        ),
        (Some(help), Some((_, column))) => {
            let is_list = column.is_some_and(Column::is_list);
            let mut message = format!("{} {}", problem.what(), advice::for_cell(&help, is_list));
            // The advice is about one entry of the cell.
            if is_list && has_several(edits, &position, *column) && help.starts_with("Write \"") {
                message = format!("{} in its place, and keep the others", message.trim_end_matches('.'));
            }
            if column.is_some_and(Column::has_dates) { advice::for_leave(&message) } else { message }
        }
        (Some(help), None) => format!("{} {help}", problem.what()),
        (None, _) => problem.what().to_owned(),
    };
    SheetFault::new(in_sheet.map_or_else(|| position.to_string(), |(name, _)| name), message)
}

/// Whether a row has several entries in a column.
fn has_several(edits: &SheetEdits, position: &Position, column: Option<Column>) -> bool {
    let slug = file_stem(position);
    let row = edits.rows.iter().find(|row| Some(row.profile.slug.as_str()) == slug);
    row.zip(column).is_some_and(|(row, column)| row.profile.cell(column).contains("; "))
}

/// Returns the name of the cell or, if none is found, of the row, and the cell's column.
fn find_in_sheet(position: &Position, edits: &SheetEdits) -> Option<(String, Option<Column>)> {
    let slug = file_stem(position)?;
    let edit = edits.rows.iter().find(|row| row.profile.slug == slug)?;
    let column = find_column(position, edit);
    let cell = column.and_then(|column| edits.header.cell_name(edit.row, column));
    let name = cell.unwrap_or_else(|| format!("row {} ({}:{})", edit.row + 1, position.path, position.line));
    Some((name, column))
}

fn find_column(position: &Position, edit: &RowEdit) -> Option<Column> {
    let is_about_whole_file = (position.line, position.column) == (1, 1);
    if is_about_whole_file {
        // All that can be wrong with a new file as a whole is its name.
        return edit.before.is_none().then_some(Column::Slug);
    }
    // The position may also be in the clinician's hours, which have no column.
    if position.path != edit.profile.path() {
        return None;
    }
    let (_, file) = text::split_byte_order_mark(&edit.profile.text);
    let line_at = |offset: usize| file[..offset].matches('\n').count() + 1;
    // What a leave lacks is its first day.
    if file.lines().nth(position.line.saturating_sub(1)).is_some_and(|line| line.trim() == "[[leave]]") {
        return Column::parse("leave from").ok();
    }
    let keys = text::key_ranges(file, &[LEAVE, PLANS]);
    let has_line =
        |range: &Range<usize>| (line_at(range.start)..=line_at(range.end)).contains(&position.line);
    let (path, _) = keys.iter().find(|(_, range)| has_line(range))?;
    Column::parse(&path.join(" ")).ok()
}

/// Returns the name of a position's file without `.toml`, which is the slug if the file is a clinician's.
fn file_stem(position: &Position) -> Option<&str> {
    position.path.rsplit('/').next().and_then(|name| name.strip_suffix(".toml"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_show_where_they_differ() {
        let bio = "Grace has worked as a nurse on three islands and practices from Hilo, where the rain keeps time with her mornings. \
                   After work she paddles with a women's canoe crew.";
        let shown = |old: &str, new: &str| {
            let (old, new) = shorten(old, new);
            format!("{old} → {new}")
        };
        assert_eq!(shown("Ann Lee", "Anne Lee"), "Ann Lee → Anne Lee");
        assert_eq!(
            shown(bio, &bio.replace("Hilo", "Hāna, on Maui")),
            "…and practices from Hilo, where the rain kee… → …and practices from Hāna, on Maui, where the rain kee…"
        );
        assert_eq!(
            shown(bio, &bio.replace("crew.", "crew")),
            "…a women's canoe crew. → …a women's canoe crew"
        );
        assert_eq!(
            shown(bio, EMPTY),
            "Grace has worked as a nurse on three isl … k she paddles with a women's canoe crew. → (empty)"
        );
    }
}
