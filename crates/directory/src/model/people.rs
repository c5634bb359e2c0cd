//! Finds providers by their identifiers.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::OnceLock;

use super::{Provider, ProviderId};

#[derive(Debug)]
pub(super) struct People {
    /// Only those of providers with a national identifier.
    by_npi: Vec<u32>,
    by_id: Vec<u32>,
    /// The position of each provider whose id is too long for some uses, by the text that replaces the id there.
    replaced_ids: OnceLock<HashMap<String, u32>>,
}

impl People {
    pub(super) fn build(providers: &[Provider]) -> Self {
        let all = || (0..).zip(providers);
        let sorted = |mut positions: Vec<u32>, order: &dyn Fn(&Provider, &Provider) -> Ordering| {
            positions.sort_by(|&a, &b| order(&providers[a as usize], &providers[b as usize]));
            positions
        };
        let with_npi = all().filter(|(_, provider)| provider.npi.is_some());
        Self {
            by_npi: sorted(with_npi.map(|(at, _)| at).collect(), &|a, b| {
                a.npi.as_deref().cmp(&b.npi.as_deref())
            }),
            by_id: sorted(all().map(|(at, _)| at).collect(), &|a, b| a.id.cmp(&b.id)),
            replaced_ids: OnceLock::new(),
        }
    }

    pub(super) fn with_npi(&self, providers: &[Provider], npi: &str) -> Option<usize> {
        let order = |&at: &u32| providers[at as usize].npi.as_deref().cmp(&Some(npi));
        self.by_npi.binary_search_by(order).ok().map(|at| self.by_npi[at] as usize)
    }

    pub(super) fn with_id(&self, providers: &[Provider], id: &str) -> Option<usize> {
        let order = |&at: &u32| providers[at as usize].id.as_str().cmp(id);
        self.by_id.binary_search_by(order).ok().map(|at| self.by_id[at] as usize)
    }

    /// `replace` is always the same function.
    pub(super) fn with_replaced_id(
        &self,
        providers: &[Provider],
        text: &str,
        replace: fn(&ProviderId) -> Option<String>,
    ) -> Option<usize> {
        let all = || (0..).zip(providers).filter_map(|(at, provider)| Some((replace(&provider.id)?, at)));
        self.replaced_ids.get_or_init(|| all().collect()).get(text).map(|&at| at as usize)
    }
}
