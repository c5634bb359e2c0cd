//! Sources outside the content, as rows that were read and mapped. `nameplate audit` reads the files.

use std::collections::HashSet;

use chrono::NaiveDate;

use directory::model::{Directory, LicenceKind, PlanNumber, ProviderType, StateCode, StateSet};
use directory::statements::{Finding, Witness};

/// A source outside the content.
#[derive(Debug, Clone)]
pub struct Source {
    /// The file, as `audit.toml` names it.
    pub file: String,
    /// The day of its export.
    pub as_of: NaiveDate,
    pub rows: u64,
    /// The number of its rows last time, if it is known.
    pub rows_before: Option<u64>,
    /// Its rows that may be about this clinic's clinicians; `rows` above counts all.
    pub kind: SourceKind,
}

#[derive(Debug, Clone)]
pub enum SourceKind {
    /// The registry of NPIs.
    Registry(Vec<RegistryRow>),
    Board(Board),
    Roster(Roster),
    /// The federal list of exclusions.
    Exclusions(Vec<ExclusionRow>),
}

#[derive(Debug, Clone, Default)]
pub struct RegistryRow {
    pub line: u64,
    pub npi: String,
    /// Whether it is a clinic's.
    pub is_organisation: bool,
    /// Every name: legal and other.
    pub names: Vec<String>,
    /// The sex, as it is written.
    pub sex: String,
    pub taxonomies: Vec<String>,
    pub deactivated: Option<NaiveDate>,
    pub reactivated: Option<NaiveDate>,
}

/// A state board's list of licences.
#[derive(Debug, Clone)]
pub struct Board {
    pub state: StateCode,
    /// The kinds of clinician; empty means all.
    pub types: Vec<ProviderType>,
    pub rows: Vec<BoardRow>,
}

#[derive(Debug, Clone)]
pub struct BoardRow {
    pub line: u64,
    /// The number's key, as [`licence_key`] makes it.
    pub number: String,
    pub name: String,
    /// The status, as it is written.
    pub status: String,
    /// Whether the status means a valid licence, by the words of `audit.toml`; `None` if it is unknown.
    pub is_good: Option<bool>,
}

/// A payer's roster.
#[derive(Debug, Clone)]
pub struct Roster {
    pub plan: PlanNumber,
    /// The states that it covers; `None`: all.
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
    /// The state of the location.
    pub state: Option<StateCode>,
    /// Whether the status means that the clinician takes the plan; `None` if it is unknown.
    pub is_good: Option<bool>,
    /// Whether new patients are taken, according to the payer.
    pub is_accepting: Option<bool>,
}

#[derive(Debug, Clone)]
pub struct ExclusionRow {
    pub line: u64,
    pub npi: String,
    /// The day of the exclusion, as it is written.
    pub on: String,
    /// Whether it was lifted, or waived.
    pub is_lifted: bool,
}

#[derive(Debug, Default)]
pub struct Judged {
    pub(crate) findings: Vec<Finding>,
    /// The number of clinicians compared.
    pub(crate) compared: usize,
}

/// The directory's NPIs and license keys. Rows with neither are skipped.
#[derive(Debug, Default)]
pub struct Wanted {
    pub npis: HashSet<String>,
    pub licences: HashSet<String>,
}

impl Wanted {
    #[must_use]
    pub fn of(directory: &Directory) -> Self {
        let npis =
            directory.providers().iter().filter_map(|provider| provider.npi.as_deref().map(str::to_owned));
        let licences = directory.providers().iter().flat_map(|provider| &provider.record.licences);
        let licences = licences.filter(|licence| licence.kind == LicenceKind::Licence);
        Self {
            npis: npis.collect(),
            licences: licences.map(|licence| licence_key(&licence.number)).collect(),
        }
    }
}

/// A license number in capitals, without what lists write differently: spaces, punctuation, zeros before a number.
#[must_use]
pub fn licence_key(number: &str) -> String {
    let mut key = String::new();
    let mut begins_number = true;
    for c in number.chars().filter(char::is_ascii_alphanumeric) {
        if c == '0' && begins_number {
            continue;
        }
        begins_number = !c.is_ascii_digit();
        key.push(c.to_ascii_uppercase());
    }
    key
}

impl Source {
    pub(crate) fn row(&self, line: u64, says: String) -> Witness {
        Witness::Row { file: self.file.clone(), line, says }
    }
}

#[cfg(test)]
mod tests {
    use super::licence_key;

    #[test]
    fn a_number_is_one_however_it_is_written() {
        for number in ["A 123456", "a-0123456", "A123456", "A.0.123456"] {
            assert_eq!(licence_key(number), "A123456", "{number}");
        }
        assert_ne!(licence_key("A1023"), licence_key("A123"));
        assert_eq!(licence_key("00123"), "123");
    }
}
