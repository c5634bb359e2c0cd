//! Time passes while one store is served: a day and a night, clocks that are set, and both changes of the year.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Timelike, Utc};
use directory::api::Request;
use directory::calendar::{Calendar, Instant};

use crate::testing::{Server, options, snapshot};
use crate::{Clock, Service, Store};

const QUESTIONS: [&str; 3] = [
    "/v1/availability?state=CA&limit=50",
    "/v1/availability?state=NY&limit=200&horizonDays=30",
    "/v1/availability?state=CA&provider=jane-doe&limit=3",
];

/// Serves the store at a moment, over a socket, and holds each answer against a calendar made for that moment.
/// Gives back every start that was shown, with its provider.
async fn ask(store: &Arc<Store>, now: DateTime<Utc>) -> Vec<(String, DateTime<Utc>)> {
    let mut shown = Vec::new();
    let fresh = snapshot();
    let calendar = Calendar::of(fresh.directory(), Instant::ceil(now));
    let fresh = fresh.with_calendar(calendar);
    let server = Server::around(Service::new(Arc::clone(store), Clock::frozen(now), options())).await;
    for question in QUESTIONS {
        let reply = server.get(question).await;
        assert_eq!(reply.status, 200, "{question} at {now}");
        let request = Request::from_target(question).unwrap();
        assert_eq!(reply.body[..], fresh.answer(&request, now).unwrap().body()[..], "{question} at {now}");
        let body: serde_json::Value = serde_json::from_slice(&reply.body).unwrap();
        let slots = body["slots"].as_array().unwrap();
        assert!(!slots.is_empty(), "{question} at {now}");
        for slot in slots {
            let start: DateTime<Utc> = slot["startTime"].as_str().unwrap().parse().unwrap();
            assert!(start >= now + TimeDelta::hours(1), "{start} is too soon at {now}");
            shown.push((slot["providerSlug"].as_str().unwrap().to_owned(), start));
        }
    }
    server.stop().await;
    shown
}

/// The store's upkeep at a moment, then questions.
async fn live_through(store: &Arc<Store>, now: DateTime<Utc>) -> Vec<(String, DateTime<Utc>)> {
    store.roll(Instant::ceil(now));
    ask(store, now).await
}

fn moment(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

#[tokio::test]
async fn a_day_and_a_night_are_answered_as_by_a_service_that_just_started() {
    let store = Arc::new(Store::new(snapshot()));
    // Sunday to Monday: the first starts come nearer, run out of notice, and pass.
    let begin = moment("2026-03-01T20:00:00Z");
    for quarter in 0..24 * 4 {
        live_through(&store, begin + TimeDelta::minutes(15 * quarter) + TimeDelta::seconds(1)).await;
    }
}

#[tokio::test]
async fn a_clock_that_is_set_back_or_forward_is_followed() {
    let store = Arc::new(Store::new(snapshot()));
    let noon = moment("2026-03-04T12:00:00Z");
    live_through(&store, noon).await;
    for jump in [-1, 1, -30, 30, -24 * 40, 24 * 40, 24 * 400, -24 * 400] {
        // Before the upkeep has noticed, and after.
        ask(&store, noon + TimeDelta::hours(jump)).await;
        live_through(&store, noon + TimeDelta::hours(jump)).await;
    }
}

#[tokio::test]
async fn both_changes_of_the_year_pass_while_it_is_served() {
    let store = Arc::new(Store::new(snapshot()));
    // New York and Los Angeles, each change: 8 March and 1 November 2026, at two in the morning there.
    let (los_angeles, new_york) = (
        [moment("2026-03-08T10:00:00Z"), moment("2026-11-01T09:00:00Z")],
        [moment("2026-03-08T07:00:00Z"), moment("2026-11-01T06:00:00Z")],
    );
    for change in ["2026-03-08T06:30:00Z", "2026-11-01T05:30:00Z"] {
        for half_hour in 0..10 {
            let shown = live_through(&store, moment(change) + TimeDelta::minutes(30 * half_hour)).await;
            for (provider, start) in shown {
                // What the fixture's files say: from 9 to 12 and from 10 to 11, by each one's own clock.
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
