//! Repeated keys and tables.

use std::ops::Range;

use super::super::lines::line_at;
use super::Mistake;
use super::syntax::Here;

/// How many lines above are searched for the header of an entry.
const LOOKED_BACK: usize = 50;

impl Here<'_> {
    /// A repeated key or table.
    pub(super) fn duplicate(&self) -> Mistake {
        let name = self.text.get(self.span.clone()).unwrap_or_default();
        let header = self.line.split('#').next().unwrap_or_default().trim();
        let is_header = header.starts_with('[');
        let first = self.first_of(name, is_header);
        let also = first.clone().map(|span| (span, "first here"));
        let Some(first) = first.filter(|_| is_header) else {
            return self.duplicate_key(name).also(also);
        };
        let first_line = line_at(self.text, first.start);
        let first_text = self.text[first_line.clone()].split('#').next().unwrap_or_default().trim();
        let number = self.text[..first_line.start].matches('\n').count() + 1;
        let mistake = if !first_text.starts_with('[') {
            let list = first_text.split_once('=').map(|(_, value)| value.trim());
            let hint = match list.filter(|value| name == "insurance" && value.starts_with('[')) {
                Some(list) => {
                    format!("delete line {number}, and write its plans below this line: all = {list}")
                }
                None => "keep one of the two".to_owned(),
            };
            self.say(format!("`{name}` has a value above, and is a table here"), hint)
        } else if first_text == header {
            let hint = format!("move these lines under line {number} and delete this one");
            self.say(format!("{header} begins twice"), hint)
        } else {
            let hint = format!(
                "write {} in both places",
                if header.starts_with("[[") { header } else { first_text }
            );
            self.say(format!("{header} is written {first_text} above"), hint)
        };
        mistake.also(also)
    }

    /// A repeated key. In an entry of a list, the header of the next entry was probably forgotten.
    fn duplicate_key(&self, name: &str) -> Mistake {
        let what = format!("`{name}` stands in the file twice");
        let lines_above = self.text[..self.line_start].lines().rev().take(LOOKED_BACK);
        let lines_above = lines_above.map(|line| line.split('#').next().unwrap_or_default().trim());
        let mut headers = lines_above.filter(|line| line.starts_with('['));
        let Some(header) = headers.next().filter(|header| header.starts_with("[[")) else {
            return self.say(what, "keep one of the two lines");
        };
        let hint = format!(
            "if another entry begins here, write {header} on a line above it; if not, keep one of the two lines"
        );
        // The other keys of the next entry are repeated for the same reason.
        let mut end = self.line_start + self.line.len();
        for line in self.text[end..].split_inclusive('\n').skip(1) {
            let key = line.split(['=', '[']).next().unwrap_or_default().trim();
            if key == name || line.trim_start().starts_with('[') {
                break;
            }
            end += line.len();
        }
        self.say(what, hint).covering(end)
    }

    /// The first place of a key or a header.
    fn first_of(&self, name: &str, is_header: bool) -> Option<Range<usize>> {
        let mut end = self.line_start;
        while end > 0 {
            let line = line_at(self.text, end - 1);
            let trimmed = self.text[line.clone()].trim_start();
            let start = line.end - trimmed.len();
            let bare = trimmed.trim_start_matches('[').trim_start();
            let follows = bare.strip_prefix(name).map(|rest| rest.trim_start().chars().next());
            let is_it = if trimmed.starts_with('[') {
                is_header && follows == Some(Some(']'))
            } else {
                follows == Some(Some('='))
            };
            if is_it {
                let shown = if trimmed.starts_with('[') {
                    trimmed.find('#').unwrap_or(trimmed.len())
                } else {
                    name.len()
                };
                return Some(start..start + trimmed[..shown].trim_end().len());
            }
            if !is_header && trimmed.starts_with('[') {
                return None;
            }
            end = line.start;
        }
        None
    }
}
