//! The slow oracle of the calendar: all starts of all providers, then filter, sort, leave out, cut.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, NaiveDate};
use chrono_tz::Tz;

use super::feed::{FeedEntries, FeedMode, OpenSlot, ProviderFeed};
use super::hours::{Busy, Start};
use super::index::order::mix;
use super::instant::Instant;
use super::open::SlotFilter;
use crate::model::{Directory, Modality, Provider, ProviderNumber, Schedule, Slug, VisitType, VisitTypeId};

/// The sets of a feed that have been applied so far, for the oracle.
#[derive(Debug, Clone, Default)]
pub(crate) struct AppliedFeed {
    pub(crate) mode: Option<FeedMode>,
    pub(crate) sets: BTreeMap<Slug, FeedEntries>,
    pub(crate) expired: BTreeSet<Slug>,
}

impl AppliedFeed {
    pub(crate) fn apply(&mut self, directory: &Directory, set: &ProviderFeed) {
        let Some(found) = directory.find(set.provider.as_str()) else { return };
        let slug = directory.provider(found.provider()).slug.clone();
        self.sets.insert(slug, set.entries.clone());
    }
}

/// The open slots of a query, from every start of every provider.
pub(crate) fn expected_slots(
    directory: &Directory,
    feed: &AppliedFeed,
    filter: &SlotFilter,
) -> Vec<(Instant, ProviderNumber)> {
    let mut order: Vec<ProviderNumber> = directory.provider_numbers().collect();
    order.sort_by_key(|&number| {
        let id = &directory.provider(number).id;
        (id.as_str().bytes().fold(0, |mixed, byte| mix(mixed ^ u64::from(byte))), id.clone())
    });
    // The order depends on all providers present, also on those whose notice is not kept.
    let mut present_at: BTreeMap<Instant, Vec<(u64, ProviderNumber)>> = BTreeMap::new();
    for (rank, &number) in (0_u64..).zip(&order) {
        if filter.provider.is_none_or(|only| only == number) {
            // Two classes that start together are one start.
            for start in BTreeSet::from_iter(starts(directory, feed, number, filter)) {
                present_at.entry(start).or_default().push((rank, number));
            }
        }
    }
    let mut slots = Vec::new();
    for (start, mut present) in present_at {
        let mixed = mix(start.unix().cast_unsigned());
        let (first, again) = (mixed % order.len() as u64, mix(mixed));
        let before = present.iter().filter(|(rank, _)| *rank < first).count();
        let count = present.len();
        present.rotate_left(before % count);
        // The first 48 are rotated among themselves.
        let window = count.min(48);
        present[..window].rotate_left(usize::try_from(again % window as u64).unwrap());
        let keeps_notice = |number| {
            start >= filter.now.plus_minutes(directory.schedule(number).map_or(60, Schedule::notice))
        };
        let offered = present.into_iter().filter(|(_, number)| keeps_notice(*number));
        slots.extend(offered.map(|(_, number)| (start, number)));
    }
    slots.retain(|(_, number)| !feed.expired.contains(&directory.provider(*number).slug));
    slots.retain(|(start, _)| filter.from.is_none_or(|from| *start >= from));
    if filter.one_per_provider {
        let mut seen = BTreeSet::new();
        slots.retain(|(_, number)| seen.insert(*number));
    }
    slots.truncate(filter.limit);
    slots
}

/// Every start of a provider that answers a query, without regard to notice.
pub(crate) fn starts(
    directory: &Directory,
    feed: &AppliedFeed,
    number: ProviderNumber,
    filter: &SlotFilter,
) -> Vec<Instant> {
    let provider = directory.provider(number);
    if !is_wanted(directory, provider, filter) {
        return Vec::new();
    }
    let schedule = directory.schedule(number);
    let (from, to) = (filter.now, filter.now.plus_seconds(filter.horizon_seconds));
    let answers = |id: &VisitTypeId| is_offered(directory, provider, *id, filter);
    let from_hours = |busy: &[Busy]| -> Vec<Instant> {
        let Some(schedule) = schedule else { return Vec::new() };
        let starts = schedule.starts(from, to, busy).into_iter();
        let is_there = |start: &Start| {
            let minutes = schedule.classes()[start.class].duration();
            !is_away(provider, Some(schedule), start.at, i64::from(minutes) * 60)
        };
        starts
            .filter(|start| schedule.classes()[start.class].types().iter().any(answers))
            .filter(is_there)
            .map(|start| start.at)
            .collect()
    };
    match (feed.sets.get(&provider.slug), feed.mode) {
        (Some(FeedEntries::Open(slots)), _) => {
            let fits = |slot: &OpenSlot, id: &VisitTypeId| {
                let minutes = directory.visit_type(*id).and_then(|it| it.duration_minutes).unwrap();
                i64::from(minutes) * 60 <= slot.end.unix() - slot.start.unix()
            };
            let is_open = |slot: &&OpenSlot| {
                slot.start < slot.end
                    && !is_away(provider, schedule, slot.start, slot.end.unix() - slot.start.unix())
                    && from <= slot.start
                    && slot.start < to
                    && provider.visit_types.iter().filter(|id| answers(id)).any(|id| match &slot.types {
                        Some(types) => types.contains(id),
                        None => fits(slot, id),
                    })
            };
            slots.iter().filter(is_open).map(|slot| slot.start).collect()
        }
        (_, Some(FeedMode::Open)) => Vec::new(),
        (Some(FeedEntries::Busy(busy)), _) => from_hours(busy),
        (None, _) => from_hours(&[]),
    }
}

/// Whether a provider offers a type that is asked for.
pub(crate) fn is_offered(
    directory: &Directory,
    provider: &Provider,
    id: VisitTypeId,
    filter: &SlotFilter,
) -> bool {
    let is_asked_for = |it: &VisitType| {
        it.states.contains(filter.state)
            && it.modality == Modality::Video
            && (!filter.new_patients || it.new_patient_eligible)
            && filter.visit_type.is_none_or(|only| only == i64::from(id.get()))
    };
    provider.visit_types.contains(&id) && directory.visit_type(id).is_some_and(is_asked_for)
}

/// Whether some second of a visit is on a day of leave by the clock of the provider's hours; without hours, by any clock.
fn is_away(provider: &Provider, schedule: Option<&Schedule>, start: Instant, seconds: i64) -> bool {
    let any = || vec![Tz::Etc__GMTMinus14, Tz::UTC, Tz::Etc__GMTPlus12];
    let zones = schedule.map_or_else(any, |schedule| vec![schedule.parts().zone]);
    zones.into_iter().any(|zone| {
        let day = |at: i64| DateTime::from_timestamp(at, 0).unwrap().with_timezone(&zone).date_naive();
        let (first, last) = (day(start.unix()), day(start.unix() + seconds - 1));
        let is_on = |day: NaiveDate| {
            let mut leaves = provider.leave.iter();
            leaves.any(|leave| leave.from <= day && leave.until.is_none_or(|until| day < until))
        };
        first.iter_days().take_while(|day| *day <= last).any(is_on)
    })
}

/// Whether a provider may be shown in the state and meets the filters of providers. A patient who asks for a visit
/// that new patients can't book is a current one.
pub(crate) fn is_wanted(directory: &Directory, provider: &Provider, filter: &SlotFilter) -> bool {
    let wanted = &filter.providers;
    let asked = filter.visit_type.and_then(|id| VisitTypeId::try_from(id).ok());
    let is_current = asked
        .and_then(|id| directory.visit_type(id))
        // A visit by message has no times: no one is offered more or fewer of them.
        .is_some_and(|visit_type| !visit_type.new_patient_eligible && visit_type.duration_minutes.is_some());
    provider.licensed.contains(filter.state)
        && (is_current && !filter.new_patients || provider.accepting.contains(filter.state))
        && wanted.plan.is_none_or(|plan| provider.plans_in(filter.state).contains(&plan))
        && wanted.gender.is_none_or(|gender| provider.gender == gender)
        && wanted.provider_type.is_none_or(|provider_type| provider.provider_type == provider_type)
        && wanted.language.is_none_or(|language| provider.languages.contains(&language))
}
