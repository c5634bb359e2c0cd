//! What is offered for a problem: edits that were tried.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::model::words;

words! {
    Class {
        /// Notation alone, with one reading.
        Certain = "certain",
        /// It heals, and a person agrees to it.
        Likely = "likely",
    }
}

/// The text to write in the place of a part of a file, in bytes of the file without a byte order mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    pub path: String,
    pub span: Range<usize>,
    pub text: String,
}

/// A file to rename, or to delete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move {
    pub from: String,
    pub to: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repair {
    /// The row that proposed it.
    pub name: &'static str,
    pub class: Class,
    pub title: String,
    pub heals: usize,
    pub causes: Vec<String>,
    /// Sorted and disjoint.
    pub edits: Vec<Edit>,
    pub moves: Vec<Move>,
}

/// What is offered for the problems of a check, by their places in its list.
#[derive(Debug, Default)]
pub(super) struct Repaired {
    pub(super) repairs: BTreeMap<usize, Vec<Repair>>,
    /// Each problem that goes with another one, and that other one.
    pub(super) followers: BTreeMap<usize, usize>,
}
