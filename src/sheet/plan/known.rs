//! What is known while a sheet is compared.

use std::collections::{BTreeSet, HashMap};

use crate::sheet::column::Column;
use crate::sheet::profile::Profile;

/// What belonged to clinicians who left, or were called otherwise.
pub(in crate::sheet) struct Reserved<'a> {
    pub(in crate::sheet) ids: BTreeSet<String>,
    pub(in crate::sheet) is_slug: &'a dyn Fn(&str) -> bool,
}

/// The clinicians' files, and what the rows before have taken.
pub(super) struct Known<'a> {
    pub(super) reserved: Reserved<'a>,
    pub(super) by_id: HashMap<String, Profile>,
    pub(super) slugs: BTreeSet<String>,
    pub(super) ids: BTreeSet<String>,
    pub(super) rows_by_id: HashMap<String, usize>,
    pub(super) new_slugs: HashMap<String, usize>,
}

impl<'a> Known<'a> {
    pub(super) fn of(profiles: Vec<Profile>, reserved: Reserved<'a>) -> Self {
        Self {
            reserved,
            slugs: profiles.iter().map(|profile| profile.slug.clone()).collect(),
            ids: profiles.iter().map(|profile| profile.cell(Column::ID)).collect(),
            by_id: profiles.into_iter().map(|profile| (profile.cell(Column::ID), profile)).collect(),
            rows_by_id: HashMap::new(),
            new_slugs: HashMap::new(),
        }
    }

    /// An id like the others that nobody has.
    pub(super) fn free_id(&mut self) -> String {
        let numbered = |id: &String| {
            let digits = id.len() - id.trim_end_matches(|letter: char| letter.is_ascii_digit()).len();
            let (name, number) = id.split_at(id.len() - digits);
            Some((number.parse::<u64>().ok()?, name.to_owned(), digits))
        };
        let (number, name, digits) =
            self.ids.iter().chain(&self.reserved.ids).filter_map(numbered).max().unwrap_or((
                0,
                "prov-".to_owned(),
                4,
            ));
        let id = format!("{name}{:0digits$}", number.saturating_add(1));
        self.ids.insert(id.clone());
        id
    }
}
