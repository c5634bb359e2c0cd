//! The words for mistakes in TOML, for people who do not know TOML.

use std::fmt;
use std::ops::Range;

use serde::de::value::{MapDeserializer, StrDeserializer};
use serde::de::{self, DeserializeOwned};

/// What is wrong, and what to do about it.
type Explained = (String, Option<String>);

/// The keys that a file of this form may have at its top.
pub(super) fn keys_of<T: DeserializeOwned>() -> Vec<&'static str> {
    let nobodys_key = std::iter::once((StrDeserializer::<Keys>::new("\0"), ""));
    match T::deserialize(MapDeserializer::new(nobodys_key)) {
        Err(Keys(keys)) => keys,
        Ok(_) => Vec::new(),
    }
}

/// An error that remembers only which keys were expected.
#[derive(Debug)]
struct Keys(Vec<&'static str>);

impl fmt::Display for Keys {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0.join(", "))
    }
}

impl std::error::Error for Keys {}

impl de::Error for Keys {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self(Vec::new())
    }

    fn unknown_field(_: &str, expected: &'static [&'static str]) -> Self {
        Self(expected.to_vec())
    }
}

/// A value that does not fit its key, or a key that is not known, explained.
pub(super) struct WrongValue {
    pub(super) what: String,
    pub(super) hint: Option<String>,
    /// The known key that an unknown one was probably meant to be.
    pub(super) meant: Option<String>,
}

impl WrongValue {
    fn new(what: String, hint: Option<String>) -> Self {
        Self { what, hint, meant: None }
    }

    /// Explains what the deserializer says of a place in a text.
    pub(super) fn of(
        error: &toml::de::Error,
        text: &str,
        span: &Range<usize>,
        top_level_keys: &[&str],
    ) -> Self {
        let message = error.message();
        if let Some(rest) = message.strip_prefix("unknown field `") {
            let (key, expected) = rest.split_once('`').unwrap_or((rest, ""));
            return Self::unknown_key(key, expected, text, span, top_level_keys);
        }
        let split =
            |prefix| message.strip_prefix(prefix).and_then(|rest: &str| rest.split_once(", expected "));
        if let Some((found, expected)) = split("invalid type: ") {
            let what = format!("this is {}; it must be {}", plain_found(found), plain_expected(expected));
            return Self::new(what, None);
        }
        if let Some((_, expected)) = split("invalid value: ") {
            return Self::new(format!("this must be {}", plain_expected(expected)), None);
        }
        Self::new(message.to_owned(), None)
    }

    fn unknown_key(
        key: &str,
        expected: &str,
        text: &str,
        span: &Range<usize>,
        top_level_keys: &[&str],
    ) -> Self {
        // "expected one of `a`, `b`": what stands between the backquotes.
        let expected: Vec<&str> = expected.split('`').skip(1).step_by(2).collect();
        let headers = headers_above(text, span.start);
        if let (Some((first, _)), Some((_, header))) = (headers.first(), headers.last())
            && top_level_keys.contains(&key)
            && !expected.contains(&key)
        {
            return Self {
                what: format!("`{key}` sits inside {header}, because it stands below that line"),
                hint: Some(format!("move it above line {first}, where the first [table] begins")),
                meant: Some(key.to_owned()),
            };
        }
        let is_at_top = expected.iter().any(|key| top_level_keys.contains(key));
        let what = match headers.last() {
            Some((_, header)) if !is_at_top => format!("{header} has no key `{key}`"),
            _ => format!("there is no key `{key}` here"),
        };
        let near = nearest(key, expected.iter().copied());
        let hint = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("known keys: {}", expected.join(", ")),
        };
        Self { what, hint: Some(hint), meant: near.filter(|_| is_at_top).map(str::to_owned) }
    }
}

/// The table headers above a place, each with its line; it stands under the last one.
fn headers_above(text: &str, offset: usize) -> Vec<(usize, &str)> {
    let above = text.get(..offset).unwrap_or_default();
    let lines = above.lines().enumerate();
    let headers = lines.filter(|(_, line)| line.starts_with('['));
    headers.map(|(line, header)| (line + 1, header.split('#').next().unwrap_or(header).trim())).collect()
}

/// The nearest of some names, if it is near.
pub(super) fn nearest<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = wanted.to_lowercase();
    let scored =
        names.map(|name| (strsim::normalized_damerau_levenshtein(&wanted, &name.to_lowercase()), name));
    let best = scored.max_by(|(a, _), (b, _)| a.total_cmp(b));
    best.filter(|(score, _)| *score >= 0.6).map(|(_, name)| name)
}

fn plain_found(found: &str) -> String {
    let (kind, value) = found.split_once(' ').unwrap_or((found, ""));
    match kind {
        "string" => format!("the text {value}"),
        "integer" => format!("the number {}", value.trim_matches('`')),
        "floating" => format!("the number {}", value.trim_start_matches("point ").trim_matches('`')),
        "boolean" => value.trim_matches('`').to_owned(),
        "sequence" => "a list".to_owned(),
        "map" => "a table".to_owned(),
        _ => found.to_owned(),
    }
}

fn plain_expected(expected: &str) -> String {
    match expected {
        "a string" => "text in quotes, such as \"text\"".to_owned(),
        "a boolean" => "true or false".to_owned(),
        "i64" => "a whole number".to_owned(),
        "a sequence" => "a list in square brackets, such as [\"one\", \"two\"]".to_owned(),
        "a map" => "a table of keys and values".to_owned(),
        other if other.starts_with("struct ") => "a table of keys and values".to_owned(),
        other => other.to_owned(),
    }
}

/// Explains an error of TOML's own grammar.
pub(super) fn wrong_syntax(message: &str, text: &str, span: &Range<usize>, unclosed: bool) -> Explained {
    let here = text.get(span.start..).unwrap_or_default();
    let line_start = text.get(..span.start).map_or(0, |before| before.rfind('\n').map_or(0, |at| at + 1));
    let line = text[line_start..].lines().next().unwrap_or_default();
    let say = |what: &str, hint: &str| (what.to_owned(), Some(hint.to_owned()));
    if line.contains(['“', '”', '„', '‘', '’', '«', '»']) && !message.starts_with("duplicate") {
        return say(
            "this line has curly quotes, which a word processor made",
            "use straight quotes: \" before and after the text",
        );
    }
    if message.starts_with("duplicate key") {
        return say("this key stands in the file twice", "keep one of the two lines");
    }
    if message.starts_with("unclosed array table") || message.starts_with("unclosed table") {
        return say(
            "this line opens a table and does not close it",
            "write the same number of brackets on both sides: [insurance] or [[education]]",
        );
    }
    if unclosed && message.starts_with("missing comma") {
        return say(
            "this list is not closed, or a comma is missing",
            "end the list with ], and put a comma between its entries",
        );
    }
    if message.starts_with("missing comma") {
        return say("a comma is missing between two entries of this list", "write [\"one\", \"two\"]");
    }
    if message.contains("array") {
        return say("this list is not closed", "end the list with ]");
    }
    if message.starts_with("string values must be quoted") {
        return if here.trim_start_matches([' ', '\t']).is_empty() || here.starts_with(['\n', '\r']) {
            say("there is nothing after the =", "write a value, or delete the line")
        } else {
            say("this text has no quotes around it", "write \" before and after it")
        };
    }
    if message.starts_with("invalid multi-line") {
        return say("this text begins with three quotes and never ends", "write \"\"\" after its last word");
    }
    if message.starts_with("invalid basic string, expected `\"`") || message.starts_with("invalid literal") {
        return say("the quote at the end of this text is missing", "write \" after the text");
    }
    if message.starts_with("missing escaped value") || message.contains("escape") {
        return say(
            "a backslash means something special in text",
            "write two of them (\\\\) for one backslash",
        );
    }
    if message.starts_with("invalid boolean") {
        return say("this must be true or false, in small letters", "write true or false");
    }
    if message.starts_with("key with no value") || message.starts_with("invalid unquoted key") {
        return say(
            "this line is not of the form key = value",
            "write key = \"value\"; a note begins with #; a key has no spaces in it",
        );
    }
    if message.starts_with("unquoted keys cannot be empty") || message.starts_with("invalid key-value pair") {
        return say("there is no key here", "write key = \"value\"");
    }
    if message.starts_with("unexpected key or value") {
        return say(
            "there is something more after the value",
            "one key and its value on each line; a quote inside a text in '…' ends it: use \"…\"",
        );
    }
    if message.starts_with("unexpected leading zero") {
        return say("a number has no zero before it", "take the zero away, or put quotes around the whole");
    }
    if message.starts_with("invalid date") || message.starts_with("invalid time") {
        let rule = message.split_once(", expected ").map_or("", |(_, rule)| rule);
        return (
            format!("this date does not exist: it needs a {rule}"),
            Some("write year-month-day".to_owned()),
        );
    }
    if message.starts_with("cannot recurse") {
        return say("brackets are nested too deeply here", "content files need two levels at most");
    }
    (format!("this is not TOML: {message}"), None)
}
