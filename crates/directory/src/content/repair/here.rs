//! The place of a problem in the text of a file, and the statements that stand there.

use std::ops::Range;

use super::super::lines::{each_line, line_at, with_break};
use super::super::offer::Edit;
use super::super::shape::{Form, Keys};
use super::super::statement::{Statement, begins_table, keys_at};
use super::candidate::{Candidate, Effect};
use super::values::QUOTES;

/// How many lines above a problem are searched for the statement that it belongs to.
const LINES_ABOVE: usize = 100;

pub(super) struct Here<'a> {
    pub(super) path: &'a str,
    pub(super) text: &'a str,
    pub(super) form: &'a Form,
    pub(super) span: Range<usize>,
}

impl<'a> Here<'a> {
    pub(super) fn line(&self) -> Range<usize> {
        line_at(self.text, self.span.start)
    }

    pub(super) fn keys(&self) -> Option<&'a Keys> {
        keys_at(self.form, self.text, self.span.start)
    }

    pub(super) fn write(&self, span: Range<usize>, text: impl Into<String>) -> Edit {
        Edit { path: self.path.to_owned(), span, text: text.into() }
    }

    pub(super) fn edit(&self, row: &'static str, span: Range<usize>, text: impl Into<String>) -> Candidate {
        Candidate::of(row, vec![self.write(span, text)])
    }

    pub(super) fn without_lines(&self, row: &'static str, span: &Range<usize>) -> Candidate {
        let start = line_at(self.text, span.start).start;
        let lines = with_break(self.text, &(start..line_at(self.text, span.end).end));
        self.edit(row, lines, "").with(Effect::Removes)
    }

    pub(super) fn table(&self) -> Option<Range<usize>> {
        self.tables().into_iter().find(|table| table.contains(&self.span.start))
    }

    pub(super) fn in_table(&self, key: &str) -> Option<Statement> {
        let table = self.table()?;
        let mut lines = each_line(&self.text[table.clone()]);
        lines.find_map(|(at, _)| Statement::on_line(self.text, table.start + at, |known| known == key))
    }

    /// The nearest statement of a key above an offset, in the same table.
    pub(super) fn above(&self, offset: usize, key: &str) -> Option<Statement> {
        let mut start = line_at(self.text, offset).start;
        while start > 0 {
            let line = line_at(self.text, start - 1);
            if begins_table(self.text[line.clone()].trim()) {
                return None;
            }
            let statement = Statement::on_line(self.text, line.start, |known| known == key);
            if statement.is_some() {
                return statement;
            }
            start = line.start;
        }
        None
    }

    pub(super) fn is_key(&self, at: usize) -> impl Fn(&str) -> bool + use<'a> {
        let (keys, top) = (keys_at(self.form, self.text, at), self.form.top());
        move |text: &str| {
            let is_of =
                |keys: &Keys| keys.spelled(text).is_some() || text.len() < 24 && keys.get(text).is_some();
            !text.is_empty() && [keys, top].into_iter().flatten().any(is_of)
        }
    }

    /// The statement at the place, with or without the lines below it. A mistake of notation may be in the one above.
    pub(super) fn statements(&self, with_above: bool) -> Vec<Statement> {
        let mut found = Vec::new();
        let mut at = self.line().start;
        // A text in three quotes that never ends is reported at the end of the file.
        let is_at_end = with_above && self.text[self.span.start..].trim().is_empty();
        if let Some(open) = self.text[..self.span.start].rfind("= \"\"\"").filter(|_| is_at_end) {
            let statement = Statement::on_line(self.text, open, self.is_key(open));
            found.extend(
                statement.as_ref().and_then(|found| found.with_lines_below(self.text, self.is_key(open))),
            );
            found.extend(statement);
        }
        let unknown = |key: &str| {
            !key.is_empty()
                && key.len() < 40
                && key.chars().all(|sign| sign.is_alphanumeric() || " -_".contains(sign))
        };
        let mut left = if with_above { 2 } else { 1 };
        for _ in 0..LINES_ABOVE {
            let is_key = self.is_key(at);
            let line = line_at(self.text, at);
            let is_here = line.start <= self.span.start && self.span.start <= line.end;
            let written = &self.text[line.clone()];
            let is_header = begins_table(written.trim());
            let statement = Statement::on_line(self.text, at, &is_key).filter(|_| !is_header);
            let is_unknown = is_here && written.contains('=');
            let other = || Statement::on_line(self.text, at, unknown).filter(|_| is_unknown);
            let statement = statement.or_else(other);
            if let Some(statement) = statement {
                let block = statement.with_lines_below(self.text, &is_key);
                // A value that goes on below is whole only with these lines.
                let reaches =
                    block.as_ref().is_some_and(|block| block.whole.end >= self.span.start && !is_here);
                // A text that is opened and goes on below ends there.
                let raw = statement.value(self.text);
                let is_open = raw.starts_with(QUOTES) && (raw.len() == 1 || !raw.ends_with(QUOTES));
                if !(reaches || is_open && block.is_some()) {
                    found.push(statement);
                }
                found.extend(block);
                left -= 1;
            } else if is_header && !is_here {
                break;
            }
            if left == 0 || line.start == 0 {
                break;
            }
            at = line_at(self.text, line.start - 1).start;
        }
        found
    }
}
