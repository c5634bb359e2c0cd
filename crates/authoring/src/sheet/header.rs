//! The first row of a sheet, which names the columns.

use std::collections::BTreeMap;

use super::column::{Column, MARK};
use super::fault::Fault;
use super::grid::{Cell, Grid, cell_name};

/// Which column stands where.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) columns: BTreeMap<Column, usize>,
    pub(super) mark: Option<usize>,
}

impl Header {
    /// The columns as they stand in the sheet.
    pub(super) fn in_order(&self) -> Vec<Column> {
        let mut columns: Vec<_> = self.columns.iter().collect();
        columns.sort_by_key(|(_, at)| **at);
        columns.into_iter().map(|(column, _)| *column).collect()
    }

    /// Reads the first row, and tells what is wrong with it.
    pub(super) fn read(grid: &Grid, faults: &mut Vec<Fault>) -> Self {
        let mut header = Self { columns: BTreeMap::new(), mark: None };
        if let Some(row) = headings_below(grid) {
            let above = if row == 1 { "row 1".to_owned() } else { format!("rows 1 to {row}") };
            let what =
                format!("the headings stand in row {}, and must be the first row: delete {above}", row + 1);
            faults.push(Fault { place: above, what });
            return header;
        }
        let first = grid.first().map_or(&[][..], Vec::as_slice);
        for (at, cell) in first.iter().enumerate() {
            let mut fault = |what: String| faults.push(Fault { place: cell_name(0, at), what });
            let name = match cell {
                Cell::Text(name) if name.is_empty() => continue,
                Cell::Text(name) => name,
                Cell::Missing => continue,
                Cell::Other(what) => {
                    fault((*what).to_owned());
                    continue;
                }
            };
            let earlier = if name.eq_ignore_ascii_case(MARK) {
                header.mark.replace(at)
            } else {
                match Column::of(name) {
                    Ok(column) => header.columns.insert(column, at),
                    Err(what) => {
                        fault(what);
                        continue;
                    }
                }
            };
            if let Some(earlier) = earlier {
                fault(format!(
                    "the column \"{name}\" is there twice, also in {}: delete one of the two",
                    cell_name(0, earlier)
                ));
            }
        }
        if faults.is_empty() && !header.columns.contains_key(&Column::ID) {
            let what = "the first row must name the columns, and `id` must be one of them: it says whose row each is";
            faults.push(Fault { place: "row 1".to_owned(), what: what.to_owned() });
        }
        header
    }
}

/// The row of the headings, from 0, if it is not the first one: a title stands above it.
fn headings_below(grid: &Grid) -> Option<usize> {
    /// The most rows of a title.
    const WITHIN: usize = 10;
    let is_heading = |cell: &Cell| matches!(cell, Cell::Text(name) if Column::of(name).is_ok());
    let names_id = |cell: &Cell| matches!(cell, Cell::Text(name) if Column::of(name) == Ok(Column::ID));
    let is_header =
        |row: &Vec<Cell>| row.iter().any(names_id) && row.iter().filter(|cell| is_heading(cell)).count() > 1;
    let row = grid.iter().take(WITHIN).position(is_header)?;
    (row > 0 && !grid[0].iter().any(names_id)).then_some(row)
}
