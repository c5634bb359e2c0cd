//! Walks through all pages of a list against the slow oracle, while content, feed and time change between them.

use std::collections::{BTreeMap, BTreeSet};

use chrono_tz::Tz;
use proptest::prelude::*;
use proptest::sample::select;

use super::feed::{FeedEntries, FeedMode, Freshness, OpenSlot, ProviderFeed};
use super::index::order::mix;
use super::instant::Instant;
use super::open::{Calendar, SlotFilter};
use super::page::Cursor;
use super::slot_oracle::{AppliedFeed, expected_slots};
use super::test_clinics::*;
use crate::model::{Directory, ProviderNumber};

const DAY: i64 = 86_400;

/// All pages of a list, with what changes between two of them.
fn walk(
    mut page: impl FnMut(Option<Cursor>, usize) -> (Vec<(Instant, String)>, Option<Cursor>),
) -> Vec<(Instant, String)> {
    let (mut all, mut after, mut turn) = (Vec::new(), None, 0);
    loop {
        let (slots, next) = page(after, turn);
        all.extend(slots);
        if next.is_none() {
            return all;
        }
        (after, turn) = (next, turn + 1);
        assert!(turn < 5_000, "the pages never end");
    }
}

fn slots_of(
    calendar: &Calendar,
    directory: &Directory,
    filter: &SlotFilter,
    periods: &[(Instant, Instant)],
    after: Option<Cursor>,
) -> (Vec<(Instant, String)>, Option<Cursor>) {
    let (slots, next) = calendar.page(directory, filter, periods, after);
    (slots.into_iter().map(|(at, slug)| (at, slug.to_owned())).collect(), next)
}

fn named(directory: &Directory, slots: Vec<(Instant, ProviderNumber)>) -> Vec<(Instant, String)> {
    let slug = |number| directory.provider(number).slug.to_string();
    slots.into_iter().map(|(at, number)| (at, slug(number))).collect()
}

/// Numbers that follow from a seed.
struct Chance(u64);

impl Chance {
    fn of(&mut self, count: usize) -> usize {
        self.0 = mix(self.0);
        usize::try_from(self.0 % count as u64).unwrap()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pages_of_any_size_together_are_the_whole_list(
        directory in random_clinic(),
        questions in proptest::collection::vec(question(), 12),
        limit in select(vec![1_usize, 2, 7, 50, 200]),
    ) {
        let calendar = Calendar::from_hours(&directory, at(0));
        let feed = AppliedFeed::default();
        for question in questions {
            let filter = question.put(&directory, at(0), 2 * DAY, limit);
            let until = at(2 * DAY);
            let periods = [(filter.from.map_or(at(0), |from| from.max(at(0))), until)];
            let expected = expected_slots(&directory, &feed, &SlotFilter { limit: usize::MAX, ..filter });
            let found = walk(|after, _| slots_of(&calendar, &directory, &filter, &periods, after));
            prop_assert_eq!(found, named(&directory, expected), "{:?}", filter);
        }
    }

    /// A part of each day, by ranges that leave gaps: the list is that of the whole time without the gaps.
    #[test]
    fn periods_are_the_whole_time_without_its_gaps(
        directory in random_clinic(),
        question in question(),
        (begin, length) in (0..20_i64, 1..12_i64),
        limit in select(vec![1_usize, 3, 50]),
    ) {
        let calendar = Calendar::from_hours(&directory, at(0));
        let hour = |day: i64, hour: i64| at(day * DAY + hour * 3600);
        let periods: Vec<_> = (0..3).map(|day| (hour(day, begin), hour(day, begin + length))).collect();
        let filter = SlotFilter { from: None, ..question.put(&directory, at(0), 4 * DAY, limit) };
        let every = SlotFilter { limit: usize::MAX, one_per_provider: false, ..filter };
        let mut expected = expected_slots(&directory, &AppliedFeed::default(), &every);
        expected.retain(|(at, _)| periods.iter().any(|(begin, end)| begin <= at && at < end));
        let mut seen = BTreeSet::new();
        expected.retain(|(_, number)| !filter.one_per_provider || seen.insert(*number));
        let found = walk(|after, _| slots_of(&calendar, &directory, &filter, &periods, after));
        prop_assert_eq!(found, named(&directory, expected));
    }

    /// Bookings, cancellations, clinicians who come and leave, and time that passes between two pages: no slot is listed
    /// twice, and each that stays open throughout is listed.
    #[test]
    fn every_slot_that_stays_open_is_listed_once(
        clinicians in 1..60_usize,
        seed in any::<u64>(),
        limit in select(vec![1_usize, 2, 7, 30, 200]),
        step in select(vec![0_i64, 20, 600]),
    ) {
        let mut chance = Chance(seed);
        let mut people: Vec<usize> = (0..clinicians).collect();
        let build = |people: &[usize]| clinic(people.iter().map(|&index| (provider(index), None)).collect());
        let mut directory = build(&people);
        // Few starts with many clinicians at each.
        let mut open: BTreeMap<usize, BTreeSet<i64>> = people
            .iter()
            .map(|&index| (index, (1..6).map(|nth| nth * 7200).filter(|_| chance.of(10) < 7).collect()))
            .collect();
        let calendar_of = |directory: &Directory, open: &BTreeMap<usize, BTreeSet<i64>>, now: Instant| {
            let calendar = Calendar::with_feed(directory, FeedMode::Open, now);
            let calendar = calendar.with_freshness(directory, Freshness::Fresh, &[]);
            let sets: Vec<_> = open
                .iter()
                .map(|(index, starts)| {
                    let slot = |start: &i64| OpenSlot { start: at(*start), end: at(start + 3600), types: None };
                    let entries = FeedEntries::Open(starts.iter().map(slot).collect());
                    ProviderFeed { provider: slug(*index), entries }
                })
                .collect();
            calendar.apply(directory, &sets)
        };
        let mut always: BTreeSet<(Instant, String)> = open
            .iter()
            .flat_map(|(index, starts)| starts.iter().map(move |start| (at(*start), slug(*index).to_string())))
            .collect();
        let mut newcomers = 100;
        let found = walk(|after, turn| {
            if turn > 0 {
                let before = people.len();
                match chance.of(6) {
                    0 => {
                        let index = people[chance.of(people.len())];
                        let taken = open.get_mut(&index).unwrap().pop_first();
                        always.retain(|(start, who)| Some(*start) != taken.map(at) || *who != slug(index).to_string());
                    }
                    1 => {
                        let index = people[chance.of(people.len())];
                        open.get_mut(&index).unwrap().insert(7200 * (1 + i64::try_from(chance.of(5)).unwrap()));
                    }
                    2 => {
                        newcomers += 1;
                        people.push(newcomers);
                        open.insert(newcomers, (1..6).map(|nth| nth * 7200).collect());
                    }
                    3 if people.len() > 1 => {
                        let gone = people.remove(chance.of(people.len()));
                        open.remove(&gone);
                        always.retain(|(_, who)| *who != slug(gone).to_string());
                    }
                    _ => {}
                }
                if people.len() != before {
                    directory = build(&people);
                }
            }
            let now = at(i64::try_from(turn).unwrap().min(20) * step);
            always.retain(|(start, _)| *start >= now.plus_minutes(60));
            let calendar = calendar_of(&directory, &open, now);
            let filter = SlotFilter::new(state("CA"), now, DAY, limit);
            slots_of(&calendar, &directory, &filter, &[(now, at(DAY))], after)
        });
        let once: BTreeSet<_> = found.iter().cloned().collect();
        prop_assert_eq!(once.len(), found.len(), "a slot is listed twice");
        let missing: Vec<_> = always.difference(&once).collect();
        prop_assert!(missing.is_empty(), "{:?} are not listed", missing);
    }
}

/// Notice that passes hides clinicians from a start, and the window of its order stays that of all who have it.
#[test]
fn those_whose_notice_has_passed_do_not_change_the_order() {
    let people = (0..120).map(|index| {
        let notice = if index % 3 == 0 { 600 } else { 30 };
        (provider(index), Some(round_the_clock(Tz::UTC, notice)))
    });
    let directory = clinic(people.collect());
    let calendar = Calendar::from_hours(&directory, at(0));
    for limit in [1, 5, 47, 48, 49, 79, 80, 81, 500] {
        let filter = SlotFilter::new(state("CA"), at(0), 6 * 3600, limit);
        let periods = [(at(0), at(6 * 3600))];
        let found = walk(|after, _| slots_of(&calendar, &directory, &filter, &periods, after));
        let all = SlotFilter { limit: usize::MAX, ..filter };
        assert_eq!(
            found,
            named(&directory, expected_slots(&directory, &AppliedFeed::default(), &all)),
            "{limit}"
        );
    }
}
