//! Reads and writes sheets as CSV and XLSX. A sheet comes from outside, so its size is limited before it is read. Any bytes
//! give either a grid or an error.

pub(crate) mod csv;
pub(crate) mod workbook;
pub(crate) mod xlsx;
mod xml;
mod zip;

/// The largest file, in bytes. A sheet of ten thousand clinicians has about 10 MB.
pub(crate) const MOST_BYTES: u64 = 32 << 20;
pub(crate) const MOST_ROWS: usize = 200_000;
pub(crate) const MOST_COLUMNS: usize = 500;
pub(crate) const DATE: &str =
    "the spreadsheet turned this into a date: format the cell as \"Text\", and write it again";
const FORMULA: &str = "this is a formula: replace it with its value (copy the cell, and paste it as a value)";
const MOST_CELLS: usize = 4_000_000;
/// The most bytes in all cells together. A small workbook can exceed it, because many cells can share one long text.
const MOST_TEXT: usize = 256 << 20;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GridCell {
    /// A cell that a CSV row is too short for. It changes nothing, unlike an empty cell, which deletes the value.
    Missing,
    /// A trimmed text, which is empty for an empty cell.
    Text(String),
    /// A cell that the spreadsheet program made a date. Only some columns may have one.
    Date(String),
    /// Something that is not text. The message says what it is and what to do.
    Unreadable(&'static str),
}

impl GridCell {
    pub(crate) fn text(text: &str) -> Self {
        Self::Text(normalized(text))
    }
}

pub(crate) fn normalized(text: &str) -> String {
    text.replace("\r\n", "\n").trim().to_owned()
}

/// The rows of a sheet. Rows and columns count from 0.
pub type Grid = Vec<Vec<GridCell>>;

fn count_cell(cell_count: &mut usize, row: usize, column: usize) -> Result<(), String> {
    if row >= MOST_ROWS || column >= MOST_COLUMNS {
        let name = cell_name(row, column);
        return Err(format!(
            "{name} is outside the {MOST_ROWS} rows and {MOST_COLUMNS} columns allowed: empty it"
        ));
    }
    *cell_count += 1;
    if *cell_count > MOST_CELLS { Err(format!("the sheet has more than {MOST_CELLS} cells")) } else { Ok(()) }
}

/// Returns a cell's name in a spreadsheet, such as `F12`.
pub(crate) fn cell_name(row: usize, column: usize) -> String {
    format!("{}{}", column_name(column), row + 1)
}

/// Returns a column's letters: `A` to `Z`, then `AA`, `AB` and so on.
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

fn parse_cell_name(name: &str) -> Option<(usize, usize)> {
    let digits = name.find(|character: char| character.is_ascii_digit())?;
    let (letters, row) = name.split_at(digits);
    let mut column = 0_usize;
    for letter in letters.bytes() {
        let is_too_far = column > MOST_COLUMNS * 26;
        if !letter.is_ascii_uppercase() || is_too_far {
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
        for (name, (row, column)) in
            [("A1", (0, 0)), ("Z2", (1, 25)), ("AA12", (11, 26)), ("AZ1", (0, 51)), ("BA1", (0, 52))]
        {
            assert_eq!(cell_name(row, column), name);
            assert_eq!(parse_cell_name(name), Some((row, column)));
        }
        for name in ["", "A", "1", "A0", "a1", "A-1", "ZZZZZZZZZZZZZZZ1", "A99999999999999999999999"] {
            assert_eq!(parse_cell_name(name), None, "{name}");
        }
    }
}
