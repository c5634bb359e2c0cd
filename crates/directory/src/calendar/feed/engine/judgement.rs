//! What a feed's data is worth: how fresh it is, and whose open times are unknown.

use std::sync::Arc;

use super::super::Freshness;
use crate::model::Slug;

/// How fresh a feed's data is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// The freshness of the oldest data that is shown.
    pub freshness: Freshness,
    /// The providers without open times, sorted: the expired and the withheld ones.
    pub unknown: Arc<[Slug]>,
    /// The withheld providers, sorted. Their busy time may be in lines that resolve to no provider, or in an empty
    /// file; or they are new in the content.
    pub withheld: Arc<[Slug]>,
}

impl Judgement {
    /// Withholds more providers.
    #[must_use]
    pub fn withholding(mut self, more: &[Slug]) -> Self {
        if more.is_empty() {
            return self;
        }
        for slugs in [&mut self.unknown, &mut self.withheld] {
            let mut all = [slugs, more].concat();
            all.sort_unstable();
            all.dedup();
            *slugs = all.into();
        }
        self
    }

    /// The providers whose part of the feed is too old.
    #[must_use]
    pub fn expired(&self) -> Vec<&Slug> {
        self.unknown.iter().filter(|slug| self.withheld.binary_search(slug).is_err()).collect()
    }

    /// Its word in `/readyz`, metrics and the log.
    #[must_use]
    pub fn freshness_word(&self) -> &'static str {
        match self.freshness {
            Freshness::Fresh => "fresh",
            Freshness::Stale { .. } => "stale",
            Freshness::Expired => "expired",
        }
    }
}
