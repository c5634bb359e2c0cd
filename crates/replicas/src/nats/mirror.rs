//! What a replica knows of a bucket: which keys there are, by their hashes, and the sites. It knows nothing of sockets.
//!
//! Messages are taken in the order of the stream. Their values wait, the last of each key, until
//! [`Mirror::take_waiting`] hands them over to be parsed and [`Mirror::event`] makes one event of them. The parsed
//! values are the driver's: the mirror keeps a hash of each key only.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use bytes::Bytes;
use chrono::{DateTime, Utc};
use directory::calendar::{FeedMode, KeyChange, KeyValue, SlotKey};

use super::names::{beat_key, site_of};
use super::position::MessagePosition;
use super::sites::Site;
use super::sum::hash_of;
use feed::Event;

/// The most keys outside the layout that are remembered by name.
const MAX_STRAY: usize = 100;

/// A message of the bucket.
#[derive(Debug, Clone)]
pub(super) struct Message {
    pub(super) key: String,
    pub(super) at: MessagePosition,
    /// `None`: the key was deleted.
    pub(super) value: Option<Bytes>,
}

/// A key with its value, parsed.
pub(super) type Parsed = (SlotKey, Option<Result<KeyValue, String>>);

/// Values that wait to be parsed, the last of each key.
pub(super) type Waiting = HashMap<SlotKey, Option<Bytes>>;

#[derive(Debug)]
pub(super) struct Mirror {
    mode: FeedMode,
    /// The only sites that are followed; empty: all.
    wanted: BTreeSet<Arc<str>>,
    /// The hash of each key's value, and whether a value of it was ever read.
    keys: HashMap<Arc<str>, KeyState>,
    sites: BTreeMap<Arc<str>, Site>,
    /// Keys outside the layout, with the reason.
    strays: BTreeMap<Arc<str>, &'static str>,
    /// The values that wait to be parsed.
    waiting: Waiting,
    /// The oldest time at which one of them was stored.
    oldest_waiting: Option<DateTime<Utc>>,
    has_news: bool,
    is_whole: bool,
    /// The keys that had a good value before everything was read anew.
    before: HashSet<Arc<str>>,
    /// The number of the last message that was taken: the next consumer begins after it.
    pub(super) last: u64,
    /// The number up to which every message was taken, replaced or removed, at least `last`.
    pub(super) reached: u64,
    /// Whether the keys are exactly those of the stream at `reached`.
    is_exact: bool,
}

#[derive(Debug, Clone, Copy)]
struct KeyState {
    hash: u64,
    was_read: bool,
}

impl Mirror {
    pub(super) fn new(mode: FeedMode, wanted: BTreeSet<Arc<str>>) -> Self {
        let sites = wanted.iter().map(|site| (Arc::clone(site), Site::default())).collect();
        Self {
            mode,
            wanted,
            keys: HashMap::new(),
            sites,
            strays: BTreeMap::new(),
            waiting: HashMap::new(),
            oldest_waiting: None,
            has_news: false,
            is_whole: false,
            before: HashSet::new(),
            last: 0,
            reached: 0,
            is_exact: false,
        }
    }

    /// Forgets the keys: everything is read anew from here on. What the sites confirmed stays, and grows old.
    pub(super) fn begin_anew(&mut self) {
        let read = self.keys.drain().filter(|(_, key)| key.was_read).map(|(name, _)| name);
        self.before.extend(read.collect::<Vec<_>>());
        self.strays.clear();
        self.waiting.clear();
        self.sites.values_mut().for_each(Site::begin_anew);
        (self.last, self.reached, self.is_exact, self.is_whole, self.oldest_waiting) =
            (0, 0, false, true, None);
    }

    /// Advances to `last` after all pending messages were taken. Messages up to `last` that were not delivered were
    /// replaced or removed. The consumer of a server that lags may deliver them still: [`Mirror::take`] takes them
    /// then.
    pub(super) fn is_at(&mut self, last: u64) {
        self.reached = self.reached.max(last);
        self.is_exact = true;
    }

    /// The number of keys whose values wait.
    pub(super) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Takes a message; true if everything is to be read anew.
    pub(super) fn take(&mut self, message: Message) -> bool {
        let Message { key, at, value } = message;
        if at.stream <= self.last {
            return false;
        }
        // A gap means that a message was replaced by a later one, which may not have arrived yet. With nothing pending
        // the keys are exact.
        self.is_exact = (self.is_exact && at.stream == self.reached + 1) || at.pending == 0;
        (self.last, self.reached) = (at.stream, self.reached.max(at.stream));
        let Some(site) = site_of(&key).map(Arc::<str>::from) else {
            self.stray(&key, value.is_some());
            return false;
        };
        if !self.wanted.is_empty() && !self.wanted.contains(&site) {
            return false;
        }
        if key == beat_key(&site) {
            self.has_news = true;
            let Some(value) = value else {
                self.sites.get_mut(&site).map(Site::lose_beat);
                return false;
            };
            let known = self.sites.entry(Arc::clone(&site)).or_default();
            return known.take_beat(&site, &value, at.stored_at, self.mode, self.is_exact);
        }
        let slots = SlotKey::parse(&key).ok();
        if slots.is_none() {
            self.stray(&key, value.is_some());
        }
        let key = slots.as_ref().map_or_else(|| key.as_str().into(), |slots| Arc::clone(slots.name()));
        let known = self.sites.entry(site).or_default();
        let before = self.keys.get(&key).copied();
        let hash = value.as_ref().map(|value| hash_of(&key, value));
        known.sum.change(before.map(|key| key.hash), hash);
        let was_read = before.map_or_else(|| self.before.contains(&key), |key| key.was_read);
        match hash {
            Some(hash) => _ = self.keys.insert(Arc::clone(&key), KeyState { hash, was_read }),
            None => _ = self.keys.remove(&key),
        }
        if let Some(slots) = slots {
            self.has_news = true;
            self.oldest_waiting = Some(self.oldest_waiting.map_or(at.stored_at, |old| old.min(at.stored_at)));
            self.waiting.insert(slots, value);
        }
        false
    }

    fn stray(&mut self, key: &str, is_there: bool) {
        self.has_news = true;
        if !is_there {
            self.strays.remove(key);
        } else if self.strays.len() < MAX_STRAY
            && let Err(why) = SlotKey::parse(key)
        {
            self.strays.insert(key.into(), why);
        }
    }

    /// The values to parse, and when the oldest of them was stored.
    pub(super) fn take_waiting(&mut self) -> (Waiting, Option<DateTime<Utc>>) {
        (std::mem::take(&mut self.waiting), self.oldest_waiting.take())
    }

    /// The event of the values that were parsed; `None` if nothing has changed.
    pub(super) fn event(&mut self, parsed: Vec<Parsed>) -> Option<Event> {
        if !std::mem::take(&mut self.has_news) && !self.is_whole {
            return None;
        }
        let mut changed = Vec::with_capacity(parsed.len());
        for (key, value) in parsed {
            let Some(site) = self.sites.get_mut(key.site()) else { continue };
            let name = key.name();
            match value {
                None => {
                    site.forgive(name);
                    // A snapshot lists what there is.
                    if !self.is_whole {
                        changed.push(KeyChange::Delete(key));
                    }
                }
                Some(Ok(value)) => {
                    site.forgive(name);
                    if let Some(key) = self.keys.get_mut(name) {
                        key.was_read = true;
                    }
                    changed.push(KeyChange::Put(value));
                }
                Some(Err(why)) => {
                    let was_read = self.keys.get(name).is_some_and(|key| key.was_read);
                    site.refuse(name, &why, was_read);
                }
            }
        }
        let is_whole = std::mem::take(&mut self.is_whole);
        if is_whole {
            self.before.clear();
            // A refused key that is gone from the bucket is not late.
            for site in self.sites.values_mut() {
                site.keep_refused(|key| self.keys.contains_key(key));
            }
        }
        self.sites.retain(|name, site| self.wanted.contains(name) || !site.is_empty());
        let sites = self.sites.iter().map(|(name, site)| (Arc::clone(name), site.read())).collect();
        Some(Event::Keys { is_whole, changed, sites: Arc::new(sites) })
    }

    /// The keys that are refused, with the reasons.
    pub(super) fn refused(&self) -> BTreeMap<String, Arc<str>> {
        let of_sites = self.sites.iter().flat_map(|(name, site)| site.refused(name));
        let strays = self.strays.iter().map(|(key, why)| (key.to_string(), Arc::from(*why)));
        of_sites.chain(strays).collect()
    }

    #[cfg(test)]
    pub(super) fn sum_of(&self, site: &str) -> super::sum::Sum {
        self.sites.get(site).map(|site| site.sum).unwrap_or_default()
    }
}
