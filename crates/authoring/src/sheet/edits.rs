//! Compares a sheet with the clinicians' files. Returns how the files change, and the mistakes in the sheet.

mod known;
mod moved;
mod new_row;

use std::collections::HashSet;

use directory::model::Slug;

use super::column::{Column, cell_text};
use super::fault::{Faults, SheetFault};
use super::grid::workbook::LONGEST_TEXT;
use super::grid::{DATE, Grid, GridCell, cell_name};
use super::header::Header;
use super::letters::{self, lost_letters};
use super::profile::Profile;
use super::row_hashes::RowHashes;
use crate::edit::NewValue;
use known::KnownClinicians;
pub use known::Reserved;
use moved::MovedCells;

/// Rows count from 0.
pub struct RowEdit {
    pub(super) row: usize,
    /// The file after the edit.
    pub profile: Profile,
    /// The file's text before the edit, or `None` if the clinician is new.
    pub before: Option<String>,
    pub(super) changes: Vec<CellChange>,
}

pub(super) struct CellChange {
    pub(super) column: Column,
    pub(super) from: Option<NewValue>,
    pub(super) to: Option<NewValue>,
}

pub struct SheetEdits {
    pub rows: Vec<RowEdit>,
    /// The number of rows that are not empty.
    pub clinician_count: usize,
    pub has_exported_column: bool,
    /// A row with a mistake is not in `rows`.
    pub faults: Faults,
    /// The slugs of clinicians without a row, who stay published.
    pub(super) absent: Vec<String>,
    /// The slugs of rows with mistakes, from the files and from the sheet.
    pub(super) faulty_slugs: HashSet<String>,
    pub(super) header: Header,
}

pub fn compare(grid: &Grid, profiles: Vec<Profile>, reserved: Reserved<'_>) -> Result<SheetEdits, Faults> {
    let mut faults = Vec::new();
    let header = Header::read(grid, &mut faults);
    if !faults.is_empty() {
        return Err(faults);
    }
    let mut known = KnownClinicians::new(profiles, reserved);
    let sheet = grid.iter().enumerate().skip(1);
    let sheet = sheet.map(|(number, cells)| SheetRow { number, cells, header: &header });
    let sheet: Vec<_> = sheet.filter(|row| !row.is_empty()).collect();
    let mut moved = MovedCells::find(&sheet, &header, &known);
    faults.append(&mut moved.faults);
    faults.extend(moved.add_shortened_numbers(&sheet));
    let mut rows = Vec::new();
    let mut faulty_slugs = HashSet::new();
    let clinician_count = sheet.len();
    for row in &sheet {
        let faults_before = faults.len();
        let id = row.cell(Column::ID).unwrap_or_default();
        // Looked up now, because `row.compare` takes the profile out of `known`.
        let slug_in_file = known.profiles_by_id.get(id).map(|profile| profile.slug.clone());
        let edit = row.compare(&mut known, &moved, &mut faults);
        if faults.len() == faults_before && !moved.has_row(row.number) {
            rows.extend(edit);
        } else {
            faulty_slugs.extend(slug_in_file);
            faulty_slugs.extend(row.cell(Column::Slug).map(str::to_owned));
        }
    }
    letters::join_lost(&mut faults);
    if clinician_count == 0 && faults.is_empty() {
        faults.push(SheetFault::new("the sheet", "there are no rows below the headings"));
    }
    let has_exported_column = header.exported.is_some();
    let mut absent: Vec<String> = known.profiles_by_id.into_values().map(|profile| profile.slug).collect();
    absent.sort_unstable();
    Ok(SheetEdits { rows, clinician_count, has_exported_column, faults, absent, faulty_slugs, header })
}

struct SheetRow<'a> {
    number: usize,
    cells: &'a [GridCell],
    header: &'a Header,
}

impl SheetRow<'_> {
    fn is_empty(&self) -> bool {
        self.cells.iter().all(|cell| matches!(cell, GridCell::Missing) || *cell == GridCell::text(""))
    }

    fn text(&self, position: usize) -> Option<&str> {
        match self.cells.get(position) {
            // A workbook leaves out the empty cells at the end of a row.
            None => Some(""),
            Some(GridCell::Text(text)) => Some(text),
            Some(GridCell::Date(date)) if self.header.has_dates(position) => Some(date),
            Some(GridCell::Date(_) | GridCell::Missing | GridCell::Unreadable(_)) => None,
        }
    }

    fn cell(&self, column: Column) -> Option<&str> {
        self.text(*self.header.columns.get(&column)?)
    }

    fn fault(&self, column: Column, message: impl Into<String>) -> SheetFault {
        let no_cell = || format!("row {} (no column `{}`)", self.number + 1, column.name());
        SheetFault::new(self.header.cell_name(self.number, column).unwrap_or_else(no_cell), message)
    }

    /// Reports a mistake. Returns `None`, because a row with a mistake has no edit.
    fn refuse(&self, column: Column, message: String, faults: &mut Faults) -> Option<RowEdit> {
        faults.push(self.fault(column, message));
        None
    }

    fn compare(
        &self,
        known: &mut KnownClinicians<'_>,
        moved: &MovedCells,
        faults: &mut Faults,
    ) -> Option<RowEdit> {
        self.check_cells(faults);
        if moved.contains(self.number, Column::ID) {
            return None;
        }
        let Some(id) = self.cell(Column::ID).filter(|id| !id.is_empty()) else {
            // Without an id, `add_clinician` adds no clinician, and only reports what the row lacks.
            return self.add_clinician(None, None, known, faults);
        };
        if let Some(row) = known.rows_by_id.insert(id.to_owned(), self.number) {
            let message = format!(
                "row {} already has the id {id}: if one of the two is a new clinician, give that row an id that no clinician has \
                 or had, empty its `exported`, and correct its `npi` and `bio`; if not, keep one of the two",
                row + 1
            );
            return self.refuse(Column::ID, message, faults);
        }
        let hashes = self.parse_hashes().map_err(|fault| faults.push(fault)).ok()?;
        let Some(profile) = known.profiles_by_id.remove(id) else {
            return self.add_clinician(Some(id), hashes.as_ref(), known, faults);
        };
        let slug = &profile.slug;
        if hashes.as_ref().is_some_and(|hashes| hashes.had(Column::ID, id) == Some(false)) {
            let message = format!(
                "this row had another id when it was exported, and would change {slug}: restore the id (sort whole rows, \
                 never a single column), or export a new sheet"
            );
            return self.refuse(Column::ID, message, faults);
        }
        if self.header.exported.is_some() && hashes.is_none() {
            // The export did not write this row, but a file has its id. If the row says what the file says, then an earlier
            // import of this row added the clinician, and there is nothing to do.
            if self.equals(&profile) {
                return None;
            }
            let message = format!(
                "{id} is the id of {slug}: give a new clinician an id that no clinician has or had; to change {slug}, edit the row that \
                 was exported"
            );
            return self.refuse(Column::ID, message, faults);
        }
        self.edit_clinician(profile, hashes.as_ref(), moved, faults)
    }

    fn check_cells(&self, faults: &mut Faults) {
        for (position, cell) in self.cells.iter().enumerate() {
            let has_heading = self.header.exported == Some(position)
                || self.header.columns.values().any(|column| *column == position);
            let message = match cell {
                GridCell::Unreadable(message) => (*message).to_owned(),
                GridCell::Date(_) if !self.header.has_dates(position) => DATE.to_owned(),
                GridCell::Text(text) if text.encode_utf16().count() > LONGEST_TEXT => {
                    format!(
                        "this text is too long for a spreadsheet's cell ({LONGEST_TEXT} letters): shorten it"
                    )
                }
                GridCell::Text(text) if !has_heading && !text.is_empty() => {
                    "this column has no heading: write one in the first row, or empty the cell".to_owned()
                }
                _ => continue,
            };
            faults.push(SheetFault::new(cell_name(self.number, position), message));
        }
    }

    fn parse_hashes(&self) -> Result<Option<RowHashes<'_>>, SheetFault> {
        let Some(position) = self.header.exported else { return Ok(None) };
        let cell = self.text(position).unwrap_or_default();
        let hashes = RowHashes::parse(cell);
        if hashes.is_none() && !cell.is_empty() {
            let message = "the export writes this column: undo your change here, or empty the cell if the clinician is new";
            return Err(SheetFault::new(cell_name(self.number, position), message));
        }
        Ok(hashes)
    }

    fn equals(&self, profile: &Profile) -> bool {
        self.header.columns.keys().all(|&column| {
            let cell = self.cell(column).unwrap_or_default();
            let value = column.parse_cell(cell).ok().flatten();
            value.as_ref().map(cell_text).unwrap_or_default() == profile.cell(column)
        })
    }

    fn edit_clinician(
        &self,
        profile: Profile,
        hashes: Option<&RowHashes<'_>>,
        moved: &MovedCells,
        faults: &mut Faults,
    ) -> Option<RowEdit> {
        if let Some((column, direction)) = self.first_shifted(&profile) {
            let message = format!(
                "the cells of this row moved one column to the {direction}: press Ctrl+Z to undo that, or export again"
            );
            return self.refuse(column, message, faults);
        }
        let mut changes = Vec::new();
        let columns = self.header.in_order().into_iter();
        let is_other = |column| self.cell(column).is_some_and(|cell| cell != profile.cell(column));
        let is_renamed = Column::parse("display-name").is_ok_and(is_other);
        for column in columns.filter(|column| !moved.contains(self.number, *column)) {
            let Some(cell) = self.cell(column) else { continue };
            match compare_cell(column, cell, &profile, hashes, is_renamed) {
                Ok(change) => changes.extend(change),
                Err(message) => faults.push(self.fault(column, message)),
            }
        }
        if changes.is_empty() {
            return None;
        }
        let before = Some(profile.text.clone());
        self.apply(profile, changes, before, faults)
    }

    /// The first of several cells that hold what the column beside them had, as after one cell was deleted or inserted.
    fn first_shifted(&self, profile: &Profile) -> Option<(Column, &'static str)> {
        const LEAST: usize = 3;
        let columns = self.header.in_order();
        let holds = |own: Column, other: Column| {
            let cell = self.cell(own).filter(|cell| !cell.is_empty());
            cell.is_some_and(|cell| cell == profile.cell(other) && cell != profile.cell(own))
        };
        let to_left = columns.windows(2).filter(|pair| holds(pair[0], pair[1])).map(|pair| pair[0]);
        let to_right = columns.windows(2).filter(|pair| holds(pair[1], pair[0])).map(|pair| pair[1]);
        let (to_left, to_right): (Vec<_>, Vec<_>) = (to_left.collect(), to_right.collect());
        let shifted =
            [(to_left, "left"), (to_right, "right")].into_iter().find(|(all, _)| all.len() >= LEAST);
        shifted.and_then(|(all, whither)| Some((*all.first()?, whither)))
    }

    fn apply(
        &self,
        mut profile: Profile,
        changes: Vec<CellChange>,
        before: Option<String>,
        faults: &mut Faults,
    ) -> Option<RowEdit> {
        for change in &changes {
            match profile.with_value(change.column, change.to.as_ref()) {
                Ok(edited) => profile = edited,
                Err(message) => return self.refuse(change.column, message, faults),
            }
        }
        Some(RowEdit { row: self.number, profile, before, changes })
    }
}

fn compare_cell(
    column: Column,
    cell: &str,
    profile: &Profile,
    hashes: Option<&RowHashes<'_>>,
    is_renamed: bool,
) -> Result<Option<CellChange>, String> {
    let file_text = profile.cell(column);
    let is_untouched = hashes.is_some_and(|hashes| hashes.had(column, cell) == Some(true));
    if cell == file_text || is_untouched {
        return Ok(None);
    }
    if column == Column::Slug {
        return Err(slug_message(&profile.slug, cell, is_renamed));
    }
    let to = column.parse_cell(cell)?;
    if let Some(message) = lost_letters(&file_text, cell) {
        return Err(message);
    }
    let from = profile.value(column).cloned();
    // The cell may say the same in another way, such as `california;ny` for `CA; NY`.
    if to.as_ref().map(cell_text) == from.as_ref().map(cell_text) {
        return Ok(None);
    }
    if to.is_none() && column.is_required() {
        return Err(required_message(column));
    }
    let was_changed_in_file = hashes.is_some_and(|hashes| match hashes.had(column, &file_text) {
        Some(had) => !had,
        // The exported sheet had no such column. Only a column of plans in one state can be missing, and only if no clinician
        // had a license or plans there. So any plans in the file now are new.
        None => from.is_some(),
    });
    if was_changed_in_file {
        let is_shown = !column.is_long() && !file_text.is_empty();
        let value = if is_shown { format!(" to {file_text}") } else { String::new() };
        return Err(format!(
            "after this sheet was exported, this was changed{value} in {}.toml: export a new sheet, and make your change there",
            profile.slug
        ));
    }
    Ok(Some(CellChange { column, from, to }))
}

/// `is_renamed` says that the row has another name, too: then it may be someone else's.
fn slug_message(slug: &str, cell: &str, is_renamed: bool) -> String {
    let new = if cell.parse::<Slug>().is_ok() { cell } else { "NEW" };
    let rename = format!("write {slug} again, import, and then run `nameplate rename provider {slug} {new}`");
    let add = "give it an id that no clinician has or had, and empty its `exported`";
    if is_renamed {
        return format!(
            "the sheet can't change the slug {slug}: is this row a new clinician? Then {add}. If not, {rename}"
        );
    }
    format!("the sheet can't change the slug {slug}: {rename}; if this row is a new clinician, {add}")
}

fn required_message(column: Column) -> String {
    let name = column.name();
    match name.as_str() {
        "licensed" | "accepting" => format!("`{name}` is required: write states, such as CA; NY, or none"),
        _ => format!("`{name}` is required"),
    }
}

#[cfg(test)]
mod tests;
