//! What all parts say, by owner, and what follows for each provider.
//!
//! A change costs work in proportion to the owners that it is about and to the other owners of the same providers.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use rayon::prelude::*;

use super::super::line::Owner;
use super::super::resolve::{ProviderName, Resolver};
use super::super::skipped::Skipped;
use super::super::{FeedMode, FeedRules, ProviderFeed};
use super::entries::Entries;
use super::owner::OwnerState;
use super::provider::{ProviderState, Remade, remake};
use super::skips::SkipCounts;
use super::withheld::Suspects;
use crate::model::{Directory, Generation, Provider, ProviderNumber, Slug};

/// The number of unknown slugs for which a service suggests similar ones.
const FEW_SUGGESTED: usize = 5;
/// More providers than this are remade on several threads.
const FEW: usize = 64;

/// The owners and providers of a feed, in the directory of the last change.
pub(super) struct Owners {
    pub(super) rules: Arc<FeedRules>,
    pub(super) generation: Option<Generation>,
    /// By number; an owner of whom no part says anything is removed.
    pub(super) states: Vec<Option<OwnerState>>,
    pub(super) numbers: HashMap<Owner<'static>, u32>,
    pub(super) free_numbers: Vec<u32>,
    /// By number, and how each is found in another directory.
    pub(super) providers: Vec<ProviderState>,
    pub(super) names: Vec<ProviderName>,
    pub(super) suspects: Suspects,
    pub(super) skips: SkipCounts,
    /// Whether its parts are files, which change seldom.
    pub(super) is_of_files: bool,
    /// The parts without any line. While there is one, silence does not mean free.
    pub(super) blank: BTreeSet<Arc<str>>,
    /// Whether a provider whom no part lists has no taken time. As it was when it was last asked.
    pub(super) was_silence_free: bool,
}

impl Changed {
    /// Adds a later change.
    pub(super) fn merge(&mut self, later: Self) {
        self.is_complete |= later.is_complete;
        let again: BTreeSet<&Slug> = later.providers.iter().map(|feed| &feed.provider).collect();
        self.providers.retain(|feed| !again.contains(&feed.provider));
        self.providers.extend(later.providers);
        self.listed.extend(later.listed);
        self.withheld.extend(later.withheld);
        self.skipped = later.skipped.or(self.skipped.take());
    }
}

/// What a part says of an owner now; `None`: nothing.
pub(super) struct OwnerChange {
    pub(super) part: u32,
    pub(super) owner: Owner<'static>,
    pub(super) now: Option<Arc<Entries>>,
}

/// What differs after a change.
#[derive(Default)]
pub(super) struct Changed {
    /// Whether it is about all providers, because the directory is another one than before.
    pub(super) is_complete: bool,
    pub(super) providers: Vec<ProviderFeed>,
    /// The parts that list each of these providers now.
    pub(super) listed: Vec<(Slug, Vec<u32>)>,
    /// The providers who are withheld now, or no longer.
    pub(super) withheld: Vec<(Slug, bool)>,
    /// What is not used, if that has changed.
    pub(super) skipped: Option<Skipped>,
}

/// What a change has touched so far.
#[derive(Default)]
struct Touched {
    owners: BTreeSet<u32>,
    /// The providers whose sets are to be made anew.
    providers: BTreeSet<ProviderNumber>,
    /// The providers for which `is_withheld` is computed again.
    suspects: BTreeSet<ProviderNumber>,
}

impl Owners {
    pub(super) fn new(rules: Arc<FeedRules>) -> Self {
        Self {
            rules,
            generation: None,
            states: Vec::new(),
            numbers: HashMap::new(),
            free_numbers: Vec::new(),
            providers: Vec::new(),
            names: Vec::new(),
            suspects: Suspects::default(),
            skips: SkipCounts::default(),
            is_of_files: false,
            blank: BTreeSet::new(),
            was_silence_free: true,
        }
    }

    /// Takes what parts say now, and resolves everything anew if the directory is another one than at the last change.
    pub(super) fn apply(&mut self, directory: &Directory, said: Vec<OwnerChange>) -> Changed {
        let mut changed = Changed::default();
        let mut touched = Touched::default();
        let before = (self.suspects.suspicion(), self.was_silence_free);
        let undescribed = self.undescribed_counts();
        if self.generation.as_ref() != Some(directory.generation()) {
            self.begin(directory, &mut touched);
            changed.is_complete = true;
        }
        for change in said {
            self.exchange(change, &mut touched);
        }
        let rules = Arc::clone(&self.rules);
        let resolver = Resolver::without_suggestions(directory, &rules);
        for owner in std::mem::take(&mut touched.owners) {
            self.resolve(owner, resolver, &mut touched);
        }
        self.remake(directory, &mut changed, &mut touched);
        self.was_silence_free = rules.unlisted_is_open && self.blank.is_empty();
        let is_about_all =
            changed.is_complete || before != (self.suspects.suspicion(), self.was_silence_free);
        self.withhold(directory, is_about_all, &mut changed, touched.suspects);
        // The entries of some owners count as skipped while some provider is undescribed.
        let is_blank_for_others = !self.blank.is_empty() && !changed.listed.is_empty();
        let has_changed =
            self.skips.has_changed || undescribed != self.undescribed_counts() || is_blank_for_others;
        if is_about_all || has_changed {
            let most = if self.is_of_files { FEW_SUGGESTED } else { 0 };
            changed.skipped = Some(self.skipped(directory, most));
            self.skips.has_changed = false;
        }
        changed
    }

    fn undescribed_counts(&self) -> (usize, usize) {
        (self.suspects.undescribed.len(), self.suspects.undescribed_without_npi.len())
    }

    /// Forgets what follows from the former directory.
    fn begin(&mut self, directory: &Directory, touched: &mut Touched) {
        for number in 0..u32::try_from(self.states.len()).unwrap_or(u32::MAX) {
            self.retract(number, touched);
        }
        for number in std::mem::take(&mut self.skips.providers) {
            if let Some(skips) = &self.providers[number.index()].skips {
                self.skips.remove_provider(number, skips);
            }
        }
        let numbers = || directory.provider_numbers();
        let provider = |number| directory.provider(number);
        self.generation = Some(directory.generation().clone());
        self.providers = numbers().map(|_| ProviderState::new()).collect();
        let name = |provider: &Provider| (provider.slug.clone(), provider.id.clone());
        self.names = directory.providers().iter().map(name).collect();
        self.suspects.undescribed = numbers().collect();
        self.suspects.undescribed_without_npi =
            numbers().filter(|number| provider(*number).npi.is_none()).collect();
        touched.providers = numbers().collect();
        touched.suspects.clone_from(&touched.providers);
    }

    /// Replaces what a part says of an owner, who is resolved later.
    fn exchange(&mut self, OwnerChange { part, owner, now }: OwnerChange, touched: &mut Touched) {
        let number = match self.numbers.get(&owner) {
            Some(number) => *number,
            None if now.is_none() => return,
            None => self.add_owner(owner),
        };
        self.retract(number, touched);
        let Some(owner) = &mut self.states[number as usize] else { return };
        match (owner.said.binary_search_by_key(&part, |(part, _)| *part), now) {
            (Ok(at), Some(now)) => owner.said[at].1 = now,
            (Ok(at), None) => _ = owner.said.remove(at),
            (Err(at), Some(now)) => owner.said.insert(at, (part, now)),
            (Err(_), None) => {}
        }
    }

    pub(super) fn add_owner(&mut self, owner: Owner<'static>) -> u32 {
        let number = self.free_numbers.pop().unwrap_or_else(|| {
            self.states.push(None);
            u32::try_from(self.states.len() - 1).unwrap_or(u32::MAX)
        });
        self.numbers.insert(owner.clone(), number);
        self.states[number as usize] = Some(OwnerState::new(owner));
        number
    }

    /// Takes back what an owner adds to the set, once in a change, and remembers its providers.
    fn retract(&mut self, number: u32, touched: &mut Touched) {
        let Some(owner) = self.states[number as usize].as_mut() else { return };
        if !touched.owners.insert(number) {
            return;
        }
        let effect = std::mem::take(&mut owner.effect);
        for provider in &effect.providers {
            owner.former.providers.insert(self.names[provider.index()].clone());
            let state = &mut self.providers[provider.index()];
            state.owners.retain(|other| *other != number);
            touched.providers.insert(*provider);
            touched.suspects.insert(*provider);
        }
        for provider in &effect.withheld {
            self.providers[provider.index()].suspicions -= 1;
            touched.suspects.insert(*provider);
        }
        self.suspects.remove(&effect);
        self.skips.remove_owner(number, effect.skip);
    }

    /// Resolves an owner that was taken back, or removes it if no part says anything of it any more.
    fn resolve(&mut self, number: u32, resolver: Resolver<'_>, touched: &mut Touched) {
        let Some(owner) = &mut self.states[number as usize] else { return };
        if owner.said.is_empty() {
            self.numbers.remove(&owner.owner);
            self.states[number as usize] = None;
            self.free_numbers.push(number);
        } else {
            owner.resolve(resolver, self.rules.mode);
            for provider in &owner.effect.providers {
                let owners = &mut self.providers[provider.index()].owners;
                if let Err(at) = owners.binary_search(&number) {
                    owners.insert(at, number);
                }
                touched.providers.insert(*provider);
                touched.suspects.insert(*provider);
            }
            for provider in &owner.effect.withheld {
                self.providers[provider.index()].suspicions += 1;
                touched.suspects.insert(*provider);
            }
            self.suspects.add(&owner.effect);
            self.skips.add_owner(number, owner.effect.skip);
        }
    }

    /// Makes the sets of the touched providers.
    fn remake(&mut self, directory: &Directory, change: &mut Changed, touched: &mut Touched) {
        let numbers: Vec<_> = touched.providers.iter().copied().collect();
        let make = |number: &ProviderNumber| self.remade(directory, *number);
        let remade: Vec<Remade> = if numbers.len() < FEW {
            numbers.iter().map(make).collect()
        } else {
            numbers.par_iter().with_min_len(16).map(make).collect()
        };
        for (number, Remade { entries, listing, skips }) in numbers.into_iter().zip(remade) {
            let provider = &mut self.providers[number.index()];
            let slug = &directory.provider(number).slug;
            if let Some(before) = &provider.skips {
                self.skips.remove_provider(number, before);
            }
            if let Some(skips) = &skips {
                self.skips.add_provider(number, skips);
            }
            if change.is_complete || provider.listing.parts != listing.parts {
                change.listed.push((slug.clone(), listing.parts.clone()));
            }
            let is_described = !provider.owners.is_empty();
            let has_npi = directory.provider(number).npi.is_some();
            self.suspects.describe(number, is_described, has_npi);
            (provider.count, provider.listing, provider.skips) = (entries.len(), listing, skips);
            change.providers.push(ProviderFeed { provider: slug.clone(), entries });
        }
    }

    pub(super) fn remade(&self, directory: &Directory, number: ProviderNumber) -> Remade {
        let owners = self.providers[number.index()].owners.iter();
        let owners: Vec<_> = owners.filter_map(|owner| self.states[*owner as usize].as_ref()).collect();
        remake(directory, &self.rules, number, &owners)
    }

    /// Finds who is withheld now.
    fn withhold(
        &mut self,
        directory: &Directory,
        is_about_all: bool,
        change: &mut Changed,
        touched: BTreeSet<ProviderNumber>,
    ) {
        let numbers = if is_about_all { directory.provider_numbers().collect() } else { touched };
        for number in numbers {
            let provider = &self.providers[number.index()];
            let is_withheld = self.is_withheld(number);
            if is_withheld != provider.is_withheld {
                self.providers[number.index()].is_withheld = is_withheld;
                change.withheld.push((directory.provider(number).slug.clone(), is_withheld));
            }
        }
    }

    pub(super) fn is_withheld(&self, number: ProviderNumber) -> bool {
        let (provider, is_busy) = (&self.providers[number.index()], self.rules.mode == FeedMode::Busy);
        let is_unknown = is_busy && !self.was_silence_free && provider.listing.parts.is_empty();
        provider.listing.is_unusable || is_unknown || is_busy && self.suspects.has(number, provider)
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &OwnerState> {
        self.states.iter().flatten()
    }
}
