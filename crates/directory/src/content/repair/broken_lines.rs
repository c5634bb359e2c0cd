//! Lines that another program broke in two, or added around a file.

use super::super::lines::line_at;
use super::super::offer::Class;
use super::candidate::Candidate;
use super::here::Here;

impl Here<'_> {
    /// A text on one line that a program for letters broke.
    pub(super) fn joined_with_next(&self) -> Option<Candidate> {
        let line = self.line();
        let (_, value) = self.text[line.clone()].split_once('=')?;
        let value = value.trim();
        let next = line_at(self.text, self.text[line.end..].find('\n')? + line.end + 1);
        let rest = &self.text[next.clone()];
        let ends = rest.trim_end().ends_with('"') && rest.matches('"').count() == 1;
        let begins = value.starts_with('"') && value.matches('"').count() == 1;
        let kept = line.start + self.text[line.clone()].trim_end().len();
        let at = next.end - rest.trim_start().len();
        let join =
            self.edit("line", kept..at, " ").titled("Join this line and the next, with a space between them");
        (begins && ends && !rest.contains('=')).then_some(join)
    }

    /// A comma between the values in braces: { before = "0m" after = "15m" }.
    pub(super) fn with_comma_in_braces(&self) -> Option<Candidate> {
        let line = self.line();
        let written = &self.text[line.clone()];
        let open = written.find('{')?;
        let ends = written.match_indices('"').skip(1).step_by(2).map(|(at, _)| at + 1);
        let is_key = |at: &usize| written[*at..].trim_start().starts_with(char::is_alphabetic);
        let end = ends.filter(|at| *at > open).find(is_key)?;
        let value = written[open..end].rsplit(' ').next().unwrap_or_default();
        let comma = self.edit("characters", line.start + end..line.start + end, ",").class(Class::Certain);
        Some(comma.titled(format!("Write a comma after {value}")))
    }

    /// The marks around a text that was copied from a chat or a page about code.
    pub(super) fn without_fences(&self) -> Option<Candidate> {
        const FENCE: &str = "```";
        // TOML has no end of a table, as web pages have.
        if self.text[self.line()].trim_start().starts_with("[/") {
            return Some(self.without_lines("line", &self.line()).titled("Delete this line"));
        }
        let (first, end) = (line_at(self.text, 0), self.text.trim_end().len());
        let last = line_at(self.text, end);
        let is_fenced =
            self.text[first.clone()].starts_with(FENCE) && self.text[last.clone()].trim() == FENCE;
        let edits = [first, last].into_iter().flat_map(|line| self.without_lines("line", &line).edits);
        (is_fenced && end > FENCE.len()).then(|| {
            Candidate::of("line", edits.collect())
                .titled("Delete the first and the last line, which came along with the copy")
        })
    }
}
