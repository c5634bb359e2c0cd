//! Which providers the data in use lists, and which writers list them.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::FeedMode;
use crate::model::Slug;

/// The providers of the data in use, by how it lists them.
#[derive(Debug, Clone, Default)]
pub(super) struct FeedProviders {
    /// The writers that list each provider. In a busy feed there may be none: then all hours of the provider are offered,
    /// unless the provider is withheld.
    writers: BTreeMap<Slug, Vec<Arc<str>>>,
    /// The providers whose busy time may be among the lines that resolve to no provider, sorted.
    pub(super) withheld: Arc<[Slug]>,
}

impl FeedProviders {
    pub(super) fn listed(&self) -> impl Iterator<Item = (&Slug, &Vec<Arc<str>>)> {
        self.writers.iter().filter(|(_, writers)| !writers.is_empty())
    }

    pub(super) fn unlisted(&self) -> impl Iterator<Item = &Slug> {
        self.writers.iter().filter(|(_, writers)| writers.is_empty()).map(|(slug, _)| slug)
    }

    pub(super) fn is_listing(&self, writer: &Arc<str>) -> bool {
        self.writers.values().any(|writers| writers.contains(writer))
    }

    /// Replaces the writers that list a provider.
    pub(super) fn list(&mut self, slug: &Slug, writers: Vec<Arc<str>>, mode: FeedMode) {
        // Whom an open feed does not list has no open times in it, whatever its age.
        if writers.is_empty() && mode == FeedMode::Open {
            self.writers.remove(slug);
        } else {
            self.writers.insert(slug.clone(), writers);
        }
    }
}
