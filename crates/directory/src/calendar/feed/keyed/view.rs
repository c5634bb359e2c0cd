//! What a set of keys has.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::super::instant::Instant;
use super::super::resolve::{Former, Resolver};
use super::super::{FeedSet, LedTo, Listed, ProviderFeed};
use super::data::KeyData;
use super::key::SlotKey;
use super::owner::KeyOwner;
use super::set::KeyedSet;
use super::value::KeyChange;
use crate::model::{Directory, Generation, ProviderNumber, Slug};

impl KeyedSet {
    /// The generation of the directory of the last change.
    #[must_use]
    pub fn generation(&self) -> Option<&Generation> {
        self.generation.as_ref()
    }

    /// The changes that delete every key except those that are kept.
    #[must_use]
    pub fn deletions_except(&self, is_kept: impl Fn(&str) -> bool) -> Vec<KeyChange> {
        let owners = self.owners.iter().flatten();
        let keys = owners.flat_map(|owner| owner.keys.iter().map(|key| (&owner.owner, key)));
        let others = keys.filter(|(_, key)| !is_kept(&key.name));
        let deleted = others.map(|(owner, key)| {
            SlotKey::known(Arc::clone(&key.name), self.sites[key.site.0 as usize].len(), owner.clone())
        });
        deleted.map(KeyChange::Delete).collect()
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.key_count
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.key_count == 0
    }

    /// Whether a key lists a provider.
    #[must_use]
    pub fn lists_any(&self) -> bool {
        self.providers.iter().any(|provider| !provider.listing.sites.is_empty())
    }

    /// The starts of a key's entries that count in the mode.
    pub fn starts(&self, key: &SlotKey) -> impl Iterator<Item = Instant> {
        let entries = self.find(key).into_iter().flat_map(|key| &key.entries);
        entries.filter(|entry| entry.counts(self.rules.mode)).map(|entry| entry.start)
    }

    /// The providers to whom a key belongs or may belong.
    #[must_use]
    pub fn providers_of(&self, directory: &Directory, key: &str) -> Vec<Slug> {
        let Ok(key) = SlotKey::parse(key) else { return Vec::new() };
        let owner = self.owner_numbers.get(&key.owner);
        let owner = owner.and_then(|owner| self.owners[*owner as usize].as_ref());
        let numbers: Vec<ProviderNumber> = if let Some(owner) = owner {
            owner.effect.providers.iter().chain(&owner.effect.withheld).copied().collect()
        } else {
            let resolver = Resolver::without_suggestions(directory, &self.rules);
            resolver.meaning(&key.owner, None).resolution.providers().to_vec()
        };
        numbers.into_iter().map(|number| directory.provider(number).slug.clone()).collect()
    }

    /// The number of entries of each provider.
    #[must_use]
    pub fn counts(&self) -> BTreeMap<Slug, usize> {
        let names = self.names.iter().map(|(slug, _)| slug.clone());
        names.zip(self.providers.iter().map(|provider| provider.count)).collect()
    }

    /// The bytes of memory that the values of the keys use, without the allocator's overhead. For the benches.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.key_data().map(KeyData::bytes).sum()
    }

    /// The whole of it, as a reading of files has it.
    #[must_use]
    pub fn feed_set(&self, directory: &Directory) -> FeedSet {
        let numbers = || directory.provider_numbers();
        let sets = numbers().map(|number| ProviderFeed {
            provider: directory.provider(number).slug.clone(),
            entries: self.remade(directory, number).entries,
        });
        let listed = numbers().zip(&self.providers).filter(|(_, of)| !of.listing.sites.is_empty());
        let listed = listed.map(|(number, of)| {
            let files = of.listing.sites.iter().map(|site| Arc::clone(&self.sites[site.0 as usize]));
            let listed = Listed { files: files.collect(), until: of.listing.until };
            (directory.provider(number).slug.clone(), listed)
        });
        let withheld = numbers().zip(&self.providers).filter(|(_, of)| of.is_withheld);
        let owners = self.owners.iter().flatten();
        let led_to = owners.map(|owner| (owner.owner.clone(), self.led_to(owner)));
        FeedSet {
            providers: sets.collect(),
            listed: listed.collect(),
            withheld: withheld.map(|(number, _)| directory.provider(number).slug.clone()).collect(),
            skipped: self.skipped(directory),
            led_to: LedTo(led_to.filter(|(_, people)| !people.providers.is_empty()).collect()),
        }
    }

    /// The people to whom an owner leads.
    fn led_to(&self, owner: &KeyOwner) -> Former {
        let mut people = owner.former.clone();
        people
            .providers
            .extend(owner.effect.providers.iter().map(|number| self.names[number.index()].clone()));
        people
    }

    pub(super) fn find(&self, key: &SlotKey) -> Option<&KeyData> {
        let owner = self.owners[*self.owner_numbers.get(&key.owner)? as usize].as_ref()?;
        let site = *self.site_numbers.get(key.site())?;
        owner.keys.iter().find(|key| key.site == site)
    }

    fn key_data(&self) -> impl Iterator<Item = &KeyData> {
        self.owners.iter().flatten().flat_map(|owner| &owner.keys)
    }
}
