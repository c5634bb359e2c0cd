//! CSV files from outside: registries, boards, rosters, exports. A file is read as a stream, and every row must have as many
//! fields as the header. The size of a row is limited, because an open quote could make it gigabytes long.

use std::cell::Cell;
use std::io::{self, Read};
use std::path::Path;
use std::rc::Rc;

use chrono::{Datelike, NaiveDate};
use csv::{ByteRecord, Reader, ReaderBuilder, Terminator};
use directory::content::open_linked;

use crate::near::hint;
use directory::told::Refusal;

/// The longest row, in bytes. A row of the NPI registry has about 10 KB.
const LONGEST_ROW: u64 = 1 << 20;
/// How many bytes are examined to find the separator.
const HEAD_LENGTH: u64 = 64 << 10;
const BUFFER_LENGTH: usize = 256 << 10;
/// Line ends that are read after the file. Its last row takes at most the first of them. Only a row with an open quote takes
/// both, so such a row ends at the very end of the input.
const ADDED_LINE_ENDS: &[u8] = b"\n\n";
const PLAUSIBLE_YEARS: std::ops::RangeInclusive<i32> = 1900..=9999;

pub struct Table {
    reader: Reader<LimitedReader>,
    state: Rc<ReadState>,
    name: String,
    header: Vec<String>,
    row: ByteRecord,
    row_count: u64,
}

impl Table {
    pub fn open(path: &Path) -> Result<Self, Refusal> {
        let name = path.display().to_string();
        let file = open_linked(path).map_err(|error| {
            Refusal::new(format!("{name} can't be read: {error}; check its path and permissions"))
        })?;
        Self::read_header(name, Box::new(file))
    }

    fn read_header(name: String, mut file: Box<dyn Read>) -> Result<Self, Refusal> {
        let refused = |what: &str| Refusal::new(format!("{name}:1:1: {what}"));
        let mut head = Vec::new();
        file.by_ref()
            .take(HEAD_LENGTH)
            .read_to_end(&mut head)
            .map_err(|error| refused(&error.to_string()))?;
        if head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") || head.contains(&0) {
            return Err(refused("this isn't UTF-8 text (perhaps UTF-16): save it as \"CSV UTF-8\""));
        }
        if head.starts_with(b"PK\x03\x04") {
            return Err(refused(
                "this is a workbook or an archive: save the sheet as \"CSV UTF-8\", or unpack it",
            ));
        }
        let state = Rc::new(ReadState::default());
        let separator = most_frequent_separator(&head);
        let input = Box::new(io::Cursor::new(head).chain(file).chain(ADDED_LINE_ENDS));
        let mut reader = ReaderBuilder::new()
            .delimiter(separator)
            .terminator(Terminator::CRLF)
            .has_headers(false)
            .buffer_capacity(BUFFER_LENGTH)
            .from_reader(LimitedReader { input, state: Rc::clone(&state) });
        state.byte_limit.set(LONGEST_ROW);
        let mut row = ByteRecord::new();
        let has_row = reader.read_byte_record(&mut row).map_err(|error| refused(&error.to_string()))?;
        let is_blank = |field: &[u8]| std::str::from_utf8(field).is_ok_and(|field| field.trim().is_empty());
        if !has_row || row.iter().all(is_blank) {
            return Err(refused("this file is empty: its first line must name the columns"));
        }
        let mut table = Self { reader, state, name, header: Vec::new(), row, row_count: 0 };
        table.check_utf8()?;
        table.header = table.row.iter().map(|field| text(field).trim().to_owned()).collect();
        Ok(table)
    }

    pub fn header(&self) -> &[String] {
        &self.header
    }

    pub fn column(&self, wanted: &str) -> Result<usize, Refusal> {
        self.find_column(wanted).ok_or_else(|| {
            let otherwise = format!("its columns are {}", self.quoted_header());
            let hint = hint(wanted, self.header.iter().map(String::as_str), &otherwise);
            Refusal::new(format!("{}:1:1: there is no column \"{wanted}\"; {hint}", self.name))
        })
    }

    /// The case of the name matters only if two names differ in nothing else.
    pub fn find_column(&self, wanted: &str) -> Option<usize> {
        let exact = self.header.iter().position(|name| name == wanted);
        exact.or_else(|| self.header.iter().position(|name| name.eq_ignore_ascii_case(wanted.trim())))
    }

    pub fn quoted_header(&self) -> String {
        let quoted: Vec<_> = self.header.iter().take(20).map(|name| format!("\"{name}\"")).collect();
        quoted.join(", ")
    }

    pub fn advance(&mut self) -> Result<bool, Refusal> {
        let start = self.reader.position().clone();
        // Reading overwrites the row even if none follows, so the place of its last field, where a quote may be open, is kept.
        let last_field = (self.line(), self.row.len());
        // The reader also fills its buffer with what follows the row.
        self.state.byte_limit.set(start.byte() + LONGEST_ROW + BUFFER_LENGTH as u64);
        let has_row = self
            .reader
            .read_byte_record(&mut self.row)
            .map_err(|error| self.describe(&error, start.line()))?;
        if !has_row {
            // At the end of the input even before this call, the previous row took both added line ends: its quote is open.
            let has_open_quote = start.byte() == self.state.byte_count.get();
            return if has_open_quote { Err(self.open_quote(last_field)) } else { Ok(false) };
        }
        self.row_count += 1;
        self.check_utf8()?;
        Ok(true)
    }

    pub fn field(&self, column: usize) -> &str {
        text(self.row.get(column).unwrap_or_default()).trim()
    }

    pub fn fields(&self) -> impl Iterator<Item = &str> {
        self.row.iter().map(|field| text(field).trim())
    }

    pub fn line(&self) -> u64 {
        self.row.position().map_or(1, csv::Position::line)
    }

    pub fn row_count(&self) -> u64 {
        self.row_count
    }

    pub fn date(&self, column: usize) -> Result<Option<NaiveDate>, Refusal> {
        let field = self.field(column);
        // In the federal list of excluded clinicians (LEIE), eight zeros mean that there is no date.
        if field.is_empty() || field.bytes().all(|byte| byte == b'0') {
            return Ok(None);
        }
        let formats: &[&str] = if field.len() == 8 && field.bytes().all(|byte| byte.is_ascii_digit()) {
            &["%Y%m%d"]
        } else {
            &["%Y-%m-%d", "%m/%d/%Y"]
        };
        // `%Y` also accepts a sign, and fewer or more than four digits. `has_full_year` refuses 27-12-31 and +2027-12-31, and
        // `PLAUSIBLE_YEARS` refuses +027-12-31.
        let has_full_year = field.split(['-', '/']).any(|part| part.len() == 4 || part.len() == 8);
        let date = formats.iter().find_map(|format| NaiveDate::parse_from_str(field, format).ok());
        let date = date.filter(|date| has_full_year && PLAUSIBLE_YEARS.contains(&date.year()));
        let message = || format!("\"{field}\" isn't a date like 2026-11-26, 11/26/2026, or 20261126");
        date.map(Some).ok_or_else(|| self.error_at(column, &message()))
    }

    pub fn error_at(&self, column: usize, what: &str) -> Refusal {
        let name = self.header.get(column).map_or("", String::as_str);
        let field = column + 1;
        Refusal::new(format!(
            "{}:{}:{field}: {what} (column {field}, \"{name}\"); the file wasn't used",
            self.name,
            self.line()
        ))
    }

    fn check_utf8(&self) -> Result<(), Refusal> {
        if self.row.as_slice().is_ascii() {
            return Ok(());
        }
        // Each field is checked separately: two invalid fields can look valid when joined.
        let Some(column) = self.row.iter().position(|field| std::str::from_utf8(field).is_err()) else {
            return Ok(());
        };
        Err(self
            .error_at(column, "this isn't UTF-8 text (perhaps Windows-1252): save the file as \"CSV UTF-8\""))
    }

    fn open_quote(&self, (line, column): (u64, usize)) -> Refusal {
        Refusal::new(format!(
            "{}:{line}:{column}: a quote is opened here and never closed: the file was cut off, or a quote is missing; the file \
             wasn't used",
            self.name
        ))
    }

    fn describe(&self, error: &csv::Error, line: u64) -> Refusal {
        let name = &self.name;
        Refusal::new(match error.kind() {
            csv::ErrorKind::UnequalLengths { expected_len, len, pos } => {
                let line = pos.as_ref().map_or(line, csv::Position::line);
                format!(
                    "{name}:{line}:{}: this row has {len} fields, and the header has {expected_len}: the file was cut off, or a \
                     comma is outside quotes; the file wasn't used",
                    len.min(expected_len)
                )
            }
            csv::ErrorKind::Io(cause) => {
                format!("{name}:{line}:1: {cause}; the file wasn't used")
            }
            _ => format!("{name}:{line}:1: {error}; the file wasn't used"),
        })
    }
}

/// Returns the text of a field that was checked to be UTF-8.
fn text(field: &[u8]) -> &str {
    std::str::from_utf8(field).unwrap_or_default()
}

/// Returns the separator that is most frequent in the first line. A comma wins a tie.
fn most_frequent_separator(head: &[u8]) -> u8 {
    let first = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
    [b'\t', b';', b',', b'|']
        .into_iter()
        .max_by_key(|separator| (first.split(|byte| byte == separator).count(), *separator == b','))
        .unwrap_or(b',')
}

/// How many bytes were read, and how many may be. The CSV reader owns its input, so the table shares this with it.
#[derive(Debug, Default)]
struct ReadState {
    byte_count: Cell<u64>,
    byte_limit: Cell<u64>,
}

/// Reads the file. Fails if it is read beyond the limit, because then a row is too long.
struct LimitedReader {
    input: Box<dyn Read>,
    state: Rc<ReadState>,
}

impl Read for LimitedReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let state = &self.state;
        if state.byte_count.get() > state.byte_limit.get() {
            let limit = LONGEST_ROW >> 20;
            return Err(io::Error::other(format!(
                "this row has more than {limit} MB: a quote is never closed"
            )));
        }
        let count = self.input.read(buffer)?;
        state.byte_count.set(state.byte_count.get() + count as u64);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Result<Vec<Vec<String>>, String> {
        let mut table = Table::read_header("t.csv".to_owned(), Box::new(io::Cursor::new(bytes.to_vec())))
            .map_err(|error| error.to_string())?;
        let mut rows = Vec::new();
        while table.advance().map_err(|error| error.to_string())? {
            rows.push(table.fields().map(str::to_owned).collect());
        }
        Ok(rows)
    }

    #[test]
    fn tables_in_every_usual_format_are_read() {
        let expected =
            vec![vec!["1".to_owned(), "Ann, \"A\"".to_owned()], vec!["2".to_owned(), "Zoë".to_owned()]];
        for text in [
            "npi,name\n1,\"Ann, \"\"A\"\"\"\n2,Zoë\n",
            "\u{feff}npi;name\r\n1;Ann, \"A\"\r\n2;Zoë",
            "npi\tname\r\n1\t\"Ann, \"\"A\"\"\"\r\n2\t Zoë \r\n",
        ] {
            assert_eq!(read(text.as_bytes()).unwrap(), expected, "{text}");
        }
        // A quote within a field is literal and opens nothing.
        for text in ["npi,name\n1,5\" tall", "npi,name\r\n1,5\" tall\r\n\r\n", "npi,name\n1,\"5\"\" tall\n\""]
        {
            assert_eq!(read(text.as_bytes()).unwrap(), [["1", "5\" tall"]], "{text}");
        }
    }

    #[test]
    fn mistakes_name_their_line_and_column() {
        for (bytes, message) in [
            (&b""[..], "t.csv:1:1: this file is empty"),
            (b"\x0b\x0c\n", "t.csv:1:1: this file is empty"),
            (b"npi,name\n1,a\n2\n", "t.csv:3:1: this row has 1 fields, and the header has 2"),
            (b"npi,name\n1,a\n2,b,c\n", "t.csv:3:2: this row has 3 fields, and the header has 2"),
            (b"npi,name\n1,a\n2,Zo\xeb\n", "t.csv:3:2: this isn't UTF-8 text"),
            (b"npi,name\n\xc3,\xab\n", "t.csv:2:1: this isn't UTF-8 text"),
            (b"npi,name\n1,a\n2,\"b", "t.csv:3:2: a quote is opened here"),
            (b"npi,name\n1,\"a\n2,b\n", "t.csv:2:2: a quote is opened here"),
            (b"npi,name\n1,5\" tall\n2,\"b\n3,c\n", "t.csv:3:2: a quote is opened here"),
            (b"\xef\xbb\xbfnpi,\"name\n1,a\"\"\n", "t.csv:1:2: a quote is opened here"),
            (b"\xff\xfen\0p\0i\0", "t.csv:1:1: this isn't UTF-8 text (perhaps UTF-16)"),
            (b"PK\x03\x04\x14\0", "t.csv:1:1: this isn't UTF-8"),
        ] {
            let error = read(bytes).unwrap_err();
            assert!(error.starts_with(message), "{error}");
        }
    }

    #[test]
    fn a_date_has_a_year_of_four_digits() {
        let date = |text: &str| {
            let mut table =
                Table::read_header("t.csv".to_owned(), Box::new(io::Cursor::new(format!("on\n{text}\n"))))
                    .unwrap();
            table.advance().unwrap();
            table.date(0).map_err(|error| error.to_string())
        };
        let expected = NaiveDate::from_ymd_opt(2027, 12, 31).unwrap();
        for text in ["2027-12-31", "12/31/2027", "20271231"] {
            assert_eq!(date(text), Ok(Some(expected)), "{text}");
        }
        assert_eq!(date("00000000"), Ok(None));
        for text in
            ["12/31/27", "27-12-31", "0027-12-31", "1899-12-31", "18991231", "+2027-12-31", "+12027-12-31"]
        {
            assert!(date(text).unwrap_err().contains("isn't a date"), "{text}");
        }
    }

    #[test]
    fn an_open_quote_does_not_read_a_large_file() {
        let mut bytes = b"npi,name\n1,\"".to_vec();
        bytes.extend(std::iter::repeat_n(b'x', 8 << 20));
        let error = read(&bytes).unwrap_err();
        assert!(error.starts_with("t.csv:2:1: this row has more than 1 MB"), "{error}");
    }

    #[test]
    fn an_unknown_column_gets_a_hint() {
        let table = Table::read_header("t.csv".to_owned(), Box::new(&b"NPI,License Numbr\n"[..])).unwrap();
        assert_eq!(table.column("npi").unwrap(), 0);
        let error = table.column("License Number").unwrap_err().to_string();
        assert_eq!(
            error,
            "t.csv:1:1: there is no column \"License Number\"; did you mean \"License Numbr\"?"
        );
    }
}
