//! The clinicians that are known while a sheet is compared with the files.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::sheet::column::Column;
use crate::sheet::profile::Profile;

/// The ids and slugs that no new clinician may get.
pub struct Reserved<'a> {
    pub ids: BTreeSet<String>,
    pub is_slug_taken: &'a dyn Fn(&str) -> bool,
}

/// The clinicians of the files, and the ids and slugs of earlier rows.
pub(super) struct KnownClinicians<'a> {
    pub(super) reserved: Reserved<'a>,
    /// The files whose rows were not compared yet.
    pub(super) profiles_by_id: HashMap<String, Profile>,
    pub(super) ids_by_slug: BTreeMap<String, String>,
    pub(super) rows_by_id: HashMap<String, usize>,
    pub(super) rows_by_new_slug: HashMap<String, usize>,
}

impl<'a> KnownClinicians<'a> {
    pub(super) fn new(profiles: Vec<Profile>, reserved: Reserved<'a>) -> Self {
        let id = |profile: &Profile| profile.cell(Column::ID);
        Self {
            reserved,
            ids_by_slug: profiles.iter().map(|profile| (profile.slug.clone(), id(profile))).collect(),
            profiles_by_id: profiles.into_iter().map(|profile| (id(&profile), profile)).collect(),
            rows_by_id: HashMap::new(),
            rows_by_new_slug: HashMap::new(),
        }
    }
}
