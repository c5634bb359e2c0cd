//! The raw values of one operation's parameters, and one parser for each kind.

use std::str::FromStr;

use serde_json::Value;

use super::fault::Fault;
use super::operation::{Operation, ParameterKind};
use super::search_text::SearchText;
use crate::calendar::Instant;
use crate::model::StateCode;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum RawValue {
    /// Text; empty means absent.
    Text(String),
    /// Text with an invalid encoding, as sent.
    Undecodable(String),
    Integer(i64),
    Flag(bool),
    /// JSON null: absent.
    Null,
    Other,
}

impl RawValue {
    pub(super) fn from_json(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::String(text) => Self::Text(text.clone()),
            Value::Number(number) => match (number.as_i64(), number.as_u64(), number.as_f64()) {
                (Some(integer), _, _) => Self::Integer(integer),
                (None, Some(_), _) => Self::Integer(i64::MAX),
                #[expect(clippy::cast_possible_truncation, reason = "`as` clamps to 64 bits, as intended")]
                (None, None, Some(float)) if float.fract() == 0.0 => Self::Integer(float as i64),
                _ => Self::Other,
            },
            Value::Bool(flag) => Self::Flag(*flag),
            Value::Array(_) | Value::Object(_) => Self::Other,
        }
    }

    pub(super) fn trimmed(self) -> Self {
        match self {
            Self::Text(text) => Self::Text(trimmed(&text).to_owned()),
            other => other,
        }
    }

    /// The text without spaces and hyphens. A text of nothing else stays as it is, and is an invalid value.
    pub(super) fn joined(self) -> Self {
        match self {
            Self::Text(text) => {
                let joined = text.replace([' ', '-'], "");
                Self::Text(if joined.is_empty() { text } else { joined })
            }
            other => other,
        }
    }

    fn is_present(&self) -> bool {
        !matches!(self, Self::Null) && *self != Self::Text(String::new())
    }
}

const TEXT: &str = "must be text";
const WHOLE: &str = "must be a whole number";
const DECODABLE: &str = "must be percent-encoded UTF-8";

/// The raw values of an operation's parameters. If a parameter is given twice, the last value counts.
#[derive(Debug)]
pub(super) struct RawParameters {
    operation: &'static Operation,
    /// By position in the operation's arguments.
    values: Vec<Option<RawValue>>,
}

impl RawParameters {
    pub(super) fn none(operation: &'static Operation) -> Self {
        Self { operation, values: vec![None; operation.arguments().count()] }
    }

    pub(super) fn operation(&self) -> &'static Operation {
        self.operation
    }

    /// Whether the query may have this parameter: a path parameter cannot be in the query.
    pub(super) fn accepts_in_query(&self, name: &str) -> bool {
        self.operation.parameter(name).is_some_and(|parameter| parameter.kind != ParameterKind::PathSlug)
    }

    pub(super) fn set(&mut self, name: &str, value: RawValue) {
        if let Some(index) = self.index(name) {
            self.values[index] = value.is_present().then_some(value);
        }
    }

    /// A state. Undecodable text is an invalid state, too, shown as sent.
    pub(super) fn state(&self, name: &str) -> Result<Option<StateCode>, Fault> {
        match self.value(name) {
            None => Ok(None),
            Some(RawValue::Text(text)) => text.parse().map(Some).map_err(|_| Fault::invalid_state(text)),
            Some(RawValue::Undecodable(sent)) => Err(Fault::invalid_state(sent)),
            Some(_) => Err(self.wrong(name, TEXT)),
        }
    }

    /// A text, trimmed.
    pub(super) fn text(&self, name: &str) -> Result<Option<String>, Fault> {
        Ok(self.exact_text(name)?.map(|text| trimmed(&text).to_owned()))
    }

    /// A text as it was sent.
    pub(super) fn exact_text(&self, name: &str) -> Result<Option<String>, Fault> {
        match self.value(name) {
            None => Ok(None),
            Some(RawValue::Text(text)) => Ok(Some(text.clone())),
            Some(RawValue::Undecodable(_)) => Err(self.wrong(name, DECODABLE)),
            Some(_) => Err(self.wrong(name, TEXT)),
        }
    }

    pub(super) fn word<T>(&self, name: &str) -> Result<Option<T>, Fault>
    where
        T: FromStr<Err = &'static [&'static str]>,
    {
        let one_of = |words: &[&str]| self.wrong(name, &format!("must be one of {}", words.join(", ")));
        match self.text(name)? {
            None => Ok(None),
            Some(text) => text.parse().map(Some).map_err(one_of),
        }
    }

    pub(super) fn integer(&self, name: &str) -> Result<Option<i64>, Fault> {
        match self.value(name) {
            None => Ok(None),
            Some(RawValue::Integer(integer)) => Ok(Some(*integer)),
            Some(RawValue::Text(text)) => integer(text).map(Some).ok_or_else(|| self.wrong(name, WHOLE)),
            Some(RawValue::Undecodable(_)) => Err(self.wrong(name, DECODABLE)),
            Some(_) => Err(self.wrong(name, WHOLE)),
        }
    }

    /// A whole number, clamped to its parameter's bounds.
    pub(super) fn count(&self, name: &str) -> Result<i64, Fault> {
        let value = self.integer(name)?;
        Ok(match self.operation.argument(name).map(|parameter| parameter.kind) {
            Some(ParameterKind::Count { default, least, most }) => {
                value.unwrap_or(default).clamp(least, most)
            }
            _ => value.unwrap_or_default(),
        })
    }

    /// True or false; false if it is not given.
    pub(super) fn flag(&self, name: &str) -> Result<bool, Fault> {
        const FLAG: &str = "must be true or false";
        match self.value(name) {
            None => Ok(false),
            Some(RawValue::Flag(flag)) => Ok(*flag),
            Some(RawValue::Text(text)) => match trimmed(text) {
                word if word.eq_ignore_ascii_case("true") => Ok(true),
                word if word.eq_ignore_ascii_case("false") => Ok(false),
                _ => Err(self.wrong(name, FLAG)),
            },
            Some(_) => Err(self.wrong(name, FLAG)),
        }
    }

    /// A second of UTC, exactly as answers write it.
    pub(super) fn time(&self, name: &str) -> Result<Option<Instant>, Fault> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        let instant = Instant::parse_floor(&text).ok().filter(|instant| instant.to_string() == text);
        let wrong = || self.wrong(name, "must be a time in UTC such as 2026-12-01T22:00:00Z");
        instant.map(Some).ok_or_else(wrong)
    }

    pub(super) fn search_text(&self, name: &str) -> Result<Option<SearchText>, Fault> {
        let parsed = self.text(name)?.map(|text| SearchText::parse(&text)).transpose();
        parsed.map_err(|rule| self.wrong(name, rule))
    }

    fn wrong(&self, name: &str, rule: &str) -> Fault {
        Fault::wrong_value(name, rule, self.operation.ask(name))
    }

    fn value(&self, name: &str) -> Option<&RawValue> {
        self.values[self.index(name)?].as_ref()
    }

    fn index(&self, name: &str) -> Option<usize> {
        self.operation.arguments().position(|parameter| parameter.name == name)
    }
}

/// Trims the text. A text of spaces alone stays as it is: it is an invalid value, and the error shows it as sent.
fn trimmed(text: &str) -> &str {
    let inner = text.trim();
    if inner.is_empty() { text } else { inner }
}

/// Parses digits with an optional minus sign, clamped to 64 bits.
fn integer(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let limit = if text.starts_with('-') { i64::MIN } else { i64::MAX };
    Some(text.parse().unwrap_or(limit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_digits_and_clamped_to_64_bits() {
        assert_eq!(integer("50"), Some(50));
        assert_eq!(integer("-3"), Some(-3));
        assert_eq!(integer("007"), Some(7));
        assert_eq!(integer("99999999999999999999"), Some(i64::MAX));
        assert_eq!(integer("-99999999999999999999"), Some(i64::MIN));
        for text in ["", "-", "+5", " 5", "5 ", "5.0", "0x5", "5e1", "٥", "--5", "five"] {
            assert_eq!(integer(text), None, "{text:?}");
        }
    }

    #[test]
    fn json_numbers_without_a_fraction_are_integers() {
        let of = |json: &str| RawValue::from_json(&serde_json::from_str(json).unwrap());
        assert_eq!(of("50"), RawValue::Integer(50));
        assert_eq!(of("50.0"), RawValue::Integer(50));
        assert_eq!(of("18446744073709551615"), RawValue::Integer(i64::MAX));
        assert_eq!(of("-1e300"), RawValue::Integer(i64::MIN));
        assert_eq!(of("50.5"), RawValue::Other);
        assert_eq!(of("true"), RawValue::Flag(true));
        assert_eq!(of("null"), RawValue::Null);
    }
}
