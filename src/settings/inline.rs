//! Values as TOML writes them, on one line.

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
