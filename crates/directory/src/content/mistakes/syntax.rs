//! Says what an error of the TOML parser means to people.

use std::ops::Range;

use super::super::lines::{line_at, line_number};
use super::super::problem::Kind;
use super::super::shape::{Atom, Form, Keys, Shape};
use super::super::statement::{
    DATE, Statement, begins_table, example_of, keys_at, table_above, text_without_end, values_without_comma,
    without_comment,
};
use super::dates::{FORM, SPANS};
use super::{Mistake, ON_COMPUTER, WITH_HTTPS, explain_wrong_date, is_dash, is_of_computer, leave_in};

const BRACKETS: &str = "Write the same number of brackets on both sides: [name] or [[name]].";
const CELLS: &str = "Write each of its cells at its key, such as npi = \"…\", and delete this line.";
const LINES: &str = "Write each line as key = \"value\". Begin a note with #.";

/// What the parser says, what that means, and what to do. The first that its message contains counts.
const MEANINGS: [(&[&str], &str, &str); 14] = [
    (&["unclosed array table", "unclosed table"], "This line opens a table but doesn't close it.", BRACKETS),
    (
        &["inline table", "key-value pairs"],
        "These braces have an extra or missing comma, quote, or \"=\".",
        "Write them on one line: { before = \"5m\", after = \"10m\" }.",
    ),
    (
        &["array"],
        "This list has an extra or missing bracket, quote, or comma.",
        "Write it like [\"one\", \"two\"]: brackets around it, and commas between entries.",
    ),
    (&["missing opening quote"], "This text has no opening quote.", "Put quotes around the text."),
    (
        &["escape", "unicode"],
        "A backslash has a special meaning in text.",
        "Write two of them (\\\\), or use / instead.",
    ),
    (
        &["expected `\"`", "invalid literal", "invalid multi-line"],
        "This text has no closing quote.",
        "Put one quote on each side of a one-line text, and three (\"\"\") on each side of a longer one.",
    ),
    (
        &["invalid time", "invalid local", "invalid offset"],
        "This looks like a date or a time, but is neither.",
        "Text goes in quotes. A date is 2026-11-26, and hours are [\"09:00-17:00\"].",
    ),
    (
        &["leading zero"],
        "A number can't begin with zero.",
        "Write a year with four digits, and put quotes around a ZIP code.",
    ),
    (
        &["unexpected key or value", "unexpected content"],
        "There is more text after the value.",
        "Put each key on its own line. Text goes in quotes, a list in brackets.",
    ),
    (&["key with no value", "missing value for key"], "This line has no =.", LINES),
    (&["invalid unquoted key"], "This isn't a key.", LINES),
    (&["extra `=`"], "This line has a second =.", "Delete it."),
    (
        &["keys cannot be empty", "invalid key-value pair", "invalid table", "invalid array table"],
        "A name is missing here.",
        LINES,
    ),
    (
        &[
            "must be quoted",
            "missing value",
            "invalid string",
            "invalid boolean",
            "invalid float",
            "invalid fraction",
            "invalid integer",
        ],
        "This value has no quotes, and isn't a number, a date, true, or false.",
        "Put quotes around text. Dates, numbers, true, and false have none.",
    ),
];

pub(in super::super) fn wrong_syntax(message: &str, path: &str, text: &str, span: &Range<usize>) -> Mistake {
    let of = |what: &str, hint: &str| Mistake::new(Kind::Syntax, span, what, hint);
    if message.contains("duplicate key") {
        let (what, hint) = repeated_key(path, text, span);
        return of(&what, &hint);
    }
    let form = Form::of_file(path);
    let open = form.and_then(|form| text_without_end(form, text)).filter(|open| open.start < span.start);
    if let Some(open) = open {
        return wrong_end(text, &open);
    }
    if let Some(mistake) = missing_comma(text, span.start) {
        return mistake;
    }
    let keys = form.and_then(|form| keys_at(form, text, span.start));
    let statement =
        Statement::on_line(text, span.start, |key| keys.is_some_and(|keys| keys.get(key).is_some()));
    let shape = statement.as_ref().and_then(|found| keys?.get(found.key(text)));
    let is_translation = path.starts_with("translations/");
    let is_text = is_translation || matches!(shape, Some(Shape::One(Atom::Text | Atom::Npi | Atom::Slug)));
    if message.contains("invalid date") && is_text {
        return of("This text needs quotes.", "Put quotes around the text.");
    }
    if message.contains("invalid date") {
        let word = text[span.start..].split([',', ']', '#', '\n']).next().unwrap_or_default().trim();
        let (what, hint) = explain_wrong_date(word, path.starts_with("holidays/"));
        return Mistake::new(Kind::Syntax, span, what, hint);
    }
    let line = &text[line_at(text, span.start)];
    if let Some((what, hint)) = on_computer(statement.as_ref(), text).filter(|_| is_text) {
        return of(what, &hint);
    }
    if let Some(end) =
        end_of_open_list(text, span.start).filter(|_| line.contains('=') || begins_table(line.trim()))
    {
        let what = "The ] at the end of this list is missing.";
        return Mistake::new(Kind::Syntax, &(end..end), what, "Write ] at the end of this line.");
    }
    if line.chars().any(|sign| sign.is_control() && sign != '\t' && sign != '\r') {
        return of("This line contains an invisible character.", "Delete the line, and type it again.");
    }
    let (keys_written, value) = line.split_once('=').unwrap_or((line, ""));
    if line.contains('=') && (keys_written.ends_with(is_special) || value.starts_with(is_special)) {
        return of("An invisible special space stands before or after this =.", "Write plain spaces there.");
    }
    let value = without_comment(value).trim();
    if keys_written.len() < line.len() && keys_written.contains(',') && message.contains("key with no value")
    {
        return of("This line has several names before the =.", "Write a line for each of them.");
    }
    if value.starts_with(['“', '”', '„', '‘', '’', '«']) || value.ends_with('”') {
        return of("Curly quotes don't work around text.", "Use straight quotes: \".");
    }
    if line.contains('\t') && line.trim().contains('\t') && !line.contains('=') {
        let hint = if is_translation { "Write it as \"the text\" = \"its translation\"." } else { CELLS };
        return of("This is a row of a spreadsheet.", hint);
    }
    if is_of_leave(keys_written) && (value.is_empty() || message.contains("key with no value")) {
        return of("A leave isn't written as one key.", &format!("Delete this line. {}", leave_in(path)));
    }
    // What the key on this line holds is the best advice.
    let example = example_of(path, text, span.start);
    if line.contains('=') && value.is_empty() {
        let hint = for_no_value(text, span.start, keys_written.trim(), example, keys);
        return of("There is nothing after the =.", &hint);
    }
    let has_more = |side: &str| side.starts_with('"') && side.matches('"').count() > 2;
    if is_text && has_more(value) && message.contains("unexpected")
        || is_translation && value.starts_with('"') && has_more(keys_written)
    {
        return of(
            "The quotes inside this text end it too early.",
            "Write \\\" for each quote inside the text.",
        );
    }
    if is_translation && !value.is_empty() {
        return of("This text needs quotes.", "Put quotes around the text, and around its translation.");
    }
    let has_key_of_words = keys_written.trim().contains(' ') && !keys_written.contains('"');
    if keys_written.len() < line.len() && has_key_of_words && message.contains("key with no value") {
        return of("The name before = can't have spaces.", "Write it in one word.");
    }
    if message.contains("unexpected") && keys.is_some_and(|keys| has_another_key(value, keys)) {
        return of("This line has several keys.", "Write each key on its own line.");
    }
    let of_date = example.as_deref() == Some(DATE);
    if of_date && SPANS.iter().any(|sign| sign.contains(' ') && value.contains(sign)) {
        let (what, hint) = explain_wrong_date(without_comment(value), false);
        return Mistake::new(Kind::Syntax, span, what, hint);
    }
    let of_key = match example {
        Some(_) if of_date => Some(FORM.to_owned()),
        example => example.map(|example| format!("Write it like {example}.")),
    };
    if let Some(hint) = of_key.filter(|_| !value.is_empty() && !message.contains("array")) {
        let what = wrong_value(keys_written.trim(), value, of_date, &hint);
        return of(&what, &hint);
    }
    let (what, hint) = meaning_of_syntax_error(message);
    of(what, hint)
}

fn missing_comma(text: &str, at: usize) -> Option<Mistake> {
    let value = values_without_comma(text, at).into_iter().next()?;
    let written = &text[value.clone()];
    if let Some(kept) = written.strip_suffix(",\"") {
        let (what, hint) = ("This comma belongs after the quote.", format!("Write {kept}\","));
        return Some(Mistake::new(Kind::Syntax, &value, what, hint));
    }
    let what = format!("A comma is missing after {written}.");
    Some(Mistake::new(Kind::Syntax, &(value.end..value.end), what, format!("Write {written},")))
}

/// What is wrong, and what to do, without a word of the file: a value may be a secret.
pub fn meaning_of_syntax_error(message: &str) -> (&'static str, &'static str) {
    if message.contains("duplicate key") {
        return ("This key is in the file twice.", "Keep one of the two.");
    }
    if message.contains("invalid date") {
        return ("This isn't a date.", "Write a date like 2026-11-26.");
    }
    let meaning = MEANINGS.iter().find(|(parts, ..)| parts.iter().any(|part| message.contains(part)));
    meaning.map_or(("This line can't be read.", LINES), |(_, what, hint)| (what, hint))
}

/// Whether another key follows a value on its line.
fn has_another_key(value: &str, keys: &Keys) -> bool {
    let mut keys_after = value.split([',', ';']).skip(1).filter_map(|part| Some(part.split_once('=')?.0));
    keys_after.any(|key| keys.get(key.trim()).is_some())
}

/// Where the line above ends, if it begins a list and doesn't close it.
fn end_of_open_list(text: &str, at: usize) -> Option<usize> {
    let above = text[..line_at(text, at).start].trim_end();
    let start = line_at(above, above.len()).start;
    let last = without_comment(&above[start..]).trim_end();
    let is_list = last.split_once('=').is_some_and(|(_, value)| value.trim_start().starts_with(['[', '{']));
    (is_list && last.matches('[').count() > last.matches(']').count()).then_some(start + last.len())
}

/// Whether a key is of several words, such as "leave until".
fn is_of_leave(key: &str) -> bool {
    key.to_lowercase().contains("leave") && key.trim().contains([' ', '-', '_'])
}

fn is_special(sign: char) -> bool {
    sign.is_whitespace() && !sign.is_ascii()
}

/// A text in three quotes that has another end.
fn wrong_end(text: &str, open: &Range<usize>) -> Mistake {
    let [first, last] = [open.start, open.end].map(|at| line_number(text, at));
    let end = if open.len() > 3 && text[..open.end].ends_with("\"\"") {
        format!("ends with two quotes on line {last}")
    } else {
        "has no \"\"\" at its end".to_owned()
    };
    let what = format!("The text that begins on line {first} with \"\"\" {end}.");
    let hint = format!("Write \"\"\" at the end of line {last}.");
    Mistake::new(Kind::Syntax, &(open.start..open.start + 3), what, hint)
}

fn wrong_value(key: &str, value: &str, of_date: bool, hint: &str) -> String {
    if key.contains(is_dash) {
        "This isn't a key.".to_owned()
    } else if of_date {
        format!("\"{value}\" isn't a date.")
    } else if value.matches('"').count() % 2 == 1 {
        "A quote is missing.".to_owned()
    } else if hint.contains('"') && !hint.contains('[') && value.contains(char::is_alphabetic) {
        "This value needs quotes.".to_owned()
    } else if value.contains("] //") {
        "A note begins with # and not with //.".to_owned()
    } else if hint.contains('"') && value.starts_with('[') {
        "The entries of this list need quotes.".to_owned()
    } else if hint.contains('[') && ["none", "n/a", "na", "nothing"].contains(&&*value.to_lowercase()) {
        format!("`{key}` is a list. Write [] if there are none.")
    } else {
        format!("{value} isn't a value for `{key}`.")
    }
}

/// What a path on a computer stands for: a picture, or the address of a page.
fn on_computer(statement: Option<&Statement>, text: &str) -> Option<(&'static str, String)> {
    let headshot = statement.filter(|found| found.key(text) == "headshot");
    if let Some((_, name)) = headshot.and_then(|found| found.value(text).rsplit_once('\\')) {
        let name = name.trim_matches('"');
        let hint = format!("Put {name} into headshots/, and write headshot = \"{name}\".");
        return Some(("This is a path on your computer, not a portrait.", hint));
    }
    is_address(statement, text).then(|| (ON_COMPUTER, WITH_HTTPS.to_owned()))
}

/// Whether a line has the address of a page.
fn is_address(statement: Option<&Statement>, text: &str) -> bool {
    statement.is_some_and(|found| {
        let value = found.value(text).trim_start_matches(['"', '\'']);
        let is_of_pages = ["notices", "security"].contains(&table_above(text, found.key.start));
        (is_of_pages || found.key(text).ends_with("url")) && is_of_computer(value)
    })
}

fn repeated_key(path: &str, text: &str, span: &Range<usize>) -> (String, String) {
    let name = text.get(span.clone()).unwrap_or_default();
    let is_of_entry =
        text[line_at(text, span.start)].contains('=') && !table_above(text, span.start).is_empty();
    let place = if is_of_entry { "in this entry twice" } else { "in the file twice" };
    let top = Form::of_file(path).and_then(|form| form.top());
    let hint = match top.and_then(|top| top.get(name)) {
        Some(Shape::Tables) => format!("Write two brackets on each side of each header: [[{name}]]."),
        _ => "Keep one of the two.".to_owned(),
    };
    (format!("`{name}` is {place}."), hint)
}

/// What to do where a key has no value.
fn for_no_value(text: &str, at: usize, key: &str, example: Option<String>, keys: Option<&Keys>) -> String {
    let hint = example.map_or_else(
        || format!("Write {key} = \"…\""),
        |example| match example.rsplit_once(", ") {
            Some((words, last)) if words.starts_with('"') && last.starts_with('"') => {
                format!("Write one of these: {words} or {last}")
            }
            _ => format!("Write a value like {example}"),
        },
    );
    let is_required = |keys: &Keys| keys.requires(key);
    let table = table_above(text, at);
    let or = match keys.is_some_and(is_required) {
        false => ", or delete the line.".to_owned(),
        true if table.is_empty() => ".".to_owned(),
        true => {
            let start = text[..at].rfind("\n[").unwrap_or_default();
            let end = text[at..].find("\n[").map_or(text.len(), |length| at + length);
            let lines = text[start..end].lines().filter_map(|line| line.split_once('='));
            let is_filled = |value: &str| !["", "\"\"", "''"].contains(&without_comment(value).trim());
            let filled = lines.filter(|(known, value)| known.trim() == key || is_filled(value));
            let written: Vec<&str> = filled.map(|(key, _)| key.trim()).collect();
            let shown = |key: &str| match keys.and_then(|keys| keys.get(key)) {
                Some(Shape::One(Atom::Text)) => format!("{key} = \"…\""),
                _ => key.to_owned(),
            };
            let missing = keys.map_or_else(Vec::new, |keys| keys.required_beside(&written));
            let missing: Vec<String> = missing.into_iter().map(shown).collect();
            let more = match missing[..] {
                [] => String::new(),
                _ => format!(", and fill in what is still missing: {}", missing.join(", ")),
            };
            format!("{more}. Or delete this whole [[{table}]] entry.")
        }
    };
    format!("{hint}{or}")
}
