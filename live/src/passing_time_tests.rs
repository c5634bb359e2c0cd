//! Time passes while one store is served: a day and a night, a changed clock, and both daylight saving changes.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Timelike, Utc};
use directory::api::Request;
use directory::calendar::{Calendar, Instant};

use crate::testing::{Server, options, snapshot};
use crate::{Clock, Service, Store};

const TARGETS: [&str; 3] = [
    "/v1/availability?state=CA&limit=50",
    "/v1/availability?state=NY&limit=200&horizonDays=30",
    "/v1/availability?state=CA&provider=jane-doe&limit=3",
];

/// Serves the store at an instant, over a socket, and compares each answer with a calendar made for that instant.
/// Returns all starts in the answers, with their providers.
async fn ask(store: &Arc<Store>, now: DateTime<Utc>) -> Vec<(String, DateTime<Utc>)> {
    let mut shown = Vec::new();
    let fresh = snapshot();
    let calendar = Calendar::from_hours(fresh.directory(), Instant::ceil(now));
    let fresh = fresh.with_calendar(calendar);
    let server = Server::around(Service::new(Arc::clone(store), Clock::frozen(now), options())).await;
    for target in TARGETS {
        let reply = server.get(target).await;
        assert_eq!(reply.status, 200, "{target} at {now}");
        let request = Request::from_target(target).unwrap();
        assert_eq!(reply.body[..], fresh.answer(&request, now).unwrap().body()[..], "{target} at {now}");
        let body: serde_json::Value = serde_json::from_slice(&reply.body).unwrap();
        let slots = body["slots"].as_array().unwrap();
        assert!(!slots.is_empty(), "{target} at {now}");
        for slot in slots {
            let start: DateTime<Utc> = slot["startTime"].as_str().unwrap().parse().unwrap();
            assert!(start >= now + TimeDelta::hours(1), "{start} is too soon at {now}");
            shown.push((slot["providerSlug"].as_str().unwrap().to_owned(), start));
        }
    }
    server.stop().await;
    shown
}

/// Rolls the store's calendar to an instant, then asks.
async fn roll_and_ask(store: &Arc<Store>, now: DateTime<Utc>) -> Vec<(String, DateTime<Utc>)> {
    store.roll(Instant::ceil(now));
    ask(store, now).await
}

fn instant(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

#[tokio::test]
async fn answers_over_a_day_equal_those_of_a_fresh_service() {
    let store = Arc::new(Store::new(snapshot()));
    // Sunday to Monday: the first starts fall below the minimum notice, then pass.
    let begin = instant("2026-03-01T20:00:00Z");
    for quarter in 0..24 * 4 {
        roll_and_ask(&store, begin + TimeDelta::minutes(15 * quarter) + TimeDelta::seconds(1)).await;
    }
}

#[tokio::test]
async fn answers_follow_a_clock_set_back_or_forward() {
    let store = Arc::new(Store::new(snapshot()));
    let noon = instant("2026-03-04T12:00:00Z");
    roll_and_ask(&store, noon).await;
    for jump in [-1, 1, -30, 30, -24 * 40, 24 * 40, 24 * 400, -24 * 400] {
        // Before the calendar follows, and after.
        ask(&store, noon + TimeDelta::hours(jump)).await;
        roll_and_ask(&store, noon + TimeDelta::hours(jump)).await;
    }
}

#[tokio::test]
async fn starts_keep_their_local_time_across_daylight_saving_changes() {
    let store = Arc::new(Store::new(snapshot()));
    // The changes on 8 March and 1 November 2026, at 2 a.m. local time.
    let (los_angeles, new_york) = (
        [instant("2026-03-08T10:00:00Z"), instant("2026-11-01T09:00:00Z")],
        [instant("2026-03-08T07:00:00Z"), instant("2026-11-01T06:00:00Z")],
    );
    for change in ["2026-03-08T06:30:00Z", "2026-11-01T05:30:00Z"] {
        for half_hour in 0..10 {
            let shown = roll_and_ask(&store, instant(change) + TimeDelta::minutes(30 * half_hour)).await;
            for (provider, start) in shown {
                // The fixture's hours: 9 to 12 and 10 to 11, in each provider's local time.
                let (changes, winter, hours) = match provider.as_str() {
                    "jane-doe" => (los_angeles, -8, 9..12),
                    "sam-roe" => (new_york, -5, 10..11),
                    other => panic!("{other} has no hours"),
                };
                let is_summer = (changes[0]..changes[1]).contains(&start);
                let local = start + TimeDelta::hours(winter + i64::from(is_summer));
                assert!(hours.contains(&local.hour()), "{provider} at {start}");
            }
        }
    }
}
