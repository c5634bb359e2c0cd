//! What the format has to know of a kind of file, as paths of keys with `*` for the entries of a list.

use serde_json::{Value, json};

/// The keys whose values are `dates`, the `lists` that are kept even if they are empty, and the lists that may be
/// a word (`words`).
pub(super) fn keys(schema: &Value) -> Value {
    let mut found = Keys::default();
    found.below("", schema, false);
    json!({"dates": found.dates, "lists": found.lists, "words": found.words})
}

#[derive(Default)]
struct Keys {
    dates: Vec<String>,
    lists: Vec<String>,
    words: Vec<String>,
}

impl Keys {
    fn below(&mut self, path: &str, schema: &Value, is_required: bool) {
        if schema["pattern"] == "^[0-9]{4}-[0-9]{2}-[0-9]{2}$" {
            self.dates.push(path.to_owned());
        }
        if schema["anyOf"].is_array() {
            self.words.push(path.to_owned());
        }
        if schema["type"] == "array" {
            if is_required {
                self.lists.push(path.to_owned());
            }
            self.below(&joined(path, "*"), &schema["items"], false);
        }
        for (name, key) in schema["properties"].as_object().into_iter().flatten() {
            let required = schema["required"].as_array();
            let is_required = required.is_some_and(|names| names.iter().any(|known| known == name));
            self.below(&joined(path, name), key, is_required);
        }
    }
}

fn joined(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}
