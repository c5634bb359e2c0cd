//! The calendar against the slow oracle, over random clinics, feeds, changes and passing time.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono_tz::Tz;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::feed::{FeedEntries, FeedMode, Freshness, OpenSlot, ProviderFeed};
use super::hours::Busy;
use super::index::query::Limits;
use super::instant::Instant;
use super::open::{Calendar, SlotFilter};
use super::slot_oracle::{AppliedFeed, expected_slots};
use super::test_clinics::*;
use crate::model::{Directory, Provider, Slug};

const DAY: i64 = 86_400;

fn calendar(directory: &Directory, mode: Option<FeedMode>, now: Instant) -> Calendar {
    match mode {
        None => Calendar::from_hours(directory, now),
        Some(mode) => {
            Calendar::with_feed(directory, mode, now).with_freshness(directory, Freshness::Fresh, &[])
        }
    }
}

/// Compares the answers to every kind of query, and to further questions.
fn compare(
    calendar: &Calendar,
    directory: &Directory,
    feed: &AppliedFeed,
    questions: &[Question],
    (now, horizon, limit): (Instant, i64, usize),
) -> Result<(), TestCaseError> {
    // Low limits, as there are few rows.
    let calendar = &Calendar { limits: Limits { words: 600, crowd: 20 }, ..calendar.clone() };
    let further = questions.iter().map(|question| question.put(directory, now, horizon, limit));
    for filter in filters(now, horizon, limit).into_iter().chain(further) {
        let expected = expected_slots(directory, feed, &filter);
        prop_assert_eq!(calendar.open(directory, &filter), expected, "{:?}", filter);
    }
    for number in directory.provider_numbers().take(15) {
        for visit_type in [None, Some(102)] {
            let filter = SlotFilter {
                provider: Some(number),
                visit_type,
                ..SlotFilter::new(state("CA"), now, horizon, limit)
            };
            let expected = expected_slots(directory, feed, &filter);
            prop_assert_eq!(calendar.open(directory, &filter), expected, "{:?}", filter);
        }
    }
    Ok(())
}

/// The rows, counts and jump words equal newly filled ones.
fn check_index(calendar: &Calendar) -> Result<(), TestCaseError> {
    let last = calendar.first + i64::try_from(calendar.chunks.len()).unwrap();
    let anew = calendar.fill(calendar.first, last);
    prop_assert_eq!(anew.len(), calendar.chunks.len());
    for (has, should) in calendar.chunks.iter().zip(&anew) {
        prop_assert!(has.is_same(should));
    }
    Ok(())
}

#[derive(Debug, Clone)]
enum Change {
    Sets(Vec<ProviderFeed>),
    /// Books this many open starts of one provider: the feed's next set for that provider lacks them.
    Book(usize, usize),
    Roll(i64),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        3 => vec(random_set(), 1..4).prop_map(Change::Sets),
        2 => (any::<usize>(), 1..9_usize).prop_map(|(nth, count)| Change::Book(nth, count)),
        2 => prop_oneof![0..90_000_i64, 0..4 * DAY].prop_map(Change::Roll),
    ]
}

/// A provider's next set after these starts are booked.
fn without(feed: &AppliedFeed, provider: &Slug, booked: &[Instant]) -> ProviderFeed {
    let entries = match feed.sets.get(provider) {
        Some(FeedEntries::Open(slots)) => {
            FeedEntries::Open(slots.iter().filter(|slot| !booked.contains(&slot.start)).cloned().collect())
        }
        Some(FeedEntries::Busy(busy)) => FeedEntries::Busy([busy.clone(), taken(booked)].concat()),
        None => FeedEntries::Busy(taken(booked)),
    };
    ProviderFeed { provider: provider.clone(), entries }
}

/// The first minute of each start.
fn taken(starts: &[Instant]) -> Vec<Busy> {
    starts.iter().map(|&start| Busy { start, end: start.plus_seconds(60) }).collect()
}

fn mode() -> impl Strategy<Value = Option<FeedMode>> {
    select(vec![None, Some(FeedMode::Open), Some(FeedMode::Busy)])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_index_agrees_with_the_oracle(
        directory in random_clinic(),
        (mode, sets) in (mode(), vec(random_set(), 0..10)),
        now in 0..4 * DAY,
        later in 0..3 * DAY,
        horizon in select(vec![0, 1, 7200, DAY, 3 * DAY, 30 * DAY]),
        limit in select(vec![0_usize, 1, 7, 50, 200]),
        questions in vec(question(), 12),
    ) {
        let mut feed = AppliedFeed { mode, ..AppliedFeed::default() };
        // The last set of a provider counts, whichever slug it came under.
        let mut last: BTreeMap<_, ProviderFeed> = BTreeMap::new();
        for set in sets {
            let key = directory.find(set.provider.as_str()).map(crate::model::SlugMatch::provider);
            last.insert(key, set);
        }
        let sets: Vec<ProviderFeed> = if mode.is_some() { last.into_values().collect() } else { Vec::new() };
        for set in &sets {
            feed.apply(&directory, set);
        }
        let calendar = calendar(&directory, mode, at(now)).apply(&directory, &sets);
        check_index(&calendar)?;
        compare(&calendar, &directory, &feed, &questions, (at(now + later), horizon, limit))?;
        // The same outside the covered time, and without any.
        compare(&calendar, &directory, &feed, &questions, (at(now - 2 * DAY), horizon, limit))?;
        let unrolled = Calendar::unrolled(&directory);
        if mode.is_none() {
            compare(&unrolled, &directory, &feed, &questions, (at(now), horizon, limit))?;
        }
    }

    #[test]
    fn any_sequence_of_changes_equals_a_new_calendar(
        directory in random_clinic(),
        mode in select(vec![FeedMode::Open, FeedMode::Busy]),
        changes in vec(change(), 1..12),
        questions in vec(question(), 3),
    ) {
        let mut now = at(0);
        let mut kept = calendar(&directory, Some(mode), now);
        let mut feed = AppliedFeed { mode: Some(mode), ..AppliedFeed::default() };
        for change in changes {
            let before = kept.clone();
            let starts = before.starts();
            match change {
                Change::Sets(sets) => {
                    for set in sets {
                        feed.apply(&directory, &set);
                        kept = kept.apply(&directory, &[set]);
                    }
                }
                Change::Book(nth, count) => {
                    let filter = SlotFilter { horizon_seconds: 3 * DAY, limit: 60, ..filters(now, 0, 0)[0] };
                    let open = expected_slots(&directory, &feed, &filter);
                    let Some(&(_, number)) = open.get(nth % open.len().max(1)) else { continue };
                    let of_one = open.iter().filter(|&&(_, other)| other == number);
                    let booked: Vec<Instant> = of_one.map(|&(start, _)| start).take(count).collect();
                    let set = without(&feed, &directory.provider(number).slug, &booked);
                    feed.apply(&directory, &set);
                    kept = kept.apply(&directory, &[set]);
                    let left = kept.open(&directory, &filter);
                    prop_assert!(booked.iter().all(|&start| !left.contains(&(start, number))));
                }
                Change::Roll(seconds) => {
                    now = now.plus_seconds(seconds);
                    kept = kept.roll(&directory, now);
                }
            }
            check_index(&kept)?;
            compare(&kept, &directory, &feed, &questions, (now, 3 * DAY, 40))?;
            // The former calendar is unchanged.
            prop_assert_eq!(before.starts(), starts);
            check_index(&before)?;
        }
        let other = kept.for_directory(&directory, now);
        compare(&other, &directory, &feed, &questions, (now, 30 * DAY, 40))?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn after_sixty_days_of_rolls_it_equals_a_new_calendar(
        directory in random_clinic(),
        (mode, sets) in (mode(), vec(random_set(), 0..6)),
        hours in select(vec![1_i64, 7, 23]),
    ) {
        let sets = if mode.is_some() { sets } else { Vec::new() };
        let mut old = calendar(&directory, mode, at(0)).apply(&directory, &sets);
        let size = old.chunks.len();
        for hour in (0..60 * 24 + hours).step_by(usize::try_from(hours).unwrap()) {
            let now = at(hour * 3600 + 17);
            old = old.roll(&directory, now);
            prop_assert!(old.is_around(now), "it covers {now}");
            if hour % 161 == 0 || hour >= 60 * 24 {
                let fresh = calendar(&directory, mode, now).apply(&directory, &sets);
                for filter in filters(now, 30 * DAY, 200) {
                    prop_assert_eq!(old.open(&directory, &filter), fresh.open(&directory, &filter));
                }
                prop_assert_eq!((old.first, old.starts()), (fresh.first, fresh.starts()));
                check_index(&old)?;
            }
        }
        prop_assert!(old.chunks.len() <= size + 1, "it does not grow");
        let end = at((60 * 24 + hours) * 3600);
        prop_assert!([2 * DAY, -2 * DAY].iter().all(|&away| !old.is_around(end.plus_seconds(away))));
    }
}

fn crowd(count: usize) -> Directory {
    clinic((0..count).map(|index| (provider(index), Some(round_the_clock(Tz::UTC, 60)))).collect())
}

fn open_set(index: usize, starts: &[i64]) -> ProviderFeed {
    let slot = |&start: &i64| OpenSlot { start: at(start), end: at(start + 1800), types: None };
    ProviderFeed { provider: slug(index), entries: FeedEntries::Open(starts.iter().map(slot).collect()) }
}

#[test]
fn a_changed_copy_shares_the_unchanged_parts() {
    let directory = crowd(600);
    let calendar = calendar(&directory, Some(FeedMode::Busy), at(0));
    let booking = ProviderFeed { provider: slug(5), entries: FeedEntries::Busy(taken(&[at(7200)])) };
    let changed = calendar.apply(&directory, &[booking]);
    let shared = calendar.chunks.iter().zip(&changed.chunks).filter(|(a, b)| Arc::ptr_eq(a, b)).count();
    assert_eq!(shared, calendar.chunks.len() - 1);
    assert_eq!(calendar.starts(), changed.starts() + 1);
    // The same set again changes nothing.
    let fed =
        Calendar::with_feed(&directory, FeedMode::Open, at(0)).apply(&directory, &[open_set(3, &[9001])]);
    let again = fed.apply(&directory, &[open_set(3, &[9001])]);
    assert!(fed.chunks.iter().zip(&again.chunks).all(|(a, b)| Arc::ptr_eq(a, b)));
}

/// Dense rows of two visit types.
#[test]
fn a_large_clinic_shows_only_providers_who_accept_patients_in_the_state() {
    let crowd = (0..3_000).map(|index| {
        let accepting = ["CA", "NY"][..=usize::from(index % 3 == 0)].iter().map(|code| state(code)).collect();
        let hours = (index % 2 == 0).then(|| half_hours(Tz::UTC, 60, if index % 4 == 0 { 101 } else { 102 }));
        (Provider { accepting, ..provider(index) }, hours)
    });
    let directory = clinic(crowd.collect());
    let calendar = Calendar::from_hours(&directory, at(0));
    for (code, visit_type, every) in
        [("CA", None, 2), ("NY", None, 6), ("NY", Some(101), 12), ("TX", None, 1)]
    {
        let filter = SlotFilter { visit_type, ..SlotFilter::new(state(code), at(0), 3_601, 5_000) };
        let mut shown: Vec<Slug> = calendar
            .open(&directory, &filter)
            .into_iter()
            .map(|(_, number)| directory.provider(number).slug.clone())
            .collect();
        shown.sort();
        let mut expected: Vec<Slug> =
            (0..3_000).filter(|index| index % every == 0 && code != "TX").map(slug).collect();
        expected.sort();
        assert_eq!(shown, expected, "{code} {visit_type:?}");
    }
}

/// The notice is inclusive, the horizon exclusive.
#[test]
fn notice_is_inclusive_and_horizon_is_exclusive() {
    for count in [1, 3, 40, 3_000] {
        let directory = crowd(count);
        let hours = Calendar::from_hours(&directory, at(0));
        // Starts of a feed at odd seconds.
        let feed: Vec<_> = (0..count).map(|index| open_set(index, &[7201, 9001])).collect();
        let feed = calendar(&directory, Some(FeedMode::Open), at(0)).apply(&directory, &feed);
        let starts = |calendar: &Calendar, first: i64, now: i64, horizon_seconds: i64| {
            let filter = SlotFilter::new(state("CA"), at(now + first), horizon_seconds, 100_000);
            let open = calendar.open(&directory, &filter);
            let here = |seconds: i64| open.iter().filter(|(start, _)| *start == at(seconds + first)).count();
            [7200, 9000].map(here)
        };
        for (calendar, first) in [(&hours, 0), (&feed, 1)] {
            assert_eq!(starts(calendar, first, 3600, 5400), [count, 0], "{count}");
            assert_eq!(starts(calendar, first, 3600, 5401), [count, count], "{count}");
            assert_eq!(starts(calendar, first, 3601, 5400), [0, count], "{count}");
        }
    }
}

#[test]
fn an_expired_feed_never_gives_an_empty_list() {
    let directory = clinic(vec![
        (provider(0), Some(round_the_clock(Tz::UTC, 60))),
        (provider(1), Some(round_the_clock(Tz::UTC, 60))),
        (provider(2), None),
    ]);
    let ask = |provider: Option<&str>| SlotFilter {
        provider: provider.map(|slug| directory.find(slug).unwrap().provider()),
        limit: 50,
        ..filters(at(0), DAY, 0)[0]
    };
    for mode in [FeedMode::Open, FeedMode::Busy] {
        // Never read.
        let unheard = Calendar::with_feed(&directory, mode, at(0));
        assert!(unheard.is_unknown(&directory, &ask(None)));
        assert_eq!(unheard.freshness(), Freshness::Expired);
        assert!(unheard.awaits_feed() && unheard.for_directory(&directory, at(0)).awaits_feed());
        assert!(unheard.with_freshness(&directory, Freshness::Expired, &[]).awaits_feed());
        // A feed that is found while the service runs is not read either.
        let found = Calendar::from_hours(&directory, at(0)).awaiting_feed(&directory, mode);
        assert!(found.is_unknown(&directory, &ask(None)) && found.awaits_feed());
        // A first reading counts even if it is expired or empty.
        let applied = unheard.apply(&directory, &[open_set(0, &[])]);
        assert!(applied.awaits_feed(), "what is applied may be in doubt");
        assert!(!applied.with_freshness(&directory, Freshness::Fresh, &[]).awaits_feed());
        assert!(!unheard.with_freshness(&directory, Freshness::Fresh, &[]).awaits_feed());
        let calendar = unheard
            .with_freshness(&directory, Freshness::Fresh, &[])
            .apply(&directory, &[open_set(0, &[40_001]), open_set(1, &[40_001]), open_set(2, &[])]);
        let known = |expired: &[usize], provider: Option<&str>| {
            let expired: Vec<_> = expired.iter().map(|&index| slug(index)).collect();
            let calendar = calendar.with_freshness(&directory, Freshness::Fresh, &expired);
            let filter = ask(provider);
            (!calendar.is_unknown(&directory, &filter)).then(|| calendar.open(&directory, &filter).len())
        };
        assert_eq!(known(&[], None), Some(2));
        assert_eq!(known(&[0], None), Some(1));
        assert_eq!(known(&[0], Some("p-1")), Some(1));
        assert_eq!(known(&[0], Some("p-0")), None);
        assert_eq!(known(&[0], Some("former-0")), None);
        // The third has no hours and no slots in the feed, so it could not have been shown.
        assert_eq!(known(&[0, 1], None), None);
        assert_eq!(known(&[0, 1], Some("p-2")), Some(0));
        let expired = calendar.with_freshness(&directory, Freshness::Expired, &[]);
        assert!(expired.is_unknown(&directory, &ask(None)) && !expired.awaits_feed());
        let stale = Freshness::Stale { as_of: at(-600) };
        let stale_calendar = calendar.with_freshness(&directory, stale, &[slug(0)]);
        assert_eq!(stale_calendar.freshness(), stale);
        // New content keeps the feed's data, also for slugs that it does not have until it is replaced again.
        let smaller = clinic(vec![(provider(1), None)]);
        let back = stale_calendar.for_directory(&smaller, at(0)).for_directory(&directory, at(0));
        assert_eq!(back.freshness(), stale);
        let filter = ask(None);
        let open =
            |calendar: &Calendar| calendar.with_freshness(&directory, stale, &[]).open(&directory, &filter);
        assert_eq!(open(&back), open(&stale_calendar));
    }
    let hours = Calendar::from_hours(&directory, at(0));
    assert!(!hours.is_unknown(&directory, &ask(None)) && !hours.awaits_feed());
}

#[test]
fn a_clinic_without_providers_has_no_slots() {
    let directory = clinic(Vec::new());
    let calendar = Calendar::from_hours(&directory, at(0));
    for filter in filters(at(0), DAY, 50) {
        assert_eq!(calendar.open(&directory, &filter), []);
    }
}
