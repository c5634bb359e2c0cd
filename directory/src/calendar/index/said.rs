//! What a feed said of one provider, packed for keeping: it is needed again when time passes, when content
//! changes, and to see that the same thing was said twice.

use std::collections::BTreeMap;

use super::super::feed::{FeedEntries, OpenSlot, ProviderFeed};
use super::super::hours::Busy;
use super::super::instant::Instant;
use super::runs::Runs;
use crate::model::{Slug, VisitTypeId};

/// Seconds of an era, from whose beginning packed starts are counted: 68 years.
const ERA: i64 = 1 << 31;

/// One provider's set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::calendar) struct Said {
    pub(in crate::calendar) provider: Slug,
    pub(in crate::calendar) set: Set,
}

/// Free slots, or time that is taken: in order, and nothing twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::calendar) enum Set {
    Open(Vec<Group>),
    Busy(Vec<Busy>),
}

/// Free slots of one length, for the same visit types.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::calendar) struct Group {
    pub(in crate::calendar) types: Option<Vec<VisitTypeId>>,
    pub(in crate::calendar) seconds: i64,
    era: i64,
    runs: Runs,
}

impl Said {
    pub(in crate::calendar) fn of(feed: &ProviderFeed) -> Self {
        let set = match &feed.entries {
            FeedEntries::Open(slots) => Set::Open(groups(slots)),
            FeedEntries::Busy(busy) => {
                let mut busy = busy.clone();
                busy.sort_unstable();
                busy.dedup();
                busy.shrink_to_fit();
                Set::Busy(busy)
            }
        };
        Self { provider: feed.provider.clone(), set }
    }

    /// Whether it names a free slot.
    pub(in crate::calendar) fn has_slots(&self) -> bool {
        matches!(&self.set, Set::Open(groups) if !groups.is_empty())
    }

    /// How many bytes it has on the heap, its own place among them.
    pub(in crate::calendar) fn bytes(&self) -> usize {
        let set = match &self.set {
            Set::Open(groups) => {
                let runs: usize = groups.iter().map(|group| group.runs.bytes()).sum();
                groups.capacity() * size_of::<Group>() + runs
            }
            Set::Busy(busy) => busy.capacity() * size_of::<Busy>(),
        };
        size_of::<Self>() + 16 + set
    }
}

impl Group {
    /// The starts of its slots with `from <= start < to`.
    pub(in crate::calendar) fn starts(&self, from: i64, to: i64) -> impl Iterator<Item = i64> {
        let begin = self.era * ERA;
        let first = u32::try_from((from - begin).max(0)).ok();
        let starts = first.into_iter().flat_map(|first| self.runs.from(first));
        starts.map(move |start| begin + i64::from(start)).take_while(move |&start| start < to)
    }
}

/// Slots of one era, one length and the same types.
type Kind<'a> = (i64, i64, Option<&'a [VisitTypeId]>);

/// Slots by era, length and types. A slot that ends before it starts is none.
fn groups(slots: &[OpenSlot]) -> Vec<Group> {
    let mut starts: BTreeMap<Kind<'_>, Vec<u32>> = BTreeMap::new();
    for slot in slots {
        let (start, seconds) = (slot.start.unix(), seconds_of(slot.start, slot.end));
        if let (1.., Ok(since)) = (seconds, u32::try_from(start.rem_euclid(ERA))) {
            let key = (start.div_euclid(ERA), seconds, slot.types.as_deref());
            starts.entry(key).or_default().push(since);
        }
    }
    let group = |((era, seconds, types), mut starts): ((_, _, Option<&[VisitTypeId]>), Vec<u32>)| {
        starts.sort_unstable();
        starts.dedup();
        Group { types: types.map(<[_]>::to_vec), seconds, era, runs: Runs::of(starts) }
    };
    starts.into_iter().map(group).collect()
}

fn seconds_of(start: Instant, end: Instant) -> i64 {
    end.unix() - start.unix()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_packed_without_loss() {
        let types = Some(vec!["101".parse().unwrap()]);
        let slot = |start: i64, seconds: i64, types: &Option<Vec<VisitTypeId>>| OpenSlot {
            start: Instant::from_unix(start),
            end: Instant::from_unix(start + seconds),
            types: types.clone(),
        };
        // Before 1970, on both sides of an era's end, twice, and one that is none.
        let starts = [-7, 0, ERA - 1, ERA, 4 * ERA + 5, 0, 61];
        let mut slots: Vec<OpenSlot> = starts.iter().map(|&start| slot(start, 1800, &types)).collect();
        slots.push(slot(30, 0, &types));
        slots.push(slot(30, 900, &None));
        let said = |slots: &[OpenSlot]| {
            let entries = FeedEntries::Open(slots.to_vec());
            Said::of(&ProviderFeed { provider: "a".parse().unwrap(), entries })
        };
        let packed = said(&slots);
        let Set::Open(groups) = &packed.set else { panic!("they are open") };
        let all = |from, to| {
            let groups = groups.iter();
            let starts = groups.flat_map(|group| group.starts(from, to).map(|start| (start, group.seconds)));
            let mut starts: Vec<_> = starts.collect();
            starts.sort_unstable();
            starts
        };
        let half_hours = [-7, 0, 61, ERA - 1, ERA, 4 * ERA + 5].map(|start| (start, 1800));
        let mut expected = half_hours.to_vec();
        expected.insert(2, (30, 900));
        assert_eq!(all(-100, i64::from(u32::MAX) * 8), expected);
        assert_eq!(all(30, ERA), expected[2..5]);
        slots.reverse();
        assert_eq!(said(&slots), packed);
        slots.pop();
        assert_ne!(said(&slots), packed);
    }
}
