//! Explains values of the wrong type.

use std::ops::Range;

use super::super::lines::line_at;
use super::super::problem::{Advice, Problem};
use super::hours::{days_meant, hours_meant, is_closed};
use super::keys::unknown_key;
use super::slugs::slug_like;
use super::{Form, Mistake, list_of};
use crate::model::StateCode;

// Keys by the type of their values.
const DURATIONS: [&str; 5] = ["duration", "notice", "step", "before", "after"];
const STATES: [&str; 2] = ["licensed", "accepting"];
const TYPES: [&str; 2] = ["appointment-types", "types"];

/// An explained value of the wrong type, or an unknown key.
pub(in super::super) struct WrongValue {
    mistake: Mistake,
    /// The known key that an unknown one probably means.
    pub(in super::super) meant: Option<String>,
}

impl WrongValue {
    pub(in super::super) fn explain(
        error: &toml::de::Error,
        text: &str,
        span: &Range<usize>,
        form: &Form<'_>,
    ) -> Self {
        let message = error.message();
        if let Some((key, expected)) = unknown_field(message) {
            if is_date(key) {
                let value = Value { text, span, form, kind: FoundKind::Date, expected: "a map" };
                return Self { mistake: value.mistake(), meant: None };
            }
            let (mistake, meant) = unknown_key(key, expected, span, form);
            return Self { mistake, meant };
        }
        let types = message.strip_prefix("invalid type: ").and_then(|rest| rest.split_once(", expected "));
        let mistake = if let Some((found, expected)) = types {
            let value = Value { text, span, form, kind: FoundKind::parse(found, text, span), expected };
            value.mistake()
        } else {
            Mistake { hint: None, ..Mistake::new(span, message, "") }
        };
        Self { mistake, meant: None }
    }

    pub(in super::super) fn problem(self, path: &str) -> Problem {
        self.mistake.problem(path)
    }
}

/// Whether an error is about an unknown key, and not about a value.
pub(in super::super) fn is_unknown_key(error: &toml::de::Error) -> bool {
    unknown_field(error.message()).is_some_and(|(key, _)| !is_date(key))
}

/// The key in serde's message about an unknown one, and the end of the message, which lists the known keys.
fn unknown_field(message: &str) -> Option<(&str, &str)> {
    let rest = message.strip_prefix("unknown field `")?;
    Some(rest.split_once('`').unwrap_or((rest, "")))
}

/// The TOML crate represents a date as a table with this key.
fn is_date(key: &str) -> bool {
    key.starts_with("$__toml_private")
}

enum FoundKind<'a> {
    Text(&'a str),
    Number(&'a str),
    TooLarge,
    Flag(&'a str),
    Date,
    List,
    Table,
    Other(&'a str),
}

impl<'a> FoundKind<'a> {
    fn parse(found: &'a str, text: &'a str, span: &Range<usize>) -> Self {
        let written = text.get(span.clone()).unwrap_or_default();
        let (kind, value) = found.split_once(' ').unwrap_or((found, ""));
        match kind {
            "string" => {
                Self::Text(value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(value))
            }
            "integer" if found.ends_with("128") => Self::TooLarge,
            "integer" | "floating" => Self::Number(written),
            "boolean" => Self::Flag(written),
            "sequence" => Self::List,
            "map" if written.starts_with(|c: char| c.is_ascii_digit()) => Self::Date,
            "map" => Self::Table,
            _ => Self::Other(found),
        }
    }
}

/// A value of the wrong type, and the type that serde expected.
struct Value<'a> {
    text: &'a str,
    span: &'a Range<usize>,
    form: &'a Form<'a>,
    kind: FoundKind<'a>,
    expected: &'a str,
}

impl Value<'_> {
    fn mistake(&self) -> Mistake {
        let header = self.form.headers.at(self.span.start);
        if let Some(header) = header {
            let name = header.name();
            match &self.kind {
                FoundKind::Table if self.expected == "a sequence" => {
                    return if let Some((table, key)) = name.split_once('.') {
                        let what = format!("{} makes a table inside a table", header.text);
                        let hint = if table == "insurance" {
                            format!("write the plans under [insurance]: {key} = [\"…\"]")
                        } else {
                            format!("write [[{table}]]")
                        };
                        Mistake::new(&header.span, what, hint)
                    } else {
                        let what = format!("{} needs two brackets on each side", header.text);
                        Mistake::new(self.span, what, format!("write [[{name}]]"))
                    };
                }
                _ => {}
            }
        }
        if matches!(self.kind, FoundKind::TooLarge) {
            return Mistake::new(self.span, "this number is too large", "write fewer digits");
        }
        let what = format!("this is {}; it must be {}", self.found(), expected_in_words(self.expected));
        Mistake { hint: self.hint(), ..Mistake::new(self.span, what, "") }
    }

    fn found(&self) -> String {
        match self.kind {
            FoundKind::Text(text) => format!("the text \"{text}\""),
            FoundKind::Number(number) => format!("the number {number}"),
            FoundKind::Flag(word) => word.to_owned(),
            FoundKind::Date => "a date".to_owned(),
            FoundKind::List => "a list".to_owned(),
            FoundKind::Table => "a table".to_owned(),
            FoundKind::TooLarge => "a large number".to_owned(),
            FoundKind::Other(found) => found.to_owned(),
        }
    }

    fn hint(&self) -> Option<Advice> {
        let written = self.text.get(self.span.clone()).unwrap_or_default();
        if let Some(advice) = self.table_advice(written).or_else(|| self.hours_advice()) {
            return Some(advice);
        }
        match (self.expected, &self.kind) {
            ("a string", FoundKind::Number(number)) if DURATIONS.contains(&self.key()) => {
                let minutes = Advice::write(format!("\"{number}m\""));
                let is_clear = self.key() != "notice" && number.len() > 1;
                Some(if is_clear {
                    minutes
                } else {
                    format!("write \"{number}m\" for minutes, or \"{number}h\" for hours").into()
                })
            }
            ("a string", FoundKind::Flag(_) | FoundKind::List)
                if self.key() == "holidays" && !written.contains('"') =>
            {
                let hint = "write the dates into a file of holidays/, and its name without .toml here, such as \"us-federal\"";
                Some(hint.into())
            }
            ("a string", FoundKind::Number(_) | FoundKind::Date | FoundKind::Flag(_)) => {
                Some(Advice::write(format!("\"{written}\"")))
            }
            ("a string", FoundKind::List) if self.key() == "holidays" => {
                let names: Vec<_> = written.split('"').skip(1).step_by(2).collect();
                Some(
                    one_list_of_holidays(&names)
                        .unwrap_or_else(|| Advice::write(format!("\"{}\"", names.concat()))),
                )
            }
            ("a string", FoundKind::List) if self.is_plan_name() => {
                let first = written.split('"').nth(1).unwrap_or("…");
                let hint = format!(
                    "write name = \"{first}\" here, and each other plan as two lines: [[plan]], and below it name = \"…\""
                );
                Some(hint.into())
            }
            ("a string", FoundKind::List) => {
                let texts: Vec<_> = written.split('"').skip(1).step_by(2).collect();
                (!texts.is_empty()).then(|| Advice::write(format!("\"{}\"", texts.join(", "))))
            }
            ("a string", FoundKind::Table) => {
                Some(format!("write {} = \"…\" above the first [table]", self.header_name()?).into())
            }
            ("i64", FoundKind::Text(text)) => {
                let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
                let ids: Vec<_> = text.split(',').map(str::trim).collect();
                let are_ids = ids.iter().all(|id| id.parse::<u32>().is_ok());
                Some(if is_number || are_ids && self.is_among_types() {
                    Advice::write(ids.join(", ")).and(" without quotes")
                } else if self.is_among_types() {
                    "write its id, which is in appointment-types.toml: digits alone, such as 101".into()
                } else {
                    "write digits alone".into()
                })
            }
            ("i64", FoundKind::Number(number)) => {
                let (whole, _) = number.split_once('.')?;
                Some(Advice::write(whole))
            }
            ("a boolean", FoundKind::Text(text)) => Some(match text.to_lowercase().as_str() {
                "true" | "false" => "remove the quotes".into(),
                "yes" | "y" => Advice::write("true").and(", without quotes"),
                "no" | "n" => Advice::write("false").and(", without quotes"),
                _ => "write true or false, without quotes".into(),
            }),
            ("a boolean", _) => Some("write true or false".into()),
            ("a sequence", FoundKind::Text(_) | FoundKind::Flag(_)) if self.names_no_states() => {
                Some("name each state between brackets, such as [\"CA\", \"NY\"]; [] stands for none".into())
            }
            ("a sequence", FoundKind::Text(text)) if self.key() == "former-slugs" => {
                let slugs: Vec<_> = text.split(',').filter_map(slug_like).collect();
                Some(Advice::write(list_of(slugs.iter().map(String::as_str))))
            }
            ("a sequence", FoundKind::Text(text)) if self.key() == "days" && days_meant(text).is_some() => {
                Some(Advice::write(list_of(days_meant(text)?.into_iter())))
            }
            ("a sequence", FoundKind::Text(text)) => {
                Some(Advice::write(list_of(text.split(',').map(str::trim).filter(|part| !part.is_empty()))))
            }
            ("a sequence", FoundKind::Number(_) | FoundKind::Date) => {
                Some(Advice::write(format!("[{written}]")))
            }
            (expected, _) if expected == "a map" || expected.starts_with("struct ") => {
                let hint = format!(
                    "delete this line; at the end of the file write [{}], and its keys below, each on a line",
                    self.line_key()
                );
                Some(hint.into())
            }
            _ => None,
        }
    }

    fn table_advice(&self, written: &str) -> Option<Advice> {
        let key = self.line_key();
        let entry = |keys: &str| {
            let hint = format!(
                "delete this line; at the end of the file write [[{key}]] for each, and below it the lines {keys}"
            );
            Some(hint.into())
        };
        match key {
            "education" => entry("degree = \"…\", field = \"…\", institution = \"…\" and year = …"),
            "certifications" => entry("issuer = \"…\" and name = \"…\""),
            "plan" => entry("name = \"…\""),
            "effective" => Some(
                "delete this line; at the end of the file write [effective], and below it from = YYYY-MM-DD (the first \
                 date), until = YYYY-MM-DD (the last date), or both"
                    .into(),
            ),
            "buffer" if self.key() == "buffer" && !written.starts_with(['{', '[']) => {
                Some(buffer_advice(written))
            }
            "search-words" => Some(
                "delete this line; at the end of the file write [search-words], and below it a line for each word, such as \
                 hrt = [\"hormone\", \"menopause\"]"
                    .into(),
            ),
            "insurance" => {
                let plans =
                    written.split('"').skip(1).step_by(2).flat_map(|text| text.split(',')).map(str::trim);
                let plans = list_of(plans.filter(|plan| !plan.is_empty()));
                let hint = format!(
                    "delete this line; at the end of the file write [insurance], and below it all = {plans}"
                );
                Some(hint.into())
            }
            _ => None,
        }
    }

    fn hours_advice(&self) -> Option<Advice> {
        let FoundKind::Text(text) = self.kind else { return None };
        if self.line_key() != "hours" || self.expected != "a sequence" {
            return None;
        }
        if is_closed(text) {
            return Some(match self.form.headers.above(self.span.start).map(|header| header.text) {
                Some("[[weekly]]") => "a day without hours is closed: delete this [[weekly]] entry".into(),
                _ => Advice::write("[]").and(": nothing between the brackets means closed"),
            });
        }
        Some(Advice::write(list_of(hours_meant(text)?.iter().map(String::as_str))))
    }

    /// The first key on the value's line.
    fn line_key(&self) -> &str {
        let line = self.text.get(line_at(self.text, self.span.start)).unwrap_or_default();
        line.split_once('=').map_or("", |(key, _)| key.trim())
    }

    /// The key directly before the value, which can be within braces.
    fn key(&self) -> &str {
        let line = line_at(self.text, self.span.start);
        let before = self.text.get(line.start..self.span.start).unwrap_or_default();
        let before = before.trim_end().trim_end_matches('=').trim_end();
        before.rsplit([' ', '{', ',', '\t']).next().unwrap_or_default()
    }

    fn is_among_types(&self) -> bool {
        TYPES.contains(&self.line_key())
    }

    /// Whether the value must be a list of states and does not name states.
    fn names_no_states(&self) -> bool {
        let is_state = |word: &str| word.trim().parse::<StateCode>().is_ok();
        let has_states = matches!(self.kind, FoundKind::Text(text) if text.split(',').all(is_state));
        STATES.contains(&self.key()) && !has_states
    }

    fn is_plan_name(&self) -> bool {
        let header = self.form.headers.above(self.span.start);
        self.key() == "name" && header.is_some_and(|header| header.text == "[[plan]]")
    }

    fn header_name(&self) -> Option<&str> {
        let header = self.form.headers.at(self.span.start)?;
        Some(header.name())
    }
}

/// Tables that a file can have only once.
const SINGLE: [&str; 8] =
    ["accuracy", "address", "buffer", "confirmed", "effective", "insurance", "search-words", "standards"];

/// Explains a table of [`SINGLE`] with a header in double brackets. The deserializer would accept it and take the
/// entries of the list for the values of the table.
pub(in super::super) fn single_as_list(key: &str, span: &Range<usize>, form: &Form<'_>) -> Option<Mistake> {
    let header = form.headers.at(span.start)?;
    let is_list = SINGLE.contains(&key) && header.text.starts_with("[[") && header.name() == key;
    let what = format!("{} needs one bracket on each side", header.text);
    is_list.then(|| Mistake::new(&header.span, what, Advice::write(format!("[{key}]"))))
}

/// The advice for the names of several lists of holidays. It names a new file, because other clinicians can use the lists
/// that are there.
pub(in super::super) fn one_list_of_holidays(names: &[&str]) -> Option<Advice> {
    if names.len() < 2 {
        return None;
    }
    let name = slug_like(&names.join("-and-"))?;
    let hint = format!(
        "a clinician has one list: write the dates of all of these into one new file, holidays/{name}.toml, as \
         dates = [YYYY-MM-DD, YYYY-MM-DD], and write \"{name}\" here"
    );
    Some(hint.into())
}

pub(super) fn buffer_advice(written: &str) -> Advice {
    let time = written.trim_matches('"');
    let unit = if time.ends_with(|c: char| c.is_ascii_digit()) { "m" } else { "" };
    let table = format!("{{ before = \"{time}{unit}\", after = \"{time}{unit}\" }}");
    Advice::write(table).and("; for time on one side only, write \"0m\" on the other")
}

fn expected_in_words(expected: &str) -> String {
    match expected {
        "a string" => "text in quotes".to_owned(),
        "a boolean" => "true or false".to_owned(),
        "i64" => "a whole number".to_owned(),
        "a sequence" => "a list in square brackets".to_owned(),
        "a map" => "a table of keys and values".to_owned(),
        other if other.starts_with("struct ") => "a table of keys and values".to_owned(),
        other => other.to_owned(),
    }
}
