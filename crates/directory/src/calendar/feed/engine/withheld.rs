//! Finds the providers to whom unresolved busy time may belong. They are withheld.

use std::collections::BTreeSet;

use super::super::resolve::Candidates;
use crate::model::ProviderNumber;

/// The providers to whom no owner resolves, and those of them without a national identifier.
#[derive(Debug, Default)]
pub(super) struct Undescribed {
    all: BTreeSet<ProviderNumber>,
    without_npi: BTreeSet<ProviderNumber>,
}

static NOBODY: BTreeSet<ProviderNumber> = BTreeSet::new();

impl Undescribed {
    /// Notes whether an owner resolves to a provider.
    pub(super) fn describe(&mut self, number: ProviderNumber, is_described: bool, has_npi: bool) {
        for (of, is_of) in [(&mut self.all, true), (&mut self.without_npi, !has_npi)] {
            if is_described || !is_of {
                of.remove(&number);
            } else {
                of.insert(number);
            }
        }
    }

    /// Those of these candidates.
    pub(super) fn among(&self, candidates: Candidates) -> &BTreeSet<ProviderNumber> {
        match candidates {
            Candidates::None => &NOBODY,
            Candidates::WithoutNpi => &self.without_npi,
            Candidates::Any => &self.all,
        }
    }

    pub(super) fn counts(&self) -> (usize, usize) {
        (self.all.len(), self.without_npi.len())
    }
}
