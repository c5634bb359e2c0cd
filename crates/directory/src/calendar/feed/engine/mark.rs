//! What has gone from a part or a writer within a day, and how much there is.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::super::line::Owner;
use crate::calendar::Instant;

const HOUR: i64 = 3_600;
const DAY: i64 = 24 * HOUR;
/// The longest horizon of a request, in hours.
const HORIZON: i64 = 30 * 24;
/// The loss that never counts, whatever the size of the feed: a clinic with three appointments may lose two.
const FEW: usize = 4;

pub(super) type EntryKey = (Owner<'static>, Instant);

/// What has gone from a part or a writer within a day and is not forgotten.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Mark {
    pub(super) entries: Gone<EntryKey>,
    pub(super) owners: Gone<Owner<'static>>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound(serialize = "K: Serialize", deserialize = "K: Deserialize<'de> + Ord"))]
pub(super) struct Gone<K> {
    #[serde(serialize_with = "write_pairs", deserialize_with = "read_pairs")]
    pub(super) since: BTreeMap<K, Instant>,
    hour: i64,
    /// How much more is forgotten in this hour.
    left: usize,
}

/// JSON has no maps whose keys are not texts.
fn write_pairs<K: Serialize, S: Serializer>(map: &BTreeMap<K, Instant>, to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(map)
}

fn read_pairs<'de, K: Deserialize<'de> + Ord, D: Deserializer<'de>>(
    from: D,
) -> Result<BTreeMap<K, Instant>, D::Error> {
    Ok(Vec::deserialize(from)?.into_iter().collect())
}

impl<K> Default for Gone<K> {
    fn default() -> Self {
        Self { since: BTreeMap::new(), hour: i64::MIN, left: 0 }
    }
}

impl<K: Ord> Gone<K> {
    pub(super) fn record(&mut self, gone: impl IntoIterator<Item = K>, all: usize, now: Instant) {
        let hour = hour_of(now);
        if self.hour != hour {
            (self.hour, self.left) = (hour, FEW.max(all / 10));
        }
        for one in gone {
            if self.left == 0 {
                self.since.entry(one).or_insert(now);
            } else {
                self.left -= 1;
                self.since.remove(&one);
            }
        }
    }

    /// Forgets what went more than a day ago. If the clock was set back since, it counts as gone now.
    pub(super) fn keep(&mut self, now: Instant, is_kept: impl Fn(&K) -> bool) {
        self.since.retain(|key, since| {
            *since = now.min(*since);
            now.unix() - since.unix() < DAY && is_kept(key)
        });
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Count {
    pub(super) owners: usize,
    pub(super) entries: usize,
}

impl Count {
    /// What is too much to have gone of `all`, and how much of it.
    pub(super) fn is_too_much(self, all: Self, max_shrink: f64) -> Option<(usize, usize, &'static str)> {
        #[expect(clippy::cast_precision_loss, reason = "counts of people and slots are far below 2^52")]
        let is_too_much = |gone: usize, all: usize| gone > FEW && gone as f64 > max_shrink * all as f64;
        if is_too_much(self.owners, all.owners) {
            Some((self.owners, all.owners, "slugs and Schedules with future entries"))
        } else if is_too_much(self.entries, all.entries) {
            Some((self.entries, all.entries, "future entries"))
        } else {
            None
        }
    }
}

/// How many of a writer's owners and entries there are, by the hour: so the numbers ahead of now are cheap.
#[derive(Debug, Clone, Default)]
pub(super) struct Hours {
    entries: BTreeMap<i64, usize>,
    /// By the hour in which the last entry of each begins.
    owners: BTreeMap<i64, usize>,
}

impl Hours {
    /// Adds an owner with these starts, or takes it away.
    pub(super) fn add(&mut self, starts: &BTreeSet<Instant>, is_there: bool) {
        let add = |counts: &mut BTreeMap<i64, usize>, start: &Instant| {
            let count = counts.entry(hour_of(*start)).or_default();
            *count = if is_there { *count + 1 } else { count.saturating_sub(1) };
            if *count == 0 {
                counts.remove(&hour_of(*start));
            }
        };
        for start in starts {
            add(&mut self.entries, start);
        }
        if let Some(last) = starts.last() {
            add(&mut self.owners, last);
        }
    }

    pub(super) fn ahead(&self, now: Instant) -> Count {
        let hour = hour_of(now);
        Count {
            owners: self.owners.range(hour + 1..).map(|(_, count)| count).sum(),
            entries: self.entries.range(hour + 1..=hour + HORIZON).map(|(_, count)| count).sum(),
        }
    }
}

fn hour_of(at: Instant) -> i64 {
    at.unix().div_euclid(HOUR)
}

/// Whether an entry that begins then is one of the next 30 days, from the next full hour on.
pub(super) fn is_ahead(start: Instant, now: Instant) -> bool {
    is_later(start, now) && hour_of(start) <= hour_of(now) + HORIZON
}

/// Whether an owner whose last entry begins then has future entries.
pub(super) fn is_later(start: Instant, now: Instant) -> bool {
    hour_of(start) > hour_of(now)
}
