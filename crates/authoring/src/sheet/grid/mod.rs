//! Sheets as cells, from CSV and XLSX and back. It knows nothing of clinicians.
//!
//! A sheet comes from outside: its size is bounded before it is read, and whatever is in it gives cells or an error.

pub(crate) mod csv;
pub(crate) mod workbook;
pub(crate) mod xlsx;
mod xml;
mod zip;

/// The largest file, in bytes. Ten thousand clinicians have some 10 MB.
pub(crate) const LARGEST: u64 = 32 << 20;
pub(crate) const MOST_ROWS: usize = 200_000;
pub(crate) const MOST_COLUMNS: usize = 500;
const MOST_CELLS: usize = 4_000_000;
/// The most bytes in all cells together: the cells of a workbook may share one long text.
const MOST_TEXT: usize = 256 << 20;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell {
    /// The row ends before it. Only in CSV.
    Missing,
    /// Its text, without spaces around it; empty for an empty cell.
    Text(String),
    /// Not text: what it is, and what to do.
    Other(&'static str),
}

impl Cell {
    pub(crate) fn of(text: &str) -> Self {
        Self::Text(normal(text))
    }
}

/// A text without spaces around it, with plain line ends.
pub(crate) fn normal(text: &str) -> String {
    text.replace("\r\n", "\n").trim().to_owned()
}

/// The rows of a sheet, as a spreadsheet counts them: the first one is row 1.
pub type Grid = Vec<Vec<Cell>>;

/// Refuses a cell out of bounds; `cells` counts them.
fn bounded((row, column): (usize, usize), cells: &mut usize) -> Result<(), String> {
    if row >= MOST_ROWS {
        return Err(format!(
            "{} is below the last of {MOST_ROWS} rows: delete what is there",
            cell_name(row, column)
        ));
    }
    if column >= MOST_COLUMNS {
        return Err(format!(
            "{} is right of the last of {MOST_COLUMNS} columns: delete what is there",
            cell_name(row, column)
        ));
    }
    *cells += 1;
    if *cells > MOST_CELLS { Err(format!("the sheet has more than {MOST_CELLS} cells")) } else { Ok(()) }
}

/// The name of a cell, such as `F12`, from its row and column counted from 0.
pub(crate) fn cell_name(row: usize, column: usize) -> String {
    format!("{}{}", column_name(column), row + 1)
}

/// The letters of a column, counted from 0.
pub(crate) fn column_name(mut column: usize) -> String {
    let mut letters = Vec::new();
    loop {
        letters.push(char::from(b'A' + u8::try_from(column % 26).unwrap_or_default()));
        match column / 26 {
            0 => return letters.iter().rev().collect(),
            rest => column = rest - 1,
        }
    }
}

/// The row and column of a name such as `F12`, counted from 0.
fn position(name: &str) -> Option<(usize, usize)> {
    let digits = name.find(|character: char| character.is_ascii_digit())?;
    let (letters, row) = name.split_at(digits);
    let mut column = 0_usize;
    for letter in letters.bytes() {
        if !letter.is_ascii_uppercase() || column > MOST_COLUMNS * 26 {
            return None;
        }
        column = column * 26 + usize::from(letter - b'A') + 1;
    }
    Some((row.parse::<usize>().ok()?.checked_sub(1)?, column.checked_sub(1)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_named_as_in_a_spreadsheet() {
        for (name, at) in
            [("A1", (0, 0)), ("Z2", (1, 25)), ("AA12", (11, 26)), ("AZ1", (0, 51)), ("BA1", (0, 52))]
        {
            assert_eq!(cell_name(at.0, at.1), name);
            assert_eq!(position(name), Some(at));
        }
        for name in ["", "A", "1", "A0", "a1", "A-1", "ZZZZZZZZZZZZZZZ1", "A99999999999999999999999"] {
            assert_eq!(position(name), None, "{name}");
        }
    }
}
