//! The first row of a sheet, which names the columns.

use std::collections::BTreeMap;

use super::column::{Column, EXPORTED};
use super::fault::{Faults, SheetFault};
use super::grid::{DATE, Grid, GridCell, cell_name};

#[derive(Debug, Default)]
pub(super) struct Header {
    pub(super) columns: BTreeMap<Column, usize>,
    pub(super) exported: Option<usize>,
}

impl Header {
    pub(super) fn read(grid: &Grid, faults: &mut Faults) -> Self {
        let mut header = Self::default();
        if let Some(rows_above) = count_rows_above_headings(grid) {
            let rows = if rows_above == 1 { "row 1".to_owned() } else { format!("rows 1 to {rows_above}") };
            let message =
                format!("the headings must be in row 1, not in row {}: delete {rows}", rows_above + 1);
            faults.push(SheetFault::new(rows, message));
            return header;
        }
        for (position, cell) in grid.first().into_iter().flatten().enumerate() {
            let added = match cell {
                GridCell::Missing => Ok(()),
                GridCell::Text(heading) if heading.is_empty() => Ok(()),
                GridCell::Text(heading) => header.add(heading, position),
                GridCell::Unreadable(message) => Err((*message).to_owned()),
                GridCell::Date(_) => Err(DATE.to_owned()),
            };
            faults.extend(added.err().map(|message| SheetFault::new(cell_name(0, position), message)));
        }
        if faults.is_empty() && !header.columns.contains_key(&Column::ID) {
            let message = "the first row must name the columns, and one of them must be `id`";
            faults.push(SheetFault::new("row 1", message));
        }
        header
    }

    fn add(&mut self, heading: &str, position: usize) -> Result<(), String> {
        let earlier = if heading.eq_ignore_ascii_case(EXPORTED) {
            self.exported.replace(position)
        } else {
            self.columns.insert(Column::parse(heading)?, position)
        };
        let Some(earlier) = earlier else { return Ok(()) };
        let cell = cell_name(0, earlier);
        Err(format!(
            "the column \"{heading}\" is also in {cell}: move its cells into one of the two columns, and delete the other"
        ))
    }

    pub(super) fn has_dates(&self, position: usize) -> bool {
        self.columns.iter().any(|(column, at)| *at == position && column.has_dates())
    }

    pub(super) fn in_order(&self) -> Vec<Column> {
        let mut columns: Vec<_> = self.columns.iter().collect();
        columns.sort_by_key(|(_, position)| **position);
        columns.into_iter().map(|(column, _)| *column).collect()
    }

    pub(super) fn cell_name(&self, row: usize, column: Column) -> Option<String> {
        self.columns.get(&column).map(|position| cell_name(row, *position))
    }
}

/// Returns how many rows, such as a title, are above the headings; `None` if there are none, or no headings.
fn count_rows_above_headings(grid: &Grid) -> Option<usize> {
    const MOST_TITLE_ROWS: usize = 10;
    let column = |cell: &GridCell| {
        if let GridCell::Text(heading) = cell { Column::parse(heading).ok() } else { None }
    };
    let has_id = |row: &[GridCell]| row.iter().any(|cell| column(cell) == Some(Column::ID));
    let is_header = |row: &Vec<GridCell>| has_id(row) && row.iter().filter_map(column).count() > 1;
    if has_id(grid.first()?) {
        return None;
    }
    grid.iter().take(MOST_TITLE_ROWS).position(is_header)
}
