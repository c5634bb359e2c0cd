//! The plain form of TOML that nearly every content file is written in, read in one pass over its bytes.
//!
//! Most of the time of a check would otherwise go into TOML's general form. Plain are bare keys, texts without
//! escapes, whole numbers, `true` and `false`, lists of those, and headers of one name. Whatever else there is,
//! right or wrong, is refused without a word, and the file goes the general way, which also explains mistakes.
//!
//! So there is one rule: what is read here, the general reader reads without an error, as the same value with
//! the same places. The tests hold the two against each other, over whole files and over broken ones.

mod read;
#[cfg(test)]
mod tests;

use serde::Deserialize;

pub(super) use read::LOCATED;

/// More entries in one table, or more tables in one file, than people write by hand: to find what stands twice
/// among so many takes another way.
const FEW: usize = 64;
/// More digits may not fit a number.
const DIGITS: usize = 18;

/// Reads a file of the plain form; `None` where it is not, or does not fit.
pub(super) fn read<'t, T: Deserialize<'t>>(text: &'t str) -> Option<T> {
    let mut scanner =
        Scanner { text, bytes: text.as_bytes(), at: 0, plain: Plain::with_room_for(text.len()) };
    scanner.file()?;
    T::deserialize(scanner.plain.file()).ok()
}

/// The values of a file, in the order in which they stand there.
#[derive(Debug)]
struct Plain<'t> {
    /// The entries that stand above the first header.
    above: usize,
    /// The entries of all tables.
    entries: Vec<Entry<'t>>,
    /// What stands in the lists.
    elements: Vec<Item<'t>>,
    tables: Vec<Table<'t>>,
}

/// A key with its value.
#[derive(Debug, Clone, Copy)]
struct Entry<'t> {
    key: &'t str,
    key_at: usize,
    item: Item<'t>,
}

/// A value with its place.
#[derive(Debug, Clone, Copy)]
struct Item<'t> {
    value: Value<'t>,
    start: usize,
    end: usize,
}

#[derive(Debug, Clone, Copy)]
enum Value<'t> {
    Text(&'t str),
    Integer(i64),
    Flag(bool),
    /// From where to where among the elements.
    List(usize, usize),
}

/// A header with the entries below it.
#[derive(Debug)]
struct Table<'t> {
    name: &'t str,
    name_at: usize,
    /// The header's place.
    start: usize,
    end: usize,
    /// Whether it is one of a list: `[[name]]`.
    is_listed: bool,
    /// Whether no table of this name stands before it.
    is_first: bool,
    /// From where to where among the entries.
    entries: (usize, usize),
}

impl Plain<'_> {
    /// Room for as much as a text of this length has, as a rule.
    fn with_room_for(bytes: usize) -> Self {
        Self {
            above: 0,
            entries: Vec::with_capacity(bytes / 64 + 4),
            elements: Vec::with_capacity(bytes / 64 + 4),
            tables: Vec::with_capacity(8),
        }
    }
}

struct Scanner<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    plain: Plain<'t>,
}

impl<'t> Scanner<'t> {
    fn file(&mut self) -> Option<()> {
        if self.bytes.iter().fold(false, |is_odd, &byte| is_odd | is_odd_byte(byte)) {
            return None;
        }
        loop {
            self.space();
            match self.peek() {
                None => break,
                Some(b'\n' | b'#') => {}
                Some(b'[') => self.header()?,
                Some(_) => self.entry()?,
            }
            self.line_end()?;
        }
        self.close_table();
        Some(())
    }

    fn header(&mut self) -> Option<()> {
        self.close_table();
        let start = self.at;
        self.at += 1;
        let is_listed = self.skip(b'[');
        let (name_at, name) = self.bare_key()?;
        let is_closed = self.skip(b']') && (!is_listed || self.skip(b']'));
        let above = &self.plain.entries[..self.plain.above];
        let is_taken = above.iter().any(|entry| entry.key == name);
        let before = self.plain.tables.iter().find(|table| table.name == name);
        let may_come_again = before.is_none_or(|before| before.is_listed && is_listed);
        if !is_closed || is_taken || !may_come_again || self.plain.tables.len() == FEW {
            return None;
        }
        let (is_first, from) = (before.is_none(), self.plain.entries.len());
        let table = Table { name, name_at, start, end: self.at, is_listed, is_first, entries: (from, from) };
        self.plain.tables.push(table);
        Some(())
    }

    /// What was read since the last header is that table's.
    fn close_table(&mut self) {
        let end = self.plain.entries.len();
        match self.plain.tables.last_mut() {
            Some(table) => table.entries.1 = end,
            None => self.plain.above = end,
        }
    }

    fn entry(&mut self) -> Option<()> {
        let (key_at, key) = self.bare_key()?;
        let first = self.plain.tables.last().map_or(0, |table| table.entries.0);
        let table = &self.plain.entries[first..];
        if table.len() == FEW || table.iter().any(|entry| entry.key == key) {
            return None;
        }
        self.space();
        if !self.skip(b'=') {
            return None;
        }
        self.space();
        let item = if self.peek() == Some(b'[') { self.list()? } else { self.scalar()? };
        self.plain.entries.push(Entry { key, key_at, item });
        Some(())
    }

    fn list(&mut self) -> Option<Item<'t>> {
        let (start, first) = (self.at, self.plain.elements.len());
        self.at += 1;
        loop {
            self.space_and_lines();
            if self.skip(b']') {
                break;
            }
            let element = self.scalar()?;
            self.plain.elements.push(element);
            self.space_and_lines();
            if !self.skip(b',') && self.peek() != Some(b']') {
                return None;
            }
        }
        let value = Value::List(first, self.plain.elements.len());
        Some(Item { value, start, end: self.at })
    }

    fn scalar(&mut self) -> Option<Item<'t>> {
        let start = self.at;
        let value = match self.peek()? {
            b'"' if self.bytes[start..].starts_with(b"\"\"\"") => Value::Text(self.long_text()?),
            b'"' => Value::Text(self.short_text()?),
            b'0'..=b'9' => Value::Integer(self.integer()?),
            b't' => Value::Flag(self.word("true")?),
            b'f' => Value::Flag(!self.word("false")?),
            _ => return None,
        };
        Some(Item { value, start, end: self.at })
    }

    /// A text between single quotation marks, in one line.
    fn short_text(&mut self) -> Option<&'t str> {
        let start = self.at + 1;
        let length = self.bytes[start..].iter().position(|&byte| byte == b'"' || byte == b'\n')?;
        let end = start + length;
        self.at = end + 1;
        (self.bytes[end] == b'"').then(|| &self.text[start..end])
    }

    /// A text between three quotation marks on either side; a line's end right behind the first is not part of it.
    fn long_text(&mut self) -> Option<&'t str> {
        let mark = "\"\"\"";
        let mut start = self.at + mark.len();
        start += usize::from(self.bytes.get(start) == Some(&b'\n'));
        let end = start + self.text[start..].find(mark)?;
        self.at = end + mark.len();
        // Further marks would be the text's own.
        (self.peek() != Some(b'"')).then(|| &self.text[start..end])
    }

    fn integer(&mut self) -> Option<i64> {
        let start = self.at;
        self.at += self.bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let digits = &self.text[start..self.at];
        let is_plain = digits.len() <= DIGITS && (digits == "0" || !digits.starts_with('0'));
        if is_plain && self.is_at_end_of_word() { digits.parse().ok() } else { None }
    }

    fn word(&mut self, word: &str) -> Option<bool> {
        let is_here = self.bytes[self.at..].starts_with(word.as_bytes());
        self.at += word.len();
        (is_here && self.is_at_end_of_word()).then_some(true)
    }

    fn is_at_end_of_word(&self) -> bool {
        matches!(self.peek(), None | Some(b' ' | b'\t' | b'\n' | b',' | b']' | b'#'))
    }

    fn bare_key(&mut self) -> Option<(usize, &'t str)> {
        let start = self.at;
        let is_bare = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        self.at += self.bytes[start..].iter().take_while(is_bare).count();
        (self.at > start).then(|| (start, &self.text[start..self.at]))
    }

    fn space(&mut self) {
        while let Some(b' ' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    /// What may stand between the elements of a list.
    fn space_and_lines(&mut self) {
        loop {
            self.space();
            match self.peek() {
                Some(b'\n') => self.at += 1,
                Some(b'#') => self.comment(),
                _ => return,
            }
        }
    }

    fn comment(&mut self) {
        let rest = &self.bytes[self.at..];
        self.at += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
    }

    /// Nothing but a comment may stand between a value or a header and its line's end.
    fn line_end(&mut self) -> Option<()> {
        self.space();
        if self.peek() == Some(b'#') {
            self.comment();
        }
        (self.skip(b'\n') || self.at == self.bytes.len()).then_some(())
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip(&mut self, byte: u8) -> bool {
        let is_here = self.peek() == Some(byte);
        self.at += usize::from(is_here);
        is_here
    }
}

/// Whether a byte has a meaning that plain files do without, wherever it stands: escapes, control characters
/// and the line ends of other systems. Written without branches, so that many bytes are looked at at once.
#[expect(clippy::needless_bitwise_bool, reason = "without branches the compiler looks at many bytes at once")]
fn is_odd_byte(byte: u8) -> bool {
    ((byte < b' ') & (byte != b'\n') & (byte != b'\t')) | (byte == b'\\') | (byte == 0x7f)
}
