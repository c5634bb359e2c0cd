//! Kinds of values in all files: required texts, web addresses, states, durations, dates.

use std::cell::OnceCell;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use chrono::{Datelike, Months, NaiveDate};
use serde::de::DeserializeOwned;

use super::super::lines::Lines;
use super::super::mistakes::{Headers, ON_COMPUTER, WITH_HTTPS, explain_wrong_date, is_of_computer};
use super::super::parse::{Gaps, parse, without_slash};
use super::super::problem::{Advice, FileSpan, Problem, sentence};
use super::super::problems::Problems;
use super::super::raw::{DateValue, Located, Text, Texts};
use super::address::{is_address, is_loopback};
use super::minutes::minutes_of;
use crate::model::{StateCode, StateSet};

const LONGEST_LINE: usize = 200;
/// A first day that is later is more likely a mistyped year.
const FARTHEST: Months = Months::new(24);

/// The advice for a duration that is too short or too long.
pub(super) const LETTERS: &str = "Correct the number or its letter: m is minutes, h is hours, d is days.";

pub(super) struct File<'a> {
    pub(super) path: &'a str,
    text: &'a str,
    pub(super) problems: &'a mut Problems,
    gaps: Gaps,
    /// Computed when the first key is missing, which is rare.
    headers: OnceCell<Headers<'a>>,
    lines: OnceCell<Lines>,
}

impl<'a> File<'a> {
    pub(super) fn read<T>(path: &'a str, text: &'a str, problems: &'a mut Problems) -> (Self, T)
    where
        T: DeserializeOwned + Default,
    {
        let (raw, gaps) = parse(path, text, problems);
        (Self { path, text, problems, gaps, headers: OnceCell::new(), lines: OnceCell::new() }, raw)
    }

    pub(super) fn is_whole(&self) -> bool {
        self.gaps.is_none()
    }

    pub(super) fn place(&self, span: &Range<usize>) -> FileSpan {
        FileSpan::new(self.path, span)
    }

    pub(super) fn add(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    pub(super) fn error(&mut self, span: &Range<usize>, what: impl Into<String>, hint: impl Into<Advice>) {
        self.add(Problem::error(self.place(span), what).hint(hint));
    }

    /// An error in place of a value.
    pub(super) fn refuse<T>(
        &mut self,
        span: &Range<usize>,
        what: impl Into<String>,
        hint: impl Into<Advice>,
    ) -> Option<T> {
        self.error(span, what, hint);
        None
    }

    pub(super) fn warn(&mut self, span: &Range<usize>, what: impl Into<String>, hint: impl Into<Advice>) {
        self.add(Problem::warning(self.place(span), what).hint(hint));
    }

    pub(super) fn is_missing(&self, table: Option<&Range<usize>>, key: &str) -> bool {
        self.gaps.is_missing(table, key)
    }

    /// Whether a line of the table that begins there has nothing behind its `=`.
    pub(super) fn has_key_without_value(&self, table: &Range<usize>) -> bool {
        let lines = self.text[table.start..].lines().skip(1);
        lines.take_while(|line| !line.starts_with('[')).any(|line| line.trim_end().ends_with('='))
    }

    pub(super) fn missing(&mut self, table: Option<&Range<usize>>, key: &str, example: &str) {
        if !self.is_missing(table, key) {
            return;
        }
        let place = table.map_or_else(|| FileSpan::file(self.path), |span| self.place(span));
        let problem = Problem::error(place, format!("`{key}` is missing."));
        let line = match example.strip_prefix("one of ") {
            Some(words) => {
                format!("{key} = \"…\", with one of these between the quotes: {}", words.replace('"', ""))
            }
            None => format!("such as {key} = {example}"),
        };
        let hint = self.where_to_add(table, &line);
        self.add(problem.hint(hint));
    }

    pub(super) fn where_to_add(&self, table: Option<&Range<usize>>, line: &str) -> String {
        match table {
            None => match self.headers.get_or_init(|| Headers::scan(self.text)).first() {
                Some(first) => {
                    let above = format!("above line {}, where the first [table] begins", first.line);
                    format!("Add a line {above}, {line}")
                }
                None => format!("Add a line {line}"),
            },
            Some(span) if self.source_text(span).starts_with('[') => {
                let header = self.line_number(span);
                format!("Add a line below line {header}, {line}")
            }
            Some(_) => format!("Add between the braces, {line}"),
        }
    }

    pub(super) fn required(
        &mut self,
        text: Text,
        table: Option<&Range<usize>>,
        key: &str,
        example: &str,
    ) -> Option<Located<String>> {
        match text {
            Some(text) if text.value.trim().is_empty() => {
                // A value without quotes was reported as a syntax error.
                if self.source_text(&text.span).starts_with(['"', '\'']) {
                    let hint = if example.starts_with("\"\"\"") {
                        "Write a few sentences between the quotes.".to_owned()
                    } else if let Some(words) = example.strip_prefix("one of ") {
                        format!("Write one of {words}.")
                    } else {
                        format!("Write something between the quotes, such as {example}.")
                    };
                    self.error(&text.span, format!("`{key}` is empty."), hint);
                }
                None
            }
            None => {
                self.missing(table, key, example);
                None
            }
            text => text,
        }
    }

    pub(super) fn required_line(
        &mut self,
        text: Text,
        table: Option<&Range<usize>>,
        key: &str,
        example: &str,
    ) -> Option<Located<String>> {
        self.required(text, table, key, example).and_then(|text| self.line(text))
    }

    /// Why something is allowed. The example that `check` shows isn't one.
    pub(super) fn reason(&mut self, text: Text, table: &Range<usize>, example: &str) -> Option<()> {
        let reason = self.required_line(text, Some(table), "reason", example)?;
        let words = reason.value.trim_matches(|sign: char| !sign.is_alphanumeric()).to_lowercase();
        let is_example = ["reason", "todo", "tbd", "why", "none", "test", "xxx"].contains(&words.as_str());
        if words.chars().count() < 3 || is_example || example.contains(&words) {
            let what = format!("\"{}\" doesn't say why.", reason.value);
            self.error(&reason.span, what, "Write the reason in a few words, for those who read this later.");
        }
        Some(())
    }

    /// A text of one line and limited length, without surrounding spaces.
    pub(super) fn line(&mut self, text: Located<String>) -> Option<Located<String>> {
        let value = text.value.trim();
        if value.contains('\n') {
            return self.refuse(&text.span, "This must be one line.", "Remove the line breaks.");
        }
        let characters = value.chars().count();
        if characters > LONGEST_LINE {
            let what = format!("This has {characters} characters; the limit is {LONGEST_LINE}.");
            return self.refuse(&text.span, what, "Shorten it.");
        }
        super::bio::warn_if_broken_off(self, &text);
        if value.len() == text.value.len() {
            return Some(text);
        }
        Some(Located { value: value.to_owned(), span: text.span })
    }

    /// Whether a comment has one of these phrases, which are lowercase.
    pub(super) fn has_note(&self, phrases: &[&str]) -> bool {
        let mut notes = self.text.lines().filter_map(|line| line.trim_start().strip_prefix('#'));
        notes.any(|note| phrases.iter().any(|phrase| note.to_lowercase().contains(phrase)))
    }

    pub(super) fn line_number(&self, span: &Range<usize>) -> usize {
        self.lines.get_or_init(|| Lines::new(self.text)).line(span.start) + 1
    }

    fn source_text(&self, span: &Range<usize>) -> &str {
        self.text.get(span.clone()).unwrap_or_default()
    }

    /// Whether a list is empty in the file. A list can also be empty because its wrong entries were removed.
    pub(super) fn is_written_empty<T>(&self, list: &Located<Vec<T>>) -> bool {
        let is_blank = |character: char| character.is_whitespace() || ['[', ']'].contains(&character);
        list.value.is_empty() && self.source_text(&list.span).chars().all(is_blank)
    }

    pub(super) fn report_empty_list(&mut self, span: &Range<usize>, key: &str) {
        let hint = format!("Write {key} between the brackets, or delete the entry.");
        self.error(span, format!("`{key}` is empty."), hint);
    }

    pub(super) fn report_repeated(&mut self, span: &Range<usize>, entry: impl fmt::Display) {
        self.error(span, format!("{entry} is in this list twice."), "Keep one, or write what was meant.");
    }

    pub(super) fn lines(&mut self, texts: Texts) -> Vec<Located<String>> {
        let mut lines = Vec::new();
        for text in texts.into_iter().flatten() {
            if !self.report_empty_entry(&text) {
                lines.extend(self.line(text));
            }
        }
        lines
    }

    pub(super) fn report_empty_entry(&mut self, text: &Located<String>) -> bool {
        let is_empty = text.value.trim().is_empty();
        if is_empty {
            self.error(&text.span, "This entry is empty.", "Delete it.");
        }
        is_empty
    }

    pub(super) fn states(&mut self, texts: Vec<Located<String>>) -> StateSet {
        let mut states = StateSet::EMPTY;
        for text in texts {
            if !self.report_empty_entry(&text)
                && let Some(state) = self.state(&text)
                && !states.insert(state)
            {
                self.report_repeated(&text.span, state);
            }
        }
        states
    }

    pub(super) fn state(&mut self, text: &Located<String>) -> Option<StateCode> {
        match text.value.parse() {
            Ok(state) => Some(state),
            Err(rule) => {
                // "CA (pending)": only a person knows whether it counts.
                let mut parts = text.value.split(['(', '*', ':', '-', '–']).chain(text.value.split(' '));
                let hint = match parts.find(|part| part.trim().parse::<StateCode>().is_ok()) {
                    Some(state) => format!(
                        "Write \"{}\" alone if it counts today, or remove it here until it does. A note goes behind a #.",
                        state.trim()
                    ),
                    None => sentence(rule),
                };
                self.refuse(&text.span, format!("\"{}\" isn't a state.", text.value), hint)
            }
        }
    }

    pub(super) fn web_address(&mut self, text: &Located<String>) -> Option<String> {
        let value = without_slash(&text.value);
        if let Some(rest) =
            value.strip_prefix("http://").filter(|rest| is_address(value, "") && !is_loopback(rest))
        {
            let what = format!("\"{}\" isn't encrypted, and browsers on https pages refuse it.", text.value);
            return self.refuse(&text.span, what, Advice::write(format!("\"https://{rest}\"")));
        }
        if is_address(value, "") {
            let host = value.split('/').nth(2).unwrap_or_default();
            if !host.contains(['.', ':']) && host != "localhost" {
                let what = format!("\"{host}\" isn't a whole host: it has no ending, such as .com.");
                self.warn(&text.span, what, "Write the whole address, like \"https://clinic.example.org\".");
            }
            return Some(value.to_owned());
        }
        self.report_wrong_address(text, "https://api.example.org");
        None
    }

    /// Whether a text is a web address, perhaps with a query, which image services use. Reports a wrong one.
    pub(super) fn check_picture_address(&mut self, text: &Located<String>) -> bool {
        let is_address = is_address(text.value.trim(), "?&=+,@()");
        if !is_address {
            self.report_wrong_address(text, "https://images.example.org/jane-doe.jpg");
        }
        is_address
    }

    fn report_wrong_address(&mut self, text: &Located<String>, example: &str) {
        if is_of_computer(text.value.trim()) {
            self.error(&text.span, ON_COMPUTER, WITH_HTTPS);
        } else if text.value.trim().contains(' ') {
            let hint = format!("Write it without one, like \"{example}\".");
            self.error(&text.span, "This address contains a space.", hint);
        } else {
            let what = format!("\"{}\" isn't a web address.", text.value);
            let value = text.value.trim();
            let hint: Advice = match value.split_once('@') {
                Some((_, host)) if !value.contains('/') => format!(
                    "This is an email address. Write the website's address, perhaps \"https://{host}\"."
                )
                .into(),
                _ => format!("Write it like \"{example}\".").into(),
            };
            self.error(&text.span, what, hint);
        }
    }

    /// A value that must be one of a few words. `what` names the kind of value.
    pub(super) fn word<T>(&mut self, text: &Located<String>, what: &str) -> Option<T>
    where
        T: FromStr<Err = &'static [&'static str]>,
    {
        let words = match text.value.parse() {
            Ok(word) => return Some(word),
            Err(words) => words,
        };
        let hint = format!("Write one of {}.", words.join(", "));
        self.refuse(&text.span, format!("\"{}\" isn't a valid {what}.", text.value), hint)
    }

    pub(super) fn minutes(&mut self, text: &Located<String>) -> Option<u32> {
        let minutes = minutes_of(text.value.trim());
        if minutes.is_none() {
            let what = format!("\"{}\" isn't a length of time.", text.value);
            let how = "Write minutes, hours, or days: \"30m\", \"2h\", \"1h30m\", \"1d\".";
            self.error(&text.span, what, how);
        }
        minutes
    }

    pub(super) fn date(&mut self, date: &Located<DateValue>) -> Option<NaiveDate> {
        let parsed = NaiveDate::parse_from_str(date.value.0.trim(), "%Y-%m-%d").ok();
        let is_canonical = parsed.is_some_and(|parsed| parsed.to_string() == date.value.0.trim());
        if !is_canonical {
            let (what, hint) = explain_wrong_date(&date.value.0, self.path.starts_with("holidays/"));
            return self.refuse(&date.span, what, hint);
        }
        parsed
    }

    pub(super) fn warn_if_far_ahead(&mut self, first: &Located<NaiveDate>, today: NaiveDate) {
        let day = first.value;
        if today.checked_add_months(FARTHEST).is_some_and(|latest| latest < day) {
            self.warn(&first.span, format!("{day} is more than two years ahead."), year_meant(day, today));
        }
    }
}

pub(super) fn has_same_digits(one: i32, other: i32) -> bool {
    let [one, other] = [one, other].map(|year| {
        let mut digits = year.to_string().into_bytes();
        digits.sort_unstable();
        digits
    });
    one == other
}

/// What to do about a far year: the same day of this year or the next, if digits changed places.
pub(super) fn year_meant(date: NaiveDate, today: NaiveDate) -> Advice {
    let years = [today.year(), today.year() + 1].into_iter();
    let meant =
        years.filter(|year| has_same_digits(*year, date.year())).find_map(|year| date.with_year(year));
    meant.map_or_else(|| "Check the year.".into(), |date| Advice::meant(date.to_string()))
}

/// Treats an empty text as an absent date, because form-based editors write one.
pub(super) fn given_date(date: Option<Located<DateValue>>) -> Option<Located<DateValue>> {
    date.filter(|date| !date.value.0.trim().is_empty())
}

pub(super) fn codes(states: StateSet) -> String {
    let named: Vec<_> = states.iter().take(8).map(StateCode::code).collect();
    match states.len() - named.len() {
        0 => named.join(", "),
        more => format!("{}, and {more} more", named.join(", ")),
    }
}
