//! Prints the effective settings as a configuration file, with each value's origin as a comment.

use std::fmt::Write as _;

use super::keys::KEYS;
use super::layers::{Layers, Origin};

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
        let Some(setting) = layers.values.get(key.name) else {
            _ = writeln!(text, "# {name} is not set{}", key.unset);
            continue;
        };
        let origin = match (&setting.origin, &layers.file) {
            (Origin::File(span), Some(file)) => format!("{}:{}", file.name, file.line(span.start)),
            (Origin::Default | Origin::File(_), _) => "default".to_owned(),
            (Origin::Environment(variable), _) => variable.clone(),
            (Origin::Flag(flag), _) => flag.clone(),
        };
        _ = writeln!(text, "{name} = {} # {origin}", inline(&setting.value));
    }
    text
}

fn inline(value: &toml::Value) -> String {
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

fn quoted(text: &str) -> String {
    // A JSON string is a TOML string, except that TOML requires an escape for DEL.
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}
