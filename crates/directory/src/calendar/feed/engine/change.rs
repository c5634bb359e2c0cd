//! What differs after events.

use std::collections::BTreeSet;

use super::super::{ProviderFeed, Skipped};
use crate::model::Slug;

/// What differs after events.
#[derive(Debug, Default)]
pub struct Change {
    /// Whether it is about all providers, because the content is another one than before.
    pub is_complete: bool,
    /// The new sets of the providers whose time has changed.
    pub providers: Vec<ProviderFeed>,
    /// What is not used, if that has changed.
    pub skipped: Option<Skipped>,
    /// Whether providers are withheld or listed otherwise than before.
    pub is_listed_anew: bool,
}

impl Change {
    /// Adds a later change.
    pub(super) fn merge(&mut self, later: Self) {
        self.is_complete |= later.is_complete;
        self.is_listed_anew |= later.is_listed_anew;
        let again: BTreeSet<&Slug> = later.providers.iter().map(|feed| &feed.provider).collect();
        self.providers.retain(|feed| !again.contains(&feed.provider));
        self.providers.extend(later.providers);
    }
}
