//! What is known while a sheet is compared.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::sheet::column::Column;
use crate::sheet::profile::Profile;

/// Ids of clinicians who left, and slugs that are or were in use: no new clinician gets them.
pub struct Reserved<'a> {
    pub ids: BTreeSet<String>,
    pub is_slug: &'a dyn Fn(&str) -> bool,
}

/// The clinicians' files, and the ids and slugs in earlier rows.
pub(super) struct Known<'a> {
    pub(super) reserved: Reserved<'a>,
    pub(super) by_id: HashMap<String, Profile>,
    /// The id of each slug.
    pub(super) slugs: BTreeMap<String, String>,
    pub(super) rows_by_id: HashMap<String, usize>,
    pub(super) new_slugs: HashMap<String, usize>,
}

impl<'a> Known<'a> {
    pub(super) fn of(profiles: Vec<Profile>, reserved: Reserved<'a>) -> Self {
        Self {
            reserved,
            slugs: profiles.iter().map(|profile| (profile.slug.clone(), profile.cell(Column::ID))).collect(),
            by_id: profiles.into_iter().map(|profile| (profile.cell(Column::ID), profile)).collect(),
            rows_by_id: HashMap::new(),
            new_slugs: HashMap::new(),
        }
    }
}
