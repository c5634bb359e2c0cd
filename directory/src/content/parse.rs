//! From a file's text to its raw form, with every mistake on the way.
//!
//! The TOML parser recovers from syntax errors; of each line the first is told. When a value does not fit
//! its key, the smallest part that holds it is taken out and the rest is read again, so that one wrong value
//! hides no other.

use std::collections::BTreeSet;
use std::ops::Range;

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue, Deserializer, Error};

use super::raw::Located;
use super::report::Problem;
use super::words::{self, Form, WrongValue};

/// How many wrong values of one file are looked for.
const WRONG_VALUES_AT_MOST: usize = 200;

/// A file in its raw form.
#[derive(Debug)]
pub(super) struct Parsed<T> {
    pub(super) raw: T,
    /// Top-level keys whose values, or parts of them, were wrong: they are not missing.
    wrong: BTreeSet<String>,
    /// The tables out of which something was taken, by their places.
    taken_from: Vec<Range<usize>>,
    /// Whether the syntax was right throughout, so that what is not there is missing.
    whole: bool,
}

impl<T> Parsed<T> {
    /// Whether a key that is not there may be called missing.
    pub(super) fn may_miss(&self, key: &str) -> bool {
        self.whole && !self.wrong.contains(key)
    }

    /// Whether a key that is not in a table, by the table's place, may be called missing.
    pub(super) fn may_miss_in(&self, table: &Range<usize>) -> bool {
        self.whole && !self.taken_from.contains(table)
    }

    /// Whether everything in the file could be read, so that others may rely on what is not in it.
    pub(super) fn is_whole(&self) -> bool {
        self.whole && self.wrong.is_empty()
    }
}

/// Reads a text; what is wrong with it joins the problems.
pub(super) fn parse<T>(path: &str, text: &str, problems: &mut Vec<Problem>) -> Parsed<T>
where
    T: DeserializeOwned + Default,
{
    let (table, errors) = DeTable::parse_recoverable(text);
    let whole = errors.is_empty();
    problems.extend(syntax_problems(path, text, &errors));
    // Most files are right, and are read without a second look.
    match T::deserialize(Deserializer::from(table)) {
        Ok(raw) => Parsed { raw, wrong: BTreeSet::new(), taken_from: Vec::new(), whole },
        Err(_) => parse_around_mistakes(path, text, &errors, problems),
    }
}

/// Reads a text again and again, each time without what was wrong the last time.
fn parse_around_mistakes<T>(
    path: &str,
    text: &str,
    errors: &[Error],
    problems: &mut Vec<Problem>,
) -> Parsed<T>
where
    T: DeserializeOwned + Default,
{
    let (mut table, _) = DeTable::parse_recoverable(text);
    let form = Form::of::<T>(text);
    let whole = errors.is_empty();
    let mut wrong = BTreeSet::new();
    let mut taken_from = Vec::new();
    for _ in 0..WRONG_VALUES_AT_MOST {
        let error = match T::deserialize(Deserializer::from(table.clone())) {
            Ok(raw) => return Parsed { raw, wrong, taken_from, whole },
            Err(error) => error,
        };
        let span = error.span().unwrap_or(0..0);
        let explained = WrongValue::of(&error, text, &span, &form);
        let meant = explained.meant.clone();
        let problem = explained.problem(path);
        let Some(key) = take_out(table.get_mut(), &span, &mut taken_from) else {
            problems.push(problem);
            break;
        };
        // After a syntax error the parser guesses at values, and a guess's type is nobody's mistake.
        if whole || !on_a_line_of(text, &span, errors) {
            problems.push(problem);
        }
        wrong.extend(meant);
        wrong.insert(key);
    }
    Parsed { raw: T::default(), wrong, taken_from, whole: false }
}

/// A key's value that is not an empty text: form-based editors write those for what is not given.
pub(super) fn given(text: Option<Located<String>>) -> Option<Located<String>> {
    text.filter(|text| !text.value.trim().is_empty())
}

/// The first error of each line; and of a list that is not closed, only where it first goes wrong.
fn syntax_problems(path: &str, text: &str, errors: &[Error]) -> Vec<Problem> {
    let mut errors: Vec<_> =
        errors.iter().map(|error| (error.span().unwrap_or(0..0), error.message())).collect();
    errors.sort_by_key(|(span, _)| span.start);
    let mut problems = Vec::new();
    let mut last_line = None;
    let mut open_until = 0;
    for (at, (span, message)) in errors.iter().enumerate() {
        let line = line_of(text, span.start);
        if last_line == Some(line) || span.start < open_until {
            continue;
        }
        last_line = Some(line);
        let unclosed = if message.contains("inline table") || message.contains("key-value pairs") {
            "unclosed inline table"
        } else if message.contains("array") && !message.contains("table") {
            "unclosed array"
        } else {
            ""
        };
        if !unclosed.is_empty() {
            let closing = errors[at..].iter().find(|(_, later)| later.starts_with(unclosed));
            open_until = closing.map_or(0, |(span, _)| span.end + 1);
        }
        let is_unclosed = span.start < open_until;
        problems.push(words::wrong_syntax(message, text, span, is_unclosed).problem(path));
    }
    problems
}

fn on_a_line_of(text: &str, span: &Range<usize>, errors: &[Error]) -> bool {
    let lines = errors.iter().filter_map(Error::span).map(|error| line_of(text, error.start));
    let (first, last) = (line_of(text, span.start), line_of(text, span.end));
    lines.into_iter().any(|line| (first..=last).contains(&line))
}

fn line_of(text: &str, offset: usize) -> usize {
    text.bytes().take(offset).filter(|&byte| byte == b'\n').count()
}

/// Takes out the smallest entry or element that holds a span, and names the top-level key that it was under.
fn take_out(
    table: &mut DeTable<'_>,
    span: &Range<usize>,
    taken_from: &mut Vec<Range<usize>>,
) -> Option<String> {
    let key = table.iter().find(|(key, value)| holds(&key.span(), span) || holds_value(value, span));
    let key = key.map(|(key, _)| key.clone())?;
    let name = key.get_ref().to_string();
    let inside = !holds(&key.span(), span)
        && table.get_mut(&key).is_some_and(|value| take_out_of(value, span, taken_from));
    if !inside {
        table.remove(&key);
    }
    Some(name)
}

/// Takes the span's smallest holder out of a value; false when that is the value itself.
fn take_out_of(
    value: &mut Spanned<DeValue<'_>>,
    span: &Range<usize>,
    taken_from: &mut Vec<Range<usize>>,
) -> bool {
    let place = value.span();
    match value.get_mut() {
        DeValue::Table(table) => {
            taken_from.push(place);
            take_out(table, span, taken_from).is_some()
        }
        DeValue::Array(array) => {
            let Some(index) = array.iter().position(|element| holds_value(element, span)) else {
                return false;
            };
            let inside = array.get_mut(index).is_some_and(|element| take_out_of(element, span, taken_from));
            if !inside {
                let kept = std::mem::replace(array, DeArray::new())
                    .into_iter()
                    .enumerate()
                    .filter(|(at, _)| *at != index);
                for (_, element) in kept {
                    array.push(element);
                }
            }
            true
        }
        _ => false,
    }
}

/// Whether a value, or anything in it, holds a span: a table's own span may be its header alone.
fn holds_value(value: &Spanned<DeValue<'_>>, span: &Range<usize>) -> bool {
    holds(&value.span(), span)
        || match value.get_ref() {
            DeValue::Table(table) => {
                table.iter().any(|(key, value)| holds(&key.span(), span) || holds_value(value, span))
            }
            DeValue::Array(array) => array.iter().any(|element| holds_value(element, span)),
            _ => false,
        }
}

fn holds(outer: &Range<usize>, inner: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}
