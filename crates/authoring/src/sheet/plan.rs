//! What a sheet changes: each cell compared with the file, and every mistake told by cell.

mod known;
mod new_row;

use std::collections::HashSet;

use directory::model::Slug;

use super::column::{Column, shown};
use super::fault::Fault;
use super::grid::workbook::LONGEST;
use super::grid::{Cell, Grid, cell_name};
use super::header::Header;
use super::letters::lost_letters;
use super::mark::Mark;
use super::profile::Profile;
use crate::edit::NewValue;
use known::Known;
pub use known::Reserved;

#[derive(Debug)]
pub struct RowPlan {
    /// From 0.
    pub(super) row: usize,
    /// The file as it will be.
    pub profile: Profile,
    /// `None`: a new clinician.
    pub before: Option<String>,
    pub(super) changes: Vec<CellChange>,
}

#[derive(Debug)]
pub(super) struct CellChange {
    pub(super) column: Column,
    pub(super) from: Option<NewValue>,
    pub(super) to: Option<NewValue>,
}

#[derive(Debug)]
pub struct Plan {
    pub rows: Vec<RowPlan>,
    /// The rows with a clinician, changed or not.
    pub clinicians: usize,
    pub has_marks: bool,
    /// Every mistake. A row that has one changes nothing.
    pub faults: Vec<Fault>,
    /// The slugs in the rows with a mistake.
    pub unplanned: HashSet<String>,
    header: Header,
}

impl Plan {
    /// The cell of a column in a row.
    pub(super) fn place(&self, row: usize, column: Column) -> Option<String> {
        self.header.columns.get(&column).map(|at| cell_name(row, *at))
    }
}

/// Compares a sheet with the files. Fails on a faulty header.
pub fn plan(grid: &Grid, profiles: Vec<Profile>, reserved: Reserved<'_>) -> Result<Plan, Vec<Fault>> {
    let mut faults = Vec::new();
    let header = Header::read(grid, &mut faults);
    if !faults.is_empty() {
        return Err(faults);
    }
    let mut known = Known::of(profiles, reserved);
    let row = |(number, cells)| SheetRow { number, cells, header: &header };
    let in_sheet: Vec<SheetRow<'_>> = grid.iter().map(Vec::as_slice).enumerate().skip(1).map(row).collect();
    let mut rows = Vec::new();
    let mut unplanned = HashSet::new();
    let mut clinicians = 0;
    for row in &in_sheet {
        if row.is_empty() {
            continue;
        }
        let before = faults.len();
        let id = row.cell(Column::ID).unwrap_or_default();
        let slug = known.by_id.get(id).map(|profile| profile.slug.clone());
        let planned = row.plan(&mut known, &mut faults);
        clinicians += 1;
        if faults.len() == before {
            rows.extend(planned);
        } else {
            unplanned.extend(slug);
            unplanned.extend(row.cell(Column::Slug).map(str::to_owned));
        }
    }
    if clinicians == 0 && faults.is_empty() {
        faults
            .push(Fault { place: "the sheet".to_owned(), what: "it has no row below the header".to_owned() });
    }
    Ok(Plan { rows, clinicians, has_marks: header.mark.is_some(), faults, unplanned, header })
}

struct SheetRow<'a> {
    number: usize,
    cells: &'a [Cell],
    header: &'a Header,
}

impl SheetRow<'_> {
    fn is_empty(&self) -> bool {
        self.cells.iter().all(|cell| matches!(cell, Cell::Missing) || *cell == Cell::of(""))
    }

    fn text(&self, at: usize) -> Option<&str> {
        match self.cells.get(at) {
            None => Some(""),
            Some(Cell::Text(text)) => Some(text),
            Some(Cell::Missing | Cell::Other(_)) => None,
        }
    }

    fn cell(&self, column: Column) -> Option<&str> {
        self.text(*self.header.columns.get(&column)?)
    }

    fn fault(&self, column: Column, what: impl Into<String>) -> Fault {
        let place = self.header.columns.get(&column).map(|at| cell_name(self.number, *at));
        let place =
            place.unwrap_or_else(|| format!("row {} (no column `{}`)", self.number + 1, column.name()));
        Fault { place, what: what.into() }
    }

    fn plan(&self, known: &mut Known<'_>, faults: &mut Vec<Fault>) -> Option<RowPlan> {
        self.report_cells(faults);
        let Some(id) = self.cell(Column::ID).filter(|id| !id.is_empty()) else {
            return self.plan_new(None, None, known, faults);
        };
        if let Some(row) = known.rows_by_id.insert(id.to_owned(), self.number) {
            let what = format!("the id {id} is in row {} already: keep one of the two rows", row + 1);
            faults.push(self.fault(Column::ID, what));
            return None;
        }
        let mark_cell = self.header.mark.and_then(|at| self.text(at)).unwrap_or_default();
        let mark = Mark::of(mark_cell);
        if mark.is_none() && !mark_cell.is_empty() {
            let place = cell_name(self.number, self.header.mark.unwrap_or_default());
            let what = "this column is written by the export: take back what was changed here, or empty the cell if the \
                        clinician is new";
            faults.push(Fault { place, what: what.to_owned() });
            return None;
        }
        match known.by_id.remove(id) {
            Some(profile) => {
                if mark.as_ref().is_some_and(|mark| mark.had(Column::ID, id) == Some(false)) {
                    let what = format!(
                        "this row had another id when it was exported, and would change {}: take the id back (sort whole rows, never \
                         one column), or export a new sheet",
                        profile.slug
                    );
                    faults.push(self.fault(Column::ID, what));
                    return None;
                }
                if self.header.mark.is_some() && mark.is_none() {
                    // A new row that was imported before.
                    if self.says_what_is_in(&profile) {
                        return None;
                    }
                    let what = format!(
                        "{id} is the id of {}: a new clinician needs one that was never used; to change {0}, edit the row of \
                         the export",
                        profile.slug
                    );
                    faults.push(self.fault(Column::ID, what));
                    return None;
                }
                self.plan_edit(profile, mark.as_ref(), faults)
            }
            None => self.plan_new(Some(id), mark.as_ref(), known, faults),
        }
    }

    fn says_what_is_in(&self, profile: &Profile) -> bool {
        self.header.columns.keys().all(|&column| {
            let cell = self.cell(column).unwrap_or_default();
            let value = column.read(cell).ok().flatten();
            value.as_ref().map(shown).unwrap_or_default() == profile.cell(column)
        })
    }

    /// Reports cells that are not text, too long, or without a heading.
    fn report_cells(&self, faults: &mut Vec<Fault>) {
        for (at, cell) in self.cells.iter().enumerate() {
            let place = || cell_name(self.number, at);
            let is_named =
                self.header.mark == Some(at) || self.header.columns.values().any(|column| *column == at);
            match cell {
                Cell::Other(what) => faults.push(Fault { place: place(), what: (*what).to_owned() }),
                Cell::Text(text) if text.encode_utf16().count() > LONGEST => {
                    let what = format!(
                        "this text is longer than a spreadsheet's cell can be ({LONGEST} letters): shorten it"
                    );
                    faults.push(Fault { place: place(), what });
                }
                Cell::Text(text) if !is_named && !text.is_empty() => {
                    let what = "this column has no heading: write one into the first row, or empty the cell";
                    faults.push(Fault { place: place(), what: what.to_owned() });
                }
                _ => {}
            }
        }
    }

    fn plan_edit(
        &self,
        profile: Profile,
        mark: Option<&Mark<'_>>,
        faults: &mut Vec<Fault>,
    ) -> Option<RowPlan> {
        let mut changes = Vec::new();
        for column in self.header.in_order() {
            let Some(cell) = self.cell(column) else { continue };
            let now = profile.cell(column);
            if cell == now || mark.is_some_and(|mark| mark.had(column, cell) == Some(true)) {
                continue;
            }
            if column == Column::Slug {
                faults.push(self.fault(column, slug_advice(&profile.slug, cell)));
                continue;
            }
            let to = match column.read(cell) {
                Ok(to) => to,
                Err(what) => {
                    faults.push(self.fault(column, what));
                    continue;
                }
            };
            if let Some(what) = lost_letters(&now, cell) {
                faults.push(self.fault(column, what));
                continue;
            }
            let from = profile.value(column).cloned();
            // Only spaces or case differ: no change.
            if to.as_ref().map(shown) == from.as_ref().map(shown) {
                continue;
            }
            if to.is_none() && column.is_required() {
                faults.push(self.fault(column, missing(column)));
                continue;
            }
            let is_stale = mark.is_some_and(|mark| match mark.had(column, &now) {
                Some(had) => !had,
                // The column is new.
                None => from.is_some(),
            });
            if is_stale {
                let now =
                    if column.is_long() || now.is_empty() { String::new() } else { format!(" to {now}") };
                let what = format!(
                    "{}.toml was changed here{now} after this sheet was exported: export a new sheet, and change the cell there",
                    profile.slug
                );
                faults.push(self.fault(column, what));
                continue;
            }
            changes.push(CellChange { column, from, to });
        }
        let before = Some(profile.text.clone());
        self.edited(profile, changes, before, faults)
    }

    fn edited(
        &self,
        mut profile: Profile,
        changes: Vec<CellChange>,
        before: Option<String>,
        faults: &mut Vec<Fault>,
    ) -> Option<RowPlan> {
        for change in &changes {
            match profile.edited(change.column, change.to.as_ref()) {
                Ok(edited) => profile = edited,
                Err(what) => {
                    faults.push(self.fault(change.column, what));
                    return None;
                }
            }
        }
        if changes.is_empty() && before.is_some() {
            return None;
        }
        Some(RowPlan { row: self.number, profile, before, changes })
    }
}

fn slug_advice(slug: &str, cell: &str) -> String {
    let new = if cell.parse::<Slug>().is_ok() { cell } else { "NEW" };
    format!(
        "the slug is {slug} and is not changed here: write {slug} again, import, and then run `nameplate rename provider {slug} {new}`"
    )
}

fn missing(column: Column) -> String {
    let name = column.name();
    match name.as_str() {
        "licensed" | "accepting" => format!("`{name}` must be there: write states, as in CA; NY, or none"),
        _ => format!("`{name}` must be there: write it"),
    }
}

#[cfg(test)]
mod tests;
