//! A clinician's file as the cells of a row.

use std::collections::BTreeMap;

use directory::model::StateCode;
use toml::{Table, Value};

use super::column::{Column, PLANS, cell_text};
use crate::edit::{NewValue, text};

const BYTE_ORDER_MARK: char = '\u{feff}';

#[derive(Debug)]
pub struct Profile {
    pub(super) slug: String,
    pub text: String,
    values: BTreeMap<Column, NewValue>,
    /// The keys that have no column.
    other_keys: Table,
}

impl Profile {
    /// Parses a file. The content was checked, so values have the types of their keys.
    pub(super) fn parse(slug: &str, text: String) -> Result<Self, String> {
        let body = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&text);
        let mut other_keys: Table = toml::from_str(body).map_err(|_| "the file is not valid TOML anymore")?;
        let mut values = BTreeMap::new();
        for column in Column::fixed() {
            if let Some([key]) = column.key_path().as_deref()
                && let Some(value) = other_keys.get(key).and_then(parse_value)
            {
                other_keys.remove(key);
                values.insert(column, value);
            }
        }
        if let Some(Value::Table(plans)) = other_keys.get_mut(PLANS) {
            plans.retain(|key, value| {
                let (Ok(column), Some(value)) = (plans_column(PLANS, key), parse_value(value)) else {
                    return true;
                };
                values.insert(column, value);
                false
            });
            if plans.is_empty() {
                other_keys.remove(PLANS);
            }
        }
        // An empty text counts as absent.
        values.retain(|_, value| *value != NewValue::Text(String::new()));
        Ok(Self { slug: slug.to_owned(), text, values, other_keys })
    }

    pub(super) fn new(slug: &str, id: &str) -> Result<Self, String> {
        Self::parse(slug, format!("id = {}\n", text::quoted(id)))
    }

    #[must_use]
    pub fn path(&self) -> String {
        format!("providers/{}.toml", self.slug)
    }

    /// Returns the states of the licenses and of the plans.
    pub(super) fn states(&self) -> impl Iterator<Item = StateCode> {
        let licensed = Column::parse("licensed").ok().and_then(|column| self.value(column));
        let licensed: &[String] = if let Some(NewValue::Texts(states)) = licensed { states } else { &[] };
        let with_plans = self
            .values
            .keys()
            .filter_map(|column| if let Column::PlansIn(state) = column { Some(*state) } else { None });
        licensed.iter().filter_map(|state| state.parse().ok()).chain(with_plans)
    }

    pub(super) fn value(&self, column: Column) -> Option<&NewValue> {
        self.values.get(&column)
    }

    pub(super) fn cell(&self, column: Column) -> String {
        if column == Column::Slug {
            return self.slug.clone();
        }
        self.value(column).map(cell_text).unwrap_or_default()
    }

    /// Returns the file with a new value in a column. `None` removes the key. Fails if anything else would change.
    pub(super) fn with_value(self, column: Column, value: Option<&NewValue>) -> Result<Self, String> {
        let text = self
            .edited_text(column, value)
            .map_err(|why| format!("the import cannot edit providers/{}.toml: {why}", self.slug))?;
        let edited = Self::parse(&self.slug, text).ok();
        let mut expected = self.values;
        match value {
            Some(value) => _ = expected.insert(column, value.clone()),
            None => _ = expected.remove(&column),
        }
        let is_expected = |edited: &Self| {
            cells(&edited.values) == cells(&expected)
                && without_empty_plans(&edited.other_keys) == without_empty_plans(&self.other_keys)
        };
        edited.filter(is_expected).ok_or_else(|| {
            let path = format!("providers/{}.toml", self.slug);
            format!("the import cannot edit {path} the way it is written: make this change in the file")
        })
    }

    fn edited_text(&self, column: Column, value: Option<&NewValue>) -> Result<String, String> {
        let path = column.key_path().ok_or("a slug is not a key")?;
        let (mark, body) = match self.text.strip_prefix(BYTE_ORDER_MARK) {
            Some(body) => ("\u{feff}", body),
            None => ("", self.text.as_str()),
        };
        let edited = match (path.as_slice(), value) {
            ([key], Some(value)) => text::set(body, key, value, &column.keys_above()),
            ([key], None) => text::remove(body, key),
            ([table, key], value) => {
                let is_above = |other: &str| plans_column(table, other).is_ok_and(|other| other < column);
                text::set_in_table(body, (table, key), value, is_above, &column.keys_above())
            }
            _ => Err("a key is in one table at most".to_owned()),
        }?;
        Ok(format!("{mark}{edited}"))
    }
}

fn plans_column(table: &str, key: &str) -> Result<Column, String> {
    Column::parse(&format!("{table} {key}"))
}

/// Returns the values as cells, in which line ends do not matter.
fn cells(values: &BTreeMap<Column, NewValue>) -> Vec<(Column, String)> {
    values.iter().map(|(column, value)| (*column, cell_text(value))).collect()
}

fn without_empty_plans(keys: &Table) -> Table {
    let mut keys = keys.clone();
    if keys.get(PLANS).and_then(Value::as_table).is_some_and(Table::is_empty) {
        keys.remove(PLANS);
    }
    keys
}

/// Returns `None` if a cell cannot hold the value.
fn parse_value(value: &Value) -> Option<NewValue> {
    match value {
        Value::String(text) => Some(NewValue::Text(text.clone())),
        Value::Boolean(flag) => Some(NewValue::Flag(*flag)),
        Value::Array(items) => {
            let numbers: Option<Vec<i64>> = items.iter().map(Value::as_integer).collect();
            if let Some(numbers) = numbers.filter(|numbers| !numbers.is_empty()) {
                return Some(NewValue::Numbers(numbers));
            }
            let texts = items.iter().map(|item| item.as_str().map(str::to_owned));
            Some(NewValue::Texts(texts.collect::<Option<_>>()?))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "\u{feff}id = 'p-1' # never changed\r\nsort-name = \"\"\r\nbio = \"\"\"\r\nOne.\r\nTwo.\"\"\"\r\nappointment-types = []\r\n\r\n[insurance]\r\nCA  = [\"A; B\"]\r\n\r\n[[education]]\r\ndegree = \"MD\"\r\n";

    fn column(name: &str) -> Column {
        Column::parse(name).unwrap()
    }

    #[test]
    fn a_file_becomes_cells_and_gets_new_values() {
        let profile = Profile::parse("jane", FILE.to_owned()).unwrap();
        let cell = |profile: &Profile, name: &str| profile.cell(column(name));
        for (name, wanted) in [
            ("id", "p-1"),
            ("slug", "jane"),
            ("sort-name", ""),
            ("bio", "One.\nTwo."),
            ("appointment-types", "none"),
            ("insurance CA", "\"A; B\""),
            ("insurance all", ""),
        ] {
            assert_eq!(cell(&profile, name), wanted, "{name}");
        }
        let plans = NewValue::Texts(vec!["C".to_owned()]);
        let edited = profile.with_value(column("insurance all"), Some(&plans)).unwrap();
        assert_eq!(edited.text, FILE.replace("CA  =", "all = [\"C\"]\r\nCA  ="));
        let bio = NewValue::Text("One.\nThree.".to_owned());
        let edited = edited
            .with_value(column("insurance all"), None)
            .unwrap()
            .with_value(column("bio"), Some(&bio))
            .unwrap();
        assert_eq!(edited.text, FILE.replace("Two", "Three"));
        let types = NewValue::Numbers(vec![101, 201]);
        let edited = edited.with_value(column("appointment-types"), Some(&types)).unwrap();
        let edited = edited.with_value(column("insurance CA"), None).unwrap();
        assert_eq!(
            edited.text,
            FILE.replace("Two", "Three").replace("[]", "[101, 201]").replace("CA  = [\"A; B\"]\r\n", "")
        );
    }

    #[test]
    fn a_file_that_the_import_cannot_edit_is_refused() {
        let profile = Profile::parse("jane", "id = 'p'\ninsurance.CA = ['A']\n".to_owned()).unwrap();
        let plans = NewValue::Texts(vec!["C".to_owned()]);
        let why = profile.with_value(column("insurance TX"), Some(&plans)).unwrap_err();
        assert_eq!(
            why,
            "the import cannot edit providers/jane.toml: write [insurance] on its own line at the end of the \
             file, and its keys below it"
        );
    }
}
