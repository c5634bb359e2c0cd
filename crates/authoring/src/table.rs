//! CSV files from outside: registries, boards, rosters, exports.
//!
//! A file is read as a stream and held to its header. Whatever is wrong with it is told by line and column, and then
//! nothing of it is used. A row is bounded, so that an open quote cannot take in a file of gigabytes.

use std::cell::Cell;
use std::fmt;
use std::io::{self, Read};
use std::path::Path;
use std::rc::Rc;

use chrono::{Datelike, NaiveDate};
use csv::{ByteRecord, Reader, ReaderBuilder, Terminator};
use directory::content::open_linked;

use crate::near::hint;
use directory::told::Refusal;

/// The longest row, in bytes. One of the registry has some 10 KB.
const LONGEST_ROW: u64 = 1 << 20;
/// What is looked at to find the separator.
const HEAD: u64 = 64 << 10;
const BUFFER: usize = 256 << 10;
/// Plausible years.
const YEARS: std::ops::RangeInclusive<i32> = 1900..=9999;

/// Why a table cannot be used, in one sentence with the place.
#[derive(Debug)]
pub struct TableError(String);

impl fmt::Display for TableError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl From<TableError> for Refusal {
    fn from(error: TableError) -> Self {
        Self::new(error)
    }
}

pub struct Table {
    reader: Reader<Bounded>,
    watch: Rc<Watch>,
    name: String,
    header: Vec<String>,
    row: ByteRecord,
    rows: u64,
}

impl Table {
    /// Opens a file and reads its header.
    pub fn open(path: &Path) -> Result<Self, TableError> {
        let name = path.display().to_string();
        let file = open_linked(path).map_err(|error| {
            TableError(format!("{name} cannot be read: {error}; look at its path and rights"))
        })?;
        Self::of(name, Box::new(file))
    }

    fn of(name: String, mut file: Box<dyn Read>) -> Result<Self, TableError> {
        let refused = |what: &str| TableError(format!("{name}:1:1: {what}"));
        let mut head = Vec::new();
        file.by_ref().take(HEAD).read_to_end(&mut head).map_err(|error| refused(&error.to_string()))?;
        if head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") || head.contains(&0) {
            return Err(refused("this is not UTF-8 text (perhaps UTF-16): save it as \"CSV UTF-8\""));
        }
        if head.starts_with(b"PK\x03\x04") {
            return Err(refused(
                "this is a workbook or an archive: save the sheet as \"CSV UTF-8\", or unpack it",
            ));
        }
        let watch = Rc::new(Watch::default());
        let separator = separator(&head);
        let input = Box::new(io::Cursor::new(head).chain(file));
        let bounded = Bounded { input, watch: Rc::clone(&watch) };
        let mut reader = ReaderBuilder::new()
            .delimiter(separator)
            .terminator(Terminator::CRLF)
            .has_headers(false)
            .buffer_capacity(BUFFER)
            .from_reader(bounded);
        watch.allowed.set(LONGEST_ROW);
        let mut row = ByteRecord::new();
        let found = reader.read_byte_record(&mut row).map_err(|error| refused(&error.to_string()))?;
        let is_blank = |field: &[u8]| std::str::from_utf8(field).is_ok_and(|field| field.trim().is_empty());
        if !found || row.iter().all(is_blank) {
            return Err(refused("this file is empty: its first line must name the columns"));
        }
        let mut table = Self { reader, watch, name, header: Vec::new(), row, rows: 0 };
        table.check_text()?;
        table.header = table.row.iter().map(|field| text(field).trim().to_owned()).collect();
        Ok(table)
    }

    #[must_use]
    pub fn header(&self) -> &[String] {
        &self.header
    }

    /// The number of a column, from 0.
    pub fn column(&self, wanted: &str) -> Result<usize, TableError> {
        self.find(wanted).ok_or_else(|| {
            let otherwise = format!("its columns are {}", self.shown_header());
            let hint = hint(wanted, self.header.iter().map(String::as_str), &otherwise);
            TableError(format!("{}:1:1: there is no column \"{wanted}\"; {hint}", self.name))
        })
    }

    #[must_use]
    pub fn find(&self, wanted: &str) -> Option<usize> {
        let exact = self.header.iter().position(|name| name == wanted);
        exact.or_else(|| self.header.iter().position(|name| name.eq_ignore_ascii_case(wanted.trim())))
    }

    #[must_use]
    pub fn shown_header(&self) -> String {
        let shown: Vec<_> = self.header.iter().take(20).map(|name| format!("\"{name}\"")).collect();
        shown.join(", ")
    }

    pub fn advance(&mut self) -> Result<bool, TableError> {
        let begins = self.reader.position().clone();
        // In case no other row follows.
        let last_field = self.row.get(self.row.len().saturating_sub(1)).unwrap_or_default();
        let last =
            LastRow { line: self.line(), column: self.row.len(), has_line_end: last_field.ends_with(b"\n") };
        self.watch.allowed.set(begins.byte() + LONGEST_ROW + BUFFER as u64);
        let found = self
            .reader
            .read_byte_record(&mut self.row)
            .map_err(|error| self.explain(&error, begins.line()))?;
        if !found {
            return self.check_end(&last).map(|()| false);
        }
        self.rows += 1;
        self.check_text()?;
        Ok(true)
    }

    /// A field of the row, without spaces around it.
    #[must_use]
    pub fn field(&self, column: usize) -> &str {
        text(self.row.get(column).unwrap_or_default()).trim()
    }

    pub fn fields(&self) -> impl Iterator<Item = &str> {
        self.row.iter().map(|field| text(field).trim())
    }

    /// The line on which the row begins.
    pub fn line(&self) -> u64 {
        self.row.position().map_or(1, csv::Position::line)
    }

    /// The number of rows so far, without the header.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// A date in a field; `None` if the field is empty.
    pub fn date(&self, column: usize) -> Result<Option<NaiveDate>, TableError> {
        let field = self.field(column);
        // The list of exclusions writes eight zeros for no date.
        if field.is_empty() || field.bytes().all(|byte| byte == b'0') {
            return Ok(None);
        }
        let forms: &[&str] = if field.len() == 8 && field.bytes().all(|byte| byte.is_ascii_digit()) {
            &["%Y%m%d"]
        } else {
            &["%Y-%m-%d", "%m/%d/%Y"]
        };
        // `%Y` also takes fewer digits: 12/31/27 would be a day of the year 27.
        let has_year = field.split(['-', '/']).any(|part| part.len() == 4 || part.len() == 8);
        let date = forms.iter().find_map(|form| NaiveDate::parse_from_str(field, form).ok());
        let date = date.filter(|date| has_year && YEARS.contains(&date.year()));
        match date {
            Some(date) => Ok(Some(date)),
            None => Err(self.wrong(
                column,
                &format!("\"{field}\" is not a date like 2026-11-26, 11/26/2026 or 20261126"),
            )),
        }
    }

    /// A mistake in a field of this row.
    pub fn wrong(&self, column: usize, what: &str) -> TableError {
        let name = self.header.get(column).map_or("", String::as_str);
        let field = column + 1;
        TableError(format!(
            "{}:{}:{field}: {what} (column {field}, \"{name}\"); nothing of the file was used",
            self.name,
            self.line()
        ))
    }

    fn check_text(&self) -> Result<(), TableError> {
        if self.row.as_slice().is_ascii() {
            return Ok(());
        }
        // Field by field: the halves of a letter in two fields would look whole together.
        let Some(column) = self.row.iter().position(|field| std::str::from_utf8(field).is_err()) else {
            return Ok(());
        };
        Err(self
            .wrong(column, "this is not UTF-8 text (perhaps Windows-1252): save the file as \"CSV UTF-8\""))
    }

    /// Refuses a file that ends inside quotes.
    fn check_end(&self, last: &LastRow) -> Result<(), TableError> {
        let is_open =
            self.watch.has_odd_quotes.get() && (self.watch.last_byte.get() != b'\n' || last.has_line_end);
        if !is_open {
            return Ok(());
        }
        Err(TableError(format!(
            "{}:{}:{}: a quote is opened here and never closed: the file was cut, or a quote is missing; nothing of the file was \
             used",
            self.name, last.line, last.column
        )))
    }

    fn explain(&self, error: &csv::Error, line: u64) -> TableError {
        let name = &self.name;
        TableError(match error.kind() {
            csv::ErrorKind::UnequalLengths { expected_len, len, pos } => {
                let line = pos.as_ref().map_or(line, csv::Position::line);
                format!(
                    "{name}:{line}:{}: this row has {len} fields, and the header has {expected_len}: the file was cut, or a comma \
                     stands outside quotes; nothing of the file was used",
                    len.min(expected_len)
                )
            }
            csv::ErrorKind::Io(cause) => {
                format!("{name}:{line}:1: {cause}; nothing of the file was used")
            }
            _ => format!("{name}:{line}:1: {error}; nothing of the file was used"),
        })
    }
}

/// The last row. An open quote takes in its newline.
struct LastRow {
    line: u64,
    column: usize,
    has_line_end: bool,
}

/// A field that was checked to be text.
fn text(field: &[u8]) -> &str {
    std::str::from_utf8(field).unwrap_or_default()
}

/// The separator that the first line has most of.
fn separator(head: &[u8]) -> u8 {
    let first = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let count = |separator: u8| count_of(first, separator);
    [b'\t', b';', b',', b'|']
        .into_iter()
        .max_by_key(|separator| (count(*separator), *separator == b','))
        .unwrap_or(b',')
}

fn count_of(bytes: &[u8], wanted: u8) -> usize {
    bytes.iter().fold(0, |count, byte| count + usize::from(*byte == wanted))
}

/// What passed through the reader.
#[derive(Debug, Default)]
struct Watch {
    handed: Cell<u64>,
    /// The most bytes to hand out.
    allowed: Cell<u64>,
    has_odd_quotes: Cell<bool>,
    last_byte: Cell<u8>,
}

/// Refuses a row without an end.
struct Bounded {
    input: Box<dyn Read>,
    watch: Rc<Watch>,
}

impl Read for Bounded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let watch = &self.watch;
        if watch.handed.get() > watch.allowed.get() {
            let what = format!(
                "this row has more than {} MB: a quote is opened and never closed",
                LONGEST_ROW >> 20
            );
            return Err(io::Error::other(what));
        }
        let count = self.input.read(buffer)?;
        let bytes = &buffer[..count];
        watch.handed.set(watch.handed.get() + count as u64);
        let quotes = count_of(bytes, b'"');
        watch.has_odd_quotes.set(watch.has_odd_quotes.get() != (quotes % 2 == 1));
        if let Some(last) = bytes.last() {
            watch.last_byte.set(*last);
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Result<Vec<Vec<String>>, String> {
        let mut table = Table::of("t.csv".to_owned(), Box::new(io::Cursor::new(bytes.to_vec())))
            .map_err(|error| error.to_string())?;
        let mut rows = Vec::new();
        while table.advance().map_err(|error| error.to_string())? {
            rows.push(table.fields().map(str::to_owned).collect());
        }
        Ok(rows)
    }

    #[test]
    fn tables_of_every_usual_form_are_read() {
        let expected =
            vec![vec!["1".to_owned(), "Ann, \"A\"".to_owned()], vec!["2".to_owned(), "Zoë".to_owned()]];
        for text in [
            "npi,name\n1,\"Ann, \"\"A\"\"\"\n2,Zoë\n",
            "\u{feff}npi;name\r\n1;Ann, \"A\"\r\n2;Zoë",
            "npi\tname\r\n1\t\"Ann, \"\"A\"\"\"\r\n2\t Zoë \r\n",
        ] {
            assert_eq!(read(text.as_bytes()).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn what_is_wrong_with_a_file_is_told_by_line_and_column() {
        for (bytes, told) in [
            (&b""[..], "t.csv:1:1: this file is empty"),
            (b"\x0b\x0c\n", "t.csv:1:1: this file is empty"),
            (b"npi,name\n1,a\n2\n", "t.csv:3:1: this row has 1 fields, and the header has 2"),
            (b"npi,name\n1,a\n2,b,c\n", "t.csv:3:2: this row has 3 fields, and the header has 2"),
            (b"npi,name\n1,a\n2,Zo\xeb\n", "t.csv:3:2: this is not UTF-8 text"),
            (b"npi,name\n\xc3,\xab\n", "t.csv:2:1: this is not UTF-8 text"),
            (b"npi,name\n1,a\n2,\"b", "t.csv:3:2: a quote is opened here"),
            (b"npi,name\n1,\"a\n2,b\n", "t.csv:2:2: a quote is opened here"),
            (b"\xff\xfen\0p\0i\0", "t.csv:1:1: this is not UTF-8 text (perhaps UTF-16)"),
            (b"PK\x03\x04\x14\0", "t.csv:1:1: this is not UTF-8"),
        ] {
            let error = read(bytes).unwrap_err();
            assert!(error.starts_with(told), "{error}");
        }
    }

    #[test]
    fn a_date_has_a_year_of_four_digits() {
        let date = |text: &str| {
            let mut table =
                Table::of("t.csv".to_owned(), Box::new(io::Cursor::new(format!("on\n{text}\n")))).unwrap();
            table.advance().unwrap();
            table.date(0).map_err(|error| error.to_string())
        };
        let expected = NaiveDate::from_ymd_opt(2027, 12, 31).unwrap();
        for text in ["2027-12-31", "12/31/2027", "20271231"] {
            assert_eq!(date(text), Ok(Some(expected)), "{text}");
        }
        assert_eq!(date("00000000"), Ok(None));
        for text in ["12/31/27", "27-12-31", "0027-12-31", "1899-12-31", "18991231", "+12027-12-31"] {
            assert!(date(text).unwrap_err().contains("is not a date"), "{text}");
        }
    }

    #[test]
    fn an_open_quote_takes_in_no_large_file() {
        let mut bytes = b"npi,name\n1,\"".to_vec();
        bytes.extend(std::iter::repeat_n(b'x', 8 << 20));
        let error = read(&bytes).unwrap_err();
        assert!(error.starts_with("t.csv:2:1: this row has more than 1 MB"), "{error}");
    }

    #[test]
    fn a_wrong_name_of_a_column_is_answered_with_the_nearest() {
        let table = Table::of("t.csv".to_owned(), Box::new(&b"NPI,Licence Number\n"[..])).unwrap();
        assert_eq!(table.column("npi").unwrap(), 0);
        let error = table.column("License Number").unwrap_err().to_string();
        assert_eq!(
            error,
            "t.csv:1:1: there is no column \"License Number\"; did you mean \"Licence Number\"?"
        );
    }
}
