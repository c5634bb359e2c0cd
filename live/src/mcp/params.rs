//! Parses a request's `params`. Only a tool's arguments and `_meta` are parsed into values: parsing everything takes longer
//! than most answers.

use std::borrow::Cow;
use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;

/// Others are ignored.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Params<'a> {
    #[serde(borrow, deserialize_with = "text")]
    pub(super) name: Option<Cow<'a, str>>,
    #[serde(borrow, deserialize_with = "text")]
    pub(super) uri: Option<Cow<'a, str>>,
    #[serde(borrow, deserialize_with = "text")]
    pub(super) protocol_version: Option<Cow<'a, str>>,
    pub(super) arguments: Option<Value>,
    #[serde(rename = "_meta")]
    pub(super) meta: Option<Value>,
}

/// An object or null. serde's derived code would accept a list of the members' values, too.
pub(super) fn object<'de: 'a, 'a, D: Deserializer<'de>>(deserializer: D) -> Result<Params<'a>, D::Error> {
    deserializer.deserialize_any(ObjectVisitor)
}

struct ObjectVisitor;

impl<'de> Visitor<'de> for ObjectVisitor {
    type Value = Params<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object or null")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Params<'de>, A::Error> {
        Params::deserialize(MapAccessDeserializer::new(map))
    }

    fn visit_unit<E: Error>(self) -> Result<Params<'de>, E> {
        Ok(Params::default())
    }
}

/// Ignores a value that is not a string.
fn text<'de: 'a, 'a, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Cow<'a, str>>, D::Error> {
    let value = <&RawValue>::deserialize(deserializer)?;
    Ok(serde_json::from_str(value.get()).ok().map(|Text(text)| text))
}

/// Borrowed unless it has escapes. serde does not borrow a `Cow` inside an `Option`.
#[derive(Debug, Deserialize)]
pub(super) struct Text<'a>(#[serde(borrow)] pub(super) Cow<'a, str>);

#[cfg(test)]
mod tests {
    use super::*;

    fn params(text: &str) -> Params<'_> {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn a_string_is_borrowed_unless_it_is_escaped_and_other_values_are_none() {
        assert!(matches!(params(r#"{"name":"a"}"#).name, Some(Cow::Borrowed("a"))));
        assert_eq!(params(r#"{"na\u006de":"\u0061\n"}"#).name.as_deref(), Some("a\n"));
        for none in [r"{}", r#"{"name":null}"#, r#"{"name":7}"#, r#"{"name":["a"]}"#, r#"{"name":"\ud800"}"#]
        {
            assert_eq!(params(none).name, None, "{none}");
        }
        let of_others = params(r#"{"uri":"u","protocolVersion":"v","task":{"ttl":1},"_meta":{}}"#);
        assert_eq!((of_others.uri.as_deref(), of_others.protocol_version.as_deref()), (Some("u"), Some("v")));
    }
}
