//! Finds the providers to whom unresolved busy time may belong. They are withheld.

use std::collections::{BTreeMap, BTreeSet};

use super::super::resolve::Candidates;
use super::owner::Effect;
use super::provider::ProviderState;
use crate::model::ProviderNumber;

/// The candidates for the busy time of all owners.
#[derive(Debug, Default)]
pub(super) struct Suspects {
    /// The providers to whom no owner resolves, and those of them without a national identifier.
    pub(super) undescribed: BTreeSet<ProviderNumber>,
    pub(super) undescribed_without_npi: BTreeSet<ProviderNumber>,
    /// The number of owners by candidates.
    candidates: BTreeMap<Candidates, usize>,
}

impl Suspects {
    pub(super) fn add(&mut self, effect: &Effect) {
        if let Some(candidates) = effect.candidates {
            *self.candidates.entry(candidates).or_default() += 1;
        }
    }

    pub(super) fn remove(&mut self, effect: &Effect) {
        if let Some(candidates) = effect.candidates {
            subtract_one(&mut self.candidates, &candidates);
        }
    }

    /// Notes whether an owner resolves to a provider.
    pub(super) fn describe(&mut self, number: ProviderNumber, is_described: bool, has_npi: bool) {
        for (of, is_of) in [(&mut self.undescribed, true), (&mut self.undescribed_without_npi, !has_npi)] {
            if is_described || !is_of {
                of.remove(&number);
            } else {
                of.insert(number);
            }
        }
    }

    /// Who is suspected of further busy time: this decides also about providers of whom nothing has changed.
    pub(super) fn suspicion(&self) -> Candidates {
        self.candidates.last_key_value().map_or(Candidates::None, |(last, _)| *last)
    }

    /// The providers to whom no owner resolves, of these candidates.
    pub(super) fn among(&self, candidates: Candidates) -> Option<&BTreeSet<ProviderNumber>> {
        match candidates {
            Candidates::None => None,
            Candidates::WithoutNpi => Some(&self.undescribed_without_npi),
            Candidates::Any => Some(&self.undescribed),
        }
    }

    /// Whether busy time that is not clearly of others may be this provider's.
    pub(super) fn has(&self, number: ProviderNumber, provider: &ProviderState) -> bool {
        provider.suspicions > 0 || self.among(self.suspicion()).is_some_and(|of| of.contains(&number))
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
