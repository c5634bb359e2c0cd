//! A clinician's file as the cells of a row.

use std::collections::BTreeMap;

use directory::model::StateCode;
use toml::{Table, Value};

use super::column::{Column, LEAVE, PLANS, cell_text};
use crate::edit::{NewValue, text};

#[derive(Debug)]
pub struct Profile {
    pub(super) slug: String,
    pub text: String,
    values: BTreeMap<Column, NewValue>,
    /// The keys that have no column.
    other_keys: Table,
}

impl Profile {
    /// Parses a file. The content was checked, so each value has the type that its key requires.
    pub(super) fn parse(slug: &str, text: String) -> Result<Self, String> {
        let (_, body) = text::split_byte_order_mark(&text);
        let mut other_keys: Table = toml::from_str(body).map_err(|_| "the file isn't valid TOML anymore")?;
        let mut values = BTreeMap::new();
        for column in Column::fixed() {
            if let Some([key]) = column.key_path().as_deref() {
                values.extend(take_value(&mut other_keys, key).map(|value| (column, value)));
            }
        }
        take_leaves(&mut other_keys, &mut values);
        if let Some(Value::Table(plans)) = other_keys.get_mut(PLANS) {
            for key in plans.keys().cloned().collect::<Vec<_>>() {
                if let Some(column) = plans_column(&key) {
                    values.extend(take_value(plans, &key).map(|value| (column, value)));
                }
            }
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

    pub fn path(&self) -> String {
        format!("providers/{}.toml", self.slug)
    }

    pub(super) fn states(&self) -> impl Iterator<Item = StateCode> {
        let licensed = Column::parse("licensed").ok().and_then(|column| self.value(column));
        let licensed: &[String] = if let Some(NewValue::Texts(states)) = licensed { states } else { &[] };
        let with_plans = self
            .values
            .keys()
            .filter_map(|column| if let Column::PlansIn(state) = column { Some(*state) } else { None });
        licensed.iter().filter_map(|state| state.parse().ok()).chain(with_plans)
    }

    /// Returns the plans of all states, some perhaps several times.
    pub fn plans(&self) -> impl Iterator<Item = &str> {
        let of_plans = |column: &Column| matches!(column, Column::PlansEverywhere | Column::PlansIn(_));
        let values = self.values.iter().filter(move |(column, _)| of_plans(column));
        let plans = values
            .flat_map(|(_, value)| if let NewValue::Texts(plans) = value { plans.as_slice() } else { &[] });
        plans.map(String::as_str)
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
        let path = self.path();
        let text =
            self.edited_text(column, value).map_err(|why| format!("the import can't edit {path}: {why}"))?;
        let edited = Self::parse(&self.slug, text).ok();
        let mut expected = self.values;
        match value {
            Some(value) => _ = expected.insert(column, value.clone()),
            None => _ = expected.remove(&column),
        }
        let is_expected =
            |edited: &Self| cells(&edited.values) == cells(&expected) && edited.other_keys == self.other_keys;
        edited.filter(is_expected).ok_or_else(|| {
            format!("the import can't edit {path} the way it is written: make this change in the file")
        })
    }

    fn edited_text(&self, column: Column, value: Option<&NewValue>) -> Result<String, String> {
        let path = column.key_path().ok_or("a slug isn't a key")?;
        let (mark, body) = text::split_byte_order_mark(&self.text);
        let edited = match (path.as_slice(), value) {
            ([key], Some(value)) => text::set(body, key, value, &column.keys_above()),
            ([key], None) => text::remove(body, key),
            ([list, key], value) if list == LEAVE => {
                let dates: &[String] = if let Some(NewValue::Texts(dates)) = value { dates } else { &[] };
                let dates = dates.iter().filter_map(|date| date.parse().ok().map(NewValue::Date));
                text::set_in_tables(body, (list, key), &dates.collect::<Vec<_>>())
            }
            ([table, key], value) => {
                let is_above = |other: &str| plans_column(other).is_some_and(|other| other < column);
                text::set_in_table(body, (table, key), value, is_above, &column.keys_above())
            }
            _ => Err("a key is in one table at most".to_owned()),
        }?;
        Ok(format!("{mark}{edited}"))
    }
}

fn plans_column(key: &str) -> Option<Column> {
    Column::parse(&format!("{PLANS} {key}")).ok()
}

fn take_value(keys: &mut Table, key: &str) -> Option<NewValue> {
    let value = keys.get(key).and_then(parse_value)?;
    keys.remove(key);
    Some(value)
}

/// Removes the leaves and returns their days. A leave without a last day can only be the last one, or cells can't say which
/// one it is; then the leaves stay.
fn take_leaves(keys: &mut Table, values: &mut BTreeMap<Column, NewValue>) {
    let Some(Value::Array(leaves)) = keys.get(LEAVE) else { return };
    let mut taken = Vec::new();
    for column in Column::fixed() {
        let path = column.key_path().unwrap_or_default();
        let [list, key] = path.as_slice() else { continue };
        let day = |leave: &Value| match leave.get(key).filter(|_| list == LEAVE) {
            Some(Value::Datetime(date)) => Some(date.to_string()),
            Some(Value::String(date)) => Some(date.clone()).filter(|date| !date.is_empty()),
            _ => None,
        };
        let days: Vec<String> = leaves.iter().map_while(day).collect();
        if leaves.iter().filter_map(day).count() > days.len() {
            return;
        }
        taken.extend((!days.is_empty()).then_some((column, NewValue::Texts(days))));
    }
    values.extend(taken);
    keys.remove(LEAVE);
}

/// Returns the values as cells, in which line ends do not matter.
fn cells(values: &BTreeMap<Column, NewValue>) -> Vec<(Column, String)> {
    values.iter().map(|(column, value)| (*column, cell_text(value))).collect()
}

fn parse_value(value: &Value) -> Option<NewValue> {
    match value {
        Value::String(text) => Some(NewValue::Text(text.clone())),
        Value::Boolean(flag) => Some(NewValue::Flag(*flag)),
        // An empty list counts as a list of texts.
        Value::Array(items) if items.iter().all(Value::is_str) => {
            let texts = items.iter().filter_map(Value::as_str).map(str::to_owned);
            Some(NewValue::Texts(texts.collect()))
        }
        Value::Array(items) => {
            let numbers: Option<_> = items.iter().map(Value::as_integer).collect();
            numbers.map(NewValue::Numbers)
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

    fn dates(days: &[&str]) -> NewValue {
        NewValue::Texts(days.iter().map(|day| (*day).to_owned()).collect())
    }

    #[test]
    fn leaves_are_added_changed_and_removed_by_their_days() {
        let file = "id = 'p'\ninsurance = { all = ['A'] }\n";
        let leave = "\n[[leave]]\nfrom = 2026-12-01\nuntil = 2027-03-01\n";
        let with = |text: &str, from: Option<NewValue>, until: Option<NewValue>| {
            let profile = Profile::parse("jane", text.to_owned()).unwrap();
            let profile = profile.with_value(column("leave from"), from.as_ref()).unwrap();
            profile.with_value(column("Leave until"), until.as_ref()).unwrap()
        };
        let added = with(file, Some(dates(&["2026-12-01"])), Some(dates(&["2027-03-01"])));
        assert_eq!(added.text, format!("{file}{leave}"));
        assert_eq!(added.cell(column("leave from")), "2026-12-01");
        let open = with(&added.text, Some(dates(&["2026-12-01"])), None);
        assert_eq!(open.text, format!("{file}{leave}").replace("until = 2027-03-01\n", ""));
        let from = dates(&["2026-12-01", "2027-06-01"]);
        let both = with(&added.text, Some(from.clone()), Some(dates(&["2027-03-01"])));
        assert_eq!(both.text, format!("{file}{leave}\n[[leave]]\nfrom = 2027-06-01\n"));
        assert_eq!(both.cell(column("leave from")), "2026-12-01; 2027-06-01");
        let later = with(&both.text, Some(dates(&["2027-06-01"])), None);
        assert_eq!(later.text.trim_end(), format!("{file}\n[[leave]]\nfrom = 2027-06-01"));
        assert_eq!(with(&both.text, None, None).text.trim_end(), file.trim_end());
        // Which leave has no end can't be said in cells.
        let text =
            "id = 'p'\n\n[[leave]]\nfrom = 2027-06-01\n\n[[leave]]\nfrom = 2026-12-01\nuntil = 2027-03-01\n";
        let profile = Profile::parse("jane", text.to_owned()).unwrap();
        assert_eq!(profile.cell(column("leave from")), "");
        assert!(profile.with_value(column("leave from"), Some(&from)).is_err());
    }

    #[test]
    fn a_file_that_the_import_cannot_edit_is_refused() {
        let profile = Profile::parse("jane", "id = 'p'\ninsurance.CA = ['A']\n".to_owned()).unwrap();
        let plans = NewValue::Texts(vec!["C".to_owned()]);
        let why = profile.with_value(column("insurance TX"), Some(&plans)).unwrap_err();
        assert_eq!(
            why,
            "the import can't edit providers/jane.toml: write [insurance] on its own line at the end of the \
             file, and its keys below it"
        );
    }
}
