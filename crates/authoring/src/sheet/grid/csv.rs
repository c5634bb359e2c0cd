//! Reads and writes CSV: UTF-8 with a byte order mark. A spreadsheet runs a cell that begins with `=`, `+`, `-` or `@` as a
//! formula, so such a cell is written with an apostrophe, which is removed when the cell is read.

use csv::{ReaderBuilder, StringRecord, Terminator, WriterBuilder};

use super::{FORMULA, Grid, GridCell, count_cell};

const OPEN_QUOTE: &str = "a quotation mark is never closed: save the spreadsheet again, preferably as XLSX";
const BYTE_ORDER_MARK: &str = "\u{feff}";
const FORMULA_STARTS: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

pub(crate) fn read(bytes: &[u8]) -> Result<Grid, String> {
    let (named_separator, text) = take_named_separator(decode(bytes)?)?;
    // An odd number is certainly a mistake. With an even one, a mark may be open at the end, which the loop below finds.
    if text.matches('"').count() % 2 == 1 {
        return Err(OPEN_QUOTE.to_owned());
    }
    // The reader counts lines by `\n`, so every line must end in just that. Two line ends are added after the text. The last
    // record takes at most one of them, unless it has an open quotation mark. Then it takes both.
    let text = text.replace("\r\n", "\n") + "\n\n";
    let mut reader = ReaderBuilder::new()
        .delimiter(named_separator.unwrap_or_else(|| most_frequent_separator(&text)))
        .has_headers(false)
        .flexible(true)
        .terminator(Terminator::CRLF)
        .from_reader(text.as_bytes());
    let (mut grid, mut cell_count) = (Grid::new(), 0);
    let mut record = StringRecord::new();
    loop {
        let start = reader.position().clone();
        if !reader.read_record(&mut record).map_err(|error| format!("this isn't CSV: {error}"))? {
            // If the reader was at the end of the text even before this call, then the last record took both added line ends.
            if start.byte() == text.len() as u64 {
                return Err(OPEN_QUOTE.to_owned());
            }
            break;
        }
        // The reader skips empty lines, but a spreadsheet counts them as rows.
        let lines_passed = usize::try_from(reader.position().line() - start.line()).unwrap_or(usize::MAX);
        let lines_in_record = 1 + record.iter().map(|cell| cell.matches('\n').count()).sum::<usize>();
        for _ in lines_in_record..lines_passed {
            count_cell(&mut cell_count, grid.len(), 0)?;
            grid.push(Vec::new());
        }
        let mut row = Vec::with_capacity(record.len());
        for (column, cell) in record.iter().enumerate() {
            count_cell(&mut cell_count, grid.len(), column)?;
            // A text that begins like a formula was written with an apostrophe.
            let is_formula = cell.trim_start().starts_with('=');
            row.push(if is_formula {
                GridCell::Unreadable(FORMULA)
            } else {
                GridCell::text(without_apostrophe(cell))
            });
        }
        grid.push(row);
    }
    mark_missing_cells(&mut grid, &mut cell_count)?;
    Ok(grid)
}

fn decode(bytes: &[u8]) -> Result<&str, String> {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") || bytes.contains(&0) {
        return Err("this isn't UTF-8 text. Save it as \"CSV UTF-8\"".to_owned());
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].split(|byte| *byte == b'\n').count();
        format!("line {line} isn't UTF-8. Save the sheet as \"CSV UTF-8\", or preferably as XLSX")
    })?;
    Ok(text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text))
}

/// Fills up rows that are shorter than the first one. An empty cell would delete a value, but a missing one doesn't.
fn mark_missing_cells(grid: &mut Grid, cell_count: &mut usize) -> Result<(), String> {
    let width = grid.first().map_or(0, Vec::len);
    for (number, row) in grid.iter_mut().enumerate().skip(1) {
        while !row.is_empty() && row.len() < width {
            count_cell(cell_count, number, row.len())?;
            row.push(GridCell::Missing);
        }
    }
    Ok(())
}

/// Takes a first line such as `sep=;`, which spreadsheets hide. Returns its separator and the rest of the text.
fn take_named_separator(text: &str) -> Result<(Option<u8>, &str), String> {
    let (line, rest) = text.split_once('\n').unwrap_or((text, ""));
    let line = line.trim_end_matches('\r').trim_matches('"');
    if !line.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("sep=")) {
        return Ok((None, text));
    }
    let separator = &line[4..];
    match separator {
        "," | ";" | "\t" => Ok((separator.bytes().next(), rest)),
        _ => Err(format!(
            "the first line says that \"{separator}\" separates the cells: save the sheet with commas or semicolons, or \
             preferably as XLSX"
        )),
    }
}

fn most_frequent_separator(text: &str) -> u8 {
    let (mut is_quoted, mut counts) = (false, [(b',', 0), (b';', 0), (b'\t', 0)]);
    for byte in text.bytes() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b'\n' if !is_quoted => break,
            byte if !is_quoted => {
                for (separator, count) in &mut counts {
                    *count += usize::from(*separator == byte);
                }
            }
            _ => {}
        }
    }
    // The order is reversed because `max_by_key` returns the last of several maxima.
    counts.iter().rev().max_by_key(|(_, count)| *count).map_or(b',', |(separator, _)| *separator)
}

fn without_apostrophe(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|rest| needs_apostrophe(rest)).unwrap_or(cell)
}

/// Apostrophes before a formula are skipped: `'=x` needs another one, because reading removes the first.
fn needs_apostrophe(cell: &str) -> bool {
    cell.trim_start_matches('\'').starts_with(FORMULA_STARTS)
}

pub(crate) fn write<'a>(rows: impl Iterator<Item = Vec<&'a str>>) -> Result<Vec<u8>, String> {
    let mut writer =
        WriterBuilder::new().terminator(Terminator::CRLF).from_writer(BYTE_ORDER_MARK.as_bytes().to_vec());
    for row in rows {
        let cells = row
            .iter()
            .map(|cell| if needs_apostrophe(cell) { format!("'{cell}") } else { (*cell).to_owned() });
        writer.write_record(cells).map_err(|error| error.to_string())?;
    }
    writer.into_inner().map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<Vec<String>> {
        let show = |cell: &GridCell| match cell {
            GridCell::Text(text) => text.clone(),
            other => format!("{other:?}"),
        };
        read(text.as_bytes()).unwrap().iter().map(|row| row.iter().map(show).collect()).collect()
    }

    #[test]
    fn separators_quotation_marks_lines_and_short_rows_are_read() {
        for text in ["\u{feff}a,b\r\n1,\"x;\ny\"\r\n", "a;b\n1;\"x;\ny\"\n", "a\tb\n1\t\"x;\r\ny\""] {
            assert_eq!(texts(text), [["a", "b"], ["1", "x;\ny"]], "{text:?}");
        }
        assert_eq!(
            texts("a,b\n\n\n1\n 2 ,3,4\n"),
            [vec!["a", "b"], vec![], vec![], vec!["1", "Missing"], vec!["2", "3", "4"]]
        );
        // Empty lines count as rows, however the lines end, and even if the last one has no end.
        for text in ["\n\na\n\n\"x\ny\"", "\n\na\n\n\"x\ny\"\n\n", "\r\n\r\na\r\n\r\n\"x\r\ny\"\r\n"] {
            assert_eq!(texts(text), [vec![], vec![], vec!["a"], vec![], vec!["x\ny"]], "{text:?}");
        }
        for text in ["sep=;\r\na,x;b\r\n1;2\r\n", "\u{feff}\"SEP=;\"\na,x;b\n1;2"] {
            assert_eq!(texts(text), [["a,x", "b"], ["1", "2"]], "{text:?}");
        }
        for (bytes, why) in [
            (&b"sep=|\na|b"[..], "commas or semicolons"),
            (&b"\xff\xfea"[..], "UTF-8"),
            (b"a\nb,\xe9\n", "line 2"),
            (b"a,b\n1,\"2\n", "never closed"),
            (b"a,b\n1,5\" tall\n2,\"3\n4,5\n", "never closed"),
            (b"a\0", "UTF-8"),
        ] {
            assert!(read(bytes).unwrap_err().contains(why), "{why}");
        }
        assert!(read(",".repeat(600).as_bytes()).unwrap_err().contains("columns"));
    }

    #[test]
    fn a_formula_is_written_with_an_apostrophe_and_read_without_it() {
        for (cell, written) in [
            ("=1+1", "'=1+1"),
            ("@x", "'@x"),
            ("-", "'-"),
            ("'=x", "''=x"),
            ("'Okina", "'Okina"),
            ("''+", "'''+"),
            ("a=b", "a=b"),
        ] {
            let bytes = write([vec!["k"], vec![cell]].into_iter()).unwrap();
            assert_eq!(std::str::from_utf8(&bytes).unwrap(), format!("\u{feff}k\r\n{written}\r\n"));
            assert_eq!(read(&bytes).unwrap()[1], [GridCell::text(cell)], "{cell}");
        }
        assert_eq!(read(b"k\n\"=HYPERLINK(\"\"x\"\")\"\n").unwrap()[1], [GridCell::Unreadable(FORMULA)]);
        let many = "'".repeat(1 << 20);
        assert_eq!(read(many.as_bytes()).unwrap(), [[GridCell::text(&many)]], "no recursion");
    }
}
