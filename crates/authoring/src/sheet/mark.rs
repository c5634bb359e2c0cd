//! What a row's cells were at the export, as hashes: the last column of a sheet.
//!
//! An import needs three states of a cell: at the export, in the sheet, and in the file now. By the first it knows whether the
//! manager changed the cell, and whether the file was changed meanwhile.

use std::collections::HashSet;

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use super::column::Column;

/// The hashes of one row.
pub(super) struct Mark<'a>(HashSet<&'a str>);

/// The digits of the name's hash, then of the hash of name and text.
const NAME: usize = 4;
const TEXT: usize = 8;

impl<'a> Mark<'a> {
    /// Reads a cell; `None` if it is empty or damaged.
    pub(super) fn of(cell: &'a str) -> Option<Self> {
        let hashes: HashSet<&str> = cell.split_whitespace().collect();
        let is_hash =
            |hash: &&str| hash.len() == NAME + TEXT && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        (!hashes.is_empty() && hashes.iter().all(is_hash)).then_some(Self(hashes))
    }

    /// Whether the column had this text at the export; `None` if the sheet had no such column.
    pub(super) fn had(&self, column: Column, text: &str) -> Option<bool> {
        let hash = hash(column, text);
        if self.0.contains(hash.as_str()) {
            return Some(true);
        }
        self.0.iter().any(|known| known.starts_with(&hash[..NAME])).then_some(false)
    }
}

/// The cell for a row of these texts.
pub(super) fn mark<'a>(row: impl Iterator<Item = (Column, &'a str)>) -> String {
    row.map(|(column, text)| hash(column, text)).collect::<Vec<_>>().join(" ")
}

fn hash(column: Column, text: &str) -> String {
    let name = column.name();
    let hex = |parts: &[&str], length: usize| {
        let mut hash = Sha256::new();
        for part in parts {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
        HEXLOWER.encode(&hash.finalize()[..length / 2])
    };
    hex(&[&name], NAME) + &hex(&[&name, text], TEXT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_knows_the_texts_and_the_columns_of_its_row() {
        let columns: Vec<Column> = Column::fixed().collect();
        let cell = mark([(columns[0], "prov-1"), (columns[3], "")].into_iter());
        let mark = Mark::of(&cell).unwrap();
        assert_eq!(mark.had(columns[0], "prov-1"), Some(true));
        assert_eq!(mark.had(columns[0], "prov-2"), Some(false));
        assert_eq!(mark.had(columns[3], ""), Some(true));
        assert_eq!(mark.had(columns[4], ""), None);
        for cell in ["", "abc", "0123456789ab x"] {
            assert!(Mark::of(cell).is_none());
        }
    }

    #[test]
    fn columns_are_told_apart() {
        let states = directory::model::StateSet::all();
        let columns = Column::fixed().chain(states.iter().map(Column::PlansIn));
        let hashes: Vec<String> = columns.map(|column| hash(column, "")[..NAME].to_owned()).collect();
        assert_eq!(hashes.iter().collect::<HashSet<_>>().len(), hashes.len());
    }
}
