//! One provider's starts by set of types, and the feed's entries that they come from.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::feed::FeedMode;
use super::super::hours::Busy;
use super::super::instant::Instant;
use super::super::leave;
use super::eligibility::PatientStates;
use super::packed_feed::{Group, PackedEntries, PackedFeed};
use super::runs::{Runs, Walk};
use crate::model::{Directory, Provider, ProviderNumber, VisitTypeId};

#[derive(Debug, Clone)]
pub(crate) struct ProviderStarts {
    lists: Box<[List]>,
    pub(crate) states: PatientStates,
    pub(crate) feed: Option<Arc<PackedFeed>>,
}

/// The starts of one set of types, in seconds since the calendar's origin.
#[derive(Debug, Clone)]
pub(crate) struct List {
    pub(crate) set: u32,
    pub(crate) runs: Runs,
}

impl ProviderStarts {
    pub(crate) fn new(provider: &Provider) -> Self {
        Self { lists: Box::default(), states: PatientStates::of(provider), feed: None }
    }

    /// The same provider with these lists, each of another set of types.
    pub(crate) fn with(&self, lists: impl IntoIterator<Item = List>, feed: Option<Arc<PackedFeed>>) -> Self {
        let lists = lists.into_iter().filter(|list| !list.runs.is_empty()).collect();
        Self { lists, states: self.states, feed }
    }

    pub(crate) fn sets(&self) -> impl Iterator<Item = u32> {
        self.lists.iter().map(|list| list.set)
    }

    pub(crate) fn starts(&self, from: u32) -> impl Iterator<Item = (u32, Walk<'_>)> {
        self.lists.iter().map(move |list| (list.set, list.runs.from(from)))
    }

    pub(crate) fn starts_of(&self, set: u32, from: u32) -> Walk<'_> {
        let list = self.lists.iter().find(|list| list.set == set);
        list.map_or_else(Walk::default, |list| list.runs.from(from))
    }
}

/// A half-open period, and the moment from which its seconds are counted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Period {
    pub(crate) from: i64,
    pub(crate) to: i64,
    pub(crate) origin: i64,
}

impl Period {
    /// The seconds since the origin. Callers choose periods in which they fit.
    fn seconds(self, at: Instant) -> u32 {
        u32::try_from(at.unix() - self.origin).unwrap_or(u32::MAX)
    }
}

/// Ascending starts by set of offered types. The types of a set ascend.
type Starts = BTreeMap<Vec<VisitTypeId>, Vec<u32>>;

pub(crate) type RunsByTypes = Vec<(Vec<VisitTypeId>, Runs)>;

/// A provider's open starts in a period: the free slots of an open feed, else the content's hours without busy time. A
/// visit that overlaps a leave is not offered.
pub(crate) fn starts(
    directory: &Directory,
    number: ProviderNumber,
    mode: Option<FeedMode>,
    feed: Option<&PackedEntries>,
    period: Period,
) -> RunsByTypes {
    let starts = match (feed, mode) {
        (Some(PackedEntries::Open(groups)), _) => from_slots(directory, number, groups, period),
        (Some(PackedEntries::Busy(_)) | None, Some(FeedMode::Open)) => Starts::new(),
        (Some(PackedEntries::Busy(busy)), _) => from_hours(directory, number, busy, period),
        (None, _) => from_hours(directory, number, &[], period),
    };
    starts.into_iter().map(|(types, starts)| (types, Runs::from_starts(starts))).collect()
}

fn from_hours(directory: &Directory, number: ProviderNumber, busy: &[Busy], period: Period) -> Starts {
    let mut starts = Starts::new();
    let Some(schedule) = directory.schedule(number) else { return starts };
    let mut by_class = vec![Vec::new(); schedule.classes().len()];
    let (from, to) = (Instant::from_unix(period.from), Instant::from_unix(period.to));
    let leaves = leave::periods(directory, number);
    for start in schedule.starts(from, to, busy) {
        let duration = i64::from(schedule.classes()[start.class].duration()) * 60;
        if !leaves.meets(start.at.unix(), start.at.unix() + duration) {
            by_class[start.class].push(period.seconds(start.at));
        }
    }
    let offered = &directory.provider(number).visit_types;
    for (class, found) in schedule.classes().iter().zip(by_class) {
        let types: Vec<VisitTypeId> =
            class.types().iter().copied().filter(|id| offered.contains(id)).collect();
        add(&mut starts, types, found);
    }
    starts
}

fn from_slots(directory: &Directory, number: ProviderNumber, groups: &[Group], period: Period) -> Starts {
    let mut starts = Starts::new();
    let leaves = leave::periods(directory, number);
    for group in groups {
        let types = types_of(directory, directory.provider(number), group);
        let found = group.starts(period.from, period.to).filter(|at| !leaves.meets(*at, *at + group.seconds));
        let found = found.map(|at| period.seconds(Instant::from_unix(at)));
        add(&mut starts, types, found.collect());
    }
    starts
}

/// The types that can be booked in a slot: the provider's types with a duration that the slot names, or, where it names
/// none, that fit its length.
fn types_of(directory: &Directory, provider: &Provider, group: &Group) -> Vec<VisitTypeId> {
    let fits = |id: &VisitTypeId| {
        let duration = directory.visit_type(*id).and_then(|visit_type| visit_type.duration_minutes);
        duration.is_some_and(|minutes| match &group.types {
            Some(named) => named.contains(id),
            None => i64::from(minutes) * 60 <= group.seconds,
        })
    };
    let mut types: Vec<VisitTypeId> = provider.visit_types.iter().copied().filter(fits).collect();
    types.sort_unstable();
    types
}

/// Adds starts to those of the same set of types. Several classes or groups may have the same set.
fn add(starts: &mut Starts, types: Vec<VisitTypeId>, mut found: Vec<u32>) {
    if types.is_empty() || found.is_empty() {
        return;
    }
    let all = starts.entry(types).or_default();
    let is_first = all.is_empty();
    all.append(&mut found);
    if !is_first {
        all.sort_unstable();
        all.dedup();
    }
}
