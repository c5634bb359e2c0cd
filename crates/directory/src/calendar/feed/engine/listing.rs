//! Which providers the data in use lists, and which writers list them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use super::super::FeedMode;
use crate::model::Slug;

/// The providers of the data in use, by how it lists them.
#[derive(Debug, Clone, Default)]
pub(super) struct FeedProviders {
    /// The listed providers, and the writers that list them.
    listed: BTreeMap<Slug, Vec<Arc<str>>>,
    /// The providers whom no writer lists: in a busy feed all their hours are offered unless they are withheld.
    unlisted: BTreeSet<Slug>,
    /// The providers whose busy time may be among the lines that resolve to no provider.
    withheld: BTreeSet<Slug>,
    /// The number of providers that each writer lists.
    counts: BTreeMap<Arc<str>, usize>,
    slugs: WithheldSlugs,
}

/// Caches the slugs of withheld providers. A bucket changes hundreds of times a second; these slugs seldom change.
#[derive(Debug, Default)]
struct WithheldSlugs(Mutex<Option<Arc<[Slug]>>>);

impl Clone for WithheldSlugs {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl FeedProviders {
    pub(super) fn listed(&self) -> &BTreeMap<Slug, Vec<Arc<str>>> {
        &self.listed
    }

    pub(super) fn unlisted(&self) -> &BTreeSet<Slug> {
        &self.unlisted
    }

    pub(super) fn withheld(&self) -> &BTreeSet<Slug> {
        &self.withheld
    }

    pub(super) fn is_listing(&self, writer: &str) -> bool {
        self.counts.contains_key(writer)
    }

    /// Replaces the writers that list a provider. Without one it is unlisted, if that means anything.
    pub(super) fn list(&mut self, slug: &Slug, writers: Vec<Arc<str>>, mode: FeedMode) {
        for writer in &writers {
            *self.counts.entry(Arc::clone(writer)).or_default() += 1;
        }
        let before = if writers.is_empty() {
            // Whom an open feed does not list has no open times in it, whatever its age.
            if mode == FeedMode::Busy {
                self.unlisted.insert(slug.clone());
            }
            self.listed.remove(slug)
        } else {
            self.unlisted.remove(slug);
            self.listed.insert(slug.clone(), writers)
        };
        for writer in before.into_iter().flatten() {
            if let Some(count) = self.counts.get_mut(&writer) {
                *count -= 1;
                if *count == 0 {
                    self.counts.remove(&writer);
                }
            }
        }
    }

    /// Withholds a provider, or no longer does.
    pub(super) fn withhold(&mut self, slug: &Slug, is_withheld: bool) {
        self.slugs = WithheldSlugs::default();
        if is_withheld {
            self.withheld.insert(slug.clone());
        } else {
            self.withheld.remove(slug);
        }
    }

    /// The withheld providers, sorted.
    pub(super) fn withheld_slugs(&self) -> Arc<[Slug]> {
        let mut known = self.slugs.0.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(known.get_or_insert_with(|| self.withheld.iter().cloned().collect()))
    }
}
