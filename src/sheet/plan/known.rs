//! What is known while a sheet is compared.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use directory::model::{Slug, slug_words};

use crate::near::numbered;
use crate::sheet::column::Column;
use crate::sheet::profile::Profile;

/// Ids of clinicians who left, and slugs that are or were in use: no new clinician gets them.
pub(in crate::sheet) struct Reserved<'a> {
    pub(in crate::sheet) ids: BTreeSet<String>,
    pub(in crate::sheet) is_slug: &'a dyn Fn(&str) -> bool,
}

/// The clinicians' files, and the ids and slugs in the rows before.
pub(super) struct Known<'a> {
    pub(super) reserved: Reserved<'a>,
    pub(super) by_id: HashMap<String, Profile>,
    /// The id of each slug.
    pub(super) slugs: BTreeMap<String, String>,
    pub(super) ids: BTreeSet<String>,
    pub(super) rows_by_id: HashMap<String, usize>,
    pub(super) new_slugs: HashMap<String, usize>,
    /// The slugs in the sheet, and those that were suggested.
    pub(super) named_slugs: HashSet<String>,
    /// The number that a slug gets when it is suggested the next time.
    next_numbers: HashMap<String, u32>,
    /// The last id that was suggested.
    suggested: Option<NumberedId>,
}

impl<'a> Known<'a> {
    pub(super) fn of(profiles: Vec<Profile>, reserved: Reserved<'a>) -> Self {
        Self {
            reserved,
            slugs: profiles.iter().map(|profile| (profile.slug.clone(), profile.cell(Column::ID))).collect(),
            ids: profiles.iter().map(|profile| profile.cell(Column::ID)).collect(),
            by_id: profiles.into_iter().map(|profile| (profile.cell(Column::ID), profile)).collect(),
            rows_by_id: HashMap::new(),
            new_slugs: HashMap::new(),
            named_slugs: HashSet::new(),
            next_numbers: HashMap::new(),
            suggested: None,
        }
    }

    /// An unused id in the form of the others. Each call gives another one.
    pub(super) fn free_id(&mut self) -> String {
        let last = self.suggested.take().or_else(|| {
            let ids = self.ids.iter().chain(&self.reserved.ids);
            ids.filter_map(|id| NumberedId::of(id)).max()
        });
        let mut id = last.unwrap_or_else(|| NumberedId { number: 0, name: "prov-".to_owned(), digits: 4 });
        id.number += 1;
        let (number, digits) = (id.number, id.digits);
        let text = format!("{}{number:0digits$}", id.name);
        self.suggested = Some(id);
        text
    }

    /// An unused slug for a clinician's name. Each call gives another one.
    pub(super) fn slug_for(&mut self, name: &str) -> String {
        let words = slug_words(name);
        self.free_slug(if words.parse::<Slug>().is_ok() { words.as_str() } else { "jane-doe" })
    }

    /// The slug itself if it is unused, or else with the first number that makes it so. Each call gives another one.
    pub(super) fn free_slug(&mut self, slug: &str) -> String {
        let is_free = |slug: &str| {
            let is_taken = self.slugs.contains_key(slug) || self.named_slugs.contains(slug);
            !is_taken && !(self.reserved.is_slug)(slug)
        };
        let next = self.next_numbers.get(slug).copied();
        let (number, free) = if next.is_none() && is_free(slug) {
            (1, slug.to_owned())
        } else {
            let first = next.unwrap_or(2);
            let mut numbers = (first..).zip(numbered(slug, first));
            numbers.find(|(_, slug)| is_free(slug)).unwrap_or_default()
        };
        self.next_numbers.insert(slug.to_owned(), number + 1);
        self.named_slugs.insert(free.clone());
        free
    }
}

/// An id that ends in a number, such as `prov-0012`.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct NumberedId {
    number: u64,
    name: String,
    digits: usize,
}

impl NumberedId {
    /// More digits could be more than a number holds.
    const MOST_DIGITS: usize = 18;

    fn of(id: &str) -> Option<Self> {
        let name = id.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let digits = id.len() - name.len();
        if digits > Self::MOST_DIGITS {
            return None;
        }
        Some(Self { number: id[name.len()..].parse().ok()?, name: name.to_owned(), digits })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggested_ids_follow_the_largest_number_and_endless_digits_are_passed_over() {
        let reserved = Reserved { ids: ["prov-0009".to_owned()].into(), is_slug: &|_| false };
        let mut known = Known::of(Vec::new(), reserved);
        known.ids.extend(["0".repeat(70_000), u64::MAX.to_string(), "prov-0004".to_owned()]);
        assert_eq!([known.free_id(), known.free_id()], ["prov-0010", "prov-0011"]);
        let mut none = Known::of(Vec::new(), Reserved { ids: BTreeSet::new(), is_slug: &|_| false });
        assert_eq!(none.free_id(), "prov-0001");
    }
}
