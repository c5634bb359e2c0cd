//! Prints the effective settings as a configuration file, with each value's origin as a comment.

use std::fmt::Write as _;

use serde::Deserialize;
use toml::de::ValueDeserializer;

use super::keys::KEYS;
use super::layers::Layers;

pub(super) fn print(layers: &Layers) -> String {
    let mut text = String::new();
    let mut table = "";
    for key in KEYS.iter() {
        if key.table != table {
            table = key.table;
            _ = write!(text, "\n[{table}]\n");
        }
        let name = key.name;
        let value = layers.get(&key.full_name());
        let known =
            value.and_then(|value| toml::Value::deserialize(ValueDeserializer::from(value.clone())).ok());
        _ = match (known, value) {
            (Some(known), Some(value)) => {
                writeln!(text, "{name} = {} # {}", inline(&known), layers.origin(&value.span()))
            }
            _ => writeln!(text, "# {name} is not set{}", key.unset),
        };
    }
    text
}

/// A value as TOML writes it in a line.
pub(super) fn inline(value: &toml::Value) -> String {
    let joined = |items: Vec<String>| items.join(", ");
    match value {
        toml::Value::String(text) => quoted(text),
        toml::Value::Integer(number) => number.to_string(),
        toml::Value::Float(number) => format!("{number:?}"),
        toml::Value::Boolean(switch) => switch.to_string(),
        toml::Value::Datetime(datetime) => datetime.to_string(),
        toml::Value::Array(items) => format!("[{}]", joined(items.iter().map(inline).collect())),
        toml::Value::Table(table) => {
            let pair = |(name, value): (&String, _)| format!("{} = {}", quoted(name), inline(value));
            format!("{{ {} }}", joined(table.iter().map(pair).collect()))
        }
    }
}

pub(super) fn quoted(text: &str) -> String {
    // A JSON string is a TOML string, except that TOML requires an escape for DEL.
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}
