//! What all parts say, by owner, and what follows for each provider. A change costs work in proportion to the owners
//! that it is about and to the other owners of the same providers.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use rayon::prelude::*;
use slab::Slab;

use super::super::line::Owner;
use super::super::resolve::{Candidates, Resolver};
use super::super::{FeedMode, FeedRules, ProviderFeed, Skipped};
use super::age::FeedProviders;
use super::entries::Entries;
use super::owner::{OwnerState, Says};
use super::part::PartId;
use super::provider::{ProviderState, Remade, remake};
use crate::model::{Directory, Generation, ProviderNumber, Slug};

/// More providers than this are remade on several threads.
const FEW: usize = 64;

#[derive(Default)]
pub(super) struct Owners {
    pub(super) rules: Arc<FeedRules>,
    pub(super) generation: Option<Generation>,
    pub(super) states: Slab<OwnerState>,
    pub(super) numbers: HashMap<Owner<'static>, usize>,
    /// By number.
    pub(super) providers: Vec<ProviderState>,
    pub(super) unused: BTreeSet<usize>,
    pub(super) unoffered: BTreeSet<ProviderNumber>,
    /// Whether what is not used may be other than was told.
    pub(super) is_unused_new: bool,
    /// The parts without any line. While there is one, silence does not mean free.
    pub(super) blank: BTreeSet<Arc<str>>,
    /// Whether a provider whom no part lists has no busy time. As it was when it was last asked.
    was_silence_free: bool,
    pub(super) withheld: BTreeSet<Slug>,
    pub(super) list: Arc<FeedProviders>,
}

/// What a part says of an owner now; `None`: nothing.
pub(super) struct OwnerChange {
    pub(super) id: Arc<PartId>,
    pub(super) owner: Owner<'static>,
    pub(super) now: Option<Arc<Entries>>,
}

#[derive(Debug, Default)]
pub struct Change {
    /// Whether it is about all providers, because the content is another one than before.
    pub(super) is_complete: bool,
    pub providers: Vec<ProviderFeed>,
    /// What is not used, if that has changed.
    pub skipped: Option<Skipped>,
    /// Whether providers are withheld or listed otherwise than before.
    pub is_listed_anew: bool,
}

impl Change {
    pub(super) fn merge(&mut self, later: Self) {
        self.is_complete |= later.is_complete;
        self.is_listed_anew |= later.is_listed_anew;
        let again: BTreeSet<&Slug> = later.providers.iter().map(|feed| &feed.provider).collect();
        self.providers.retain(|feed| !again.contains(&feed.provider));
        self.providers.extend(later.providers);
    }
}

#[derive(Default)]
struct Affected {
    owners: BTreeSet<usize>,
    providers: BTreeSet<ProviderNumber>,
    /// The providers for which `is_withheld` is computed again.
    suspects: BTreeSet<ProviderNumber>,
}

impl Owners {
    pub(super) fn new(rules: Arc<FeedRules>) -> Self {
        Self { rules, was_silence_free: true, ..Self::default() }
    }

    /// Takes what parts say now, and resolves everything again if the directory is another one than at the last change.
    pub(super) fn apply(&mut self, directory: &Directory, said: Vec<OwnerChange>) -> Change {
        let mut change = Change::default();
        let mut affected = Affected::default();
        let before = (self.suspicion(), self.was_silence_free);
        let (was_any_unused, is_new) = (self.is_any_unused(), !said.is_empty());
        if self.generation.as_ref() != Some(directory.generation()) {
            self.begin(directory, &mut affected);
            (change.is_complete, change.is_listed_anew) = (true, true);
        }
        for change in said {
            self.exchange(change, &mut affected);
        }
        let rules = Arc::clone(&self.rules);
        let resolver = Resolver { directory, rules: &rules };
        for owner in std::mem::take(&mut affected.owners) {
            self.resolve(owner, resolver, &mut affected);
        }
        let is_listed_anew = self.remake(directory, &mut change, &affected);
        self.was_silence_free = rules.unlisted_is_open && self.blank.is_empty();
        let is_about_all = change.is_complete || before != (self.suspicion(), self.was_silence_free);
        let suspects = if is_about_all { directory.provider_numbers().collect() } else { affected.suspects };
        change.is_listed_anew |= self.withhold(&suspects) | is_listed_anew;
        self.is_unused_new |= is_about_all || is_new && (was_any_unused || self.is_any_unused());
        change
    }

    fn is_any_unused(&self) -> bool {
        !(self.unused.is_empty() && self.unoffered.is_empty() && self.blank.is_empty())
    }

    /// Whether no owner leads to a provider who may be one of these candidates.
    fn is_undescribed(provider: &ProviderState, candidates: Candidates) -> bool {
        provider.owners.is_empty()
            && (candidates == Candidates::Any || candidates == Candidates::WithoutNpi && !provider.has_npi)
    }

    pub(super) fn undescribed(&self, candidates: Candidates) -> impl Iterator<Item = &ProviderState> {
        self.providers.iter().filter(move |provider| Self::is_undescribed(provider, candidates))
    }

    /// Whom unresolved busy time may mean: this decides also about providers of whom nothing has changed.
    pub(super) fn suspicion(&self) -> Candidates {
        self.unused_owners().map(|owner| owner.effect.candidates).max().unwrap_or_default()
    }

    pub(super) fn unused_owners(&self) -> impl Iterator<Item = &OwnerState> {
        self.unused.iter().filter_map(|number| self.states.get(*number))
    }

    fn begin(&mut self, directory: &Directory, affected: &mut Affected) {
        let all: Vec<usize> = self.states.iter().map(|(number, _)| number).collect();
        for number in all {
            self.retract(number, affected);
        }
        self.unoffered.clear();
        self.generation = Some(directory.generation().clone());
        self.providers = directory.providers().iter().map(ProviderState::new).collect();
        affected.providers = directory.provider_numbers().collect();
        affected.suspects.clone_from(&affected.providers);
        self.withheld.clear();
        self.list = Arc::default();
    }

    fn exchange(&mut self, change: OwnerChange, affected: &mut Affected) {
        let OwnerChange { id, owner, now } = change;
        let number = self.number_of(owner);
        self.retract(number, affected);
        let said = &mut self.states[number].said;
        match (said.binary_search_by(|says| says.id.cmp(&id)), now) {
            (Ok(at), Some(now)) => said[at].entries = now,
            (Ok(at), None) => _ = said.remove(at),
            (Err(at), Some(entries)) => said.insert(at, Says { id, entries }),
            (Err(_), None) => {}
        }
    }

    pub(super) fn number_of(&mut self, owner: Owner<'static>) -> usize {
        let new = |owner: &Owner<'static>| self.states.insert(OwnerState::new(owner.clone()));
        *self.numbers.entry(owner).or_insert_with_key(new)
    }

    /// Takes back what an owner adds to the set, once in a change, and remembers its providers.
    fn retract(&mut self, number: usize, affected: &mut Affected) {
        if !affected.owners.insert(number) {
            return;
        }
        let owner = &mut self.states[number];
        let effect = std::mem::take(&mut owner.effect);
        for provider in &effect.providers {
            let state = &mut self.providers[provider.index()];
            owner.former.providers.insert(state.name.clone());
            state.owners.retain(|other| *other != number);
        }
        for provider in &effect.withheld {
            self.providers[provider.index()].suspicions -= 1;
        }
        affected.providers.extend(&effect.providers);
        affected.suspects.extend(effect.providers.iter().chain(&effect.withheld));
        self.unused.remove(&number);
    }

    fn resolve(&mut self, number: usize, resolver: Resolver<'_>, affected: &mut Affected) {
        let owner = &mut self.states[number];
        if owner.said.is_empty() {
            self.numbers.remove(&self.states.remove(number).owner);
            return;
        }
        owner.resolve(resolver, self.rules.mode);
        for provider in &owner.effect.providers {
            let owners = &mut self.providers[provider.index()].owners;
            if let Err(at) = owners.binary_search(&number) {
                owners.insert(at, number);
            }
        }
        for provider in &owner.effect.withheld {
            self.providers[provider.index()].suspicions += 1;
        }
        affected.providers.extend(&owner.effect.providers);
        affected.suspects.extend(owner.effect.providers.iter().chain(&owner.effect.withheld));
        if owner.effect.is_unused {
            self.unused.insert(number);
        }
    }

    /// Makes the sets of the affected providers. True if other writers list one of them than before.
    fn remake(&mut self, directory: &Directory, change: &mut Change, affected: &Affected) -> bool {
        let numbers: Vec<_> = affected.providers.iter().copied().collect();
        let make = |number: &ProviderNumber| self.remade(directory, *number);
        let remade: Vec<_> = if numbers.len() < FEW {
            numbers.iter().map(make).collect()
        } else {
            numbers.par_iter().with_min_len(16).map(make).collect()
        };
        let mut is_listed_anew = false;
        for (number, (set, listing, skips)) in numbers.into_iter().zip(remade) {
            let provider = &mut self.providers[number.index()];
            if skips.is_some() {
                self.unoffered.insert(number);
            } else {
                self.unoffered.remove(&number);
            }
            if change.is_complete || provider.listing.writers != listing.writers {
                // `make_mut` copies the lists only while a reader holds them.
                let list = Arc::make_mut(&mut self.list);
                list.list(&set.provider, listing.writers.clone(), self.rules.mode);
                is_listed_anew = true;
            }
            (provider.count, provider.listing, provider.skips) = (set.entries.len(), listing, skips);
            change.providers.push(set);
        }
        is_listed_anew
    }

    pub(super) fn remade(&self, directory: &Directory, number: ProviderNumber) -> Remade {
        let owners = self.providers[number.index()].owners.iter();
        remake(directory, &self.rules, number, owners.filter_map(|owner| self.states.get(*owner)))
    }

    /// Finds who of these is withheld now. True if someone is who was not, or no longer.
    fn withhold(&mut self, suspects: &BTreeSet<ProviderNumber>) -> bool {
        let suspicion = self.suspicion();
        let mut has_changed = false;
        for number in suspects {
            let slug = &self.providers[number.index()].name.0;
            let is_withheld = self.is_withheld(*number, suspicion);
            if is_withheld != self.withheld.contains(slug) {
                has_changed = true;
                if is_withheld {
                    self.withheld.insert(slug.clone());
                } else {
                    self.withheld.remove(slug);
                }
            }
        }
        if has_changed {
            Arc::make_mut(&mut self.list).withheld = self.withheld.iter().cloned().collect();
        }
        has_changed
    }

    pub(super) fn is_withheld(&self, number: ProviderNumber, suspicion: Candidates) -> bool {
        let (provider, is_busy) = (&self.providers[number.index()], self.rules.mode == FeedMode::Busy);
        let is_unknown = !self.was_silence_free && provider.listing.writers.is_empty();
        let is_suspect = provider.suspicions > 0 || Self::is_undescribed(provider, suspicion);
        provider.listing.is_unusable || is_busy && (is_unknown || is_suspect)
    }
}
