//! The values of parameters as they were sent, and the types that they become.

use std::borrow::Cow;

use chrono_tz::{TZ_VARIANTS, Tz};
use serde_json::Value;

use super::super::search_text::SearchText;
use super::parameter::{Parameter, ParameterKind};
use crate::model::{Gender, ProviderType, StateCode};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RawValue {
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
    pub(crate) fn from_json(value: &Value) -> Self {
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

    pub(crate) fn trimmed(self) -> Self {
        match self {
            Self::Text(text) => Self::Text(trimmed(&text).to_owned()),
            other => other,
        }
    }

    /// The text without spaces and hyphens. A text of nothing else stays as it is, and is an invalid value.
    pub(crate) fn joined(self) -> Self {
        match self {
            Self::Text(text) => {
                let joined = text.replace([' ', '-'], "");
                Self::Text(if joined.is_empty() { text } else { joined })
            }
            other => other,
        }
    }

    fn is_wrong(&self, parameter: &'static Parameter, wrong: Wrong) -> WrongParameter {
        let sent = if let Self::Text(text) = self { Some(text.clone()) } else { None };
        WrongParameter { parameter, sent, wrong }
    }

    fn is_present(&self) -> bool {
        !matches!(self, Self::Null) && *self != Self::Text(String::new())
    }
}

const TEXT: Wrong = Wrong::Rule(Cow::Borrowed("must be text"));
const WHOLE: Wrong = Wrong::Rule(Cow::Borrowed("must be a whole number"));
const DECODABLE: Wrong = Wrong::Rule(Cow::Borrowed("must be percent-encoded UTF-8"));
const FLAG: Wrong = Wrong::Rule(Cow::Borrowed("must be true or false"));

#[derive(Debug)]
pub(crate) enum Wrong {
    Missing,
    State(String),
    /// The rule that it breaks, to follow the parameter's name.
    Rule(Cow<'static, str>),
    /// The rule, and the sentence for patients, where the parameter's question would not help.
    Told(&'static str, String),
}

#[derive(Debug)]
pub(crate) struct WrongParameter {
    pub(crate) parameter: &'static Parameter,
    pub(crate) sent: Option<String>,
    pub(crate) wrong: Wrong,
}

/// A longer text, in bytes, means nothing: to look for all of it would only cost time.
const LONGEST: usize = 1_000;
/// Stands for the rest of such a text, so that its beginning isn't taken for a value: "bo-two" and a thousand spaces.
const REST: char = 'x';

/// The values of a request, by name. If a parameter is given twice, the last value counts.
#[derive(Debug, Default)]
pub(crate) struct Given(Vec<(&'static str, RawValue)>);

impl Given {
    pub(crate) fn set(&mut self, parameter: &'static Parameter, mut value: RawValue) {
        if let RawValue::Text(text) = &mut value
            && text.len() > LONGEST
        {
            text.truncate(text.floor_char_boundary(LONGEST));
            text.push(REST);
        }
        self.0.push((parameter.name, value));
    }

    pub(crate) fn field<T: Field>(&self, parameter: &'static Parameter) -> Result<T, WrongParameter> {
        match self.value(parameter) {
            None => Ok(T::absent(parameter)),
            Some(value) => T::read(value, parameter).map_err(|wrong| value.is_wrong(parameter, wrong)),
        }
    }

    pub(crate) fn required<T: Argument>(&self, parameter: &'static Parameter) -> Result<T, WrongParameter> {
        let value = self.value(parameter).unwrap_or(&RawValue::Null);
        let read = if *value == RawValue::Null { Err(Wrong::Missing) } else { T::read(value, parameter) };
        read.map_err(|wrong| value.is_wrong(parameter, wrong))
    }

    fn value(&self, parameter: &Parameter) -> Option<&RawValue> {
        let (_, value) = self.0.iter().rfind(|(name, _)| *name == parameter.name)?;
        value.is_present().then_some(value)
    }
}

pub(crate) trait Argument: Sized {
    fn read(value: &RawValue, parameter: &Parameter) -> Result<Self, Wrong>;
    fn write(&self) -> Value;
}

/// The field of a question for a parameter that may be absent.
pub(crate) trait Field: Argument + PartialEq {
    fn absent(parameter: &Parameter) -> Self;

    fn is_given(&self, parameter: &Parameter) -> bool {
        *self != Self::absent(parameter)
    }
}

impl<T: Argument + PartialEq> Field for Option<T> {
    fn absent(_: &Parameter) -> Self {
        None
    }
}

impl<T: Argument> Argument for Option<T> {
    fn read(value: &RawValue, parameter: &Parameter) -> Result<Self, Wrong> {
        T::read(value, parameter).map(Some)
    }

    fn write(&self) -> Value {
        self.as_ref().map_or(Value::Null, T::write)
    }
}

impl Argument for bool {
    fn read(value: &RawValue, _: &Parameter) -> Result<Self, Wrong> {
        match value {
            RawValue::Flag(flag) => Ok(*flag),
            RawValue::Text(text) => trimmed(text).to_ascii_lowercase().parse().map_err(|_| FLAG),
            _ => Err(FLAG),
        }
    }

    fn write(&self) -> Value {
        (*self).into()
    }
}

impl Field for bool {
    fn absent(_: &Parameter) -> Self {
        false
    }
}

impl Field for i64 {
    fn absent(parameter: &Parameter) -> Self {
        if let ParameterKind::Count { default, .. } = parameter.kind { default } else { 0 }
    }
}

impl Argument for i64 {
    fn read(value: &RawValue, parameter: &Parameter) -> Result<Self, Wrong> {
        let number = match value {
            RawValue::Integer(integer) => *integer,
            RawValue::Text(text) => integer(text).ok_or(WHOLE)?,
            RawValue::Undecodable(_) => return Err(DECODABLE),
            _ => return Err(WHOLE),
        };
        Ok(match parameter.kind {
            ParameterKind::Count { least, most, .. } => number.clamp(least, most),
            _ => number,
        })
    }

    fn write(&self) -> Value {
        (*self).into()
    }
}

/// Undecodable text is an invalid state, too, shown as sent.
impl Argument for StateCode {
    fn read(value: &RawValue, _: &Parameter) -> Result<Self, Wrong> {
        match value {
            RawValue::Text(text) => text.parse().map_err(|_| Wrong::State(text.clone())),
            RawValue::Undecodable(sent) => Err(Wrong::State(sent.clone())),
            _ => Err(TEXT),
        }
    }

    fn write(&self) -> Value {
        self.code().into()
    }
}

/// Trimmed, but in a path as it was sent.
impl Argument for String {
    fn read(value: &RawValue, parameter: &Parameter) -> Result<Self, Wrong> {
        match value {
            RawValue::Text(text) if parameter.kind == ParameterKind::PathSlug => Ok(text.clone()),
            RawValue::Text(text) => Ok(trimmed(text).to_owned()),
            RawValue::Undecodable(_) => Err(DECODABLE),
            _ => Err(TEXT),
        }
    }

    fn write(&self) -> Value {
        self.as_str().into()
    }
}

impl Argument for Tz {
    fn read(value: &RawValue, parameter: &Parameter) -> Result<Self, Wrong> {
        let text = String::read(value, parameter)?;
        let found = TZ_VARIANTS.iter().find(|zone| zone.name().eq_ignore_ascii_case(&text));
        found.copied().ok_or(Wrong::Rule("must be an IANA time zone such as America/Phoenix".into()))
    }

    fn write(&self) -> Value {
        self.name().into()
    }
}

impl Argument for SearchText {
    fn read(value: &RawValue, parameter: &Parameter) -> Result<Self, Wrong> {
        Self::parse(&String::read(value, parameter)?).map_err(|rule| Wrong::Rule(rule.into()))
    }

    fn write(&self) -> Value {
        self.as_str().into()
    }
}

macro_rules! word_arguments {
    ($($type:ty),+) => {
        $(impl Argument for $type {
            fn read(value: &RawValue, parameter: &Parameter) -> Result<Self, Wrong> {
                // The directory is not known yet: see `Fault::of`.
                let words = || parameter.words(&crate::model::ProviderType::SPECIFIED).unwrap_or_default();
                let wrong = |_| Wrong::Rule(format!("must be one of {}", words().join(", ")).into());
                String::read(value, parameter)?.parse().map_err(wrong)
            }

            fn write(&self) -> serde_json::Value {
                self.word().into()
            }
        })+
    };
}
pub(super) use word_arguments;
word_arguments!(Gender, ProviderType);

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
    use super::super::{OPERATIONS, Operation};
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

    #[test]
    fn of_a_text_that_is_far_too_long_only_the_beginning_is_kept() {
        for parameter in OPERATIONS.iter().flat_map(Operation::arguments) {
            let mut given = Given::default();
            given.set(parameter, RawValue::Text("é".repeat(125_000)));
            let beginning = "é".repeat(LONGEST / 2);
            assert_eq!(given.value(parameter), Some(&RawValue::Text(format!("{beginning}{REST}"))));
        }
    }
}
