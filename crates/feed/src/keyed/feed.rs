//! The state of a feed of keys.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use directory::Directory;
use directory::calendar::{FeedMode, FeedRules, Instant, KeyChange, KeyedChange, KeyedSet};

use super::super::event::SiteRead;
use super::super::first::{LISTS_NONE, counts_none};
use super::super::orders::{ORDER, hash_of, token_of};
use super::loss::{SiteLoss, SiteSize};

/// [`Event::Keys`](super::super::event::Event::Keys).
pub(crate) struct KeysEvent {
    pub(crate) is_whole: bool,
    pub(crate) changed: Vec<KeyChange>,
    pub(crate) sites: Arc<BTreeMap<Arc<str>, SiteRead>>,
}

/// The keys that are applied, and those that wait.
pub(crate) struct KeyedFeed {
    pub(crate) set: KeyedSet,
    pub(crate) sites: Arc<BTreeMap<Arc<str>, SiteRead>>,
    rules: Arc<FeedRules>,
    losses: BTreeMap<Arc<str>, SiteLoss>,
    /// The sizes of the sites before a restart, until the first keys are compared with them.
    restored: BTreeMap<Arc<str>, SiteLoss>,
    held: BTreeMap<Arc<str>, HeldSite>,
    /// Until something is applied: the keys so far.
    first: Option<First>,
    was_applied: bool,
}

/// The keys of a first snapshot that waits.
#[derive(Default)]
struct First {
    why: String,
    /// By name; none of them is deleted.
    keys: BTreeMap<Arc<str>, KeyChange>,
}

/// A site that has lost too much: what it would have, and the changes that wait.
#[derive(Default)]
struct HeldSite {
    why: String,
    size: SiteSize,
    /// A hash of what is lost: each key's name, and how many entries it loses. What other keys gain does not change it.
    lost: u64,
    /// By the keys' names.
    changed: BTreeMap<Arc<str>, KeyChange>,
}

impl KeyedFeed {
    /// Without keys. `restored` are the sizes of the sites before a restart.
    pub(crate) fn new(rules: &Arc<FeedRules>, restored: BTreeMap<Arc<str>, SiteLoss>) -> Self {
        Self {
            set: KeyedSet::new(Arc::clone(rules)),
            sites: Arc::default(),
            rules: Arc::clone(rules),
            losses: BTreeMap::new(),
            restored,
            held: BTreeMap::new(),
            first: None,
            was_applied: false,
        }
    }

    /// Why sites, or the first snapshot, are held; `None` if nothing is.
    pub(crate) fn why_held(&self) -> Option<String> {
        if let Some(first) = &self.first {
            return Some(first.why.clone());
        }
        let why: Vec<&str> = self.held.values().map(|held| held.why.as_str()).collect();
        (!why.is_empty()).then(|| why.join("; "))
    }

    /// A name for what is held, which changes when more or something else is lost.
    pub(crate) fn token(&self) -> Option<String> {
        if let Some(first) = &self.first {
            return Some(token_of(&first.why));
        }
        let lost: Vec<_> = self.held.iter().map(|(site, held)| (site, held.lost)).collect();
        (!lost.is_empty()).then(|| token_of(&lost))
    }

    /// The sizes of the sites, for the next restart.
    pub(crate) fn losses(&self) -> &BTreeMap<Arc<str>, SiteLoss> {
        &self.losses
    }

    /// Whether anything was ever applied.
    pub(crate) fn was_applied(&self) -> bool {
        self.was_applied
    }

    pub(crate) fn is_held(&self, site: &str) -> bool {
        self.held.contains_key(site)
    }

    pub(crate) fn held_sites(&self) -> Vec<Arc<str>> {
        self.held.keys().cloned().collect()
    }

    /// Forgets what waits, because everything is read again.
    pub(crate) fn forget_held(&mut self) {
        self.held.clear();
        self.first = None;
    }

    /// Takes changed keys, and applies those of the sites that are not held. `None` if everything waits.
    pub(crate) fn take(
        &mut self,
        event: KeysEvent,
        directory: &Directory,
        max_shrink: f64,
        now: Instant,
    ) -> Option<KeyedChange> {
        let KeysEvent { is_whole, mut changed, sites } = event;
        if is_whole {
            self.forget_held();
            self.add_deleted(&mut changed, &sites);
        }
        self.sites = sites;
        if !self.was_applied {
            return self.take_first(changed, directory, max_shrink, now);
        }
        // A snapshot judges each known site: one that was held may have no key at all.
        let known: Vec<Arc<str>> = if is_whole { self.losses.keys().cloned().collect() } else { Vec::new() };
        let mut by_site: BTreeMap<&str, Vec<&KeyChange>> =
            known.iter().map(|site| (&**site, Vec::new())).collect();
        for key in &changed {
            by_site.entry(key.key().site()).or_default().push(key);
        }
        let mut applied = Vec::new();
        for (site, keys) in by_site {
            applied.extend(self.judge(site, &keys, max_shrink, now));
        }
        Some(self.set.apply(directory, &applied))
    }

    /// Applies what waits although something was lost; `None` if nothing waits.
    pub(crate) fn accept(&mut self, directory: &Directory, now: Instant) -> Option<KeyedChange> {
        if let Some(First { keys, .. }) = self.first.take() {
            let keys: Vec<_> = keys.into_values().collect();
            self.restored.clear();
            return Some(self.begin(&keys, directory, 1.0, now));
        }
        if self.held.is_empty() {
            return None;
        }
        let mut keys = Vec::new();
        for (site, held) in std::mem::take(&mut self.held) {
            self.losses.entry(site).or_default().begin_with(held.size, now);
            keys.extend(held.changed.into_values());
        }
        Some(self.set.apply(directory, &keys))
    }

    /// Adds a deletion for each key that a snapshot no longer has. A key whose value is refused keeps its last value.
    fn add_deleted(&self, changed: &mut Vec<KeyChange>, sites: &BTreeMap<Arc<str>, SiteRead>) {
        let there = changed.iter().map(|change| &**change.key().name());
        let kept: HashSet<&str> = there.chain(sites.values().flat_map(SiteRead::refused)).collect();
        let gone = self.set.deletions_except(|key| kept.contains(key));
        changed.extend(gone);
    }

    /// Collects the first keys. Applies them once an entry counts in the mode and a provider is listed.
    fn take_first(
        &mut self,
        changed: Vec<KeyChange>,
        directory: &Directory,
        max_shrink: f64,
        now: Instant,
    ) -> Option<KeyedChange> {
        let First { mut keys, .. } = self.first.take().unwrap_or_default();
        for change in changed {
            match &change {
                KeyChange::Put(value) => _ = keys.insert(Arc::clone(value.key().name()), change),
                KeyChange::Delete(key) => _ = keys.remove(key.name()),
            }
        }
        let mode = self.rules.mode;
        let (what, help) = if keys.is_empty() {
            LISTS_NONE
        } else if keys.values().all(|key| key.starts(mode).is_none_or(|mut starts| starts.next().is_none())) {
            counts_none(mode)
        } else {
            let all: Vec<_> = keys.values().cloned().collect();
            let restored = self.restored.clone();
            let change = self.begin(&all, directory, max_shrink, now);
            if self.set.lists_any() {
                return Some(change);
            }
            *self = Self { sites: Arc::clone(&self.sites), ..Self::new(&self.rules, restored) };
            LISTS_NONE
        };
        let why = format!("{what}: {help}; if it is right as it is, accept it with {ORDER}");
        self.first = Some(First { why, keys });
        None
    }

    /// Applies the first keys, also those of a site that has lost too much since before a restart, so that the
    /// providers that they list are known. Such a site is held: it is not confirmed, and its providers are withheld.
    fn begin(
        &mut self,
        keys: &[KeyChange],
        directory: &Directory,
        max_shrink: f64,
        now: Instant,
    ) -> KeyedChange {
        let mut restored = std::mem::take(&mut self.restored);
        let gone = restored.keys().map(|site| (Arc::clone(site), SiteSize::default()));
        let mut sizes: BTreeMap<Arc<str>, SiteSize> = gone.collect();
        for key in keys {
            let (name, starts) = (key.key().name(), key.starts(self.rules.mode));
            let size = match sizes.get_mut(key.key().site()) {
                Some(known) => known,
                None => sizes.entry(key.key().site().into()).or_default(),
            };
            size.change(name, std::iter::empty(), starts, now);
        }
        for (site, size) in sizes {
            let mut loss = restored.remove(&site);
            let why = loss.as_ref().and_then(|loss| loss.judge(&site, &size, max_shrink, now));
            match (&mut loss, why) {
                (Some(loss), Some(why)) => {
                    loss.begins_held(&size);
                    let held = HeldSite { lost: hash_of(&why), why, size, ..HeldSite::default() };
                    self.held.insert(Arc::clone(&site), held);
                }
                (Some(loss), None) => loss.accept(size, now),
                (None, _) => loss.insert(SiteLoss::default()).begin_with(size, now),
            }
            self.losses.extend(loss.map(|loss| (site, loss)));
        }
        self.was_applied = true;
        self.set.apply(directory, keys)
    }

    /// The changes of a site that are applied: all, or none if it has lost too much.
    fn judge(&mut self, site: &str, changed: &[&KeyChange], max_shrink: f64, now: Instant) -> Vec<KeyChange> {
        if !self.losses.contains_key(site) {
            self.losses.insert(site.into(), SiteLoss::default());
        }
        let Some((site, loss)) = self.losses.get_key_value(site) else { return Vec::new() };
        let site = Arc::clone(site);
        let mut held =
            self.held.remove(&site).unwrap_or_else(|| HeldSite { size: loss.size(), ..HeldSite::default() });
        let mode = self.rules.mode;
        for &change in changed {
            let (key, after) = (change.key(), change.starts(mode));
            let there = self.set.starts(key).count();
            held.lost ^= loss_mark(change, there, mode);
            match held.changed.get(key.name()) {
                Some(waiting) => {
                    held.lost ^= loss_mark(waiting, there, mode);
                    let before = waiting.starts(mode).into_iter().flatten();
                    held.size.change(key.name(), before, after, now);
                }
                None => held.size.change(key.name(), self.set.starts(key), after, now),
            }
            held.changed.insert(Arc::clone(key.name()), change.clone());
        }
        let Some(loss) = self.losses.get_mut(&site) else { return Vec::new() };
        if let Some(why) = loss.judge(&site, &held.size, max_shrink, now) {
            held.why = why;
            self.held.insert(site, held);
            return Vec::new();
        }
        for (key, change) in &held.changed {
            if matches!(change, KeyChange::Put(_)) {
                loss.forget_lost(key);
            }
        }
        loss.accept(held.size, now);
        held.changed.into_values().collect()
    }
}

/// A number for the entries that a key loses of those that are `there`; zero if it loses none.
fn loss_mark(change: &KeyChange, there: usize, mode: FeedMode) -> u64 {
    let after = change.starts(mode).map_or(0, Iterator::count);
    if after < there { hash_of(&(change.key().name(), there - after)) } else { 0 }
}
