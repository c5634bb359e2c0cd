//! What each key of a content file holds, from the schemas of the files.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::Value;

use super::schema::schemas;
use crate::model::{StateCode, folded};
use crate::near::nearest;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Atom {
    Text,
    Word(Vec<String>),
    Flag,
    Number,
    Date,
    Duration,
    Zone,
    Day,
    Hours,
    State,
    Npi,
    Slug,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Shape {
    One(Atom),
    List(Atom),
    /// A list, or this word.
    ListOr(Atom, &'static str),
    /// `[table]`
    Table,
    /// `[[table]]`
    Tables,
}

/// The keys of a table. A table with keys of the clinic's own has one shape for all of them.
#[derive(Debug, Default)]
pub(super) struct Keys {
    named: BTreeMap<String, Shape>,
    any: Option<Shape>,
    required: Vec<String>,
}

impl Keys {
    pub(super) fn get(&self, key: &str) -> Option<&Shape> {
        self.named.get(key).or(self.any.as_ref())
    }

    pub(super) fn requires(&self, key: &str) -> bool {
        self.required.iter().any(|required| required == key)
    }

    /// The keys that a table with these ones still lacks.
    pub(super) fn required_beside(&self, written: &[&str]) -> Vec<&str> {
        self.required.iter().map(String::as_str).filter(|key| !written.contains(key)).collect()
    }

    /// The known key that is written as `text` but for case, spaces and underscores.
    pub(super) fn spelled(&self, text: &str) -> Option<&str> {
        let plain = plain_key(text);
        self.named.keys().find(|key| plain_key(key) == plain).map(String::as_str)
    }

    /// The key for which other software has this name.
    pub(super) fn synonym(&self, text: &str) -> Option<&'static str> {
        let folded = folded(text);
        let is_meant = |(key, written): &&(&str, &[&str])| {
            written.contains(&folded.as_str()) && self.named.contains_key(*key)
        };
        SYNONYMS.iter().find(is_meant).map(|(key, _)| *key)
    }

    pub(super) fn near(&self, text: &str) -> Option<&str> {
        let folded = folded(text).replace('_', "-");
        let only = || self.named.keys().next().filter(|_| self.named.len() == 1).map(String::as_str);
        let near = || nearest(text, self.named.keys().map(String::as_str));
        // "clinic-name"
        let last = || folded.rsplit(['-', ' ', '_']).next().filter(|_| folded.contains(['-', ' ', '_']));
        let named = || self.named.get_key_value(last()?).map(|(key, _)| key.as_str());
        if ["first-name", "last-name", "given-name", "family-name"].contains(&folded.as_str()) {
            return None;
        }
        self.synonym(text).or_else(near).or_else(named).or_else(only)
    }

    fn of(schema: &Value) -> Self {
        let properties = schema["properties"].as_object().into_iter().flatten();
        let named = properties.map(|(key, property)| (key.clone(), shape(key, property))).collect();
        let any = schema.get("additionalProperties").filter(|any| any.is_object()).map(|any| shape("", any));
        let required = schema["required"].as_array().into_iter().flatten();
        let required = required.filter_map(|key| key.as_str().map(str::to_owned)).collect();
        Self { named, any, required }
    }
}

/// What people write in place of a key, in English and in Spanish.
const SYNONYMS: [(&str, &[&str]); 36] = [
    // The first three are nearer to the table `license` by their letters.
    ("licensed", &["licenced", "licences", "licenses", "states", "licencias"]),
    ("display-name", &["name", "nombre"]),
    ("postal-code", &["zip", "zip-code", "zipcode"]),
    ("line", &["street", "address", "street-address", "direccion"]),
    ("phone", &["telephone", "telefono"]),
    ("headshot", &["photo", "portrait", "picture", "foto"]),
    ("bio", &["biography", "biografia"]),
    ("insurance", &["plans", "seguros"]),
    ("institution", &["school", "university", "college", "universidad"]),
    ("field", &["major", "subject"]),
    ("year", &["graduated", "graduation-year", "ano"]),
    ("credentials", &["title", "titles", "degrees", "suffix", "credenciales"]),
    ("clinical-interests", &["interests", "specialties", "intereses"]),
    ("accepting", &["accepting-new-patients", "new-patients", "acepta"]),
    ("appointment-types", &["visits", "visit-types"]),
    ("provider-type", &["type", "role", "profession", "profesion"]),
    ("gender", &["sex", "genero"]),
    ("kind", &["type", "tipo"]),
    ("from", &["start", "begin", "starts", "start-date", "begin-date", "first-day", "desde"]),
    ("to", &["end", "ends", "through", "until", "hasta"]),
    ("until", &["to", "end", "return-date", "returns", "return", "back", "hasta"]),
    ("timezone", &["tz"]),
    ("days", &["day", "dias"]),
    ("hours", &["time", "times", "horario", "horas"]),
    ("duration", &["length", "duracion"]),
    ("modality", &["mode"]),
    ("site-url", &["website"]),
    ("name", &["plan", "nombre"]),
    ("new-patient-eligible", &["new-patients"]),
    ("languages", &["idiomas"]),
    ("city", &["ciudad"]),
    ("expires", &["expiration", "expiration-date", "expiry", "exp-date", "exp", "valid-until", "vence"]),
    ("state", &["estado"]),
    ("degree", &["titulo"]),
    ("date", &["fecha"]),
    ("description", &["descripcion"]),
];

/// The letters and digits of a word, without case.
pub(super) fn plain_key(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect()
}

/// The tables of a kind of file by their names. The top of the file has the empty name.
#[derive(Debug, Default)]
pub(super) struct Form(BTreeMap<String, Keys>);

impl Form {
    pub(super) fn of_file(path: &str) -> Option<&'static Self> {
        static FORMS: LazyLock<BTreeMap<&'static str, Form>> = LazyLock::new(|| {
            schemas().into_iter().map(|(kind, schema)| (kind, Form::of(schema.as_value()))).collect()
        });
        let kind = match path.split_once('/') {
            Some(("providers", _)) => "provider",
            Some((folder, _)) => folder,
            None => path.strip_suffix(".toml")?,
        };
        FORMS.get(kind)
    }

    /// The form of a file of translations, whose keys are the clinic's texts.
    pub(super) fn without_keys() -> &'static Self {
        static NONE: Form = Form(BTreeMap::new());
        &NONE
    }

    pub(super) fn table(&self, name: &str) -> Option<&Keys> {
        self.0.get(name)
    }

    pub(super) fn tables_with<'a>(&'a self, key: &'a str) -> impl Iterator<Item = &'a str> {
        let is_of_any = key == "all" || key.parse::<StateCode>().is_ok();
        let has = move |keys: &Keys| keys.named.contains_key(key) || is_of_any && keys.any.is_some();
        self.0.iter().filter(move |(name, keys)| !name.is_empty() && has(keys)).map(|(name, _)| name.as_str())
    }

    pub(super) fn top(&self) -> Option<&Keys> {
        self.table("")
    }

    fn of(schema: &Value) -> Self {
        let mut tables = BTreeMap::from([(String::new(), Keys::of(schema))]);
        for (key, property) in schema["properties"].as_object().into_iter().flatten() {
            let table = if property["type"] == "array" { &property["items"] } else { property };
            if table["type"] == "object" {
                tables.insert(key.clone(), Keys::of(table));
            }
        }
        Self(tables)
    }
}

pub(super) fn keys_of(path: &str) -> Option<&'static Keys> {
    Form::of_file(path)?.top()
}

fn shape(key: &str, schema: &Value) -> Shape {
    let items = &schema["items"];
    let kind = schema["x-editor"]["as"].as_str().unwrap_or_default();
    if let Some(forms) = schema["anyOf"].as_array()
        && forms.iter().any(|form| form["enum"][0] == "all")
    {
        return Shape::ListOr(Atom::State, "all");
    }
    match schema["type"].as_str() {
        Some("object") => Shape::Table,
        Some("array") if items["type"] == "object" => Shape::Tables,
        Some("array") => Shape::List(atom(key, kind, items)),
        _ => Shape::One(atom(key, kind, schema)),
    }
}

fn atom(key: &str, kind: &str, schema: &Value) -> Atom {
    let words = schema["enum"].as_array().map(|words| words.iter().filter_map(Value::as_str));
    match (kind, schema["type"].as_str()) {
        (_, Some("boolean")) => Atom::Flag,
        (_, Some("integer")) => Atom::Number,
        ("time", _) => Atom::Duration,
        ("zone", _) => Atom::Zone,
        ("days", _) => Atom::Day,
        ("hours", _) => Atom::Hours,
        ("states", _) => Atom::State,
        _ if key == "npi" => Atom::Npi,
        _ if ["slug", "former-slugs"].contains(&key) => Atom::Slug,
        _ if schema["pattern"].is_string() => Atom::Date,
        _ => words.map_or(Atom::Text, |words| Atom::Word(words.map(str::to_owned).collect())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_their_shapes() {
        let shape = |path: &str, table: &str, key: &str| {
            Form::of_file(path).and_then(|form| form.table(table)?.get(key).cloned())
        };
        for (path, table, key, expected) in [
            ("providers/a.toml", "", "licensed", Some(Shape::List(Atom::State))),
            ("providers/a.toml", "", "bio", Some(Shape::One(Atom::Text))),
            ("providers/a.toml", "", "npi", Some(Shape::One(Atom::Npi))),
            ("providers/a.toml", "", "education", Some(Shape::Tables)),
            ("providers/a.toml", "insurance", "CA", Some(Shape::List(Atom::Text))),
            ("providers/a.toml", "certifications", "expires", Some(Shape::One(Atom::Date))),
            ("availability/a.toml", "weekly", "hours", Some(Shape::List(Atom::Hours))),
            ("availability/a.toml", "weekly", "types", Some(Shape::List(Atom::Number))),
            ("availability/a.toml", "buffer", "after", Some(Shape::One(Atom::Duration))),
            ("availability/a.toml", "", "timezone", Some(Shape::One(Atom::Zone))),
            ("appointment-types.toml", "type", "states", Some(Shape::ListOr(Atom::State, "all"))),
            ("appointment-types.toml", "type", "enabled", Some(Shape::One(Atom::Flag))),
            ("holidays/us.toml", "", "dates", Some(Shape::List(Atom::Date))),
            ("holidays/us.toml", "", "date", None),
            ("notes.toml", "", "a", None),
        ] {
            assert_eq!(shape(path, table, key), expected, "{path} {table} {key}");
        }
        let top = Form::of_file("providers/a.toml").unwrap().top().unwrap();
        assert_eq!(top.spelled("displayName"), Some("display-name"));
        assert_eq!(top.spelled("Display_Name"), Some("display-name"));
        assert_eq!((top.near("licenced"), top.near("zzz")), (Some("licensed"), None));
        let only = Form::of_file("retired.toml").unwrap().top().unwrap();
        assert_eq!(only.near("retired"), Some("provider"));
    }
}
