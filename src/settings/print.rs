//! Prints the effective settings as a configuration file, with each value's origin as a comment.

use std::fmt::Write as _;

use serde::Deserialize;
use toml::de::ValueDeserializer;

use super::inline::inline;
use super::keys::KEYS;
use super::layers::Layers;
use super::secrets::masked;

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
                writeln!(text, "{name} = {} # {}", masked(&inline(&known)), layers.origin(&value.span()))
            }
            _ => writeln!(text, "# {name} isn't set{}", key.unset),
        };
    }
    text
}
