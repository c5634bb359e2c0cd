//! Random clinics for the tests of the calendar, and random questions to them.

use std::collections::BTreeSet;
use std::sync::Arc;

use chrono::{NaiveDate, TimeDelta, WeekdaySet};
use chrono_tz::Tz;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use super::feed::{FeedEntries, OpenSlot, ProviderFeed};
use super::hours::Busy;
use super::index::filters::ProviderFilter;
use super::instant::Instant;
use super::open::SlotFilter;
use crate::model::{Class, ClockTime, Dated, Hours, Off, Schedule, ScheduleParts, Weekly, Window};
use crate::model::{
    Directory, DirectoryParts, Gender, Generation, Leave, Modality, Organization, PlanNumber, Provider,
    ProviderNumber, ProviderType, Slug, StateCode, StateSet, VisitType, VisitTypeId,
};

/// A random provider: the states of the license, the states where patients are accepted, the types, and which schedule;
/// what filters ask for; and the leaves.
type Drawn = ((Vec<&'static str>, Vec<&'static str>, Vec<i64>, usize), Traits, Vec<Leave>);

/// Gender, kind, languages, and the plans in each state.
type Traits = (Gender, ProviderType, Vec<&'static str>, Vec<Vec<u16>>);

/// The first moment of every test: Friday, two days before clocks in the United States change.
pub(crate) const BEGIN: i64 = 1_772_784_000;
const STATES: [&str; 3] = ["CA", "NY", "TX"];
const PLANS: [&str; 3] = ["Plan A", "Plan B", "Plan C"];
const LANGUAGES: [&str; 3] = ["English", "Spanish", "Yoruba"];
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
        leave: Vec::new(),
        npi: None,
        specialties: Vec::new(),
        written_sort_name: None,
        record: crate::model::Record::default(),
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

/// A clinic where 102 is not offered in Texas, and new patients may book every type.
pub(crate) fn clinic(providers: Vec<(Provider, Option<Schedule>)>) -> Directory {
    clinic_for(providers, &TYPES.map(|(id, _)| id))
}

/// The same, where new patients may book these types.
fn clinic_for(providers: Vec<(Provider, Option<Schedule>)>, for_new: &[i64]) -> Directory {
    clinic_of(providers, for_new, BTreeSet::new(), "test")
}

/// The same, with the slugs of those who have left, and a generation.
pub(crate) fn clinic_of(
    providers: Vec<(Provider, Option<Schedule>)>,
    for_new: &[i64],
    retired: BTreeSet<Slug>,
    generation: &str,
) -> Directory {
    let everywhere: StateSet = STATES.iter().map(|code| state(code)).collect();
    let visit_types = TYPES.iter().map(|&(id, duration_minutes)| VisitType {
        id: type_id(id),
        name: format!("type {id}"),
        description: String::new(),
        modality: if duration_minutes.is_some() { Modality::Video } else { Modality::Async },
        new_patient_eligible: for_new.contains(&id),
        duration_minutes,
        states: if id == 102 {
            everywhere.iter().filter(|state| state.code() != "TX").collect()
        } else {
            everywhere
        },
    });
    Directory::new(DirectoryParts {
        organization: Organization {
            name: "Clinic".to_owned(),
            description: String::new(),
            api_url: "https://api.example".to_owned(),
            mcp_url: "https://mcp.example".to_owned(),
            site_url: "https://site.example".to_owned(),
            live_url: None,
            booking_url: None,
            address: None,
            patients: crate::model::Patients::default(),
            search_words: Vec::new(),
            standards: None,
            discovery: crate::model::Discovery::default(),
        },
        texts: Vec::new(),
        plans: PLANS.iter().map(|name| name.parse().unwrap()).collect(),
        visit_types: visit_types.collect(),
        providers: providers.into_iter().map(|(one, hours)| (Box::new(one), hours.map(Box::new))).collect(),
        retired,
        accuracy: crate::model::AccuracyParts::default(),
        generation: Generation(generation.to_owned()),
    })
}

/// The seeds of random runs: SEED=N runs one of them, SEEDS=N the first N.
pub(crate) fn seeds(usual: u64) -> Vec<u64> {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse().unwrap());
    match number("SEED") {
        Some(seed) => vec![seed],
        None => (0..number("SEEDS").unwrap_or(usual)).collect(),
    }
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

fn traits() -> impl Strategy<Value = Traits> + Clone {
    (
        select(vec![Gender::Female, Gender::Female, Gender::Male, Gender::NonBinary]),
        select(ProviderType::ALL.to_vec()),
        subsequence(LANGUAGES.to_vec(), 0..=2),
        vec(subsequence(vec![0, 1, 2], 0..=2), STATES.len()),
    )
}

/// Leaves that begin before or within the first days of the tests; the last one may have no end.
fn leaves() -> impl Strategy<Value = Vec<Leave>> {
    vec((1..6_i64, option::weighted(0.8, 1..5_i64)), 0..3).prop_map(|drawn| {
        let mut day: NaiveDate = "2026-03-03".parse().unwrap();
        let mut leaves: Vec<Leave> = Vec::new();
        for (gap, days) in drawn {
            if leaves.last().is_some_and(|leave| leave.until.is_none()) {
                break;
            }
            let from = day + TimeDelta::days(gap);
            let until = days.map(|days| from + TimeDelta::days(days));
            leaves.push(Leave { from, until });
            day = until.unwrap_or(from);
        }
        leaves
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
    let leaves = prop_oneof![2 => Just(Vec::new()), 1 => leaves()];
    let person = (person, traits(), leaves);
    let size = prop_oneof![3 => 1..12_usize, 1 => 60..140_usize];
    let people = size.prop_flat_map(move |size| vec(person.clone(), size));
    let for_new = subsequence(vec![101, 102, 103], 0..=3);
    (vec(option::weighted(0.85, schedule()), 4), people, for_new).prop_map(
        |(schedules, people, for_new): (Vec<_>, Vec<Drawn>, Vec<i64>)| {
            let person = |(index, ((licensed, accepting, types, which), traits, leave)): (usize, Drawn)| {
                let (gender, provider_type, languages, plans) = traits;
                let licensed: StateSet = licensed.into_iter().map(state).collect();
                let accepting: StateSet = accepting.into_iter().map(state).collect();
                let person = Provider {
                    licensed,
                    accepting: accepting.intersection(licensed),
                    leave,
                    visit_types: types.into_iter().map(type_id).collect(),
                    gender,
                    provider_type,
                    languages: languages.iter().map(|name| name.parse().unwrap()).collect(),
                    // A plan is accepted only where the provider is licensed.
                    insurance: STATES
                        .iter()
                        .map(|code| state(code))
                        .zip(plans)
                        .filter(|(there, plans)| licensed.contains(*there) && !plans.is_empty())
                        .map(|(there, plans)| (there, plans.into_iter().map(PlanNumber).collect()))
                        .collect(),
                    ..provider(index)
                };
                (person, schedules[which % schedules.len()].clone())
            };
            clinic_for(people.into_iter().enumerate().map(person).collect(), &for_new)
        },
    )
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

/// Queries of every kind at a moment.
pub(crate) fn filters(now: Instant, horizon_seconds: i64, limit: usize) -> Vec<SlotFilter> {
    let mut filters = Vec::new();
    for code in ["CA", "TX", "WY"] {
        for visit_type in [None, Some(101), Some(102), Some(103), Some(201), Some(999), Some(-1)] {
            let provider = None;
            filters.push(SlotFilter {
                provider,
                visit_type,
                ..SlotFilter::new(state(code), now, horizon_seconds, limit)
            });
        }
    }
    filters
}

/// Any question, with each filter about as often as not.
pub(crate) fn question() -> impl Strategy<Value = Question> {
    let from = option::weighted(0.3, prop_oneof![-3600..200_000_i64, 0..3_000_000_i64]);
    let providers = (
        option::weighted(0.5, (0..3_u16).prop_map(PlanNumber)),
        option::weighted(0.3, select(vec![Gender::Female, Gender::Male, Gender::Other])),
        option::weighted(0.3, select(ProviderType::ALL.to_vec())),
        option::weighted(0.3, select(LANGUAGES.to_vec())),
    );
    (
        select(vec!["CA", "NY", "TX", "WY"]),
        option::weighted(0.1, any::<usize>()),
        option::weighted(0.4, select(vec![101_i64, 102, 103, 201, 999])),
        (from, any::<bool>(), proptest::bool::weighted(0.3)),
        providers,
    )
        .prop_map(|(code, provider, visit_type, (from, one_per_provider, new_patients), providers)| {
            let (plan, gender, provider_type, language) = providers;
            let language = language.map(|name| name.parse().unwrap());
            let filter = SlotFilter {
                visit_type,
                one_per_provider,
                new_patients,
                providers: ProviderFilter { plan, gender, provider_type, language },
                ..SlotFilter::new(state(code), at(0), 0, 0)
            };
            Question { provider, from, filter }
        })
}

/// A question before it is put to a clinic at a moment.
#[derive(Debug, Clone)]
pub(crate) struct Question {
    provider: Option<usize>,
    /// Seconds from the moment on.
    from: Option<i64>,
    filter: SlotFilter,
}

impl Question {
    pub(crate) fn put(
        &self,
        directory: &Directory,
        now: Instant,
        horizon_seconds: i64,
        limit: usize,
    ) -> SlotFilter {
        let numbers: Vec<ProviderNumber> = directory.provider_numbers().collect();
        SlotFilter {
            provider: self.provider.map(|nth| numbers[nth % numbers.len()]),
            from: self.from.map(|later| now.plus_seconds(later)),
            now,
            horizon_seconds,
            limit,
            ..self.filter
        }
    }
}
