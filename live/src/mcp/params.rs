//! What this server reads of a request's parameters, mostly as slices of the body.
//!
//! A request is small and asks for little: a tree of all its values would cost more than many an answer. Only the
//! arguments of a tool become one, and `_meta` where it is given.

use std::borrow::Cow;
use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;

/// The parameters that some method here looks at; whatever else there is, is passed over.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Params<'a> {
    #[serde(borrow)]
    name: Option<&'a RawValue>,
    #[serde(borrow)]
    uri: Option<&'a RawValue>,
    #[serde(borrow)]
    protocol_version: Option<&'a RawValue>,
    pub(super) arguments: Option<Value>,
    #[serde(rename = "_meta")]
    pub(super) meta: Option<Value>,
}

/// Reads an object, and nothing else: serde would take a list of the members' values for one, too.
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

impl<'a> Params<'a> {
    /// The name of what is called, if it is a text.
    pub(super) fn name(&self) -> Option<Cow<'a, str>> {
        text(self.name)
    }

    /// The address of what is read.
    pub(super) fn uri(&self) -> Option<Cow<'a, str>> {
        text(self.uri)
    }

    /// The version that `initialize` asks for.
    pub(super) fn protocol_version(&self) -> Option<Cow<'a, str>> {
        text(self.protocol_version)
    }
}

fn text(value: Option<&RawValue>) -> Option<Cow<'_, str>> {
    serde_json::from_str(value?.get()).ok().map(|Text(text)| text)
}

/// A text, borrowed unless something in it is escaped: inside an `Option`, serde does not borrow a `Cow`.
#[derive(Debug)]
pub(super) struct Text<'a>(pub(super) Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(TextVisitor)
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Text<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a text")
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Text<'de>, E> {
        Ok(Text(text.into()))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Text<'de>, E> {
        Ok(Text(text.to_owned().into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn params(text: &str) -> Params<'_> {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn a_text_is_borrowed_unless_it_is_escaped_and_what_is_none_is_none() {
        assert!(matches!(params(r#"{"name":"a"}"#).name(), Some(Cow::Borrowed("a"))));
        assert_eq!(params(r#"{"na\u006de":"\u0061\n"}"#).name().as_deref(), Some("a\n"));
        for none in [r"{}", r#"{"name":null}"#, r#"{"name":7}"#, r#"{"name":["a"]}"#, r#"{"name":"\ud800"}"#]
        {
            assert_eq!(params(none).name(), None, "{none}");
        }
        let of_others = params(r#"{"uri":"u","protocolVersion":"v","task":{"ttl":1},"_meta":{}}"#);
        assert_eq!(
            (of_others.uri().as_deref(), of_others.protocol_version().as_deref()),
            (Some("u"), Some("v"))
        );
    }
}
