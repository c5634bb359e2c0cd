//! Lines that another program broke in two, or added around a file, and notes without their sign.

use super::super::lines::{each_line, line_at};
use super::super::offer::{Class, Edit};
use super::super::statement::{Statement, keys_at};
use super::candidate::{Candidate, Effect};
use super::here::Here;
use super::written::quoted;

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

    /// A note without its number sign.
    pub(super) fn remarked(&self) -> Vec<Candidate> {
        let line = self.line();
        let is_key = self.is_key(line.start);
        let written = self.text[line.clone()].trim();
        let is_words = written.starts_with(char::is_alphabetic) && !written.contains(['=', '\t', '|']);
        // Notes of other languages, and lines of signs.
        let is_note =
            ["//", "--", "/*", "<!--", ";", "%", "```"].iter().any(|sign| written.starts_with(sign))
                || !written.is_empty() && written.chars().all(|sign| "=-_*~+#".contains(sign));
        if !(is_words || is_note) || is_words && Statement::on_line(self.text, line.start, is_key).is_some() {
            return Vec::new();
        }
        // "Specialties: Sleep, Mood"
        let (key, keys) =
            (written.split_once(':').map(|(key, _)| key), keys_at(self.form, self.text, line.start));
        if let Some(key) = key.filter(|key| keys.is_some_and(|keys| keys.synonym(key).is_some())) {
            let found = Statement::on_line(self.text, line.start, |known| known == key);
            return found.iter().flat_map(|found| self.rewritten(found)).collect();
        }
        let effect = if is_note { Effect::Nothing } else { Effect::Removes };
        let note = self.edit("note", line.start..line.start, "# ").with(effect);
        let note = note.titled("Write # before this note");
        if self.path == "insurances.toml" && is_words {
            let plan = |at: usize, line: &str| {
                let text = format!("[[plan]]\nname = {}", quoted(line));
                self.write(at..at + line.trim_end().len(), text)
            };
            let is_name =
                |line: &str| line.starts_with(char::is_alphanumeric) && !line.contains(['=', '[', '"']);
            let names = each_line(self.text).filter(|(_, line)| is_name(line));
            let all: Vec<Edit> = names.map(|(at, line)| plan(at, line)).collect();
            let title = format!(
                "Write each of these {} names on two lines: [[plan]], and below it name = {}",
                all.len(),
                quoted(written)
            );
            let all = (all.len() > 1).then(|| Candidate::of("line", all).titled(title));
            let entry = Candidate::of("line", vec![plan(line.start, &self.text[line.clone()])]);
            return all.into_iter().chain([entry, note]).collect();
        }
        vec![note]
    }
}
