//! Clinicians as the rows of a sheet. `grid` reads and writes files, `column` converts cells to values, and `profile` converts
//! a clinician's file to cells. `row_hashes` records the cells at the export, and `edits` compares a sheet with the files.

mod advice;
mod column;
mod describe;
mod edits;
mod fault;
mod grid;
mod header;
mod letters;
mod profile;
mod row_hashes;

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use directory::content::{OpenError, read_linked};
use directory::told::Refusal;

use crate::edit::Edits;
use column::Column;
use grid::workbook::{self, Heading};
use grid::{GridCell, csv, xlsx};
use row_hashes::hash_row;

pub use column::EXPORTED;
pub use describe::{content_faults, describe_changes, new_warnings};
pub use edits::{Reserved, SheetEdits, compare};
pub use fault::{Faults, SheetFault};
pub use grid::Grid;
pub use grid::xlsx::Tabs;
pub use profile::Profile;

/// The extensions of spreadsheets' files. Only some of these formats can be read and written.
const EXTENSIONS: [&str; 7] = ["csv", "xlsx", "xlsm", "xls", "xlsb", "ods", "numbers"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Csv,
    Xlsx,
}

impl Format {
    pub fn from_path(path: &Path) -> Result<Self, Refusal> {
        let advice = match extension(path).as_str() {
            "csv" => return Ok(Self::Csv),
            "xlsx" => return Ok(Self::Xlsx),
            "xlsm" => "save the workbook as XLSX, without macros",
            "xls" | "xlsb" | "ods" | "numbers" => "save the sheet as XLSX, or as \"CSV UTF-8\"",
            _ => "use a file name that ends in .xlsx or .csv",
        };
        Err(Refusal::new(format!("{} isn't an XLSX or CSV file: {advice}", path.display())))
    }
}

pub fn has_sheet_extension(path: &Path) -> bool {
    EXTENSIONS.contains(&extension(path).as_str())
}

fn extension(path: &Path) -> String {
    path.extension().and_then(|extension| extension.to_str()).unwrap_or_default().to_ascii_lowercase()
}

pub fn read_profiles(edits: &Edits) -> Result<Vec<Profile>, Refusal> {
    let parse = |(slug, text): (String, String)| {
        Profile::parse(&slug, text).map_err(|why| Refusal::new(format!("providers/{slug}.toml: {why}")))
    };
    edits.providers()?.into_iter().map(parse).collect()
}

/// Reads the ids in `retired.toml`, which are never reused.
pub fn read_retired_ids(edits: &Edits) -> Result<BTreeSet<String>, Refusal> {
    let text = edits.read("retired.toml")?.unwrap_or_default();
    let file: toml::Table = toml::from_str(text.trim_start_matches('\u{feff}')).unwrap_or_default();
    let entries = file.get("provider").and_then(toml::Value::as_array).cloned().unwrap_or_default();
    Ok(entries.into_iter().filter_map(|entry| Some(entry.get("id")?.as_str()?.to_owned())).collect())
}

pub fn write_sheet(profiles: &[Profile], format: Format) -> Result<Vec<u8>, Refusal> {
    let states = profiles.iter().flat_map(Profile::states).map(Column::PlansIn);
    let columns: Vec<Column> = Column::fixed().chain(states.collect::<BTreeSet<_>>()).collect();
    let mut rows = Vec::with_capacity(profiles.len());
    for profile in profiles {
        let mut cells: Vec<String> = columns.iter().map(|column| profile.cell(*column)).collect();
        refuse_long_cells(profile, &columns, &cells)?;
        cells.push(hash_row(columns.iter().copied().zip(cells.iter().map(String::as_str))));
        rows.push(cells);
    }
    let headings = headings(&columns);
    let names = headings.iter().map(|heading| heading.name.as_str()).collect();
    let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
    let bytes = match format {
        Format::Csv => csv::write(std::iter::once(names).chain(rows)),
        Format::Xlsx => workbook::write(&headings, &rows),
    };
    bytes.map_err(|why| Refusal::new(format!("the sheet can't be written: {why}")))
}

fn refuse_long_cells(profile: &Profile, columns: &[Column], cells: &[String]) -> Result<(), Refusal> {
    for (column, cell) in columns.iter().zip(cells) {
        if cell.encode_utf16().count() > workbook::LONGEST_TEXT {
            let (name, slug) = (column.name(), &profile.slug);
            return Err(Refusal::new(format!(
                "`{name}` of {slug} is too long for a spreadsheet's cell: shorten it in the file"
            )));
        }
    }
    Ok(())
}

fn headings(columns: &[Column]) -> Vec<Heading> {
    let heading = |column: &Column| Heading {
        name: column.name(),
        width: column.width(),
        is_hidden: false,
        choices: column.choices(),
    };
    let exported = Heading { name: EXPORTED.to_owned(), width: 10, is_hidden: true, choices: Vec::new() };
    columns.iter().map(heading).chain([exported]).collect()
}

/// Empties the column that `export` wrote: for a new folder, where each row is a new clinician.
pub fn forget_export(grid: &mut Grid) {
    let is_exported =
        |cell: &GridCell| matches!(cell, GridCell::Text(text) if text.eq_ignore_ascii_case(EXPORTED));
    let Some(position) = grid.first().and_then(|headings| headings.iter().position(is_exported)) else {
        return;
    };
    for cell in grid.iter_mut().skip(1).filter_map(|row| row.get_mut(position)) {
        *cell = GridCell::text("");
    }
}

pub fn read_sheet(path: &Path) -> Result<(Grid, Option<Tabs>), Refusal> {
    let format = Format::from_path(path)?;
    let refused = |why: String| Refusal::new(format!("{} can't be read: {why}", path.display()));
    let explain = |error| match error {
        OpenError::Io(error) if error.kind() == io::ErrorKind::NotFound => "the file doesn't exist".into(),
        OpenError::TooLarge(limit) => {
            format!("it is larger than {} MB: export and edit a new sheet", limit >> 20)
        }
        error => error.to_string(),
    };
    let bytes = read_linked(path, grid::MOST_BYTES).map_err(|error| refused(explain(error)))?;
    let sheet = match format {
        Format::Csv => csv::read(&bytes).map(|grid| (grid, None)),
        Format::Xlsx => xlsx::read(&bytes).map(|(grid, tabs)| (grid, Some(tabs))),
    };
    sheet.map_err(refused)
}
