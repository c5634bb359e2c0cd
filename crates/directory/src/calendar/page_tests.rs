//! Walks through all pages of a list against the slow oracle. In `walk_tests`, content, feed and time change between them.

use std::collections::BTreeSet;

use chrono_tz::Tz;
use proptest::prelude::*;
use proptest::sample::select;

use super::instant::Instant;
use super::open::{Calendar, SlotFilter};
use super::page::Cursor;
use super::slot_oracle::{AppliedFeed, expected_slots};
use super::test_clinics::*;
use crate::model::{Directory, ProviderNumber};

const DAY: i64 = 86_400;

/// All pages of a list, with what changes between two of them.
pub(super) fn walk(
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

pub(super) fn slots_of(
    calendar: &Calendar,
    directory: &Directory,
    filter: &SlotFilter,
    periods: &[(Instant, Instant)],
    after: Option<Cursor>,
) -> (Vec<(Instant, String)>, Option<Cursor>) {
    let (slots, next) = calendar.page(directory, filter, periods, after);
    (slots.into_iter().map(|(at, slug)| (at, slug.to_owned())).collect(), next)
}

pub(super) fn named(directory: &Directory, slots: Vec<(Instant, ProviderNumber)>) -> Vec<(Instant, String)> {
    let slug = |number| directory.provider(number).slug.to_string();
    slots.into_iter().map(|(at, number)| (at, slug(number))).collect()
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
