//! Finds providers by their identifiers.

use std::cmp::Ordering;

use super::Provider;

/// The positions of providers in the order of their identifiers.
#[derive(Debug)]
pub(super) struct People {
    /// Those with a national identifier.
    by_npi: Vec<u32>,
    by_id: Vec<u32>,
}

impl People {
    pub(super) fn of(providers: &[Provider]) -> Self {
        let all = || (0..).zip(providers);
        let sorted = |mut positions: Vec<u32>, order: &dyn Fn(&Provider, &Provider) -> Ordering| {
            positions.sort_by(|&a, &b| order(&providers[a as usize], &providers[b as usize]));
            positions
        };
        let with_npi = all().filter(|(_, provider)| provider.npi().is_some());
        Self {
            by_npi: sorted(with_npi.map(|(at, _)| at).collect(), &|a, b| a.npi().cmp(&b.npi())),
            by_id: sorted(all().map(|(at, _)| at).collect(), &|a, b| a.id().cmp(b.id())),
        }
    }

    /// The position of the provider with a national identifier.
    pub(super) fn with_npi(&self, providers: &[Provider], npi: &str) -> Option<usize> {
        let order = |&at: &u32| providers[at as usize].npi().cmp(&Some(npi));
        self.by_npi.binary_search_by(order).ok().map(|at| self.by_npi[at] as usize)
    }

    /// The position of the provider with an id.
    pub(super) fn with_id(&self, providers: &[Provider], id: &str) -> Option<usize> {
        let order = |&at: &u32| providers[at as usize].id().as_str().cmp(id);
        self.by_id.binary_search_by(order).ok().map(|at| self.by_id[at] as usize)
    }
}
