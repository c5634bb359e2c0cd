//! The values of one operation's parameters as they came, and one parser for each kind.

use std::str::FromStr;

use serde_json::Value;

use super::fault::Fault;
use super::operation::{Operation, ParameterKind};
use crate::model::StateCode;

/// A value before its parameter's rule has been applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum RawValue {
    /// Text; empty means not given.
    Text(String),
    /// Text whose encoding is broken, as it was sent.
    Undecodable(String),
    /// A JSON number without a fraction, moved into 64 bits.
    Integer(i64),
    /// JSON's null: not given.
    Null,
    /// Any other JSON.
    Other,
}

impl RawValue {
    /// A tool's argument.
    pub(super) fn from_json(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::String(text) => Self::Text(text.clone()),
            Value::Number(number) => match (number.as_i64(), number.as_u64(), number.as_f64()) {
                (Some(integer), _, _) => Self::Integer(integer),
                (None, Some(_), _) => Self::Integer(i64::MAX),
                #[expect(
                    clippy::cast_possible_truncation,
                    reason = "`as` moves into the 64 bits, as we want"
                )]
                (None, None, Some(float)) if float.fract() == 0.0 => Self::Integer(float as i64),
                _ => Self::Other,
            },
            Value::Bool(_) | Value::Array(_) | Value::Object(_) => Self::Other,
        }
    }

    pub(super) fn trimmed(self) -> Self {
        match self {
            Self::Text(text) => Self::Text(trimmed(&text).to_owned()),
            other => other,
        }
    }

    fn is_given(&self) -> bool {
        !matches!(self, Self::Null) && *self != Self::Text(String::new())
    }
}

const TEXT: &str = "must be text";
const WHOLE: &str = "must be a whole number";
const DECODABLE: &str = "must be percent-encoded UTF-8";

/// The raw values of an operation's parameters; a later one replaces an earlier one.
#[derive(Debug)]
pub(super) struct Given {
    operation: &'static Operation,
    values: Vec<Option<RawValue>>,
}

impl Given {
    pub(super) fn none(operation: &'static Operation) -> Self {
        Self { operation, values: vec![None; operation.parameters.len()] }
    }

    pub(super) fn operation(&self) -> &'static Operation {
        self.operation
    }

    /// Whether the query may carry this name: the path's parameter stands in the path alone.
    pub(super) fn accepts_in_query(&self, name: &str) -> bool {
        self.operation.parameter(name).is_some_and(|parameter| parameter.kind != ParameterKind::PathSlug)
    }

    pub(super) fn set(&mut self, name: &str, value: RawValue) {
        if let Some(index) = self.index(name) {
            self.values[index] = value.is_given().then_some(value);
        }
    }

    /// The default of a count.
    pub(super) fn default_count(&self, name: &str) -> i64 {
        match self.operation.parameter(name).map(|parameter| parameter.kind) {
            Some(ParameterKind::Count { default, .. }) => default,
            _ => 0,
        }
    }

    /// A state. Text that is no text at all is an invalid state too, shown as it was sent.
    pub(super) fn state(&self, name: &str) -> Result<Option<StateCode>, Fault> {
        match self.value(name) {
            None => Ok(None),
            Some(RawValue::Text(text)) => text.parse().map(Some).map_err(|_| Fault::invalid_state(text)),
            Some(RawValue::Undecodable(sent)) => Err(Fault::invalid_state(sent)),
            Some(_) => Err(self.wrong(name, TEXT)),
        }
    }

    /// Free text, without the space around it.
    pub(super) fn text(&self, name: &str) -> Result<Option<String>, Fault> {
        Ok(self.exact_text(name)?.map(|text| trimmed(&text).to_owned()))
    }

    /// Free text, as it was given.
    pub(super) fn exact_text(&self, name: &str) -> Result<Option<String>, Fault> {
        match self.value(name) {
            None => Ok(None),
            Some(RawValue::Text(text)) => Ok(Some(text.clone())),
            Some(RawValue::Undecodable(_)) => Err(self.wrong(name, DECODABLE)),
            Some(_) => Err(self.wrong(name, TEXT)),
        }
    }

    /// One of a few words.
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

    /// A whole number.
    pub(super) fn integer(&self, name: &str) -> Result<Option<i64>, Fault> {
        match self.value(name) {
            None => Ok(None),
            Some(RawValue::Integer(integer)) => Ok(Some(*integer)),
            Some(RawValue::Text(text)) => integer(text).map(Some).ok_or_else(|| self.wrong(name, WHOLE)),
            Some(RawValue::Undecodable(_)) => Err(self.wrong(name, DECODABLE)),
            Some(_) => Err(self.wrong(name, WHOLE)),
        }
    }

    /// A whole number, moved into its parameter's bounds.
    pub(super) fn count(&self, name: &str) -> Result<i64, Fault> {
        let value = self.integer(name)?;
        Ok(match self.operation.parameter(name).map(|parameter| parameter.kind) {
            Some(ParameterKind::Count { default, least, most }) => {
                value.unwrap_or(default).clamp(least, most)
            }
            _ => value.unwrap_or_default(),
        })
    }

    /// A value that breaks its parameter's rule.
    fn wrong(&self, name: &str, rule: &str) -> Fault {
        Fault::wrong_value(name, rule, self.operation.ask(name))
    }

    fn value(&self, name: &str) -> Option<&RawValue> {
        self.values[self.index(name)?].as_ref()
    }

    fn index(&self, name: &str) -> Option<usize> {
        self.operation.parameters.iter().position(|parameter| parameter.name == name)
    }
}

/// Text that is only space is kept: it is a wrong value, which an error shows as it is.
fn trimmed(text: &str) -> &str {
    let inner = text.trim();
    if inner.is_empty() { text } else { inner }
}

/// Digits with an optional minus sign; beyond 64 bits it is moved to the nearest.
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
    fn integers_are_digits_and_move_into_64_bits() {
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
        assert_eq!(of("true"), RawValue::Other);
        assert_eq!(of("null"), RawValue::Null);
    }
}
