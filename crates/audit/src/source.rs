//! The lists that the audit compares with the content. `nameplate audit` reads them from files.

use std::collections::{HashMap, HashSet};

use chrono::{Days, NaiveDate};

use directory::model::{Directory, LicenseKind, PlanNumber, ProviderType, StateCode, StateSet};
use directory::statements::{Finding, Witness};

/// A source that is older than this makes no finding certain.
const MAX_AGE: Days = Days::new(45);

#[derive(Debug, Clone)]
pub struct AuditSource {
    /// The file's path, as `audit.toml` has it.
    pub file: String,
    pub as_of: NaiveDate,
    /// The number of all its rows.
    pub row_count: u64,
    pub previous_row_count: Option<u64>,
    /// Only the rows that may be about clinicians in the directory.
    pub rows: SourceRows,
}

#[derive(Debug, Clone)]
pub enum SourceRows {
    Registry(Vec<RegistryRow>),
    Board(Board),
    Roster(Roster),
    Exclusions(Vec<ExclusionRow>),
}

#[derive(Debug, Clone, Default)]
pub struct RegistryRow {
    pub line: u64,
    pub npi: String,
    pub is_organization: bool,
    pub names: Vec<String>,
    /// As in the file, such as "F".
    pub sex: String,
    pub taxonomies: Vec<String>,
    pub deactivated: Option<NaiveDate>,
    pub reactivated: Option<NaiveDate>,
}

#[derive(Debug, Clone)]
pub struct Board {
    pub state: StateCode,
    /// The kinds of clinicians that the board licenses; empty means all.
    pub types: Vec<ProviderType>,
    pub rows: Vec<BoardRow>,
}

#[derive(Debug, Clone)]
pub struct BoardRow {
    pub line: u64,
    pub license_key: String,
    pub name: String,
    /// As in the file, such as "Renewed & Current".
    pub status: String,
    /// Whether the status means that the license is valid; `None` if the meaning is unknown.
    pub is_valid: Option<bool>,
}

#[derive(Debug, Clone)]
pub struct Roster {
    pub plan: PlanNumber,
    /// The states that the roster covers; `None` means all.
    pub states: Option<StateSet>,
    /// Whether it lists every clinician who takes the plan.
    pub is_complete: bool,
    pub rows: Vec<RosterRow>,
}

#[derive(Debug, Clone)]
pub struct RosterRow {
    pub line: u64,
    pub npi: String,
    pub from: Option<NaiveDate>,
    pub until: Option<NaiveDate>,
    /// The state of the clinician's location; `None` means that the row is about every state.
    pub state: Option<StateCode>,
    /// Whether the status means that the clinician takes the plan; `None` if the meaning is unknown.
    pub is_valid: Option<bool>,
    pub is_accepting: Option<bool>,
}

#[derive(Debug, Clone)]
pub struct ExclusionRow {
    pub line: u64,
    pub npi: String,
    pub on: NaiveDate,
    /// Whether the exclusion was lifted or waived.
    pub is_lifted: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Comparison {
    pub(crate) findings: Vec<Finding>,
    /// How many clinicians the source says something about, even if only by leaving them out of a complete list.
    pub(crate) compared: usize,
}

/// Rows of a source with other numbers need not be kept.
#[derive(Debug, Default)]
pub struct KnownNumbers {
    pub npis: HashSet<String>,
    pub license_keys: HashSet<String>,
}

impl KnownNumbers {
    #[must_use]
    pub fn from_directory(directory: &Directory) -> Self {
        let npis = directory.providers().iter().filter_map(|provider| provider.npi.clone());
        let all = directory.providers().iter().flat_map(|provider| &provider.record.licenses);
        // Boards' lists have no registrations and no compact privileges.
        let licenses = all.filter(|license| license.kind == LicenseKind::License);
        let license_keys = licenses.map(|license| license_key(&license.number));
        Self { npis: npis.collect(), license_keys: license_keys.collect() }
    }
}

/// Lists differ in spaces, punctuation, letter case and leading zeros: "a-0123" is "A123", and "A1023" stays as it is.
pub fn license_key(number: &str) -> String {
    let mut key = String::new();
    for c in number.chars().filter(char::is_ascii_alphanumeric) {
        let is_after_digit = key.ends_with(|last: char| last.is_ascii_digit());
        if c != '0' || is_after_digit {
            key.push(c.to_ascii_uppercase());
        }
    }
    key
}

pub(crate) fn group_by<T>(rows: &[T], number: impl Fn(&T) -> &str) -> HashMap<&str, Vec<&T>> {
    let mut groups: HashMap<&str, Vec<&T>> = HashMap::new();
    for row in rows {
        groups.entry(number(row)).or_default().push(row);
    }
    groups
}

impl AuditSource {
    pub fn is_old(&self, today: NaiveDate) -> bool {
        self.as_of.checked_add_days(MAX_AGE).is_some_and(|last_day| today > last_day)
    }

    pub(crate) fn row_witness(&self, line: u64, says: String) -> Witness {
        Witness::Row { file: self.file.clone(), line, says }
    }
}

#[cfg(test)]
mod tests {
    use super::license_key;

    #[test]
    fn different_spellings_of_a_license_number_have_the_same_key() {
        for number in ["A 123456", "a-0123456", "A123456", "A.0.123456"] {
            assert_eq!(license_key(number), "A123456", "{number}");
        }
        assert_ne!(license_key("A1023"), license_key("A123"));
        assert_eq!(license_key("00123"), "123");
    }
}
