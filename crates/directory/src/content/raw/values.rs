//! Values that can be written in several ways, and the keys of the insurance table.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;
use serde::de::{self, Deserializer, Visitor};

use super::Located;

/// `"all"`, or a list of states.
#[derive(Debug)]
pub(in super::super) enum StatesValue {
    /// One text; only "all" is valid.
    Word(String),
    /// A list of codes.
    List(Vec<Located<String>>),
}

impl<'de> Deserialize<'de> for StatesValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = StatesValue;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a list of states such as [\"CA\", \"NY\"], or \"all\"")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<StatesValue, E> {
                Ok(StatesValue::Word(text.to_owned()))
            }

            fn visit_seq<A: de::SeqAccess<'de>>(self, list: A) -> Result<StatesValue, A::Error> {
                Vec::deserialize(de::value::SeqAccessDeserializer::new(list)).map(StatesValue::List)
            }
        }
        deserializer.deserialize_any(Either)
    }
}

impl JsonSchema for StatesValue {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "States".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({
            "anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "string", "enum": ["all"]}]
        })
    }
}

/// A local date, with or without quotes: form-based editors add them.
#[derive(Debug, Clone)]
pub(in super::super) struct DateValue(pub(in super::super) String);

impl<'de> Deserialize<'de> for DateValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct BareOrQuoted;
        impl<'de> Visitor<'de> for BareOrQuoted {
            type Value = DateValue;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a date such as 2026-11-26")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<DateValue, E> {
                Ok(DateValue(text.to_owned()))
            }

            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<DateValue, A::Error> {
                let bare = toml::value::Datetime::deserialize(de::value::MapAccessDeserializer::new(map))?;
                Ok(DateValue(bare.to_string()))
            }
        }
        deserializer.deserialize_any(BareOrQuoted)
    }
}

impl JsonSchema for DateValue {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Date".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"})
    }
}

/// A key of the insurance table: `all`, or a state. A key of the provider below `[insurance]` is reported as unknown,
/// whatever its value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, JsonSchema)]
#[schemars(inline)]
pub(in super::super) struct PlanKey(pub(in super::super) Located<String>);

/// The keys of a provider that can be below `[insurance]` by mistake. `id` is not one: there it is Idaho.
const PROVIDER_KEYS: &str = "display-name sort-name former-slugs credentials provider-type gender bio headshot \
    menopause-society-certified clinical-interests languages licensed accepting appointment-types npi status";

impl<'de> Deserialize<'de> for PlanKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let key = Located::<String>::deserialize(deserializer)?;
        if PROVIDER_KEYS.split(' ').any(|known| known == key.value) {
            return Err(de::Error::unknown_field(&key.value, &["all", "CA", "NY"]));
        }
        Ok(Self(key))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::ProviderFile;
    use super::PROVIDER_KEYS;

    #[test]
    fn every_key_of_a_provider_is_refused_in_the_insurance_table() {
        let schema = schemars::schema_for!(ProviderFile);
        let properties = schema.as_value()["properties"].as_object().unwrap();
        let tables = [
            "insurance",
            "leave",
            "education",
            "certifications",
            "license",
            "licence",
            "confirmed",
            "specialty",
        ];
        let keys: BTreeSet<_> = properties.keys().map(String::as_str).collect();
        let keys: BTreeSet<_> =
            keys.into_iter().filter(|key| *key != "id" && !tables.contains(key)).collect();
        assert_eq!(keys, PROVIDER_KEYS.split(' ').collect());
    }
}
