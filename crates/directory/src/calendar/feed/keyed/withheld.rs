//! Finds the providers to whom unresolved busy time may belong. They are withheld.

use std::collections::{BTreeMap, BTreeSet};

use super::super::resolve::Candidates;
use super::data::SiteNumber;
use super::owner::Effect;
use super::provider::KeyedProvider;
use crate::model::ProviderNumber;

/// The candidates for the busy time of all owners.
#[derive(Debug, Default)]
pub(super) struct Suspects {
    /// The providers to whom no key resolves, and those of them without a national identifier.
    pub(super) undescribed: BTreeSet<ProviderNumber>,
    pub(super) undescribed_without_npi: BTreeSet<ProviderNumber>,
    /// The number of owners by candidates.
    candidates: BTreeMap<Candidates, usize>,
    /// The number of owners with unresolved busy time, by site.
    unresolved: BTreeMap<SiteNumber, usize>,
}

/// What decides about providers whose own keys have not changed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Suspicion {
    candidates: Candidates,
    unresolved: Vec<SiteNumber>,
}

impl Suspects {
    pub(super) fn add(&mut self, effect: &Effect) {
        if let Some(candidates) = effect.candidates {
            *self.candidates.entry(candidates).or_default() += 1;
        }
        for site in &effect.unresolved {
            *self.unresolved.entry(*site).or_default() += 1;
        }
    }

    pub(super) fn remove(&mut self, effect: &Effect) {
        if let Some(candidates) = effect.candidates {
            subtract_one(&mut self.candidates, &candidates);
        }
        for site in &effect.unresolved {
            subtract_one(&mut self.unresolved, site);
        }
    }

    /// Notes whether a key resolves to a provider.
    pub(super) fn describe(&mut self, number: ProviderNumber, is_described: bool, has_npi: bool) {
        for (of, is_of) in [(&mut self.undescribed, true), (&mut self.undescribed_without_npi, !has_npi)] {
            if is_described || !is_of {
                of.remove(&number);
            } else {
                of.insert(number);
            }
        }
    }

    pub(super) fn suspicion(&self) -> Suspicion {
        let candidates = self.candidates.last_key_value().map_or(Candidates::None, |(last, _)| *last);
        Suspicion { candidates, unresolved: self.unresolved.keys().copied().collect() }
    }

    /// The providers to whom no key resolves, of these candidates.
    pub(super) fn among(&self, candidates: Candidates) -> Option<&BTreeSet<ProviderNumber>> {
        match candidates {
            Candidates::None => None,
            Candidates::WithoutNpi => Some(&self.undescribed_without_npi),
            Candidates::Any => Some(&self.undescribed),
        }
    }

    /// Whether busy time that is not clearly of others may be this provider's.
    pub(super) fn has(
        &self,
        number: ProviderNumber,
        provider: &KeyedProvider,
        suspicion: &Suspicion,
    ) -> bool {
        let may_be_unresolved = !suspicion.unresolved.is_empty()
            && (provider.count == 0
                || provider.listing.idle.iter().any(|site| suspicion.unresolved.contains(site)));
        provider.suspicions > 0
            || may_be_unresolved
            || self.among(suspicion.candidates).is_some_and(|of| of.contains(&number))
    }
}

fn subtract_one<K: Ord>(counts: &mut BTreeMap<K, usize>, key: &K) {
    if let Some(left) = counts.get_mut(key) {
        *left -= 1;
        if *left == 0 {
            counts.remove(key);
        }
    }
}
