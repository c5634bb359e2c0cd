//! Which providers the data in use lists, and in which parts.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use directory::model::Slug;

/// The providers of the data in use, by how it lists them.
#[derive(Debug, Clone, Default)]
pub(crate) struct FeedProviders {
    /// The listed providers, and the parts that list them.
    listed: BTreeMap<Slug, Vec<Arc<str>>>,
    /// The providers that no part of a busy feed lists: all their hours are offered unless they are withheld.
    unlisted: BTreeSet<Slug>,
    /// The providers whose busy time may be among the lines that resolve to no provider.
    withheld: BTreeSet<Slug>,
    /// The number of providers that each part lists.
    parts: BTreeMap<Arc<str>, usize>,
    lists: Lists,
}

/// Caches the slugs of providers without open times. A feed of keys changes hundreds of times a second; these slugs
/// seldom change.
#[derive(Debug, Default)]
struct Lists(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    withheld: Option<Arc<[Slug]>>,
    /// For these expired parts: the providers without open times.
    unknown: Option<(Vec<String>, Arc<[Slug]>)>,
}

impl Clone for Lists {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl FeedProviders {
    pub(crate) fn of(
        listed: BTreeMap<Slug, Vec<Arc<str>>>,
        unlisted: BTreeSet<Slug>,
        withheld: BTreeSet<Slug>,
    ) -> Self {
        let mut parts = BTreeMap::new();
        for part in listed.values().flatten() {
            *parts.entry(Arc::clone(part)).or_default() += 1;
        }
        Self { listed, unlisted, withheld, parts, lists: Lists::default() }
    }

    pub(crate) fn listed(&self) -> &BTreeMap<Slug, Vec<Arc<str>>> {
        &self.listed
    }

    pub(crate) fn unlisted(&self) -> &BTreeSet<Slug> {
        &self.unlisted
    }

    pub(crate) fn withheld(&self) -> &BTreeSet<Slug> {
        &self.withheld
    }

    /// The parts that list at least one provider.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &Arc<str>> {
        self.parts.keys()
    }

    pub(crate) fn is_listing(&self, part: &str) -> bool {
        self.parts.contains_key(part)
    }

    /// Replaces the parts that list a provider. Without one it is unlisted.
    pub(crate) fn list(&mut self, slug: &Slug, parts: Vec<Arc<str>>) {
        self.lists = Lists::default();
        for part in &parts {
            *self.parts.entry(Arc::clone(part)).or_default() += 1;
        }
        let before = if parts.is_empty() {
            self.unlisted.insert(slug.clone());
            self.listed.remove(slug)
        } else {
            self.unlisted.remove(slug);
            self.listed.insert(slug.clone(), parts)
        };
        for part in before.into_iter().flatten() {
            if let Some(count) = self.parts.get_mut(&part) {
                *count -= 1;
                if *count == 0 {
                    self.parts.remove(&part);
                }
            }
        }
    }

    /// Withholds a provider, or no longer does.
    pub(crate) fn withhold(&mut self, slug: &Slug, is_withheld: bool) {
        self.lists = Lists::default();
        if is_withheld {
            self.withheld.insert(slug.clone());
        } else {
            self.withheld.remove(slug);
        }
    }

    /// The withheld providers, sorted.
    pub(crate) fn withheld_slugs(&self) -> Arc<[Slug]> {
        let mut known = self.lists.0.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(known.withheld.get_or_insert_with(|| self.withheld.iter().cloned().collect()))
    }

    /// The providers without open times while these parts are expired, sorted: the withheld ones, those whom such a
    /// part lists, and, if there is such a part, the unlisted ones.
    pub(crate) fn unknown(&self, expired: &BTreeSet<&str>) -> Arc<[Slug]> {
        if expired.is_empty() {
            return self.withheld_slugs();
        }
        let mut known = self.lists.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, unknown)) = &known.unknown
            && of.iter().eq(expired)
        {
            return Arc::clone(unknown);
        }
        let is_expired = |parts: &[Arc<str>]| parts.iter().any(|part| expired.contains(&**part));
        let mut unknown: BTreeSet<&Slug> = self.withheld.iter().chain(&self.unlisted).collect();
        unknown.extend(self.listed.iter().filter(|(_, parts)| is_expired(parts)).map(|(slug, _)| slug));
        let unknown: Arc<[Slug]> = unknown.into_iter().cloned().collect();
        let expired = expired.iter().map(ToString::to_string).collect();
        known.unknown = Some((expired, Arc::clone(&unknown)));
        unknown
    }
}
