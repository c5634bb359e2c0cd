//! What a replica knows of a bucket, without sockets: its sites, and a hash of each key. Messages are taken in the order of
//! the stream. Their values wait, the last of each key, until [`Mirror::take_waiting`] hands them over to be parsed and
//! [`Mirror::events`] makes events of them.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use bytes::Bytes;
use chrono::{DateTime, Utc};
use directory::calendar::{BadText, Event, FeedFile, FeedMode, PartId};

use super::keys::{MessagePosition, Sum, beat_key, hash_of, site_of};
use super::sites::Site;
use feed::SiteRead;

/// The most keys outside the layout that are remembered by name.
const MAX_STRAY: usize = 100;

#[derive(Debug, Clone)]
pub(super) struct Message {
    pub(super) key: String,
    pub(super) at: MessagePosition,
    /// `None`: the key was deleted.
    pub(super) value: Option<Bytes>,
}

pub(super) type Parsed = (PartId, Option<Result<Arc<FeedFile>, BadText>>);

/// Values that wait to be parsed, the last of each key.
pub(super) type Waiting = HashMap<PartId, Option<Bytes>>;

#[derive(Debug, Default)]
pub(super) struct Mirror {
    mode: FeedMode,
    /// The only sites that are followed; empty: all.
    wanted: BTreeSet<Arc<str>>,
    keys: HashMap<Arc<str>, u64>,
    sites: BTreeMap<Arc<str>, Site>,
    /// Keys outside the layout, with the reason.
    strays: BTreeMap<Arc<str>, &'static str>,
    waiting: Waiting,
    /// The oldest time at which one of them was stored.
    oldest_waiting: Option<DateTime<Utc>>,
    has_news: bool,
    is_whole: bool,
    /// The number of the last message that was taken: the next consumer begins after it.
    pub(super) last: u64,
    /// The number up to which every message was taken, replaced or removed, at least `last`.
    pub(super) reached: u64,
    /// Whether the keys are exactly those of the stream at `reached`.
    is_exact: bool,
}

impl Mirror {
    pub(super) fn new(mode: FeedMode, wanted: BTreeSet<Arc<str>>) -> Self {
        let sites = wanted.iter().map(|site| (Arc::clone(site), Site::default())).collect();
        Self { mode, wanted, sites, ..Self::default() }
    }

    /// Forgets the keys: everything is read again from here on. What the sites confirmed stays, and ages.
    pub(super) fn start_over(&mut self) {
        self.keys.clear();
        self.strays.clear();
        self.waiting.clear();
        self.sites.values_mut().for_each(|site| site.sum = Sum::default());
        (self.last, self.reached, self.is_exact, self.is_whole, self.oldest_waiting) =
            (0, 0, false, true, None);
    }

    /// Advances to `last` after all pending messages were taken. Others up to it were replaced or removed, or a slow server
    /// delivers them still: [`Mirror::take`] takes them then.
    pub(super) fn is_at(&mut self, last: u64) {
        self.reached = self.reached.max(last);
        self.is_exact = true;
    }

    pub(super) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Takes a message; true if everything must be read again.
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
        let slots = PartId::key(&key).ok();
        if slots.is_none() {
            self.stray(&key, value.is_some());
        }
        let key = slots.as_ref().map_or_else(|| key.as_str().into(), |slots| Arc::clone(slots.name()));
        let known = self.sites.entry(site).or_default();
        let before = self.keys.get(&key).copied();
        let hash = value.as_ref().map(|value| hash_of(&key, value));
        known.sum.change(before, hash);
        match hash {
            Some(hash) => _ = self.keys.insert(Arc::clone(&key), hash),
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
            && let Err(why) = PartId::key(key)
        {
            self.strays.insert(key.into(), why);
        }
    }

    pub(super) fn take_waiting(&mut self) -> (Waiting, Option<DateTime<Utc>>) {
        (std::mem::take(&mut self.waiting), self.oldest_waiting.take())
    }

    /// What the values that were parsed say; empty if there is no news.
    pub(super) fn events(&mut self, parsed: Vec<Parsed>) -> Vec<Event> {
        if !std::mem::take(&mut self.has_news) && !self.is_whole {
            return Vec::new();
        }
        let is_whole = std::mem::take(&mut self.is_whole);
        let mut events = Vec::with_capacity(parsed.len());
        for (part, value) in parsed {
            let Some(site) = self.sites.get_mut(part.writer()) else { continue };
            match value {
                None => {
                    site.refused.remove(part.name());
                    events.push(Event::PartGone { part });
                }
                Some(text) => {
                    match &text {
                        Ok(_) => site.refused.remove(part.name()),
                        Err(why) => site.refused.insert(Arc::clone(part.name()), why.to_string().into()),
                    };
                    events.push(Event::PartChanged { part, text });
                }
            }
        }
        let before = self.sites.len();
        self.sites.retain(|name, site| self.wanted.contains(name) || !site.is_empty());
        if is_whole || self.sites.len() < before {
            events.push(Event::Writers { all: self.sites.keys().cloned().collect() });
        }
        if is_whole {
            // A refused key that is gone from the bucket is refused no more.
            let mut of_sites = BTreeMap::<_, BTreeSet<_>>::new();
            for key in self.keys.keys() {
                of_sites.entry(site_of(key)).or_default().insert(Arc::clone(key));
            }
            for (name, site) in &mut self.sites {
                site.refused.retain(|key, _| self.keys.contains_key(key));
                let parts = of_sites.remove(&Some(&**name)).unwrap_or_default();
                events.push(Event::Complete { writer: Arc::clone(name), parts });
            }
        }
        events.extend(self.sites.iter_mut().filter_map(|(name, site)| site.news(name)));
        events
    }

    pub(super) fn sites(&self) -> BTreeMap<Arc<str>, SiteRead> {
        self.sites.iter().map(|(name, site)| (Arc::clone(name), site.read)).collect()
    }

    pub(super) fn refused(&self) -> BTreeMap<String, Arc<str>> {
        let of_sites = self.sites.iter().flat_map(|(name, site)| site.refused(name));
        let strays = self.strays.iter().map(|(key, why)| (key.to_string(), Arc::from(*why)));
        of_sites.chain(strays).collect()
    }

    #[cfg(test)]
    pub(super) fn sum_of(&self, site: &str) -> Sum {
        self.sites.get(site).map(|site| site.sum).unwrap_or_default()
    }
}
