//! The state of a feed of keys, and its changes.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use rayon::prelude::*;

use super::super::line::Owner;
use super::super::resolve::{ProviderName, Resolver};
use super::super::skipped::{Skipped, SkippedLine};
use super::super::unused::explain;
use super::super::{FeedMode, FeedRules, ProviderFeed};
use super::changes::KeyedChange;
use super::data::{KeyData, SiteNumber};
use super::key::SlotKey;
use super::owner::KeyOwner;
use super::provider::{KeyedProvider, Remade, remake};
use super::skips::SkipCounts;
use super::value::{KeyChange, KeyValue};
use super::withheld::{Suspects, Suspicion};
use crate::model::{Directory, Generation, Provider, ProviderNumber};

/// More providers than this are remade on several threads.
const FEW: usize = 64;

/// The keys of a feed and what follows from them, in the directory of the last change.
pub struct KeyedSet {
    pub(super) rules: Arc<FeedRules>,
    pub(super) generation: Option<Generation>,
    pub(super) sites: Vec<Arc<str>>,
    pub(super) site_numbers: HashMap<Arc<str>, SiteNumber>,
    /// By number; an owner without keys is removed.
    pub(super) owners: Vec<Option<KeyOwner>>,
    pub(super) owner_numbers: HashMap<Owner<'static>, u32>,
    pub(super) free_numbers: Vec<u32>,
    /// By number, and how each is found in another directory.
    pub(super) providers: Vec<KeyedProvider>,
    pub(super) names: Vec<ProviderName>,
    pub(super) suspects: Suspects,
    pub(super) skips: SkipCounts,
    pub(super) key_count: usize,
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

impl KeyedSet {
    /// A set without keys.
    #[must_use]
    pub fn new(rules: Arc<FeedRules>) -> Self {
        Self {
            rules,
            generation: None,
            sites: Vec::new(),
            site_numbers: HashMap::new(),
            owners: Vec::new(),
            owner_numbers: HashMap::new(),
            free_numbers: Vec::new(),
            providers: Vec::new(),
            names: Vec::new(),
            suspects: Suspects::default(),
            skips: SkipCounts::default(),
            key_count: 0,
        }
    }

    /// Replaces the values of these keys, or removes them, and resolves everything anew if the directory is another
    /// one than at the last change.
    pub fn apply(&mut self, directory: &Directory, changed: &[KeyChange]) -> KeyedChange {
        let mut change = KeyedChange::default();
        let mut touched = Touched::default();
        let suspicion = self.suspects.suspicion();
        let undescribed = self.undescribed_counts();
        if self.generation.as_ref() != Some(directory.generation()) {
            self.begin(directory, &mut touched);
            change.is_complete = true;
        }
        for key in changed {
            match key {
                KeyChange::Put(value) => self.put(value, &mut touched),
                KeyChange::Delete(key) => self.delete(key, &mut touched),
            }
        }
        let rules = Arc::clone(&self.rules);
        let resolver = Resolver::without_suggestions(directory, &rules);
        for owner in std::mem::take(&mut touched.owners) {
            self.resolve(owner, resolver, &mut touched);
        }
        self.remake(directory, &mut change, &mut touched);
        self.withhold(directory, &suspicion, &mut change, touched.suspects);
        // The entries of some owners count as skipped while some provider is undescribed.
        let has_changed = self.skips.has_changed || undescribed != self.undescribed_counts();
        if change.is_complete || has_changed {
            change.skipped = Some(self.skipped(directory));
            self.skips.has_changed = false;
        }
        change
    }

    fn undescribed_counts(&self) -> (usize, usize) {
        (self.suspects.undescribed.len(), self.suspects.undescribed_without_npi.len())
    }

    /// Forgets what follows from the former directory.
    fn begin(&mut self, directory: &Directory, touched: &mut Touched) {
        for number in 0..u32::try_from(self.owners.len()).unwrap_or(u32::MAX) {
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
        self.providers = numbers().map(|_| KeyedProvider::new()).collect();
        let name = |provider: &Provider| (provider.slug.clone(), provider.id.clone());
        self.names = directory.providers().iter().map(name).collect();
        self.suspects.undescribed = numbers().collect();
        self.suspects.undescribed_without_npi =
            numbers().filter(|number| provider(*number).npi.is_none()).collect();
        touched.providers = numbers().collect();
        touched.suspects.clone_from(&touched.providers);
    }

    /// Replaces the value of a key. Its owner is resolved later.
    fn put(&mut self, value: &KeyValue, touched: &mut Touched) {
        let key = value.key();
        let known = self.site_numbers.get(key.site()).copied();
        let site = known.unwrap_or(SiteNumber(u32::try_from(self.sites.len()).unwrap_or(u32::MAX)));
        let data = KeyData::pack(value, site, self.rules.mode);
        if self.find(key).is_some_and(|before| before.is_same(&data)) {
            return;
        }
        if known.is_none() {
            let shared: Arc<str> = key.site().into();
            self.sites.push(Arc::clone(&shared));
            self.site_numbers.insert(shared, site);
        }
        let owner = self.owner_numbers.get(&key.owner).copied();
        let owner = owner.unwrap_or_else(|| self.add_owner(key.owner.clone()));
        self.retract(owner, touched);
        self.exchange(owner, site, Some(data));
    }

    /// Removes a key. Its owner is resolved later.
    fn delete(&mut self, key: &SlotKey, touched: &mut Touched) {
        let owner = self.owner_numbers.get(&key.owner).copied();
        let site = self.site_numbers.get(key.site()).copied();
        if let (Some(_), Some(owner), Some(site)) = (self.find(key), owner, site) {
            self.retract(owner, touched);
            self.exchange(owner, site, None);
        }
    }

    fn add_owner(&mut self, owner: Owner<'static>) -> u32 {
        let number = self.free_numbers.pop().unwrap_or_else(|| {
            self.owners.push(None);
            u32::try_from(self.owners.len() - 1).unwrap_or(u32::MAX)
        });
        self.owner_numbers.insert(owner.clone(), number);
        self.owners[number as usize] = Some(KeyOwner::new(owner));
        number
    }

    /// Replaces an owner's key of a site.
    fn exchange(&mut self, owner: u32, site: SiteNumber, data: Option<KeyData>) {
        let Some(owner) = &mut self.owners[owner as usize] else { return };
        if let Some(data) = &data {
            self.skips.add_key(data);
            self.key_count += 1;
        }
        let at = owner.keys.binary_search_by_key(&site, |key| key.site);
        let before = match (at, data) {
            (Ok(at), Some(data)) => Some(std::mem::replace(&mut owner.keys[at], data)),
            (Ok(at), None) => Some(owner.keys.remove(at)),
            (Err(at), Some(data)) => {
                owner.keys.insert(at, data);
                None
            }
            (Err(_), None) => None,
        };
        if let Some(before) = before {
            self.skips.remove_key(&before);
            self.key_count -= 1;
        }
    }

    /// Takes back what an owner adds to the set, once in a change, and remembers its providers.
    fn retract(&mut self, number: u32, touched: &mut Touched) {
        let Some(owner) = self.owners[number as usize].as_mut() else { return };
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

    /// Resolves an owner that was taken back, or removes it if it has no key any more.
    fn resolve(&mut self, number: u32, resolver: Resolver<'_>, touched: &mut Touched) {
        let Some(owner) = &mut self.owners[number as usize] else { return };
        if owner.keys.is_empty() {
            self.owner_numbers.remove(&owner.owner);
            self.owners[number as usize] = None;
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
    fn remake(&mut self, directory: &Directory, change: &mut KeyedChange, touched: &mut Touched) {
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
            if change.is_complete || provider.listing.sites != listing.sites {
                let sites = listing.sites.iter().map(|site| Arc::clone(&self.sites[site.0 as usize]));
                change.listed.push((slug.clone(), sites.collect()));
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
        let owners: Vec<_> = owners.filter_map(|owner| self.owners[*owner as usize].as_ref()).collect();
        remake(directory, &self.rules, number, &owners)
    }

    /// Finds who is withheld now.
    fn withhold(
        &mut self,
        directory: &Directory,
        before: &Suspicion,
        change: &mut KeyedChange,
        touched: BTreeSet<ProviderNumber>,
    ) {
        let suspicion = self.suspects.suspicion();
        let is_about_all = change.is_complete || suspicion != *before;
        let numbers = if is_about_all { directory.provider_numbers().collect() } else { touched };
        let is_busy = self.rules.mode == FeedMode::Busy;
        for number in numbers {
            let provider = &self.providers[number.index()];
            let is_unlisted = is_busy && !self.rules.unlisted_is_open && provider.listing.sites.is_empty();
            let is_withheld = provider.listing.is_over
                || is_unlisted
                || (is_busy && self.suspects.has(number, provider, &suspicion));
            if is_withheld != provider.is_withheld {
                self.providers[number.index()].is_withheld = is_withheld;
                change.withheld.push((directory.provider(number).slug.clone(), is_withheld));
            }
        }
    }

    pub(super) fn skipped(&self, directory: &Directory) -> Skipped {
        let possible = |candidates| self.suspects.among(candidates).filter(|of| !of.is_empty());
        let counts = self.skips.totals(|candidates| possible(candidates).is_some());
        let owners = self.skips.owners.iter().filter_map(|owner| self.owners[*owner as usize].as_ref());
        let owners = owners.filter_map(|owner| {
            let of = owner.effect.candidates.and_then(possible);
            let first = owner.effect.withheld.first().or_else(|| of.and_then(BTreeSet::first));
            let count = owner.effect.withheld.len() + of.map_or(0, BTreeSet::len);
            let withheld = first.map(|first| (&directory.provider(*first).slug, count - 1));
            let (reason, what, help) = explain(&owner.owner, &owner.meaning.resolution, withheld)?;
            let key = owner.keys.iter().find(|key| key.counted > 0)?;
            let line = key.entries.iter().find(|entry| entry.counts(self.rules.mode))?;
            let (file, line) = (Arc::clone(&key.name), usize::from(line.line));
            Some(SkippedLine { file, line, reason, what, help, span: None })
        });
        let providers = self.skips.providers.iter();
        let slots = providers.filter_map(|number| self.providers[number.index()].skips.as_ref());
        let slots = slots.flat_map(|skips| skips.lines.iter().cloned());
        Skipped::new(counts, slots.chain(owners), self.skips.others.clone())
    }
}
