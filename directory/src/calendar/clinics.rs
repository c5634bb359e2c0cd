//! Random clinics for the tests of the calendar, and the slow oracle to compare with.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use chrono::{NaiveDate, TimeDelta, WeekdaySet};
use chrono_tz::Tz;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use super::feed::{FeedEntries, FeedMode, OpenSlot, ProviderFeed};
use super::hours::Busy;
use super::index::order::mix;
use super::instant::Instant;
use super::open::SlotFilter;
use crate::model::{Class, ClockTime, Dated, Hours, Off, Schedule, ScheduleParts, Weekly, Window};
use crate::model::{
    Directory, DirectoryParts, Gender, Generation, Modality, Organisation, Provider, ProviderNumber,
    ProviderType, Slug, StateCode, StateSet, VisitType, VisitTypeId,
};

/// A random provider: the states of the licence, the states where patients are accepted, the types, and which schedule.
type Drawn = (Vec<&'static str>, Vec<&'static str>, Vec<i64>, usize);

/// The first moment of every test: Friday, two days before clocks in the United States change.
pub(crate) const BEGIN: i64 = 1_772_784_000;
const STATES: [&str; 3] = ["CA", "NY", "TX"];
/// Two types of one duration, a longer one, and one without a duration.
const TYPES: [(i64, Option<u32>); 4] = [(101, Some(30)), (102, Some(30)), (103, Some(60)), (201, None)];

pub(crate) fn at(seconds: i64) -> Instant {
    Instant::from_unix(BEGIN + seconds)
}

pub(crate) fn state(code: &str) -> StateCode {
    code.parse().unwrap()
}

pub(crate) fn slug(index: usize) -> Slug {
    format!("p-{index}").parse().unwrap()
}

pub(crate) fn type_id(id: i64) -> VisitTypeId {
    VisitTypeId::try_from(id).unwrap()
}

/// A provider with all types and states, without hours.
pub(crate) fn provider(index: usize) -> Provider {
    let everywhere: StateSet = STATES.iter().map(|code| state(code)).collect();
    Provider {
        id: format!("id-{index}").parse().unwrap(),
        slug: slug(index),
        former_slugs: vec![format!("former-{index}").parse().unwrap()],
        display_name: format!("P {index}"),
        sort_name: format!("p {index:04}"),
        credentials: "MD".to_owned(),
        provider_type: ProviderType::Physician,
        gender: Gender::Other,
        bio: String::new(),
        headshot: None,
        menopause_society_certified: false,
        clinical_interests: Vec::new(),
        languages: Vec::new(),
        education: Vec::new(),
        certifications: Vec::new(),
        insurance: Vec::new(),
        visit_types: TYPES.iter().map(|&(id, _)| type_id(id)).collect(),
        licensed: everywhere,
        accepting: everywhere,
        npi: None,
    }
}

/// Half hours, day and night.
pub(crate) fn round_the_clock(zone: Tz, notice: u32) -> Schedule {
    half_hours(zone, notice, 101)
}

/// Half hours for one type of visit, day and night.
pub(crate) fn half_hours(zone: Tz, notice: u32, id: i64) -> Schedule {
    let class = Class::new(vec![type_id(id)], 30, 30).unwrap();
    let hours = Hours::new(vec!["00:00-24:00".parse().unwrap()], vec![class]);
    let weekly = vec![Weekly { days: WeekdaySet::ALL, hours }];
    Schedule::new(ScheduleParts { notice, weekly, ..ScheduleParts::new(zone) }).unwrap()
}

/// A clinic where 102 is not offered in Texas.
pub(crate) fn clinic(providers: Vec<(Provider, Option<Schedule>)>) -> Directory {
    let everywhere: StateSet = STATES.iter().map(|code| state(code)).collect();
    let visit_types = TYPES.iter().map(|&(id, duration_minutes)| VisitType {
        id: type_id(id),
        name: format!("type {id}"),
        description: String::new(),
        modality: if duration_minutes.is_some() { Modality::Video } else { Modality::Async },
        new_patient_eligible: true,
        duration_minutes,
        states: if id == 102 {
            everywhere.iter().filter(|state| state.code() != "TX").collect()
        } else {
            everywhere
        },
    });
    Directory::new(DirectoryParts {
        organisation: Organisation {
            name: "Clinic".to_owned(),
            description: String::new(),
            api_url: "https://api.example".to_owned(),
            mcp_url: "https://mcp.example".to_owned(),
            site_url: "https://site.example".to_owned(),
            live_url: None,
            address: None,
            search_words: Vec::new(),
        },
        plans: Vec::new(),
        visit_types: visit_types.collect(),
        providers: providers.into_iter().map(|(one, hours)| (Box::new(one), hours.map(Box::new))).collect(),
        retired: BTreeSet::new(),
        generation: Generation("test".to_owned()),
    })
}

fn window() -> impl Strategy<Value = Window> {
    (0..24 * 6_u16, 0..=24 * 6_u16).prop_map(|(start, end)| {
        let time = |tens: u16| ClockTime::from_minutes(tens * 10).unwrap();
        Window::new(time(start), time(end)).unwrap()
    })
}

fn hours() -> impl Strategy<Value = Hours> {
    let class = (subsequence(vec![101, 102, 103], 1..=3), select(vec![30, 60]), select(vec![15, 30, 50]));
    let class = class.prop_map(|(types, duration, step)| {
        Class::new(types.into_iter().map(type_id).collect(), duration, step).unwrap()
    });
    (vec(window(), 0..3), vec(class, 1..3)).prop_map(|(windows, classes)| Hours::new(windows, classes))
}

fn schedule() -> impl Strategy<Value = Schedule> {
    let zones = ["America/New_York", "America/Los_Angeles", "America/Phoenix", "Asia/Kathmandu", "UTC"];
    let dated = || vec((0..9_i64, hours()), 0..2);
    (
        select(zones.to_vec()),
        select(vec![0, 1, 60, 90, 1440, 4000, 50_000]),
        (select(vec![0, 7, 45]), select(vec![0, 10])),
        vec((1_u8..128, hours()), 0..3),
        (dated(), dated(), vec((0..9_i64, 0..3_i64), 0..2)),
    )
        .prop_map(|(zone, notice, buffers, weekly, (replace, extra, off))| {
            let first: NaiveDate = "2026-03-06".parse().unwrap();
            let day = |number: i64| first + TimeDelta::days(number);
            let dated = |list: Vec<(i64, Hours)>| {
                list.into_iter().map(|(number, hours)| Dated { date: day(number), hours }).collect()
            };
            let days = |bits: u8| {
                let all = WeekdaySet::ALL;
                all.iter(chrono::Weekday::Mon)
                    .filter(|day| bits >> day.num_days_from_monday() & 1 == 1)
                    .collect()
            };
            Schedule::new(ScheduleParts {
                notice,
                buffer_before: buffers.0,
                buffer_after: buffers.1,
                weekly: weekly.into_iter().map(|(bits, hours)| Weekly { days: days(bits), hours }).collect(),
                replace: dated(replace),
                extra: dated(extra),
                off: off
                    .into_iter()
                    .map(|(from, more)| Off { from: day(from), to: day(from + more), hours: None })
                    .collect(),
                holidays: Arc::default(),
                ..ScheduleParts::new(zone.parse().unwrap())
            })
            .unwrap()
        })
}

/// A clinic of any size. Its providers share four schedules, so that many have the same starts.
pub(crate) fn random_clinic() -> impl Strategy<Value = Directory> {
    let person = (
        subsequence(STATES.to_vec(), 0..=3),
        subsequence(STATES.to_vec(), 0..=3),
        subsequence(TYPES.map(|(id, _)| id).to_vec(), 0..=4),
        0..8_usize,
    );
    let size = prop_oneof![3 => 1..12_usize, 1 => 60..140_usize];
    (vec(option::weighted(0.85, schedule()), 4), size.prop_flat_map(move |size| vec(person.clone(), size)))
        .prop_map(|(schedules, people)| {
            let person = |(index, (licensed, accepting, types, which)): (usize, Drawn)| {
                let licensed: StateSet = licensed.into_iter().map(state).collect();
                let accepting: StateSet = accepting.into_iter().map(state).collect();
                let person = Provider {
                    licensed,
                    accepting: accepting.intersection(licensed),
                    visit_types: types.into_iter().map(type_id).collect(),
                    ..provider(index)
                };
                (person, schedules[which % schedules.len()].clone())
            };
            clinic(people.into_iter().enumerate().map(person).collect())
        })
}

/// A set of one provider, which may be unknown. Half of the starts are at odd seconds.
pub(crate) fn random_set() -> impl Strategy<Value = ProviderFeed> {
    let moment = || prop_oneof![0..9 * 86_400_i64, (0..9 * 96_i64).prop_map(|quarter| quarter * 900)];
    let types = option::of(subsequence(vec![101, 102, 103, 201, 999], 0..=4));
    let open = vec((moment(), select(vec![0_i64, 1799, 1800, 3600, 5000]), types), 0..25).prop_map(|slots| {
        let slot = |(start, length, types): (i64, i64, Option<Vec<i64>>)| OpenSlot {
            start: at(start),
            end: at(start + length),
            types: types.map(|types| types.into_iter().map(type_id).collect()),
        };
        FeedEntries::Open(slots.into_iter().map(slot).collect())
    });
    let busy = vec((moment(), 0..40_000_i64), 0..8).prop_map(|busy| {
        let busy = busy.into_iter().map(|(start, length)| Busy { start: at(start), end: at(start + length) });
        FeedEntries::Busy(busy.collect())
    });
    let who = prop_oneof![6 => (0..12_usize).prop_map(slug), 1 => Just("former-1".parse().unwrap()),
        1 => Just("nobody".parse().unwrap())];
    (who, prop_oneof![open, busy]).prop_map(|(provider, entries)| ProviderFeed { provider, entries })
}

/// The sets of a feed that have been applied so far, for the oracle.
#[derive(Debug, Clone, Default)]
pub(crate) struct AppliedFeed {
    pub(crate) mode: Option<FeedMode>,
    pub(crate) sets: BTreeMap<Slug, FeedEntries>,
}

impl AppliedFeed {
    pub(crate) fn apply(&mut self, directory: &Directory, set: &ProviderFeed) {
        let Some(found) = directory.find(set.provider.as_str()) else { return };
        let slug = directory.provider(found.provider()).slug().clone();
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
        let id = directory.provider(number).id();
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
    let schedule = directory.schedule(number);
    let (from, to) = (filter.now, filter.now.plus_seconds(filter.horizon_seconds));
    let answers = |id: &VisitTypeId| {
        directory
            .visit_type(*id)
            .is_some_and(|it| it.states().contains(filter.state) && it.modality() == Modality::Video)
            && provider.visit_types().contains(id)
            && filter.visit_type.is_none_or(|only| only == i64::from(id.get()))
            && provider.licensed().contains(filter.state)
            && provider.accepting().contains(filter.state)
    };
    let held = |busy: &[Busy]| -> Vec<Instant> {
        let Some(schedule) = schedule else { return Vec::new() };
        let starts = schedule.starts(from, to, busy).into_iter();
        starts
            .filter(|start| schedule.classes()[start.class].types().iter().any(answers))
            .map(|start| start.at)
            .collect()
    };
    match (feed.sets.get(provider.slug()), feed.mode) {
        (Some(FeedEntries::Open(slots)), _) => {
            let fits = |slot: &OpenSlot, id: &VisitTypeId| {
                let minutes = directory.visit_type(*id).and_then(|it| it.duration_minutes).unwrap();
                i64::from(minutes) * 60 <= slot.end.unix() - slot.start.unix()
            };
            let is_open = |slot: &&OpenSlot| {
                slot.start < slot.end
                    && from <= slot.start
                    && slot.start < to
                    && provider.visit_types().iter().filter(|id| answers(id)).any(|id| match &slot.types {
                        Some(types) => types.contains(id),
                        None => fits(slot, id),
                    })
            };
            slots.iter().filter(is_open).map(|slot| slot.start).collect()
        }
        (_, Some(FeedMode::Open)) => Vec::new(),
        (Some(FeedEntries::Busy(busy)), _) => held(busy),
        (None, _) => held(&[]),
    }
}

/// Queries of every kind at a moment.
pub(crate) fn filters(now: Instant, horizon_seconds: i64, limit: usize) -> Vec<SlotFilter> {
    let mut filters = Vec::new();
    for code in ["CA", "TX", "WY"] {
        for visit_type in [None, Some(101), Some(102), Some(103), Some(201), Some(999), Some(-1)] {
            let provider = None;
            filters.push(SlotFilter {
                provider,
                visit_type,
                ..SlotFilter::of(state(code), now, horizon_seconds, limit)
            });
        }
    }
    filters
}
