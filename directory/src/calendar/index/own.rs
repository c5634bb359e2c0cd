//! What one provider has: the starts by set of types, and the feed's set that they came from.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::feed::FeedMode;
use super::super::hours::Busy;
use super::super::instant::Instant;
use super::offer::open_states;
use super::runs::{Runs, Walk};
use super::said::{Group, Said, Set};
use crate::model::{Directory, Provider, ProviderNumber, StateSet, VisitTypeId};

/// One provider's starts.
#[derive(Debug, Clone)]
pub(in crate::calendar) struct Own {
    lists: Box<[List]>,
    /// Where new patients are accepted: a start counts there.
    states: StateSet,
    /// What the feed says, when it says something.
    pub(in crate::calendar) feed: Option<Arc<Said>>,
}

/// The starts at which one set of types can start, in seconds since the calendar's origin.
#[derive(Debug, Clone)]
pub(in crate::calendar) struct List {
    pub(in crate::calendar) set: u32,
    pub(in crate::calendar) runs: Runs,
}

impl Own {
    /// A provider without a start.
    pub(in crate::calendar) fn of(provider: &Provider) -> Self {
        Self { lists: Box::default(), states: open_states(provider), feed: None }
    }

    /// The same provider with these lists, of sets that differ, and what the feed says.
    pub(in crate::calendar) fn with(
        &self,
        lists: impl IntoIterator<Item = List>,
        feed: Option<Arc<Said>>,
    ) -> Self {
        let lists = lists.into_iter().filter(|list| !list.runs.is_empty()).collect();
        Self { lists, states: self.states, feed }
    }

    /// Where new patients are accepted.
    #[inline]
    pub(in crate::calendar) fn states(&self) -> StateSet {
        self.states
    }

    /// The sets, each once.
    #[inline]
    pub(in crate::calendar) fn sets(&self) -> impl Iterator<Item = u32> {
        self.lists.iter().map(|list| list.set)
    }

    /// The starts of each set from a moment on.
    #[inline]
    pub(in crate::calendar) fn starts(&self, from: u32) -> impl Iterator<Item = (u32, Walk<'_>)> {
        self.lists.iter().map(move |list| (list.set, list.runs.from(from)))
    }

    /// The starts of a set from a moment on.
    #[inline]
    pub(in crate::calendar) fn starts_of(&self, set: u32, from: u32) -> Walk<'_> {
        let list = self.lists.iter().find(|list| list.set == set);
        list.map_or_else(Walk::default, |list| list.runs.from(from))
    }

    /// How many bytes it has on the heap, its own place among them.
    pub(in crate::calendar) fn bytes(&self) -> usize {
        let lists: usize = self.lists.iter().map(|list| list.runs.bytes()).sum();
        let said = self.feed.as_ref().map_or(0, |said| said.bytes());
        size_of::<Self>() + size_of_val(&*self.lists) + lists + said
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

/// Sets of types, all of them offered, ascending inside, with their starts, ascending too.
type Starts = BTreeMap<Vec<VisitTypeId>, Vec<u32>>;

/// The same as runs.
pub(in crate::calendar) type Packed = Vec<(Vec<VisitTypeId>, Runs)>;

/// The open starts of a provider in a stretch of time: what the feed lists where it is the authority, else
/// the hours of the content without the time that is taken.
pub(in crate::calendar) fn starts(
    directory: &Directory,
    number: ProviderNumber,
    mode: Option<FeedMode>,
    said: Option<&Set>,
    stretch: Stretch,
) -> Packed {
    let starts = match (said, mode) {
        (Some(Set::Open(slots)), _) => listed(directory, directory.provider(number), slots, stretch),
        (Some(Set::Busy(_)) | None, Some(FeedMode::Open)) => Starts::new(),
        (Some(Set::Busy(busy)), _) => held(directory, number, busy, stretch),
        (None, _) => held(directory, number, &[], stretch),
    };
    starts.into_iter().map(|(types, starts)| (types, Runs::of(starts))).collect()
}

fn held(directory: &Directory, number: ProviderNumber, busy: &[Busy], stretch: Stretch) -> Starts {
    let mut starts = Starts::new();
    let Some(schedule) = directory.schedule(number) else { return starts };
    let mut by_class = vec![Vec::new(); schedule.classes().len()];
    let (from, to) = (Instant::from_unix(stretch.from), Instant::from_unix(stretch.to));
    for start in schedule.starts(from, to, busy) {
        by_class[start.class].push(stretch.seconds(start.at));
    }
    let offered = directory.provider(number).visit_types();
    for (class, found) in schedule.classes().iter().zip(by_class) {
        let types: Vec<VisitTypeId> =
            class.types().iter().copied().filter(|id| offered.contains(id)).collect();
        // The same types with another step are the same set.
        add(&mut starts, &types, found);
    }
    starts
}

fn listed(directory: &Directory, provider: &Provider, groups: &[Group], stretch: Stretch) -> Starts {
    let mut starts = Starts::new();
    for group in groups {
        let types = types_of(directory, provider, group);
        let found = group.starts(stretch.from, stretch.to).map(|at| stretch.seconds(Instant::from_unix(at)));
        add(&mut starts, &types, found.collect());
    }
    starts
}

/// The types that can be booked in a slot: of those that it names, or those that fit its length, the ones
/// that the provider offers at agreed times.
fn types_of(directory: &Directory, provider: &Provider, group: &Group) -> Vec<VisitTypeId> {
    let fits = |id: &VisitTypeId| {
        let duration = directory.visit_type(*id).and_then(|visit_type| visit_type.duration_minutes);
        duration.is_some_and(|minutes| match &group.types {
            Some(named) => named.contains(id),
            None => i64::from(minutes) * 60 <= group.seconds,
        })
    };
    let mut types: Vec<VisitTypeId> = provider.visit_types().iter().copied().filter(fits).collect();
    types.sort_unstable();
    types
}

/// Adds starts of a set of types: where it has some already, they are one union.
fn add(starts: &mut Starts, types: &[VisitTypeId], mut found: Vec<u32>) {
    if types.is_empty() || found.is_empty() {
        return;
    }
    match starts.get_mut(types) {
        None => {
            starts.insert(types.to_vec(), found);
        }
        Some(others) => {
            others.append(&mut found);
            others.sort_unstable();
            others.dedup();
        }
    }
}
