//! What one provider has: the starts by set of types, and the feed's set that they came from.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::feed::{FeedEntries, FeedMode, OpenSlot, ProviderFeed};
use super::super::instant::Instant;
use super::runs::Runs;
use crate::model::{Directory, Provider, ProviderNumber, VisitTypeId};

/// One provider's starts.
#[derive(Debug, Clone, Default)]
pub(in crate::calendar) struct Own {
    /// By the set's number, each once, none of them empty.
    pub(in crate::calendar) lists: Vec<List>,
    /// What the feed says, when it says something.
    pub(in crate::calendar) feed: Option<Arc<ProviderFeed>>,
}

/// The starts at which one set of types can start, in seconds since the calendar's origin.
#[derive(Debug, Clone)]
pub(in crate::calendar) struct List {
    pub(in crate::calendar) set: u32,
    pub(in crate::calendar) runs: Runs,
}

impl Own {
    /// The starts of a set.
    pub(in crate::calendar) fn list(&self, set: u32) -> Option<&Runs> {
        self.lists.iter().find(|list| list.set == set).map(|list| &list.runs)
    }

    /// How many bytes it has on the heap, its own place among them.
    pub(in crate::calendar) fn bytes(&self) -> usize {
        let lists: usize = self.lists.iter().map(|list| list.runs.bytes()).sum();
        let entries = self.feed.as_ref().map_or(0, |feed| match &feed.entries {
            FeedEntries::Open(slots) => slots.capacity() * size_of::<OpenSlot>(),
            FeedEntries::Busy(busy) => busy.capacity() * 16,
        });
        size_of::<Self>() + 24 + self.lists.capacity() * size_of::<List>() + lists + entries
    }
}

/// A stretch of time, half-open, and the moment from which seconds are counted.
#[derive(Debug, Clone, Copy)]
pub(in crate::calendar) struct Stretch {
    pub(in crate::calendar) from: i64,
    pub(in crate::calendar) to: i64,
    pub(in crate::calendar) origin: i64,
}

impl Stretch {
    /// The seconds since the origin. The stretch is chosen so that they always fit.
    fn seconds(self, at: Instant) -> u32 {
        u32::try_from(at.unix() - self.origin).unwrap_or(u32::MAX)
    }
}

/// Sets of types, ascending inside, with their starts, ascending too.
pub(in crate::calendar) type Starts = BTreeMap<Vec<VisitTypeId>, Vec<u32>>;

/// The open starts of a provider in a stretch of time: what the feed lists where it is the authority, else
/// the hours of the content without the time that is taken.
pub(in crate::calendar) fn starts(
    directory: &Directory,
    number: ProviderNumber,
    mode: Option<FeedMode>,
    feed: Option<&FeedEntries>,
    stretch: Stretch,
) -> Starts {
    match (feed, mode) {
        (Some(FeedEntries::Open(slots)), _) => listed(directory, directory.provider(number), slots, stretch),
        (Some(FeedEntries::Busy(_)) | None, Some(FeedMode::Open)) => Starts::new(),
        (Some(FeedEntries::Busy(busy)), _) => held(directory, number, busy, stretch),
        (None, _) => held(directory, number, &[], stretch),
    }
}

fn held(
    directory: &Directory,
    number: ProviderNumber,
    busy: &[super::super::hours::Busy],
    stretch: Stretch,
) -> Starts {
    let mut starts = Starts::new();
    let Some(schedule) = directory.schedule(number) else { return starts };
    let mut by_class = vec![Vec::new(); schedule.classes().len()];
    let (from, to) = (Instant::from_unix(stretch.from), Instant::from_unix(stretch.to));
    for start in schedule.starts(from, to, busy) {
        by_class[start.class].push(stretch.seconds(start.at));
    }
    for (class, mut found) in schedule.classes().iter().zip(by_class) {
        if !found.is_empty() {
            match starts.get_mut(class.types()) {
                None => {
                    starts.insert(class.types().to_vec(), found);
                }
                // The same types with another step: their starts are one union.
                Some(others) => {
                    others.append(&mut found);
                    others.sort_unstable();
                    others.dedup();
                }
            }
        }
    }
    starts
}

fn listed(directory: &Directory, provider: &Provider, slots: &[OpenSlot], stretch: Stretch) -> Starts {
    let mut starts = Starts::new();
    // A feed's slots mostly have the length and the types of the one before.
    let mut last: Option<(&OpenSlot, Vec<VisitTypeId>)> = None;
    for slot in slots {
        if slot.start >= slot.end || !(stretch.from..stretch.to).contains(&slot.start.unix()) {
            continue;
        }
        let is_alike = |before: &OpenSlot| {
            before.types == slot.types
                && before.end.unix() - before.start.unix() == slot.end.unix() - slot.start.unix()
        };
        if !last.as_ref().is_some_and(|(before, _)| is_alike(before)) {
            last = Some((slot, types_of(directory, provider, slot)));
        }
        if let Some((_, types)) = last.as_ref().filter(|(_, types)| !types.is_empty()) {
            match starts.get_mut(types) {
                Some(found) => found.push(stretch.seconds(slot.start)),
                None => {
                    starts.insert(types.clone(), vec![stretch.seconds(slot.start)]);
                }
            }
        }
    }
    for found in starts.values_mut() {
        found.sort_unstable();
        found.dedup();
    }
    starts
}

/// The types that can be booked in a slot: of those that it names, or those that fit its length, the ones
/// that the provider offers at agreed times.
fn types_of(directory: &Directory, provider: &Provider, slot: &OpenSlot) -> Vec<VisitTypeId> {
    let length = slot.end.unix() - slot.start.unix();
    let fits = |id: &VisitTypeId| {
        let duration = directory.visit_type(*id).and_then(|visit_type| visit_type.duration_minutes);
        duration.is_some_and(|minutes| match &slot.types {
            Some(named) => named.contains(id),
            None => i64::from(minutes) * 60 <= length,
        })
    };
    let mut types: Vec<VisitTypeId> = provider.visit_types().iter().copied().filter(fits).collect();
    types.sort_unstable();
    types
}
