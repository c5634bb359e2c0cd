//! One file's problems and the fields that every kind of file has: texts that must be there, addresses,
//! states, durations, dates.

use std::ops::Range;

use chrono::NaiveDate;

use super::super::parse::given;
use super::super::raw::{DateValue, Located, Text, Texts};
use super::super::report::{Place, Problem};
use super::super::words::nearest;
use crate::model::{StateCode, StateSet};

/// The longest text of one line.
const LONGEST_LINE: usize = 200;

/// A file under check.
pub(super) struct File<'a> {
    pub(super) path: &'a str,
    pub(super) problems: &'a mut Vec<Problem>,
}

impl File<'_> {
    pub(super) fn place(&self, span: &Range<usize>) -> Place {
        Place::new(self.path, span)
    }

    pub(super) fn add(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    /// Something is wrong here, and this is the way out.
    pub(super) fn error(&mut self, span: &Range<usize>, what: impl Into<String>, hint: impl Into<String>) {
        self.add(Problem::error(self.place(span), what).hint(hint));
    }

    /// A key that must be there is not: in a table, or at the top of the file.
    pub(super) fn missing(&mut self, table: Option<&Range<usize>>, key: &str, example: &str) {
        let place = table.map_or_else(|| Place::file(self.path), |span| self.place(span));
        let problem = Problem::error(place, format!("`{key}` is missing"));
        self.add(problem.hint(format!("add a line: {key} = {example}")));
    }

    /// A line of text that must be there.
    pub(super) fn required_line(
        &mut self,
        text: Text,
        may_miss: bool,
        table: Option<&Range<usize>>,
        key: &str,
        example: &str,
    ) -> Option<Located<String>> {
        let text = given(text);
        if text.is_none() && may_miss {
            self.missing(table, key, example);
        }
        text.and_then(|text| self.line(text))
    }

    /// A text of one line and of a sensible length; surrounding space is cut.
    pub(super) fn line(&mut self, text: Located<String>) -> Option<Located<String>> {
        let value = text.value.trim();
        if value.contains('\n') {
            self.error(&text.span, "this must be one line", "take the line breaks out");
            return None;
        }
        let characters = value.chars().count();
        if characters > LONGEST_LINE {
            let what = format!("this has {characters} characters; at most {LONGEST_LINE} are published");
            self.error(&text.span, what, "shorten it");
            return None;
        }
        Some(Located { value: value.to_owned(), span: text.span })
    }

    /// Lines of a list, none of them empty.
    pub(super) fn lines(&mut self, texts: Texts) -> Vec<Located<String>> {
        let mut lines = Vec::new();
        for text in texts.into_iter().flatten() {
            if text.value.trim().is_empty() {
                self.error(&text.span, "this entry is empty", "delete it");
            } else {
                lines.extend(self.line(text));
            }
        }
        lines
    }

    /// A list of states, each named once.
    pub(super) fn states(&mut self, texts: Vec<Located<String>>) -> StateSet {
        let mut states = StateSet::EMPTY;
        for text in texts {
            if let Some(state) = self.state(&text)
                && !states.insert(state)
            {
                self.error(&text.span, format!("{state} stands in this list twice"), "keep one of the two");
            }
        }
        states
    }

    /// A state.
    pub(super) fn state(&mut self, text: &Located<String>) -> Option<StateCode> {
        match text.value.parse() {
            Ok(state) => Some(state),
            Err(rule) => {
                let near = nearest_state(&text.value);
                let hint = near.map_or_else(|| rule.to_string(), |near| format!("did you mean \"{near}\"?"));
                self.error(&text.span, format!("\"{}\" is not a state", text.value), hint);
                None
            }
        }
    }

    /// An address of the web without a slash at its end.
    pub(super) fn web_address(&mut self, text: &Located<String>) -> Option<String> {
        let value = text.value.trim_end_matches('/');
        let host = value.strip_prefix("https://").or_else(|| value.strip_prefix("http://"));
        let is_plain = |host: &str| {
            !host.is_empty() && host.chars().all(|c| c.is_ascii_alphanumeric() || "-._~:/[]%".contains(c))
        };
        if host.is_some_and(is_plain) {
            return Some(value.to_owned());
        }
        let what = format!("\"{}\" is not an address of the web", text.value);
        self.error(&text.span, what, "write it like \"https://api.example.org\"");
        None
    }

    /// A length of time in whole minutes: "30m", "2h", "1h30m", "1d".
    pub(super) fn minutes(&mut self, text: &Located<String>) -> Option<u32> {
        let minutes = minutes_of(text.value.trim());
        if minutes.is_none() {
            let what = format!("\"{}\" is not a length of time", text.value);
            self.error(&text.span, what, "write minutes, hours or days: \"30m\", \"2h\", \"1h30m\", \"1d\"");
        }
        minutes
    }

    /// A local date.
    pub(super) fn date(&mut self, date: &Located<DateValue>) -> Option<NaiveDate> {
        let parsed = NaiveDate::parse_from_str(date.value.0.trim(), "%Y-%m-%d").ok();
        let is_canonical = parsed.is_some_and(|parsed| parsed.to_string() == date.value.0.trim());
        if !is_canonical {
            let what = format!("\"{}\" is not a date", date.value.0);
            self.error(&date.span, what, "write year-month-day: 2026-11-26");
            return None;
        }
        parsed
    }
}

/// The nearest state to a text that is none, by name, or by code where the text is as short as one.
fn nearest_state(text: &str) -> Option<&'static str> {
    let text = text.trim();
    if text.len() <= 2 {
        return None;
    }
    nearest(text, StateCode::all().map(StateCode::name))
        .and_then(|name| StateCode::all().find(|state| state.name() == name))
        .map(StateCode::code)
}

/// Whole minutes; each unit once, in falling order.
fn minutes_of(text: &str) -> Option<u32> {
    let mut rest = text;
    let mut total: u32 = 0;
    let mut last_unit = u32::MAX;
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let number: u32 = rest[..digits].parse().ok()?;
        let unit = match rest[digits..].chars().next()? {
            'd' => 1440,
            'h' => 60,
            'm' => 1,
            _ => return None,
        };
        if unit >= last_unit {
            return None;
        }
        last_unit = unit;
        total = total.checked_add(number.checked_mul(unit)?)?;
        rest = &rest[digits + 1..];
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_time() {
        for (text, minutes) in [("30m", 30), ("2h", 120), ("1h30m", 90), ("1d", 1440), ("0m", 0), ("90m", 90)]
        {
            assert_eq!(minutes_of(text), Some(minutes), "{text}");
        }
        for text in
            ["", "30", "m", "-5m", "1.5h", "30m1h", "2h2h", "30 m", "30s", "99999999999m", "4294967295h"]
        {
            assert_eq!(minutes_of(text), None, "{text}");
        }
    }
}
