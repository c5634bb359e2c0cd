//! What requests may say beyond the specification, on the demo clinic: when, and where a list goes on.

use std::collections::BTreeSet;
use std::path::Path;

use chrono::{DateTime, NaiveDate, SecondsFormat, TimeDelta, TimeZone as _, Timelike as _, Utc};
use chrono_tz::Tz;
use directory::calendar::{Calendar, Instant};
use directory::content::load_and_check;
use directory::{Fault, Request, Snapshot};
use serde_json::{Value, json};

pub(super) const NOW: &str = "2026-11-21T12:00:00Z";

pub(super) fn demo() -> Snapshot {
    let content = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../content");
    let demo = Snapshot::new(load_and_check(&content, NaiveDate::default()).unwrap().directory);
    let now = Instant::ceil(NOW.parse().unwrap());
    let calendar = Calendar::from_hours(demo.directory(), now);
    demo.with_calendar(calendar)
}

pub(super) fn ask(demo: &Snapshot, query: &str) -> Result<Value, Fault> {
    let request = Request::from_target(&format!("/v1/availability?{query}"))?;
    let answer = demo.answer(&request, NOW.parse().unwrap())?;
    Ok(serde_json::from_slice(answer.body()).unwrap())
}

fn starts(body: &Value) -> Vec<(DateTime<Utc>, String)> {
    let slot = |slot: &Value| {
        let text = |key: &str| slot[key].as_str().unwrap().to_owned();
        (text("startTime").parse().unwrap(), text("providerSlug"))
    };
    body["slots"].as_array().unwrap().iter().map(slot).collect()
}

/// All slots of a query without a limit, page by page.
fn all(demo: &Snapshot, query: &str) -> Vec<(DateTime<Utc>, String)> {
    let (mut found, mut after) = (Vec::new(), String::new());
    loop {
        let body = ask(demo, &format!("{query}&limit=200&explain=true{after}")).unwrap();
        found.extend(starts(&body));
        let Some(next) = body["next"].as_str() else { return found };
        after = format!("&after={next}");
    }
}

#[test]
fn the_time_asked_for_is_that_of_a_calendar() {
    let demo = demo();
    let month = all(&demo, "state=CA&horizonDays=30");
    let day = |date: &str, zone: Tz| {
        let midnight = date.parse::<NaiveDate>().unwrap().and_hms_opt(0, 0, 0).unwrap();
        zone.from_local_datetime(&midnight).unwrap().to_utc()
    };
    let (la, ny) = (Tz::America__Los_Angeles, Tz::America__New_York);
    let now: DateTime<Utc> = NOW.parse().unwrap();
    for (query, begin, end) in [
        (
            "from=2026-11-24&until=2026-11-24&timeZone=America/Los_Angeles",
            day("2026-11-24", la),
            day("2026-11-25", la),
        ),
        (
            "from=2026-11-24&until=2026-11-26&timeZone=America/New_York",
            day("2026-11-24", ny),
            day("2026-11-27", ny),
        ),
        // Three weeks out: without horizonDays the list goes on for 14 days, at most until 30 days from now.
        (
            "from=2026-12-01T00:00:00Z",
            "2026-12-01T00:00:00Z".parse().unwrap(),
            "2026-12-15T00:00:00Z".parse().unwrap(),
        ),
        ("from=2026-12-12&timeZone=America/Los_Angeles", day("2026-12-12", la), now + TimeDelta::days(30)),
        ("until=2026-12-20T00:00:00Z", now, "2026-12-20T00:00:00Z".parse().unwrap()),
        ("until=2027-06-01T00:00:00Z", now, now + TimeDelta::days(30)),
        // horizonDays counts from now, and the earlier end wins.
        (
            "from=2026-11-24T00:00:00Z&horizonDays=5",
            "2026-11-24T00:00:00Z".parse().unwrap(),
            now + TimeDelta::days(5),
        ),
        ("until=2026-12-20T00:00:00Z&horizonDays=5", now, now + TimeDelta::days(5)),
        ("until=2026-11-23T00:00:00Z&horizonDays=5", now, "2026-11-23T00:00:00Z".parse().unwrap()),
        ("from=2020-01-01T00:00:00Z", now, now + TimeDelta::days(14)),
        ("", now, now + TimeDelta::days(14)),
    ] {
        let expected: Vec<_> = month.iter().filter(|(at, _)| begin <= *at && *at < end).cloned().collect();
        assert!(!expected.is_empty(), "{query}");
        assert_eq!(all(&demo, &format!("state=CA&{query}")), expected, "{query}");
    }
}

#[test]
fn parts_of_the_day_are_those_of_the_patients_clock() {
    let demo = demo();
    for zone in [Tz::America__Los_Angeles, Tz::Pacific__Honolulu, Tz::Asia__Kolkata, Tz::Europe__London] {
        let month = all(&demo, "state=CA&horizonDays=30");
        let mut together = 0;
        for (part, hours) in [("morning", 0..12), ("afternoon", 12..17), ("evening", 17..24)] {
            let is_in = |at: &DateTime<Utc>| hours.contains(&at.with_timezone(&zone).hour());
            let expected: Vec<_> = month.iter().filter(|(at, _)| is_in(at)).cloned().collect();
            together += expected.len();
            let found = all(&demo, &format!("state=CA&horizonDays=30&timeZone={zone}&part={part}"));
            assert_eq!(found, expected, "{part} in {zone}");
            let mut seen = BTreeSet::new();
            let firsts: Vec<_> = expected.into_iter().filter(|(_, slug)| seen.insert(slug.clone())).collect();
            let query = format!("state=CA&horizonDays=30&timeZone={zone}&part={part}&onePer=provider");
            assert_eq!(all(&demo, &query), firsts, "{part} in {zone}");
        }
        assert_eq!(together, month.len());
    }
}

#[test]
fn answers_repeat_what_was_understood() {
    let demo = demo();
    let query =
        "state=AZ&from=2026-11-24&until=2026-11-25T12:00&timeZone=america/phoenix&part=morning&limit=2";
    let body = ask(&demo, query).unwrap();
    let text = body.to_string();
    assert!(
        text.contains(
            r#""from":"2026-11-24T07:00:00Z","until":"2026-11-25T19:00:00Z","timeZone":"America/Phoenix","part":"morning","truncated":true,"next":"#
        ),
        "{text}"
    );
    for slot in body["slots"].as_array().unwrap() {
        let at: DateTime<Utc> = slot["startTime"].as_str().unwrap().parse().unwrap();
        // Arizona has no daylight saving time.
        let local = (at - TimeDelta::hours(7)).format("%Y-%m-%dT%H:%M:%S-07:00").to_string();
        assert_eq!(slot["localTime"], local);
    }
}

#[test]
fn times_that_cannot_be_understood_are_refused() {
    let demo = demo();
    for (query, message) in [
        ("from=next+week", "from must be a time in UTC such as 2026-12-01T22:00:00Z, or with timeZone"),
        ("from=2026-11-24", "from needs timeZone, such as America/Phoenix"),
        ("until=2026-11-24T10:00", "until needs timeZone, such as America/Phoenix"),
        ("part=morning", "part needs timeZone, such as America/Phoenix"),
        ("part=noon&timeZone=UTC", "part must be one of morning, afternoon, evening"),
        ("timeZone=Phoenix", "timeZone must be an IANA time zone such as America/Phoenix"),
        ("timeZone=EST5EDT4", "timeZone must be an IANA time zone"),
        ("from=2026-11-24T00:00:00Z&until=2026-11-24T00:00:00Z", "until must be after from"),
        ("from=2026-11-25&until=2026-11-24&timeZone=UTC", "until must be after from"),
        ("from=2026-02-30&timeZone=UTC", "from must be a time in UTC"),
        (
            "from=2026-12-20T12:00:00Z&horizonDays=29",
            "horizonDays counts from now and ends before from: leave it out, or send until",
        ),
        ("after=AQAA", "after must be the `next` of a truncated list"),
        ("after=next", "after must be the `next` of a truncated list"),
    ] {
        let fault = ask(&demo, &format!("state=AZ&{query}")).unwrap_err();
        assert_eq!(fault.kind().status(), 400, "{query}");
        let message = format!("invalid parameter: {message}");
        assert!(fault.message().starts_with(&message), "{query}: {}", fault.message());
    }
}

/// Each names the form that would be understood, so that an assistant can call again.
#[test]
fn a_time_that_is_refused_says_what_to_send() {
    let demo = demo();
    let zone = |of: &str| {
        format!("To look by {of}, please say which time zone you are in, such as America/Phoenix.")
    };
    let date = |sent: &str, of: &str, such: &str| {
        format!("I didn't understand “{sent}” as {of}. Please give a date, such as {such}.")
    };
    let city = |sent: &str| {
        format!(
            "I didn't understand “{sent}” as a time zone. Which time zone are you in? Please name it by a large city, \
             such as America/Los_Angeles."
        )
    };
    for (query, spoken) in [
        ("from=2026-11-24", zone("start time")),
        ("from=2026-11-24T10:00", zone("start time")),
        ("until=2026-11-24", zone("end time")),
        ("part=morning", zone("part of the day")),
        ("from=next+week", date("next week", "a start time", "November 24 (2026-11-24)")),
        ("from=November+24", date("November 24", "a start time", "November 24 (2026-11-24)")),
        ("until=Friday&timeZone=UTC", date("Friday", "an end time", "November 30 (2026-11-30)")),
        ("timeZone=PST", city("PST")),
        ("timeZone=Los+Angeles", city("Los Angeles")),
        (
            "from=2026-12-01T18:00:00-08:00",
            "Please give that start time by the clock of a time zone (2026-12-01T15:00, with the time zone \
             America/Los_Angeles) or in UTC (2026-12-02T02:00:00Z)."
                .to_owned(),
        ),
        (
            "from=2026-11-25&until=2026-11-23&timeZone=UTC",
            "The end time, 2026-11-23, isn't after the start time, 2026-11-25. Please give a later end time.".to_owned(),
        ),
        (
            "from=2026-11-25T12:00:00Z&until=2026-11-25T12:00:00Z",
            "The end time, 2026-11-25T12:00:00Z, isn't after the start time, 2026-11-25T12:00:00Z. Please give a later \
             end time."
                .to_owned(),
        ),
        (
            "part=night&timeZone=UTC",
            "I didn't understand “night” as a part of the day. Please choose morning, afternoon, or evening, and say \
             which time zone you are in."
                .to_owned(),
        ),
        (
            "from=2026-11-29T00:00:00Z&horizonDays=7",
            "The start time is after the last of the days to look ahead. Please give an end time, such as 2026-11-30, \
             in place of a number of days."
                .to_owned(),
        ),
        ("after=next", "Please start over from the beginning of the list.".to_owned()),
        (
            "horizonDays=two",
            "Please give the number of days to look ahead as a whole number, such as 14.".to_owned(),
        ),
        (
            "newPatients=maybe",
            "I couldn't tell whether this is a first visit. Are you a new patient?".to_owned(),
        ),
        ("explain=maybe", "Something went wrong with that request. Please ask again.".to_owned()),
    ] {
        let fault = ask(&demo, &format!("state=AZ&{query}")).unwrap_err();
        assert_eq!((fault.kind().status(), fault.spoken()), (400, &*spoken), "{query}");
    }
}

/// The order within one start, by the rotation and by the cursor, is one order: the pages of a busy start are the list.
#[test]
fn pages_of_any_size_are_the_list_and_only_extended_answers_say_where_they_go_on() {
    let demo = demo();
    for query in ["state=CA", "state=CA&onePer=provider", "state=TX&appointmentType=101&newPatients=true"] {
        let list = all(&demo, &format!("{query}&horizonDays=9"));
        for limit in [1, 2, 7, 50] {
            let (mut target, mut found, mut pages) =
                (format!("/v1/availability?{query}&horizonDays=9&limit={limit}"), Vec::new(), 0);
            loop {
                let request = Request::from_target(&target).unwrap();
                let answer = demo.answer(&request, NOW.parse().unwrap()).unwrap();
                let body: Value = serde_json::from_slice(answer.body()).unwrap();
                let is_specified =
                    !target.contains("onePer") && !target.contains("newPatients") && pages == 0;
                assert_eq!(body.get("next").is_none(), is_specified || answer.next_path(&request).is_none());
                found.extend(starts(&body));
                let Some(next) = answer.next_path(&request) else { break };
                assert!(next.contains("&after="), "{next}");
                (target, pages) = (next, pages + 1);
            }
            assert_eq!(found, list, "{query} by {limit}");
        }
    }
}

#[test]
fn explain_tells_all_that_a_person_needs() {
    let demo = demo();
    let body = ask(&demo, "state=AZ&limit=3&explain=true").unwrap();
    let keys: Vec<_> = body.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(
        keys,
        [
            "slots",
            "nextAvailable",
            "state",
            "appointmentType",
            "provider",
            "truncated",
            "next",
            "now",
            "asOf",
            "stale",
            "clinicians",
            "visitTypes",
            "booking",
            "reason"
        ]
    );
    assert_eq!((&body["now"], &body["asOf"], &body["stale"]), (&json!(NOW), &json!(NOW), &json!(false)));
    let listed: BTreeSet<_> = starts(&body).into_iter().map(|(_, slug)| slug).collect();
    let named: BTreeSet<_> = body["clinicians"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(listed, named);
    let one = ask(&demo, "state=CA&provider=amara-okonkwo&appointmentType=101&explain=true").unwrap();
    assert_eq!(one["clinicians"], json!({"amara-okonkwo": "Amara Okonkwo, MD, FACOG, MSCP"}));
    assert_eq!(
        one["visitTypes"],
        json!([{"id": 101, "name": "New patient visit", "minutes": 45, "newPatientEligible": true}])
    );
    // What is offered in the state alone, or by another clinician, can't be booked with what was asked.
    for (query, ids) in [
        ("state=CA&provider=jun-nakashima", json!([101, 104])),
        ("state=CA&provider=amara-okonkwo", json!([101, 102, 103])),
        ("state=CA&provider=grace-kealoha", json!([102])),
        ("state=PA&provider=miriam-katzenbach", json!([102])),
        ("state=PA&provider=miriam-katzenbach&newPatients=true", json!([])),
        ("state=FL", json!([101, 102, 103])),
    ] {
        let types = ask(&demo, &format!("{query}&explain=true")).unwrap();
        let found: Value =
            types["visitTypes"].as_array().unwrap().iter().map(|one| one["id"].clone()).collect();
        assert_eq!(found, ids, "{query}");
    }
    // Each slot says whether a new patient may book it, and these are the slots of a list for new patients.
    let week = "state=CA&provider=ingrid-solheim&limit=200&horizonDays=7";
    let (every, new) =
        (ask(&demo, &format!("{week}&explain=true")), ask(&demo, &format!("{week}&newPatients=true")));
    let (every, new) = (every.unwrap(), new.unwrap());
    assert_eq!((&every["truncated"], &new["truncated"]), (&Value::Null, &Value::Null));
    let (all, listed) = (starts(&every), BTreeSet::from_iter(starts(&new)));
    let is_for_new = |slot: &Value| slot["newPatientEligible"].as_bool().unwrap();
    let marked = every["slots"].as_array().unwrap().iter().map(is_for_new);
    let eligible: BTreeSet<_> =
        all.iter().cloned().zip(marked).filter(|(_, is)| *is).map(|(slot, _)| slot).collect();
    assert!(eligible.len() < all.len());
    assert_eq!(eligible, listed);
    assert_eq!(one["booking"], json!({"phone": "+1-510-555-0100", "urlTemplate": null}));
    // The minute, so that the tag changes once a minute.
    let request = Request::from_target("/v1/availability?state=AZ&explain=true").unwrap();
    let at = |now: &str| demo.answer(&request, now.parse().unwrap()).unwrap().body().clone();
    assert_eq!(at("2026-11-21T12:00:01Z"), at("2026-11-21T12:00:59Z"));
    assert_ne!(at("2026-11-21T12:00:59Z"), at("2026-11-21T12:01:00Z"));
}

/// The walk of all pages, by a reader who writes the times again in UTC.
#[test]
fn links_keep_what_was_asked_for() {
    let demo = demo();
    let target = "/v1/availability?state=CA&limit=1&from=2026-11-24&timeZone=America%2FPhoenix&part=evening";
    let request = Request::from_target(target).unwrap();
    let answer = demo.answer(&request, NOW.parse().unwrap()).unwrap();
    let next = answer.next_path(&request).unwrap();
    for part in ["from=2026-11-24&", "timeZone=America%2FPhoenix", "part=evening", "limit=1"] {
        assert!(next.contains(part), "{next}");
    }
    let first = &starts(&serde_json::from_slice(answer.body()).unwrap())[0];
    let request = Request::from_target(&next).unwrap();
    let body = serde_json::from_slice(demo.answer(&request, NOW.parse().unwrap()).unwrap().body()).unwrap();
    let second = &starts(&body)[0];
    assert!(first.0 <= second.0 && first != second);
    let local = second.0.with_timezone(&Tz::America__Phoenix).to_rfc3339_opts(SecondsFormat::Secs, false);
    assert_eq!(body["slots"][0]["localTime"], local);
}
