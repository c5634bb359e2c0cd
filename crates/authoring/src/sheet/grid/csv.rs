//! CSV: UTF-8 with a byte order mark, commas or semicolons.
//!
//! A spreadsheet runs a cell that begins with `=`, `+`, `-` or `@` as a formula, so such a cell is written with an
//! apostrophe before it, which reading takes off.

use csv::{ReaderBuilder, StringRecord, Terminator, WriterBuilder};

use super::{Cell, Grid, bounded, normal};

const BYTE_ORDER_MARK: &str = "\u{feff}";
/// What begins a formula, in some spreadsheet.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

pub(crate) fn read(bytes: &[u8]) -> Result<Grid, String> {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") || bytes.contains(&0) {
        return Err("this is not UTF-8 text: save it as \"CSV UTF-8\"".to_owned());
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].split(|byte| *byte == b'\n').count();
        format!(
            "line {line} has letters that are not UTF-8: save the sheet as \"CSV UTF-8\", or better as an XLSX workbook"
        )
    })?;
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    let (named, text) = named_separator(text)?;
    if text.matches('"').count() % 2 == 1 {
        return Err(
            "a quotation mark is opened and not closed, so no cell is sure: save the sheet again from the \
                    spreadsheet, or better as an XLSX workbook"
                .to_owned(),
        );
    }
    let mut reader = ReaderBuilder::new()
        .delimiter(named.unwrap_or_else(|| separator(text)))
        .has_headers(false)
        .flexible(true)
        .terminator(Terminator::CRLF)
        .from_reader(text.as_bytes());
    let (mut grid, mut cells) = (Grid::new(), 0);
    let mut record = StringRecord::new();
    loop {
        let before = reader.position().line();
        if !reader.read_record(&mut record).map_err(|error| format!("this is not CSV: {error}"))? {
            break;
        }
        // The reader passes over empty lines, which a spreadsheet counts as rows.
        let inside: usize = record.iter().map(|cell| cell.matches('\n').count()).sum();
        let lines = usize::try_from(reader.position().line() - before).unwrap_or(usize::MAX);
        for _ in 0..lines.saturating_sub(inside + 1) {
            bounded((grid.len(), 0), &mut cells)?;
            grid.push(Vec::new());
        }
        let mut row = Vec::with_capacity(record.len());
        for (column, cell) in record.iter().enumerate() {
            bounded((grid.len(), column), &mut cells)?;
            row.push(Cell::Text(normal(read_cell(cell))));
        }
        grid.push(row);
    }
    // The cells that a short row leaves out are missing, and not empty.
    let width = grid.first().map_or(0, Vec::len);
    for (number, row) in grid.iter_mut().enumerate().skip(1) {
        while !row.is_empty() && row.len() < width {
            bounded((number, row.len()), &mut cells)?;
            row.push(Cell::Missing);
        }
    }
    Ok(grid)
}

/// The separator of a first line such as `sep=;`, which spreadsheets do not show, and what follows it.
fn named_separator(text: &str) -> Result<(Option<u8>, &str), String> {
    let (line, rest) = text.split_once('\n').unwrap_or((text, ""));
    let line = line.trim_end_matches('\r').trim_matches('"');
    let Some(sign) = line.get(..4).filter(|start| start.eq_ignore_ascii_case("sep=")).map(|_| &line[4..])
    else {
        return Ok((None, text));
    };
    match sign {
        "," | ";" | "\t" => Ok((sign.bytes().next(), rest)),
        _ => Err(format!(
            "its first line says that \"{sign}\" is between the cells: save it with commas or semicolons, or better as an XLSX \
             workbook"
        )),
    }
}

/// The separator that the first row has most of, outside quotation marks.
fn separator(text: &str) -> u8 {
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
    // Of equals the first: max_by_key gives the last.
    counts.iter().rev().max_by_key(|(_, count)| *count).map_or(b',', |(separator, _)| *separator)
}

fn read_cell(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|rest| is_formula(rest)).unwrap_or(cell)
}

/// Whether a spreadsheet would run this, or reading would take an apostrophe off it.
fn is_formula(cell: &str) -> bool {
    cell.trim_start_matches('\'').starts_with(FORMULA)
}

pub(crate) fn write<'a>(rows: impl Iterator<Item = Vec<&'a str>>) -> Result<Vec<u8>, String> {
    let mut writer =
        WriterBuilder::new().terminator(Terminator::CRLF).from_writer(BYTE_ORDER_MARK.as_bytes().to_vec());
    for row in rows {
        let cells =
            row.iter().map(|cell| if is_formula(cell) { format!("'{cell}") } else { (*cell).to_owned() });
        writer.write_record(cells).map_err(|error| error.to_string())?;
    }
    writer.into_inner().map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<Vec<String>> {
        let show = |cell: &Cell| match cell {
            Cell::Text(text) => text.clone(),
            other => format!("{other:?}"),
        };
        read(text.as_bytes()).unwrap().iter().map(|row| row.iter().map(show).collect()).collect()
    }

    #[test]
    fn separators_marks_lines_and_short_rows_are_understood() {
        for text in ["\u{feff}a,b\r\n1,\"x;\ny\"\r\n", "a;b\n1;\"x;\ny\"\n", "a\tb\n1\t\"x;\r\ny\""] {
            assert_eq!(texts(text), [["a", "b"], ["1", "x;\ny"]], "{text:?}");
        }
        assert_eq!(
            texts("a,b\n\n\n1\n 2 ,3,4\n"),
            [vec!["a", "b"], vec![], vec![], vec!["1", "Missing"], vec!["2", "3", "4"]]
        );
        for text in ["sep=;\r\na,x;b\r\n1;2\r\n", "\u{feff}\"SEP=;\"\na,x;b\n1;2"] {
            assert_eq!(texts(text), [["a,x", "b"], ["1", "2"]], "{text:?}");
        }
        for (bytes, why) in [
            (&b"sep=|\na|b"[..], "commas or semicolons"),
            (&b"\xff\xfea"[..], "UTF-8"),
            (b"a\nb,\xe9\n", "line 2"),
            (b"a,b\n1,\"2\n", "not closed"),
            (b"a\0", "UTF-8"),
        ] {
            assert!(read(bytes).unwrap_err().contains(why), "{why}");
        }
        assert!(read(",".repeat(600).as_bytes()).unwrap_err().contains("columns"));
    }

    #[test]
    fn a_cell_that_would_be_run_gets_an_apostrophe_and_loses_it() {
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
            assert_eq!(read(&bytes).unwrap()[1], [Cell::of(cell)], "{cell}");
        }
        let many = "'".repeat(1 << 20);
        assert_eq!(read(many.as_bytes()).unwrap(), [[Cell::of(&many)]], "no recursion");
    }
}
