//! Values as TOML writes them, on one line.

use directory::content::toml_text;

pub(super) fn inline(value: &toml::Value) -> String {
    let joined = |items: Vec<String>| items.join(", ");
    match value {
        toml::Value::String(text) => toml_text(text),
        toml::Value::Integer(number) => number.to_string(),
        toml::Value::Float(number) => format!("{number:?}"),
        toml::Value::Boolean(switch) => switch.to_string(),
        toml::Value::Datetime(datetime) => datetime.to_string(),
        toml::Value::Array(items) => format!("[{}]", joined(items.iter().map(inline).collect())),
        toml::Value::Table(table) => {
            let pair = |(name, value): (&String, _)| format!("{} = {}", toml_text(name), inline(value));
            format!("{{ {} }}", joined(table.iter().map(pair).collect()))
        }
    }
}
