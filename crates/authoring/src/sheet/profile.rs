//! A clinician's file as the cells of a row.

use std::collections::BTreeMap;

use directory::model::StateCode;
use toml::{Table, Value};

use super::column::{Column, PLANS, shown};
use crate::edit::NewValue;
use crate::edit::text;

const BYTE_ORDER_MARK: char = '\u{feff}';

/// A clinician's file.
#[derive(Debug)]
pub struct Profile {
    pub(super) slug: String,
    pub text: String,
    values: BTreeMap<Column, NewValue>,
    /// What the sheet does not show.
    rest: Table,
}

impl Profile {
    /// Reads a file. The content was checked, so values have the types of their keys.
    pub(super) fn parse(slug: &str, text: String) -> Result<Self, String> {
        let body = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&text);
        let mut rest: Table = toml::from_str(body).map_err(|_| "the file is not valid TOML any more")?;
        let mut values = BTreeMap::new();
        for column in Column::fixed() {
            if let Some([key]) = column.path().as_deref()
                && let Some(value) = rest.get(key).and_then(value_of)
            {
                rest.remove(key);
                values.insert(column, value);
            }
        }
        if let Some(Value::Table(plans)) = rest.get_mut(PLANS) {
            plans.retain(|key, value| match (Column::of(&format!("{PLANS} {key}")), value_of(value)) {
                (Ok(column), Some(value)) => {
                    values.insert(column, value);
                    false
                }
                _ => true,
            });
            if plans.is_empty() {
                rest.remove(PLANS);
            }
        }
        // An empty text counts as absent.
        values.retain(|_, value| *value != NewValue::Text(String::new()));
        Ok(Self { slug: slug.to_owned(), text, values, rest })
    }

    /// A file with only an id.
    pub(super) fn new(slug: &str, id: &str) -> Result<Self, String> {
        Self::parse(slug, format!("id = {}\n", text::quoted(id)))
    }

    #[must_use]
    pub fn path(&self) -> String {
        format!("providers/{}.toml", self.slug)
    }

    /// The states of the licenses and of the plans.
    pub(super) fn states(&self) -> impl Iterator<Item = StateCode> {
        let licensed = Column::of("licensed").ok().and_then(|column| self.value(column));
        let licensed = match licensed {
            Some(NewValue::Texts(states)) => states.as_slice(),
            _ => &[],
        };
        let of_plans = self.values.keys().filter_map(|column| match column {
            Column::PlansIn(state) => Some(*state),
            _ => None,
        });
        licensed.iter().filter_map(|state| state.parse().ok()).chain(of_plans)
    }

    pub(super) fn value(&self, column: Column) -> Option<&NewValue> {
        self.values.get(&column)
    }

    /// What the cell of a column shows.
    pub(super) fn cell(&self, column: Column) -> String {
        if column == Column::Slug {
            return self.slug.clone();
        }
        self.value(column).map(shown).unwrap_or_default()
    }

    /// The file with another value of a column; `None` removes its key. Fails if anything else would change.
    pub(super) fn edited(self, column: Column, value: Option<&NewValue>) -> Result<Self, String> {
        let path = column.path().ok_or("a slug is no key")?;
        let (mark, body) = match self.text.strip_prefix(BYTE_ORDER_MARK) {
            Some(body) => ("\u{feff}", body),
            None => ("", self.text.as_str()),
        };
        let body = match (path.as_slice(), value) {
            ([key], Some(value)) => text::set(body, key, value, &column.below()),
            ([key], None) => text::remove(body, key),
            ([table, key], value) => {
                let is_above =
                    |other: &str| Column::of(&format!("{table} {other}")).is_ok_and(|other| other < column);
                text::set_in_table(body, (table, key), value, is_above, &column.below())
            }
            _ => return Err("a value is at most in one table".to_owned()),
        }
        .map_err(|why| format!("providers/{}.toml cannot be edited by cell: {why}", self.slug))?;
        let new = Self::parse(&self.slug, format!("{mark}{body}"));
        let mut wanted = self.values;
        match value {
            Some(value) => _ = wanted.insert(column, value.clone()),
            None => _ = wanted.remove(&column),
        }
        // Compared as cells, because line ends may differ.
        let cells = |values: &BTreeMap<Column, NewValue>| -> Vec<_> {
            values.iter().map(|(column, value)| (*column, shown(value))).collect()
        };
        match new {
            Ok(new)
                if cells(&new.values) == cells(&wanted)
                    && without_empty_plans(&new.rest) == without_empty_plans(&self.rest) =>
            {
                Ok(new)
            }
            _ => Err(format!(
                "providers/{}.toml is written in a way that cannot be edited by cell: write this into the file by hand",
                self.slug
            )),
        }
    }
}

/// The rest, without a table of plans that is empty.
fn without_empty_plans(rest: &Table) -> Table {
    let mut rest = rest.clone();
    if rest.get(PLANS).and_then(Value::as_table).is_some_and(Table::is_empty) {
        rest.remove(PLANS);
    }
    rest
}

fn value_of(value: &Value) -> Option<NewValue> {
    Some(match value {
        Value::String(text) => NewValue::Text(text.clone()),
        Value::Boolean(flag) => NewValue::Flag(*flag),
        Value::Array(items) => {
            if let Some(numbers) = items.iter().map(Value::as_integer).collect::<Option<Vec<_>>>()
                && !numbers.is_empty()
            {
                NewValue::Numbers(numbers)
            } else {
                let texts = items.iter().map(|item| item.as_str().map(str::to_owned));
                NewValue::Texts(texts.collect::<Option<_>>()?)
            }
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "\u{feff}id = 'p-1' # never changed\r\nsort-name = \"\"\r\nbio = \"\"\"\r\nOne.\r\nTwo.\"\"\"\r\nappointment-types = []\r\n\r\n[insurance]\r\nCA  = [\"A; B\"]\r\n\r\n[[education]]\r\ndegree = \"MD\"\r\n";

    fn column(name: &str) -> Column {
        Column::of(name).unwrap()
    }

    #[test]
    fn a_file_is_shown_as_cells_and_edited_by_cell() {
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
        let edited = profile.edited(column("insurance all"), Some(&plans)).unwrap();
        assert_eq!(edited.text, FILE.replace("CA  =", "all = [\"C\"]\r\nCA  ="));
        let bio = NewValue::Text("One.\nThree.".to_owned());
        let edited =
            edited.edited(column("insurance all"), None).unwrap().edited(column("bio"), Some(&bio)).unwrap();
        assert_eq!(edited.text, FILE.replace("Two", "Three"));
        let types = NewValue::Numbers(vec![101, 201]);
        let edited = edited.edited(column("appointment-types"), Some(&types)).unwrap();
        let edited = edited.edited(column("insurance CA"), None).unwrap();
        assert_eq!(
            edited.text,
            FILE.replace("Two", "Three").replace("[]", "[101, 201]").replace("CA  = [\"A; B\"]\r\n", "")
        );
    }

    #[test]
    fn a_file_that_cannot_be_edited_by_cell_is_refused() {
        let profile = Profile::parse("jane", "id = 'p'\ninsurance.CA = ['A']\n".to_owned()).unwrap();
        let plans = NewValue::Texts(vec!["C".to_owned()]);
        let why = profile.edited(column("insurance TX"), Some(&plans)).unwrap_err();
        assert_eq!(
            why,
            "providers/jane.toml cannot be edited by cell: write [insurance] on a line of its own at the end of the \
             file, and its keys below it"
        );
    }
}
