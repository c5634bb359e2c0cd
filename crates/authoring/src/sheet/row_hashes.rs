//! Hashes of the cells that a row had when it was exported, in the sheet's last column. They show where a cell has changed
//! since then: in the sheet, in the file, or in both.

use std::collections::HashMap;

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use super::column::Column;

/// A cell's hash is written as 12 digits, such as `3f0a9c51d27e`. The first 4 are a hash of the column's name, and the other 8
/// are a hash of the name and the text.
const NAME_DIGITS: usize = 4;
const TEXT_DIGITS: usize = 8;

pub(super) struct RowHashes<'a>(HashMap<&'a str, &'a str>);

impl<'a> RowHashes<'a> {
    pub(super) fn parse(cell: &'a str) -> Option<Self> {
        let parse = |hash: &'a str| {
            let is_hash =
                hash.len() == NAME_DIGITS + TEXT_DIGITS && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
            is_hash.then(|| (&hash[..NAME_DIGITS], hash))
        };
        let hashes: Option<HashMap<_, _>> = cell.split_whitespace().map(parse).collect();
        hashes.filter(|hashes| !hashes.is_empty()).map(Self)
    }

    /// Returns whether a column had this text when it was exported, or `None` if the exported sheet had no such column.
    pub(super) fn had(&self, column: Column, text: &str) -> Option<bool> {
        let hash = hash(column, text);
        self.exported_like(&hash).map(|exported| exported == hash)
    }

    /// Returns the hash of the exported cell in the column of another hash.
    pub(super) fn exported_like(&self, hash: &str) -> Option<&'a str> {
        self.0.get(hash.get(..NAME_DIGITS)?).copied()
    }
}

pub(super) fn hash_row<'a>(row: impl Iterator<Item = (Column, &'a str)>) -> String {
    row.map(|(column, text)| hash(column, text)).collect::<Vec<_>>().join(" ")
}

pub(super) fn hash(column: Column, text: &str) -> String {
    let name = column.name();
    hash_texts(&[&name], NAME_DIGITS) + &hash_texts(&[&name, text], TEXT_DIGITS)
}

fn hash_texts(texts: &[&str], digits: usize) -> String {
    let mut hash = Sha256::new();
    for text in texts {
        hash.update((text.len() as u64).to_be_bytes());
        hash.update(text);
    }
    HEXLOWER.encode(&hash.finalize()[..digits / 2])
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn hashes_recognize_the_texts_and_columns_of_their_row() {
        let columns: Vec<Column> = Column::fixed().collect();
        let cell = hash_row([(columns[0], "prov-1"), (columns[3], "")].into_iter());
        let hashes = RowHashes::parse(&cell).unwrap();
        assert_eq!(hashes.had(columns[0], "prov-1"), Some(true));
        assert_eq!(hashes.had(columns[0], "prov-2"), Some(false));
        assert_eq!(hashes.had(columns[3], ""), Some(true));
        assert_eq!(hashes.had(columns[4], ""), None);
        for cell in ["", "abc", "0123456789ab x"] {
            assert!(RowHashes::parse(cell).is_none());
        }
    }

    #[test]
    fn every_column_has_a_different_hash() {
        let states = directory::model::StateSet::all();
        let columns = Column::fixed().chain(states.iter().map(Column::PlansIn));
        let hashes: Vec<String> = columns.map(|column| hash(column, "")[..NAME_DIGITS].to_owned()).collect();
        assert_eq!(hashes.iter().collect::<HashSet<_>>().len(), hashes.len());
    }
}
