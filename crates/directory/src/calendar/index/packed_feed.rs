//! A feed's entries of one provider in little memory. It is kept because it is read again when time passes and when content
//! changes, and because a new one that equals it changes nothing.

use std::collections::BTreeMap;

use super::super::feed::{FeedEntries, OpenSlot, ProviderFeed};
use super::super::hours::Busy;
use super::runs::Runs;
use crate::model::{Slug, VisitTypeId};

/// The seconds of an era, 68 years: a packed start counts from the start of its era, so it fits in 32 bits.
const ERA: i64 = 1 << 31;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PackedFeed {
    pub(crate) provider: Slug,
    pub(crate) entries: PackedEntries,
}

/// Free slots or busy time: sorted, each entry once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PackedEntries {
    Open(Vec<Group>),
    Busy(Vec<Busy>),
}

/// Free slots of one length, for the same visit types.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Group {
    pub(crate) types: Option<Vec<VisitTypeId>>,
    pub(crate) seconds: i64,
    era: i64,
    runs: Runs,
}

impl PackedFeed {
    pub(crate) fn pack(feed: &ProviderFeed) -> Self {
        let entries = match &feed.entries {
            FeedEntries::Open(slots) => PackedEntries::Open(groups(slots)),
            FeedEntries::Busy(busy) => {
                let mut busy = busy.clone();
                busy.sort_unstable();
                busy.dedup();
                busy.shrink_to_fit();
                PackedEntries::Busy(busy)
            }
        };
        Self { provider: feed.provider.clone(), entries }
    }

    pub(crate) fn has_slots(&self) -> bool {
        matches!(&self.entries, PackedEntries::Open(groups) if !groups.is_empty())
    }
}

impl Group {
    pub(crate) fn starts(&self, from: i64, to: i64) -> impl Iterator<Item = i64> {
        let begin = self.era * ERA;
        let first = u32::try_from((from - begin).max(0)).ok();
        let starts = first.into_iter().flat_map(|first| self.runs.from(first));
        starts.map(move |start| begin + i64::from(start)).take_while(move |&start| start < to)
    }
}

type GroupKey<'a> = (i64, i64, Option<&'a [VisitTypeId]>);

/// Groups slots by era, length and types. A slot that does not end after its start is left out.
fn groups(slots: &[OpenSlot]) -> Vec<Group> {
    let mut starts: BTreeMap<GroupKey<'_>, Vec<u32>> = BTreeMap::new();
    for slot in slots {
        let (start, seconds) = (slot.start.unix(), slot.end.unix() - slot.start.unix());
        if let (1.., Ok(since)) = (seconds, u32::try_from(start.rem_euclid(ERA))) {
            let key = (start.div_euclid(ERA), seconds, slot.types.as_deref());
            starts.entry(key).or_default().push(since);
        }
    }
    let group = |((era, seconds, types), mut starts): (GroupKey<'_>, Vec<u32>)| {
        starts.sort_unstable();
        starts.dedup();
        Group { types: types.map(<[_]>::to_vec), seconds, era, runs: Runs::from_starts(starts) }
    };
    starts.into_iter().map(group).collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::instant::Instant;
    use super::*;

    #[test]
    fn packing_loses_no_slot() {
        let types = Some(vec!["101".parse().unwrap()]);
        let slot = |start: i64, seconds: i64, types: &Option<Vec<VisitTypeId>>| OpenSlot {
            start: Instant::from_unix(start),
            end: Instant::from_unix(start + seconds),
            types: types.clone(),
        };
        // Before 1970, on both sides of an era's end, a repeated one, and one without a length.
        let starts = [-7, 0, ERA - 1, ERA, 4 * ERA + 5, 0, 61];
        let mut slots: Vec<OpenSlot> = starts.iter().map(|&start| slot(start, 1800, &types)).collect();
        slots.push(slot(30, 0, &types));
        slots.push(slot(30, 900, &None));
        let pack = |slots: &[OpenSlot]| {
            let entries = FeedEntries::Open(slots.to_vec());
            PackedFeed::pack(&ProviderFeed { provider: "a".parse().unwrap(), entries })
        };
        let packed = pack(&slots);
        let PackedEntries::Open(groups) = &packed.entries else { panic!("the entries are busy time") };
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
        assert_eq!(pack(&slots), packed);
        slots.pop();
        assert_ne!(pack(&slots), packed);
    }
}
