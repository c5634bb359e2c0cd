//! A place in the content in the words of the form: "Hours › Exceptions › 2 › To", and the link that opens it there.

use directory::content::KeyStep;
use serde_json::Value;

use super::config::{EditedFile, KINDS, schema_of};
use super::fields::{has_plans, label, plans_label};

pub(crate) struct FormPlace {
    /// The labels of the collection and of each key.
    pub(crate) label: String,
    /// The part of the form's address behind its host.
    pub(crate) link: String,
}

/// Where the form shows a key of a file, if it shows the file. `path` is relative to the content folder.
pub(crate) fn place(path: &str, key: &[KeyStep]) -> Option<FormPlace> {
    let (kind, entry) = KINDS.iter().find_map(|kind| Some((kind, entry(kind, path)?)))?;
    let mut labels = vec![kind.label.to_owned()];
    let mut schema = &schema_of(kind.name);
    for step in key {
        match step {
            KeyStep::Key(name) => {
                let below = &schema["properties"][name.as_str()];
                labels.push(if has_plans(schema) {
                    plans_label(name)
                } else if below.is_null() {
                    name.clone()
                } else {
                    label(name, below)
                });
                schema = below;
            }
            KeyStep::Entry(at) => {
                labels.push((at + 1).to_string());
                schema = &schema["items"];
            }
        }
    }
    let link = format!("/#/collections/{}/entries/{entry}", kind.collection);
    Some(FormPlace { label: labels.join(" › "), link })
}

fn entry(kind: &EditedFile, path: &str) -> Option<String> {
    let Some(folder) = kind.path.strip_suffix('/') else {
        return (path == kind.path).then(|| kind.name.to_owned());
    };
    let name = path.strip_prefix(folder)?.strip_prefix('/')?.strip_suffix(".toml")?;
    let entry = if kind.name == "holidays" { format!("holidays-{name}") } else { name.to_owned() };
    is_name(name).then_some(entry)
}

pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// The place in a report's JSON: keys as texts, positions in lists as numbers from 0.
pub(crate) fn as_json(key: &[KeyStep]) -> Value {
    key.iter()
        .map(|step| match step {
            KeyStep::Key(name) => Value::from(name.as_str()),
            KeyStep::Entry(at) => Value::from(*at),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_named_in_the_words_of_the_form() {
        let key = |name: &str| KeyStep::Key(name.to_owned());
        let place = |path: &str, key: &[KeyStep]| place(path, key).map(|place| (place.label, place.link));
        let entry = |collection: &str, name: &str| format!("/#/collections/{collection}/entries/{name}");
        assert_eq!(
            place("availability/jane-doe.toml", &[key("exception"), KeyStep::Entry(1), key("to")]),
            Some(("Hours › Exceptions › 2 › To".to_owned(), entry("availability", "jane-doe")))
        );
        assert_eq!(
            place("providers/jane-doe.toml", &[key("accepting"), KeyStep::Entry(0)]),
            Some(("Clinicians › Accepts new patients in › 1".to_owned(), entry("providers", "jane-doe")))
        );
        assert_eq!(
            place("providers/jane-doe.toml", &[key("insurance"), key("AZ"), KeyStep::Entry(0)]),
            Some((
                "Clinicians › Insurance › More plans in Arizona › 1".to_owned(),
                entry("providers", "jane-doe")
            ))
        );
        assert_eq!(
            place("insurances.toml", &[key("plan"), KeyStep::Entry(2), key("name")]),
            Some(("Insurance plans › Plans › 3 › Name".to_owned(), entry("clinic", "insurances")))
        );
        assert_eq!(
            place("holidays/us-federal.toml", &[key("dates")]),
            Some(("Holidays › Dates".to_owned(), entry("clinic", "holidays-us-federal")))
        );
        assert_eq!(
            place("providers/jane-doe.toml", &[key("color")]),
            Some(("Clinicians › color".to_owned(), entry("providers", "jane-doe")))
        );
        for path in ["allow.toml", "providers/a/b.toml", "providers/J%20.toml", "providers/"] {
            assert!(place(path, &[]).is_none(), "{path}");
        }
    }
}
