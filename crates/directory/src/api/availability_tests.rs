//! Availability answers over random clinics and feeds: their slots, when a body changes, and late feeds.

use std::collections::{BTreeMap, BTreeSet};

use chrono_tz::Tz;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use super::{Caching, FaultKind, Request, Snapshot};
use crate::calendar::slot_oracle::{AppliedFeed, expected_slots, starts};
use crate::calendar::test_clinics::{
    at, clinic, provider, random_clinic, random_set, round_the_clock, slug, state, type_id,
};
use crate::calendar::{Calendar, FeedMode, Freshness, Instant, ProviderFeed, Schedule, SlotFilter};
use crate::model::{Directory, ProviderNumber};

const DAY: i64 = 86_400;

/// The calendar of a clinic with the given parts of its feed.
fn new_calendar(
    directory: &Directory,
    mode: Option<FeedMode>,
    sets: &[ProviderFeed],
    now: Instant,
) -> Calendar {
    let Some(mode) = mode else { return Calendar::from_hours(directory, now) };
    let calendar = Calendar::with_feed(directory, mode, now);
    let calendar = calendar.with_freshness(directory, Freshness::Fresh, &[]);
    sets.iter().fold(calendar, |calendar, set| calendar.apply(directory, std::slice::from_ref(set)))
}

fn serve(
    directory: Directory,
    mode: Option<FeedMode>,
    sets: &[ProviderFeed],
    now: Instant,
) -> (Snapshot, AppliedFeed) {
    let mut feed = AppliedFeed { mode, ..AppliedFeed::default() };
    for set in sets.iter().filter(|_| mode.is_some()) {
        feed.apply(&directory, set);
    }
    let calendar = new_calendar(&directory, mode, sets, now);
    (Snapshot::new(directory).with_calendar(calendar), feed)
}

fn mode() -> impl Strategy<Value = Option<FeedMode>> {
    select(vec![None, Some(FeedMode::Open), Some(FeedMode::Busy)])
}

/// A search, for the API and for the reference implementation.
#[derive(Debug, Clone)]
struct Search {
    code: &'static str,
    visit_type: Option<i64>,
    days: i64,
    limit: usize,
}

impl Search {
    fn any() -> impl Strategy<Value = Self> {
        let days = select(vec![1_i64, 2, 5, 30]);
        (
            select(vec!["CA", "TX"]),
            select(vec![None, Some(101), Some(103)]),
            days,
            select(vec![1, 3, 20, 200]),
        )
            .prop_map(|(code, visit_type, days, limit)| Self { code, visit_type, days, limit })
    }

    fn request(&self) -> Request {
        let of_type = self.visit_type.map_or_else(String::new, |id| format!("&appointmentType={id}"));
        let query = format!("state={}&horizonDays={}&limit={}{of_type}", self.code, self.days, self.limit);
        Request::from_path_and_query("/v1/availability", Some(&query)).unwrap()
    }

    fn filter(&self, now: Instant) -> SlotFilter {
        SlotFilter {
            visit_type: self.visit_type,
            ..SlotFilter::new(state(self.code), now, self.days * DAY, self.limit)
        }
    }

    fn body(&self, snapshot: &Snapshot, now: Instant) -> String {
        let answer = snapshot.answer(&self.request(), now.into()).unwrap();
        String::from_utf8(answer.body().to_vec()).unwrap()
    }
}

fn notice(directory: &Directory, number: ProviderNumber) -> i64 {
    i64::from(directory.schedule(number).map_or(60, Schedule::notice)) * 60
}

/// A page below its limit also changes when a new start enters the horizon.
#[test]
fn a_page_that_is_not_full_lists_a_start_as_soon_as_it_is_within_the_horizon() {
    let directory = clinic(vec![(provider(0), Some(round_the_clock(Tz::UTC, 45)))]);
    let (snapshot, _) = serve(directory, None, &[], at(0));
    let search = Search { code: "CA", visit_type: None, days: 1, limit: 200 };
    let listed = |now| search.body(&snapshot, at(now)).matches("startTime").count();
    // Starts are half an hour apart. With a notice of 45 minutes no listed start expires between minutes 15 and 45.
    // Tomorrow's start at minute 30 comes within the horizon right after minute 30.
    let before = listed(16 * 60);
    assert_eq!([listed(30 * 60), listed(30 * 60 + 1)], [before, before + 1]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_body_changes_exactly_when_a_listed_start_expires_or_one_enters_the_horizon(
        directory in random_clinic(),
        (mode, sets) in (mode(), vec(random_set(), 0..8)),
        search in Search::any(),
        now in 0..3 * DAY,
        steps in vec(prop_oneof![0..30_i64, 0..4000_i64], 6),
        picks in vec(any::<usize>(), 4),
    ) {
        let (snapshot, feed) = serve(directory, mode, &sets, at(now));
        let directory = snapshot.directory();
        let now = at(now);
        let before = search.body(&snapshot, now);
        let listed = expected_slots(directory, &feed, &search.filter(now));
        let is_full = listed.len() == search.limit;
        let eligible: Vec<(Instant, ProviderNumber)> = directory
            .provider_numbers()
            .flat_map(|number| {
                let wide = SlotFilter { horizon_seconds: (search.days + 1) * DAY, ..search.filter(now) };
                starts(directory, &feed, number, &wide).into_iter().map(move |start| (start, number))
            })
            .collect();
        // Random times, and the seconds on both sides of each possible change.
        let mut moments: Vec<i64> = steps;
        for pick in picks {
            if let Some((start, number)) = listed.get(pick % listed.len().max(1)) {
                moments.push(start.unix() - notice(directory, *number) - now.unix());
            }
            if let Some((start, _)) = eligible.get(pick % eligible.len().max(1)) {
                moments.push(start.unix() - search.days * DAY - now.unix());
            }
        }
        for later in moments.into_iter().flat_map(|moment| [moment, moment + 1]).filter(|&it| it >= 0) {
            let then = now.plus_seconds(later);
            if later >= DAY {
                continue;
            }
            let allows = |start: Instant, number| start >= then.plus_seconds(notice(directory, number));
            let has_expired = listed.iter().any(|&(start, number)| !allows(start, number));
            let horizon = |from: Instant| from.plus_seconds(search.days * DAY);
            let has_entered = !is_full
                && eligible.iter().any(|&(start, number)| {
                    horizon(now) <= start && start < horizon(then) && allows(start, number)
                });
            let after = search.body(&snapshot, then);
            prop_assert_eq!(after != before, has_expired || has_entered, "{} s later: {}", later, after);
        }
    }

    #[test]
    fn the_slots_are_exactly_the_bookable_ones(
        directory in random_clinic(),
        (mode, sets) in (mode(), vec(random_set(), 0..8)),
        search in Search::any(),
        now in 0..3 * DAY,
    ) {
        let (snapshot, feed) = serve(directory, mode, &sets, at(0));
        let (directory, now) = (snapshot.directory(), at(now));
        let body: Value = serde_json::from_str(&search.body(&snapshot, now)).unwrap();
        let expected = expected_slots(directory, &feed, &search.filter(now));
        let slug_of = |number| directory.provider(number).slug.as_str();
        let slots: Vec<Value> = expected
            .iter()
            .map(|&(start, number)| json!({"startTime": start.to_string(), "providerSlug": slug_of(number)}))
            .collect();
        prop_assert_eq!(&body, &json!({
            "slots": slots,
            "nextAvailable": slots.first().map(|slot| &slot["startTime"]),
            "state": search.code,
            "appointmentType": search.visit_type,
            "provider": null,
        }));
        let mut seen = BTreeSet::new();
        for (start, number) in expected {
            let provider = directory.provider(number);
            prop_assert!(seen.insert((start, number)), "no provider twice at one start");
            prop_assert!(provider.licensed.contains(state(search.code)));
            let visit_type = search.visit_type.and_then(|id| directory.visit_type(type_id(id)));
            let is_for_current = visit_type.is_some_and(|visit_type| !visit_type.new_patient_eligible);
            prop_assert!(is_for_current || provider.accepting.contains(state(search.code)));
            let offers = |id: i64| provider.visit_types.iter().any(|other| i64::from(other.get()) == id);
            let is_offered = match search.visit_type {
                Some(id) => offers(id),
                None => offers(101) || offers(103) || (offers(102) && search.code != "TX"),
            };
            prop_assert!(is_offered);
            prop_assert!(start.unix() >= now.unix() + notice(directory, number));
            prop_assert!(start.unix() < now.unix() + search.days * DAY);
        }
    }

    #[test]
    fn a_stale_feed_is_marked_and_an_expired_one_is_an_error(
        directory in random_clinic(),
        mode in select(vec![FeedMode::Open, FeedMode::Busy]),
        sets in vec(random_set(), 0..8),
        search in Search::any(),
        now in 0..3 * DAY,
    ) {
        let (fresh, _) = serve(directory, Some(mode), &sets, at(0));
        let directory = fresh.directory();
        let now = at(now);
        let answer = |freshness: Freshness| {
            let calendar = fresh.calendar().with_freshness(directory, freshness, &[]);
            fresh.with_calendar(calendar).answer(&search.request(), now.into())
        };
        let first = answer(Freshness::Fresh).unwrap();
        prop_assert_eq!((first.as_of(), first.caching()), (None, Caching::Availability));
        let as_of = at(-300);
        let late = answer(Freshness::Stale { as_of }).unwrap();
        prop_assert_eq!(late.body(), first.body());
        prop_assert_eq!(late.etag(), first.etag());
        prop_assert_eq!(late.as_of(), Some(as_of.into()));
        let expired = answer(Freshness::Expired).unwrap_err();
        prop_assert_eq!(expired.kind().status(), 503);
        prop_assert_eq!(expired.kind().code(), "AVAILABILITY_UNAVAILABLE");
        prop_assert_eq!(expired.kind().retry_after(), Some(60));
        let back = answer(Freshness::Fresh).unwrap();
        prop_assert_eq!((back.body(), back.as_of()), (first.body(), None));
        // Without a provider whose part is expired, the other providers' slots are the same, in the same order.
        let calendar = fresh.calendar().with_freshness(directory, Freshness::Fresh, &[slug(0)]);
        match fresh.with_calendar(calendar).answer(&search.request(), now.into()) {
            Err(fault) => {
                prop_assert_eq!(fault.kind(), FaultKind::AvailabilityUnavailable);
                prop_assert!(fault.message().contains("about the clinicians asked for"), "{}", fault.message());
            }
            Ok(without) if first.body() != without.body() => {
                let slots = |body: &[u8]| -> Vec<Value> {
                    let body: Value = serde_json::from_slice(body).unwrap();
                    let slots = body["slots"].as_array().unwrap().iter();
                    slots.filter(|slot| slot["providerSlug"] != "p-0").cloned().collect()
                };
                let (with, without) = (slots(first.body()), slots(without.body()));
                prop_assert!(with.len() <= without.len());
                prop_assert_eq!(&with[..], &without[..with.len()]);
            }
            Ok(_) => {}
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn after_sixty_days_the_bodies_equal_those_of_a_new_service(
        directory in random_clinic(),
        (mode, news) in (mode(), vec((0..60_i64, random_set()), 0..12)),
        searches in vec(Search::any(), 4),
        pause in select(vec![3_i64, 11, 23]),
    ) {
        let (mut served, _) = serve(directory, mode, &[], at(0));
        let mut heard: BTreeMap<Option<ProviderNumber>, ProviderFeed> = BTreeMap::new();
        for hour in (0..60 * 24 + pause).step_by(usize::try_from(pause).unwrap()) {
            let now = at(hour * 3600 + 59);
            let mut calendar = served.calendar().roll(served.directory(), now);
            // On some days the feed replaces the set of a provider.
            for (_, set) in news.iter().filter(|(day, _)| mode.is_some() && *day == hour / 24) {
                let who = served.directory().find(set.provider.as_str()).map(crate::model::SlugMatch::provider);
                heard.insert(who, set.clone());
                calendar = calendar.apply(served.directory(), std::slice::from_ref(set));
            }
            served = served.with_calendar(calendar);
            if hour % 7 == 0 || hour >= 60 * 24 {
                let sets: Vec<ProviderFeed> = heard.values().cloned().collect();
                let begun = served.with_calendar(new_calendar(served.directory(), mode, &sets, now));
                for search in &searches {
                    prop_assert_eq!(search.body(&served, now), search.body(&begun, now));
                }
            }
        }
    }
}
