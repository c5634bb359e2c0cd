//! The effective configuration, as a file that would give it again, with where each value comes from.

use std::fmt::Write as _;

use super::keys::KEYS;
use super::layers::{Layers, Origin};

/// All settings, in the order of the keys.
pub(super) fn print(layers: &Layers) -> String {
    let mut text = String::new();
    let mut table = None;
    for key in &KEYS {
        let (group, name) = key.place();
        if group != table {
            table = group;
            if let Some(group) = group {
                _ = write!(text, "\n[{group}]\n");
            }
        }
        let Some(placed) = layers.values.get(key.name) else {
            _ = writeln!(text, "# {name} is not set{}", key.unset);
            continue;
        };
        let from = match (&placed.origin, &layers.file) {
            (Origin::File(span), Some(file)) => format!("{}:{}", file.name, file.line(span.start)),
            (Origin::Default | Origin::File(_), _) => "default".to_owned(),
            (Origin::Environment(variable), _) => variable.clone(),
            (Origin::Flag(flag), _) => flag.clone(),
        };
        _ = writeln!(text, "{name} = {} # {from}", written(&placed.value));
    }
    text
}

/// A value as TOML on one line. A text of JSON is a text of TOML.
fn written(value: &toml::Value) -> String {
    let joined = |items: Vec<String>| items.join(", ");
    match value {
        toml::Value::String(text) => quoted(text),
        toml::Value::Integer(number) => number.to_string(),
        toml::Value::Float(number) => format!("{number:?}"),
        toml::Value::Boolean(switch) => switch.to_string(),
        toml::Value::Datetime(moment) => moment.to_string(),
        toml::Value::Array(items) => format!("[{}]", joined(items.iter().map(written).collect())),
        toml::Value::Table(table) => {
            let pair = |(name, value): (&String, _)| format!("{} = {}", quoted(name), written(value));
            format!("{{ {} }}", joined(table.iter().map(pair).collect()))
        }
    }
}

fn quoted(text: &str) -> String {
    // A DEL is the one character that JSON lets stand and TOML does not.
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}
