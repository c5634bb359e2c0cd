//! Clinicians as rows of a sheet.
//!
//! `grid` reads and writes sheets, `column` says what a cell means, `profile` is a file as cells, `mark` remembers what the
//! cells were, `plan` compares a sheet with the files, `told` says in words what changes.

mod advice;
mod column;
mod fault;
mod grid;
mod header;
mod letters;
mod mark;
mod plan;
mod profile;
mod told;

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use directory::content::{OpenError, read_linked};
use directory::told::Refusal;

use crate::edit::Edits;
use column::Column;
use grid::workbook::{self, Heading};
use grid::{csv, xlsx};
use mark::mark;

pub use column::MARK;
pub use fault::Fault;
pub use grid::Grid;
pub use grid::xlsx::Tabs;
pub use plan::{Plan, Reserved, plan};
pub use profile::Profile;
pub use told::{changes, faults, new_warnings};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Csv,
    Xlsx,
}

impl Format {
    /// The format by the ending of a file's name.
    pub fn of(path: &Path) -> Result<Self, Refusal> {
        let ending =
            path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
        let what = match ending.as_str() {
            "csv" => return Ok(Self::Csv),
            "xlsx" => return Ok(Self::Xlsx),
            "xlsm" => "a workbook with macros is not read: save it as XLSX",
            "xls" | "xlsb" | "ods" | "numbers" => "save the sheet as XLSX, or as \"CSV UTF-8\"",
            _ => "name a file that ends in .xlsx or .csv",
        };
        Err(Refusal::new(format!("{} is not a sheet: {what}", path.display())))
    }
}

/// Whether a file's name ends as a sheet's does. Not each of these kinds can be read and written.
#[must_use]
pub fn is_name_of_sheet(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    ["csv", "xlsx", "xlsm", "xls", "xlsb", "ods", "numbers"]
        .iter()
        .any(|known| ending.eq_ignore_ascii_case(known))
}

/// Every clinician's file as cells.
pub fn profiles(edits: &Edits) -> Result<Vec<Profile>, Refusal> {
    let parse = |(slug, text): (String, String)| {
        Profile::parse(&slug, text).map_err(|why| Refusal::new(format!("providers/{slug}.toml: {why}")))
    };
    edits.providers()?.into_iter().map(parse).collect()
}

/// The ids in `retired.toml`, which are never reused.
pub fn retired_ids(edits: &Edits) -> Result<BTreeSet<String>, Refusal> {
    let text = edits.read("retired.toml")?.unwrap_or_default();
    let file: toml::Table = toml::from_str(text.trim_start_matches('\u{feff}')).unwrap_or_default();
    let entries = file.get("provider").and_then(toml::Value::as_array).cloned().unwrap_or_default();
    Ok(entries.into_iter().filter_map(|entry| Some(entry.get("id")?.as_str()?.to_owned())).collect())
}

/// The bytes of a sheet with a row for each clinician.
pub fn sheet(profiles: &[Profile], format: Format) -> Result<Vec<u8>, Refusal> {
    // A column for each state in use, and those that every sheet has.
    let states = profiles.iter().flat_map(Profile::states).map(Column::PlansIn);
    let columns: Vec<Column> = Column::fixed().chain(states.collect::<BTreeSet<_>>()).collect();
    let rows: Vec<Vec<String>> = profiles
        .iter()
        .map(|profile| {
            let mut cells: Vec<String> = columns.iter().map(|column| profile.cell(*column)).collect();
            let mark = mark(columns.iter().copied().zip(cells.iter().map(String::as_str)));
            cells.push(mark);
            cells
        })
        .collect();
    if let Some((profile, column)) = too_long(profiles, &columns, &rows) {
        return Err(Refusal::new(format!(
            "`{}` of {} is longer than a spreadsheet's cell can be: shorten it in the file",
            column.name(),
            profile.slug
        )));
    }
    let names: Vec<String> = columns.iter().map(|column| column.name()).chain([MARK.to_owned()]).collect();
    let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
    let written = match format {
        Format::Csv => csv::write(std::iter::once(names.iter().map(String::as_str).collect()).chain(rows)),
        Format::Xlsx => {
            let headings: Vec<Heading<'_>> = names
                .iter()
                .enumerate()
                .map(|(at, name)| {
                    let column = columns.get(at).copied();
                    Heading {
                        name,
                        width: column.map_or(10, Column::width),
                        is_hidden: column.is_none(),
                        choices: column.map(Column::choices).unwrap_or_default(),
                    }
                })
                .collect();
            workbook::write(&headings, &rows)
        }
    };
    written.map_err(|why| Refusal::new(format!("the sheet cannot be written: {why}")))
}

fn too_long<'a>(
    profiles: &'a [Profile],
    columns: &[Column],
    rows: &[Vec<String>],
) -> Option<(&'a Profile, Column)> {
    profiles.iter().zip(rows).find_map(|(profile, row)| {
        let long = |(_, cell): &(&Column, &String)| cell.encode_utf16().count() > workbook::LONGEST;
        columns.iter().zip(row).find(long).map(|(column, _)| (profile, *column))
    })
}

/// Reads a sheet, of a bounded size.
pub fn read(path: &Path) -> Result<(Grid, Option<Tabs>), Refusal> {
    let format = Format::of(path)?;
    let refused =
        |why: &dyn std::fmt::Display| Refusal::new(format!("{} cannot be read: {why}", path.display()));
    let bytes = read_linked(path, grid::LARGEST).map_err(|error| match error {
        OpenError::Io(error) if error.kind() == io::ErrorKind::NotFound => refused(&"there is no such file"),
        OpenError::TooLarge(limit) => {
            refused(&format!("it is larger than {} MB: export a new one, and edit that", limit >> 20))
        }
        error => refused(&error),
    })?;
    let grid = match format {
        Format::Csv => csv::read(&bytes).map(|grid| (grid, None)),
        Format::Xlsx => xlsx::read(&bytes).map(|(grid, tabs)| (grid, Some(tabs))),
    };
    grid.map_err(|why| refused(&why))
}
