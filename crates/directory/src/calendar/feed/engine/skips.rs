//! Counts the entries that are not used.

use std::collections::{BTreeMap, BTreeSet};

use super::super::resolve::Candidates;
use super::super::skipped::SkipReason;
use super::owner::OwnerSkip;
use super::provider::ProviderSkips;
use crate::model::ProviderNumber;

/// The counts of all owners and providers.
#[derive(Debug, Default)]
pub(super) struct SkipCounts {
    counts: BTreeMap<SkipReason, usize>,
    /// The entries of [`OwnerSkip::WhilePossible`] by candidates.
    while_possible: BTreeMap<Candidates, usize>,
    pub(super) others: BTreeMap<String, usize>,
    /// The owners whose entries are skipped.
    pub(super) owners: BTreeSet<u32>,
    /// The providers with slots that are skipped.
    pub(super) providers: BTreeSet<ProviderNumber>,
    /// Whether a count may have changed since this was set to false.
    pub(super) has_changed: bool,
}

impl SkipCounts {
    pub(super) fn add_owner(&mut self, owner: u32, skip: OwnerSkip) {
        match skip {
            OwnerSkip::None => return,
            OwnerSkip::Counted(reason, count) => *self.counts.entry(reason).or_default() += count,
            OwnerSkip::WhilePossible(candidates, count) => {
                *self.while_possible.entry(candidates).or_default() += count;
            }
        }
        self.owners.insert(owner);
        self.has_changed = true;
    }

    pub(super) fn remove_owner(&mut self, owner: u32, skip: OwnerSkip) {
        match skip {
            OwnerSkip::None => return,
            OwnerSkip::Counted(reason, count) => subtract(&mut self.counts, &reason, count),
            OwnerSkip::WhilePossible(candidates, count) => {
                subtract(&mut self.while_possible, &candidates, count);
            }
        }
        self.owners.remove(&owner);
        self.has_changed = true;
    }

    pub(super) fn add_provider(&mut self, number: ProviderNumber, skips: &ProviderSkips) {
        for (&reason, count) in &skips.counts {
            *self.counts.entry(reason).or_default() += count;
        }
        self.providers.insert(number);
        self.has_changed = true;
    }

    pub(super) fn remove_provider(&mut self, number: ProviderNumber, skips: &ProviderSkips) {
        for (reason, count) in &skips.counts {
            subtract(&mut self.counts, reason, *count);
        }
        self.providers.remove(&number);
        self.has_changed = true;
    }

    /// Replaces the counts of a part's other resources.
    pub(super) fn change_others(&mut self, before: &BTreeMap<String, usize>, now: &BTreeMap<String, usize>) {
        self.has_changed |= before != now;
        for (kind, count) in before {
            subtract(&mut self.others, kind, *count);
        }
        for (kind, count) in now {
            *self.others.entry(kind.clone()).or_default() += count;
        }
    }

    /// The number of skipped entries by reason. `exists` says whether there is a provider among some candidates.
    pub(super) fn totals(&self, exists: impl Fn(Candidates) -> bool) -> BTreeMap<SkipReason, usize> {
        let mut counts = self.counts.clone();
        for (candidates, count) in &self.while_possible {
            if exists(*candidates) {
                *counts.entry(SkipReason::NotPublished).or_default() += count;
            }
        }
        counts
    }
}

/// Subtracts from a count, which is removed at zero.
fn subtract<K: Ord>(counts: &mut BTreeMap<K, usize>, key: &K, count: usize) {
    if let Some(left) = counts.get_mut(key) {
        *left = left.saturating_sub(count);
        if *left == 0 {
            counts.remove(key);
        }
    }
}
