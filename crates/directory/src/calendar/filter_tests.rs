//! Filters in the calendar: who meets them, what is unknown because of them, and fully booked providers.

use std::collections::BTreeSet;

use chrono_tz::Tz;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::feed::{FeedEntries, FeedMode, Freshness, OpenSlot, ProviderFeed};
use super::index::filters::ProviderFilter;
use super::open::{Calendar, SlotFilter};
use super::slot_oracle::{AppliedFeed, expected_slots, is_offered, is_wanted};
use super::test_clinics::*;
use crate::model::{Directory, Gender, PlanNumber, Provider, ProviderNumber, ProviderType};

const DAY: i64 = 86_400;

/// Those who meet all filters, found by asking each.
fn matches(directory: &Directory, filter: &SlotFilter) -> Vec<ProviderNumber> {
    let is_match = |number: &ProviderNumber| {
        let provider = directory.provider(*number);
        is_wanted(directory, provider, filter)
            && provider.visit_types.iter().any(|id| is_offered(directory, provider, *id, filter))
    };
    directory.provider_numbers().filter(is_match).collect()
}

fn is_unknown(directory: &Directory, feed: &AppliedFeed, filter: &SlotFilter) -> bool {
    let slug = |number: ProviderNumber| &directory.provider(number).slug;
    if let Some(number) = filter.provider {
        let is_asked_for = filter.providers == ProviderFilter::default()
            || is_wanted(directory, directory.provider(number), filter);
        return is_asked_for && feed.expired.contains(slug(number));
    }
    let (expired, others): (Vec<_>, Vec<_>) =
        matches(directory, filter).into_iter().partition(|&number| feed.expired.contains(slug(number)));
    let has_slots = |entries: &FeedEntries| matches!(entries, FeedEntries::Open(slots) if slots.iter().any(|slot| slot.start < slot.end));
    !expired.is_empty()
        && !others.into_iter().any(|number| {
            feed.sets.get(slug(number)).is_some_and(has_slots)
                || (feed.mode == Some(FeedMode::Busy) && directory.schedule(number).is_some())
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_expired_part_of_the_feed_matters_for_those_who_meet_the_filters(
        directory in random_clinic(),
        mode in select(vec![FeedMode::Open, FeedMode::Busy]),
        sets in vec(random_set(), 0..10),
        expired in vec(0..12_usize, 0..12),
        questions in vec(question(), 40),
    ) {
        let mut feed = AppliedFeed { mode: Some(mode), ..AppliedFeed::default() };
        let expired: Vec<_> = expired.into_iter().map(slug).collect();
        feed.expired = expired.iter().cloned().collect::<BTreeSet<_>>();
        let mut calendar = Calendar::with_feed(&directory, mode, at(0));
        for set in sets {
            feed.apply(&directory, &set);
            calendar = calendar.apply(&directory, &[set]);
        }
        let calendar = calendar.with_freshness(&directory, Freshness::Fresh, &expired);
        for question in questions {
            let filter = question.put(&directory, at(0), 2 * DAY, 20);
            let matches = matches(&directory, &filter);
            let has_match = filter.provider.map_or(!matches.is_empty(), |only| matches.contains(&only));
            prop_assert_eq!(calendar.has_match(&filter), has_match, "{:?}", filter);
            let is_unknown = is_unknown(&directory, &feed, &filter);
            prop_assert_eq!(calendar.is_unknown(&directory, &filter), is_unknown, "{:?}", filter);
            let is_silent = |number: &ProviderNumber| {
                feed.expired.contains(&directory.provider(*number).slug)
                    && filter.provider.is_none_or(|only| only == *number)
            };
            let silent: BTreeSet<_> = matches.into_iter().filter(is_silent).collect();
            prop_assert_eq!(calendar.unknown(&filter).into_iter().collect::<BTreeSet<_>>(), silent, "{:?}", filter);
            let expected = expected_slots(&directory, &feed, &filter);
            prop_assert_eq!(calendar.open(&directory, &filter), expected, "{:?}", filter);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// Twenty thousand questions in all.
    #[test]
    fn leaves_and_visits_for_current_patients_are_as_a_naive_reader_of_the_rules_finds_them(
        directory in random_clinic(),
        mode in select(vec![None, Some(FeedMode::Open), Some(FeedMode::Busy)]),
        sets in vec(random_set(), 0..6),
        questions in vec(question(), 100),
        horizon in select(vec![DAY, 4 * DAY, 14 * DAY]),
    ) {
        let mut feed = AppliedFeed { mode, ..AppliedFeed::default() };
        let mut calendar = match mode {
            None => Calendar::from_hours(&directory, at(0)),
            Some(mode) => Calendar::with_feed(&directory, mode, at(0)).with_freshness(&directory, Freshness::Fresh, &[]),
        };
        for set in sets.into_iter().filter(|_| mode.is_some()) {
            feed.apply(&directory, &set);
            calendar = calendar.apply(&directory, &[set]);
        }
        for question in questions {
            let filter = question.put(&directory, at(0), horizon, 15);
            prop_assert_eq!(calendar.open(&directory, &filter), expected_slots(&directory, &feed, &filter), "{:?}", filter);
        }
    }
}

/// Sets of every form: lists and masks, alone and together. Those with the first plan are booked until the fifth day.
#[test]
fn fully_booked_providers_are_found_in_a_large_clinic() {
    let count = 3_000;
    let person = |index: usize| Provider {
        gender: if index.is_multiple_of(2) { Gender::Female } else { Gender::Male },
        provider_type: ProviderType::ALL[usize::from(index.is_multiple_of(150))],
        languages: (index.is_multiple_of(7)).then(|| "Spanish".parse().unwrap()).into_iter().collect(),
        insurance: (0..2)
            .filter(|plan| index.is_multiple_of([50, 140][*plan]))
            .map(|plan| (state("CA"), vec![PlanNumber(u16::try_from(plan).unwrap())]))
            .take(1)
            .collect(),
        ..provider(index)
    };
    let directory = clinic((0..count).map(|index| (person(index), None)).collect());
    let mut feed = AppliedFeed { mode: Some(FeedMode::Open), ..AppliedFeed::default() };
    let sets: Vec<ProviderFeed> = (0..count)
        .map(|index| {
            let first = if index.is_multiple_of(50) { 5 * DAY } else { 7200 };
            let later = i64::try_from(index % 11).unwrap() * 61;
            let starts = [first, first + later, first + 1800, first + 1800 + later];
            let slot = |start: i64| OpenSlot { start: at(start), end: at(start + 3600), types: None };
            ProviderFeed { provider: slug(index), entries: FeedEntries::Open(starts.map(slot).to_vec()) }
        })
        .collect();
    for set in &sets {
        feed.apply(&directory, set);
    }
    let calendar = Calendar::with_feed(&directory, FeedMode::Open, at(0))
        .with_freshness(&directory, Freshness::Fresh, &[])
        .apply(&directory, &sets);
    let none = ProviderFilter::default();
    let female = ProviderFilter { gender: Some(Gender::Female), ..none };
    let nurses = ProviderFilter { provider_type: Some(ProviderType::ALL[1]), ..none };
    let spanish = ProviderFilter { language: Some("Spanish".parse().unwrap()), ..none };
    let plan =
        |number: u16, others: ProviderFilter| ProviderFilter { plan: Some(PlanNumber(number)), ..others };
    let filters = [
        none,
        female,
        ProviderFilter { language: spanish.language, ..female },
        nurses,
        ProviderFilter { gender: Some(Gender::Male), ..nurses },
        plan(0, none),
        plan(0, female),
        plan(0, spanish),
        plan(1, none),
        plan(1, nurses),
        plan(2, none),
    ];
    let mut some = 0;
    for providers in filters {
        for (one_per_provider, visit_type, from) in [
            (false, None, None),
            (true, None, None),
            (true, Some(103), None),
            (true, None, Some(at(5 * DAY + 1))),
        ] {
            let filter = SlotFilter {
                visit_type,
                from,
                one_per_provider,
                providers,
                ..SlotFilter::new(state("CA"), at(0), 30 * DAY, 200)
            };
            let expected = expected_slots(&directory, &feed, &filter);
            some += usize::from(!expected.is_empty());
            assert_eq!(calendar.open(&directory, &filter), expected, "{filter:?}");
        }
    }
    assert!(some > 30, "{some}");
}

/// The rotation includes providers who were listed at an earlier start.
#[test]
fn with_one_per_provider_the_order_at_a_start_is_that_of_the_full_list() {
    let directory = clinic(
        (0..60)
            .map(|index| (provider(index), Some(round_the_clock(Tz::UTC, if index < 40 { 60 } else { 600 }))))
            .collect(),
    );
    let calendar = Calendar::from_hours(&directory, at(0));
    let full = SlotFilter::new(state("CA"), at(0), DAY, 10_000);
    let mut seen = BTreeSet::new();
    let mut expected = calendar.open(&directory, &full);
    expected.retain(|(_, number)| seen.insert(*number));
    assert_eq!(expected.len(), 60);
    for limit in [1, 30, 45, 60, 100] {
        let filter = SlotFilter { one_per_provider: true, limit, ..full };
        assert_eq!(calendar.open(&directory, &filter), expected[..limit.min(60)]);
    }
}

#[test]
fn from_moves_the_beginning_and_neither_the_notice_nor_the_end() {
    let directory = clinic(vec![(provider(0), Some(round_the_clock(Tz::UTC, 240)))]);
    let calendar = Calendar::from_hours(&directory, at(0));
    let starts = |from: Option<i64>| -> Vec<i64> {
        let filter = SlotFilter { from: from.map(at), ..SlotFilter::new(state("CA"), at(0), 6 * 3600, 50) };
        let open = calendar.open(&directory, &filter).into_iter();
        open.map(|(start, _)| start.unix() - BEGIN).collect()
    };
    let all: Vec<i64> = (8..12).map(|half| half * 1800).collect();
    assert_eq!(starts(None), all);
    assert_eq!(starts(Some(-DAY)), all);
    assert_eq!(starts(Some(2 * 3600)), all);
    assert_eq!(starts(Some(9 * 1800)), all[1..]);
    assert_eq!(starts(Some(9 * 1800 + 1)), all[2..]);
    assert_eq!(starts(Some(6 * 3600)), [0_i64; 0]);
    assert_eq!(starts(Some(60 * DAY)), [0_i64; 0]);
}
