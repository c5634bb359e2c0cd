//! Explains errors of the TOML parser.

use std::ops::Range;

use super::super::lines::line_at;
use super::super::problem::Advice;
use super::unquoted::UnquotedValue;
use super::{Headers, Mistake, list_of};
use crate::model::StateCode;

const BRACKETS: &str = "write the same number of brackets on both sides: [insurance] or [[education]]";

/// Explains a syntax error. `message` is the parser's. `unclosed`: the error is in a list or braces without an end.
pub(in super::super) fn wrong_syntax(
    message: &str,
    text: &str,
    span: &Range<usize>,
    headers: &Headers<'_>,
    unclosed: bool,
) -> Mistake {
    let line = line_at(text, span.start);
    let here = ErrorLine { text, line: &text[line.clone()], line_start: line.start, span };
    let begins = |beginnings: &[&str]| beginnings.iter().any(|beginning| message.starts_with(beginning));
    if let Some(mistake) = here.foreign_character() {
        return mistake;
    }
    if begins(&["missing opening quote"]) {
        return UnquotedValue::at(text, span).without_opening_quote();
    }
    if begins(&["duplicate key"]) {
        return here.duplicate(headers);
    }
    if begins(&["unclosed array table", "unclosed table"]) {
        return here.mistake("this line opens a table and does not close it", BRACKETS);
    }
    if message.contains("inline table") || message.contains("key-value pairs") {
        return here.in_braces(unclosed);
    }
    if message.contains("array") {
        return here.in_list(message, unclosed);
    }
    if begins(&["invalid multi-line"]) && here.is_open_to_the_end() {
        return here.never_ending_text();
    }
    if message.contains("escape") || message.contains("unicode") {
        return here.backslash();
    }
    if begins(&["invalid basic string, expected `\"`", "invalid literal", "invalid multi-line"]) {
        return here.text_without_end();
    }
    if begins(&["invalid date", "invalid time", "invalid local", "invalid offset"]) {
        return UnquotedValue::at(text, span).date(span);
    }
    if begins(&["unexpected leading zero"]) {
        let hint = match here.value() {
            value if value.starts_with('[') => "remove the zero".to_owned(),
            value if here.line.trim_start().starts_with("year") => {
                format!("write all four digits of the year, such as 2009 for {value}")
            }
            value if here.line.trim_start().starts_with("id") => {
                format!("put quotes around it: \"{value}\"; or remove the zero")
            }
            value => format!("put quotes around it: \"{value}\""),
        };
        return here.mistake("a number cannot begin with a zero", hint);
    }
    if begins(&["unexpected key or value", "unexpected content"]) {
        return here.extra_text();
    }
    if begins(&["key with no value", "invalid unquoted key", "missing value for key"]) {
        return here.line_without_equals(headers);
    }
    if begins(&["extra `=`"]) {
        return here.mistake("unexpected extra =", "delete it");
    }
    if begins(&[
        "unquoted keys cannot be empty",
        "invalid key-value pair",
        "invalid table",
        "invalid array table",
    ]) {
        return if here.line.trim_start().starts_with('[') {
            here.mistake("there is no name between these brackets", "write [insurance] or [[education]]")
        } else {
            here.mistake("there is no key here", "write key = \"value\"")
        };
    }
    if begins(&["string values must be quoted", "missing value", "invalid"]) {
        return UnquotedValue::at(text, span).mistake(span);
    }
    here.mistake(format!("this is not TOML: {message}"), "compare the line with one that is right")
}

pub(super) struct ErrorLine<'a> {
    pub(super) text: &'a str,
    pub(super) line: &'a str,
    pub(super) line_start: usize,
    pub(super) span: &'a Range<usize>,
}

impl<'a> ErrorLine<'a> {
    pub(super) fn mistake(&self, what: impl Into<String>, hint: impl Into<Advice>) -> Mistake {
        Mistake::new(self.span, what, hint)
    }

    fn before(&self) -> &'a str {
        self.line.get(..self.span.start - self.line_start).unwrap_or(self.line)
    }

    fn after(&self) -> &'a str {
        self.line.get(self.span.start - self.line_start..).unwrap_or_default()
    }

    fn value(&self) -> &'a str {
        let value = self.line.split_once('=').map_or("", |(_, value)| value);
        value.split('#').next().unwrap_or_default().trim()
    }

    /// Explains an invisible character or a special space.
    fn foreign_character(&self) -> Option<Mistake> {
        let shown = |at: usize, character: char| {
            let start = self.line_start + at;
            start..start + character.len_utf8()
        };
        let is_control = |character: char| character.is_control() && !['\t', '\n', '\r'].contains(&character);
        if let Some((at, control)) = self.line.char_indices().find(|&(_, character)| is_control(character)) {
            let what = "there is an invisible control character here";
            let hint = "delete it and type the words around it again";
            return Some(self.mistake(what, hint).at(shown(at, control)));
        }
        let rest = self.text.get(self.span.start..)?;
        let next = rest.chars().next().filter(|next| !next.is_ascii() && next.is_whitespace())?;
        let what = "this is a special space (often pasted from a web page)";
        Some(
            self.mistake(what, "delete it and type a space")
                .at(self.span.start..self.span.start + next.len_utf8()),
        )
    }

    /// The place of the last bracket, at or above this line, that opens a value.
    fn opening(&self, bracket: char) -> Option<Range<usize>> {
        let mut line = self.line_start..self.line_start + self.before().len();
        loop {
            let content = &self.text[line.clone()];
            if let Some((key, value)) = content.split_once('=')
                && !key.trim_start().starts_with('#')
                && let Some(at) = value.rfind(bracket)
                && value.trim_start().starts_with(['[', '{'])
            {
                let start = line.start + key.len() + 1 + at;
                return Some(start..start + 1);
            }
            if line.start == 0 {
                return None;
            }
            line = line_at(self.text, line.start - 1);
        }
    }

    /// Explains a text without its closing quote. It may continue on the next lines.
    fn text_without_end(&self) -> Mistake {
        let quote = self.value().chars().next().filter(|quote| ['"', '\''].contains(quote));
        if let Some(end) = quote.and_then(|quote| self.end_of_lines(quote)) {
            let last = self.text[..end].matches('\n').count() + 1;
            let what = "this text begins with one quote, and goes on over the next lines";
            let hint = format!(
                "remove its quotes, and write three on both sides: \"\"\" before its first word, and \"\"\" after its last \
                 word, in line {last}"
            );
            return self.mistake(what, hint).covering(end);
        }
        self.mistake("the quote at the end of this text is missing", "write \" after the text")
    }

    /// The end of a text that continues below this line; `None` if none does.
    fn end_of_lines(&self, quote: char) -> Option<usize> {
        let mut end = None;
        let mut start = self.line_start + self.line.len();
        for line in self.text.get(start..)?.split_inclusive('\n') {
            let content = line.trim();
            let key = content.split_once('=').map(|(key, _)| key.trim());
            let is_key = key.is_some_and(|key| !key.is_empty() && !key.contains(char::is_whitespace));
            if is_key || content.starts_with(['[', ']', '#']) || content == "\"\"\"" {
                break;
            }
            if !content.is_empty() {
                end = Some(start + line.trim_end().len());
            }
            if content.ends_with(quote) {
                break;
            }
            start += line.len();
        }
        end
    }

    /// Explains a line of text below a text that is already closed, which it should probably continue.
    pub(super) fn text_that_goes_on(&self) -> Option<Mistake> {
        let above = self.text.get(..self.line_start)?.trim_end();
        let last = &above[above.rfind('\n').map_or(0, |at| at + 1)..];
        let key = last.split_once('=').map(|(key, _)| key.trim());
        let is_text = ["bio", "description"].iter().any(|long| key == Some(long));
        if !is_text || !last.ends_with(['"', '\'']) {
            return None;
        }
        let mut end = self.line_start;
        for line in self.text.get(self.line_start..)?.split_inclusive('\n') {
            if line.contains('=') || line.trim_start().starts_with(['[', '#']) {
                break;
            }
            end += line.len();
        }
        let what = "this line has no key: does it belong to the text above?";
        let hint = "put the whole text between three quotes, \"\"\" before its first word and \"\"\" after its last, and \
                    remove the other quotes";
        Some(self.mistake(what, hint).covering(end))
    }

    fn in_list(&self, message: &str, unclosed: bool) -> Mistake {
        if unclosed || message.starts_with("unclosed array") {
            let opening = self.opening('[').unwrap_or_else(|| self.span.clone());
            let hint = "end the list with ], and put a comma between its entries";
            return self.mistake("this list is not closed, or a comma is missing in it", hint).at(opening);
        }
        if message.starts_with("extra comma") {
            return self.mistake("unexpected extra comma in this list", "delete it");
        }
        let hint = match self.value().strip_prefix('[').and_then(|list| list.strip_suffix(']')) {
            Some(list) if list.matches('"').count() % 2 == 0 && !list.contains(['[', '{']) => {
                let entries: Vec<_> = list.split('"').skip(1).step_by(2).collect();
                format!("write {}", list_of(entries.into_iter()))
            }
            Some(list) if list.matches('"').count() % 2 == 1 => {
                return self.mistake(
                    "a quote or a comma is missing in this list",
                    "put a quote before and after each entry, and a comma between two of them",
                );
            }
            _ => "write a comma between two entries: [\"one\", \"two\"]".to_owned(),
        };
        self.mistake("a comma is missing between two entries of this list", hint)
    }

    fn in_braces(&self, unclosed: bool) -> Mistake {
        if unclosed {
            let opening = self.opening('{').unwrap_or_else(|| self.span.clone());
            return self.mistake("this { is not closed", "end it with } on the same line").at(opening);
        }
        let value = self.value();
        if value.contains(';') {
            return self.mistake("a comma is missing here", format!("write {}", value.replace(';', ",")));
        }
        self.mistake("a comma or an = is missing here", "write { before = \"5m\", after = \"10m\" }")
    }

    fn is_open_to_the_end(&self) -> bool {
        self.text.get(self.span.start..).is_none_or(|rest| rest.trim().is_empty())
    }

    fn never_ending_text(&self) -> Mistake {
        let above = self.text.get(..self.span.start).unwrap_or(self.text);
        let at = above.rfind("\"\"\"").max(above.rfind("'''"));
        let opening = at.map_or_else(|| self.span.clone(), |at| at..at + 3);
        let quotes = self.text.get(opening.clone()).unwrap_or("\"\"\"");
        let hint = format!("write {quotes} after its last word");
        self.mistake("this text begins with three quotes and never ends", hint)
            .at(opening)
            .covering(self.text.len())
    }

    fn backslash(&self) -> Mistake {
        if let Some(open) = self.line.trim_end().strip_suffix("\\\"") {
            let at = self.line_start + open.len();
            let what = "the backslash before the last quote keeps the text open";
            return self.mistake(what, "delete it").at(at..at + 1);
        }
        let at = self.before().rfind('\\').filter(|at| self.before().len() - at < 12);
        let span = at.map_or_else(|| self.span.clone(), |at| self.line_start + at..self.line_start + at + 1);
        let hint = "write two of them (\\\\) for one backslash, or use / in its place";
        self.mistake("a backslash means something special in text", hint).at(span)
    }

    /// Explains additional characters after a value or a header.
    fn extra_text(&self) -> Mistake {
        let after = self.after().trim_end();
        let rest = after.split('#').next().unwrap_or_default().trim_end();
        if self.line.trim_start().starts_with('[') {
            return if rest.starts_with(']') {
                self.mistake("this line has more brackets on one side than on the other", BRACKETS)
            } else {
                self.mistake(
                    "a [table] must be on a line of its own",
                    format!("write on the next line: {rest}"),
                )
            };
        }
        if rest == "," || rest == ";" {
            return self.mistake(
                format!("unexpected extra {rest}"),
                format!("delete the {rest} at the end of the line"),
            );
        }
        let value = self.value();
        if value.bytes().all(|byte| byte.is_ascii_digit() || byte == b',') && rest.starts_with(',') {
            let hint = format!("write {}", value.replace(',', ""));
            return self.mistake("a number cannot contain a comma", hint);
        }
        if value.starts_with('"') && rest.starts_with(',') && value.matches('"').count().is_multiple_of(2) {
            return self.mistake("a list needs brackets around it", format!("write [{value}]"));
        }
        if rest == "\"\"" && value.starts_with('"') && !value.starts_with("\"\"\"") {
            let what = "this text begins with one quote and ends with three";
            return self.mistake(what, "write \"\"\" before its first word, too");
        }
        if value.starts_with('"') && rest.contains('"') {
            return self
                .mistake("a quote inside the text ends it here", "write \\\" for a quote inside a text");
        }
        if let Some(quoted) = value.strip_prefix('\'') {
            let what = "a ' inside the text ends it here";
            if let Some(quoted) = quoted.strip_suffix('\'').filter(|quoted| !quoted.contains(['"', '\\'])) {
                return self.mistake(what, format!("put \" around the text in place of ': \"{quoted}\""));
            }
            let hint =
                "write \"\"\" before its first word and \"\"\" after its last, in place of the ' there";
            let end = self.end_of_lines('\'').unwrap_or(self.line_start + self.line.len());
            return self.mistake(what, hint).covering(end);
        }
        self.mistake(
            "unexpected text after the value",
            "write one key and its value on each line; a note begins with #",
        )
    }

    fn line_without_equals(&self, headers: &Headers<'_>) -> Mistake {
        let (before, after) = (self.before().trim(), self.after().trim_start());
        if after.starts_with(']') {
            return self.mistake("this line closes a table and does not open it", BRACKETS);
        }
        if after.starts_with(':') || before.ends_with(':') {
            return self.mistake("this line has a : where an = must be", "write = in place of :");
        }
        if let Some(mistake) = self.dash().or_else(|| self.text_that_goes_on()) {
            return mistake;
        }
        if after.starts_with(['"', '[', '\'']) && !before.is_empty() {
            return self.mistake("an = is missing here", format!("write {before} = {after}"));
        }
        if let Some((key, _)) = self.line.split_once('=')
            && key
                .split_whitespace()
                .all(|word| word.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_'))
        {
            let key = key.trim();
            let is_search_word =
                headers.above(self.span.start).is_some_and(|header| header.name() == "search-words");
            let hint = match key.parse::<StateCode>() {
                _ if is_search_word => format!(
                    "write {}: a search for the words uses this line, too",
                    key.split_whitespace().collect::<String>()
                ),
                Ok(state) => format!("write {state}"),
                Err(_) => format!("did you mean {}?", key.split_whitespace().collect::<Vec<_>>().join("-")),
            };
            return self.mistake("a key cannot contain spaces", hint);
        }
        self.mistake(
            "this line does not have the form key = value",
            "a note begins with #; everything else is key = \"value\"",
        )
    }
}
