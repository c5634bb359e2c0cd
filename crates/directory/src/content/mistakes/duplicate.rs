//! Explains repeated keys and tables.

use std::ops::Range;

use super::super::lines::line_at;
use super::Mistake;
use super::form::{Header, Headers};
use super::syntax::ErrorLine;

impl ErrorLine<'_> {
    pub(super) fn duplicate(&self, headers: &Headers<'_>) -> Mistake {
        match headers.at(self.span.start) {
            Some(header) => self.duplicate_table(header, headers),
            None => self.duplicate_key(headers.above(self.span.start)),
        }
    }

    fn duplicate_table(&self, header: &Header<'_>, headers: &Headers<'_>) -> Mistake {
        let (name, text) = (header.name(), header.text);
        if let Some(first) = headers.of_table(name).find(|first| first.span.start < header.span.start) {
            let mistake = if first.text == text {
                let hint = format!("move these lines under line {} and delete this one", first.line);
                self.mistake(format!("{text} begins twice"), hint)
            } else {
                let hint = format!(
                    "write {} in both places",
                    if text.starts_with("[[") { text } else { first.text }
                );
                self.mistake(format!("{text} is written {} above", first.text), hint)
            };
            return mistake.also(Some((first.span.clone(), "first here")));
        }
        let key = self.key_above(name, 0);
        let start = key.as_ref().map_or(0, |key| key.start);
        let value = self.text[line_at(self.text, start)].split_once('=').map_or("", |(_, value)| value);
        let list = value.split('#').next().unwrap_or_default().trim();
        let hint = if name == "insurance" && list.starts_with('[') {
            let line = self.text[..start].matches('\n').count() + 1;
            format!("delete line {line}, and write its plans below this line: all = {list}")
        } else {
            "keep one of the two".to_owned()
        };
        let what = format!("`{name}` has a value above, and is a table here");
        self.mistake(what, hint).also(key.map(|key| (key, "first here")))
    }

    /// In an entry of a list, a repeated key probably means that the header of the next entry is missing.
    fn duplicate_key(&self, header: Option<&Header<'_>>) -> Mistake {
        let name = self.text.get(self.span.clone()).unwrap_or_default();
        let what = format!("`{name}` is in the file twice");
        let first = self.key_above(name, header.map_or(0, |header| header.span.end));
        let also = first.map(|first| (first, "first here"));
        let keep = match self.line.split_once('=').map_or("", |(_, value)| value.trim_start()).chars().next()
        {
            Some('[') => "put the values of both lists into one of them, and delete the other line",
            Some('{') => "put what is in both into one of them, and delete the other line",
            _ => "keep one of the two lines",
        };
        let Some(header) = header.filter(|header| header.text.starts_with("[[")) else {
            return self.mistake(what, keep).also(also);
        };
        let hint =
            format!("if another entry begins here, write {} on a line above it; if not, {keep}", header.text);
        // Repeated keys up to the next such entry have the same cause.
        let mut end = self.line_start + self.line.len();
        for line in self.text[end..].split_inclusive('\n').skip(1) {
            let key = line.split(['=', '[']).next().unwrap_or_default().trim();
            if key == name || line.trim_start().starts_with('[') {
                break;
            }
            end += line.len();
        }
        self.mistake(what, hint).covering(end).also(also)
    }

    /// The first place of a key between an offset and this line.
    fn key_above(&self, name: &str, from: usize) -> Option<Range<usize>> {
        let mut start = from;
        for line in self.text[from..self.line_start.max(from)].split_inclusive('\n') {
            let key = line.trim_start();
            let at = start + line.len() - key.len();
            if key.strip_prefix(name).is_some_and(|rest| rest.trim_start().starts_with('=')) {
                return Some(at..at + name.len());
            }
            start += line.len();
        }
        None
    }
}
