//! Keys and tables that stand in a file twice.

use std::ops::Range;

use super::Mistake;
use super::syntax::{Here, line_at};

impl Here<'_> {
    /// A key or a table that stands above as well.
    pub(super) fn duplicate(&self) -> Mistake {
        let name = self.text.get(self.span.clone()).unwrap_or_default();
        let header = self.line.split('#').next().unwrap_or_default().trim();
        let is_header = header.starts_with('[');
        let first = self.first_of(name, is_header);
        let also = first.clone().map(|span| (span, "first here"));
        let Some(first) = first.filter(|_| is_header) else {
            return self
                .say(format!("`{name}` stands in the file twice"), "keep one of the two lines")
                .also(also);
        };
        let first_line = line_at(self.text, first.start);
        let first_text = self.text[first_line.clone()].split('#').next().unwrap_or_default().trim();
        let number = self.text[..first_line.start].matches('\n').count() + 1;
        let mistake = if !first_text.starts_with('[') {
            self.say(format!("`{name}` has a value above, and is a table here"), "keep one of the two")
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

    /// Where a key or a header stands first.
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
