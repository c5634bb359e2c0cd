//! Whether a text is small enough to become a tree, found out before there is one: a table of two bytes takes a kilobyte in
//! the tree, so the size of a file alone does not bound the memory.

use std::ops::Range;

use toml_parser::decoder::Encoding;
use toml_parser::lexer::Token;
use toml_parser::parser::{EventReceiver, RecursionGuard, ValidateWhitespace, parse_document};
use toml_parser::{ErrorSink, ParseError, Raw, Source, Span};

use super::lines::line_at;
use super::problem::{FileSpan, Kind, Problem};

// A megabyte of real entries has fewer: some 20,000 retired clinicians, or 3,000 plans with the states of each.
const MOST_TABLES: usize = 25_000;
const MOST_VALUES: usize = 200_000;
const MOST_ERRORS: usize = 10_000;
/// A smaller text needs no look: it cannot have as many tables.
const SMALL: usize = 2 * MOST_TABLES;
/// The parser's own limit.
const DEEPEST: u32 = 80;
/// A sign that can begin a table takes at most this many times the memory of another byte.
const COST_OF_A_SIGN: usize = 10;

pub(super) struct Excess {
    /// Such as "25,000 tables".
    most: &'static str,
    at: Range<usize>,
    is_readable: bool,
}

impl Excess {
    pub(super) fn find(text: &str) -> Option<Self> {
        if text.len() < SMALL {
            return None;
        }
        let source = Source::new(text);
        let tokens: Vec<Token> = source.lex().collect();
        let mut count = Count { source, tables: 0, values: 0, table_too_many: None, value_too_many: None };
        let mut errors = (0, None);
        let mut sink = |error: ParseError| {
            errors.0 += 1;
            // Not every error has a place.
            if errors.0 > MOST_ERRORS && errors.1.is_none() {
                errors.1 = error.unexpected().or(error.context());
            }
        };
        let mut receiver = ValidateWhitespace::new(&mut count, source);
        parse_document(&tokens, &mut RecursionGuard::new(&mut receiver, DEEPEST), &mut sink);
        let found = |most, at: Option<Span>, is_readable| {
            at.map(|at| Self { most, at: at.start()..at.end(), is_readable })
        };
        let tables = found("25,000 tables", count.table_too_many, false);
        let values = found("200,000 keys and values", count.value_too_many, false);
        let errors = found("10,000 syntax errors", errors.1, true);
        [tables, values, errors].into_iter().flatten().min_by_key(|excess| excess.at.start)
    }

    /// The part of the text that can be parsed: nothing, or what is above the line with one mistake too many.
    pub(super) fn readable<'a>(&self, text: &'a str) -> &'a str {
        if self.is_readable { &text[..line_at(text, self.at.start).start] } else { "" }
    }

    pub(super) fn problem(&self, path: &str) -> Problem {
        let what = if self.is_readable {
            format!("This file has more than {}, so the rest of it isn't read.", self.most)
        } else {
            format!("This file has more than {}, so it isn't read.", self.most)
        };
        Problem::error(FileSpan::new(path, &self.at), what)
            .of_kind(Kind::File)
            .hint("Is it really a content file?")
    }
}

struct Count<'a> {
    source: Source<'a>,
    tables: usize,
    values: usize,
    table_too_many: Option<Span>,
    value_too_many: Option<Span>,
}

impl<'a> Count<'a> {
    fn table(&mut self, span: Span) {
        self.tables += 1;
        if self.tables == MOST_TABLES + 1 {
            self.table_too_many = Some(span);
        }
    }

    fn value(&mut self, span: Span) {
        self.values += 1;
        if self.values == MOST_VALUES + 1 {
            self.value_too_many = Some(span);
        }
    }

    fn written(&self, span: Span, encoding: Option<Encoding>) -> Option<Raw<'a>> {
        let text = self.source.input().get(span.start()..span.end())?;
        Some(Raw::new_unchecked(text, encoding, span))
    }
}

impl EventReceiver for Count<'_> {
    fn std_table_open(&mut self, span: Span, _: &mut dyn ErrorSink) {
        self.table(span);
    }

    fn array_table_open(&mut self, span: Span, _: &mut dyn ErrorSink) {
        self.table(span);
    }

    fn inline_table_open(&mut self, span: Span, _: &mut dyn ErrorSink) -> bool {
        self.table(span);
        true
    }

    /// A dotted key leads into a table.
    fn key_sep(&mut self, span: Span, _: &mut dyn ErrorSink) {
        self.table(span);
    }

    fn array_open(&mut self, span: Span, _: &mut dyn ErrorSink) -> bool {
        self.value(span);
        true
    }

    fn simple_key(&mut self, span: Span, encoding: Option<Encoding>, errors: &mut dyn ErrorSink) {
        self.value(span);
        if let Some(key) = self.written(span, encoding) {
            key.decode_key(&mut (), errors);
        }
    }

    // Escapes are mistakes that only decoding finds.
    fn scalar(&mut self, span: Span, encoding: Option<Encoding>, errors: &mut dyn ErrorSink) {
        self.value(span);
        if let Some(value) = self.written(span, encoding) {
            _ = value.decode_scalar(&mut (), errors);
        }
    }
}

/// What a text takes at most while it is checked, in units of what a byte without structure takes: about 256 bytes.
pub(super) fn cost(text: &str) -> usize {
    let begins = |byte: &u8| u8::from(matches!(byte, b'.' | b'=' | b'[' | b'{' | b','));
    // Counts this small fit into bytes, which the processor adds many at a time.
    let signs = text.as_bytes().chunks(128).map(|chunk| usize::from(chunk.iter().map(begins).sum::<u8>()));
    text.len() + COST_OF_A_SIGN * signs.sum::<usize>()
}
