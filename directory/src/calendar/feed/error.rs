//! What is wrong with a feed's text: every bad line by its number.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// How many bad lines are told; all of them are counted.
pub(super) const TOLD_AT_MOST: usize = 100;
/// How many of them a sentence names.
const NAMED_AT_MOST: usize = 5;
/// How much of a reason is kept: it may quote the feed.
const REASON_LENGTH: usize = 200;

/// A line that nobody could say the meaning of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadLine {
    /// The file's name.
    pub file: Arc<str>,
    /// Its number, from 1; 0 is the file as a whole.
    pub line: usize,
    /// Where in the line, in characters from 1.
    pub column: usize,
    /// What is wrong.
    pub what: String,
    /// What to do about it.
    pub help: String,
    /// From where to where in the text.
    pub(crate) span: Range<usize>,
}

impl BadLine {
    /// A line, from its place in the text.
    pub(super) fn new(
        file: &Arc<str>,
        (line, column): (usize, usize),
        span: Range<usize>,
        what: &str,
        help: &str,
    ) -> Self {
        let what = what.chars().take(REASON_LENGTH).collect();
        Self { file: Arc::clone(file), line, column, what, help: help.to_owned(), span }
    }

    /// The file as a whole.
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

/// Why a feed is not applied: it changes nothing, and this is what to look at.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct FeedError {
    lines: Vec<BadLine>,
    count: usize,
}

impl FeedError {
    pub(super) fn new(mut lines: Vec<BadLine>, count: usize) -> Self {
        lines.truncate(TOLD_AT_MOST);
        Self { lines, count }
    }

    /// A file that is wrong as a whole.
    pub(super) fn whole(file: &Arc<str>, what: &str, help: &str) -> Self {
        Self::new(vec![BadLine::whole(file, what, help)], 1)
    }

    /// The bad lines, in order: the first hundred.
    #[must_use]
    pub fn lines(&self) -> &[BadLine] {
        &self.lines
    }

    /// How many bad lines there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }
}

impl fmt::Display for FeedError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = self.lines.len().min(NAMED_AT_MOST);
        for (index, line) in self.lines[..named].iter().enumerate() {
            write!(formatter, "{}{line}", if index == 0 { "" } else { "; " })?;
        }
        match self.count - named {
            0 => Ok(()),
            1 => write!(formatter, "; and one more bad line"),
            more => write!(formatter, "; and {more} more bad lines"),
        }
    }
}
