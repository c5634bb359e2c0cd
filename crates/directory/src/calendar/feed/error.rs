//! The bad lines of a feed.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// The most bad lines that are kept; all of them are counted.
pub(super) const MAX_LINES: usize = 100;
/// The most bad lines that the message names.
const MAX_NAMED: usize = 5;
/// The longest sentence that is kept, in characters.
const MAX_SENTENCE: usize = 300;

/// Makes a sentence that may quote the feed safe to show: of a bounded length and on one line, so that the feed cannot
/// write lines of its own into a log.
pub(super) fn cut(sentence: &str) -> String {
    let is_break = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    let shown = sentence.chars().map(|c| if is_break(c) { char::REPLACEMENT_CHARACTER } else { c });
    shown.take(MAX_SENTENCE).collect()
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadLine {
    pub file: Arc<str>,
    /// The line, from 1; 0 for the file as a whole.
    pub line: usize,
    /// The column, in characters from 1.
    pub column: usize,
    pub what: String,
    pub help: String,
    pub(crate) span: Range<usize>,
}

impl BadLine {
    pub(super) fn new(
        file: &Arc<str>,
        (line, column): (usize, usize),
        span: Range<usize>,
        what: &str,
        help: &str,
    ) -> Self {
        Self { file: Arc::clone(file), line, column, what: cut(what), help: cut(help), span }
    }

    pub(super) fn whole(file: &Arc<str>, what: &str, help: &str) -> Self {
        Self::new(file, (0, 1), 0..0, what, help)
    }
}

impl fmt::Display for BadLine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, column, what, help, .. } = self;
        match line {
            0 => write!(formatter, "{file}: {what} ({help})"),
            _ => write!(formatter, "{file}:{line}:{column}: {what} ({help})"),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct FeedError {
    /// The first hundred bad lines.
    pub lines: Vec<BadLine>,
    pub count: usize,
}

impl FeedError {
    pub(super) fn new(mut lines: Vec<BadLine>, count: usize) -> Self {
        lines.truncate(MAX_LINES);
        Self { lines, count }
    }

    pub(super) fn whole(file: &Arc<str>, what: &str, help: &str) -> Self {
        Self::new(vec![BadLine::whole(file, what, help)], 1)
    }
}

impl fmt::Display for FeedError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = self.lines.len().min(MAX_NAMED);
        for (index, line) in self.lines[..named].iter().enumerate() {
            write!(formatter, "{}{line}", if index == 0 { "" } else { "; " })?;
        }
        match self.count - named {
            0 => Ok(()),
            1 => write!(formatter, "; and 1 more bad line"),
            more => write!(formatter, "; and {more} more bad lines"),
        }
    }
}
