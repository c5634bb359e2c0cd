//! Why a list of slots is empty, on the demo clinic. The causes were read in its content files.

use std::path::Path;

use chrono::{DateTime, NaiveDate, Utc};
use directory::content::load_and_check;
use directory::{Request, Snapshot};
use serde_json::{Value, json};

fn demo() -> Snapshot {
    let content = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../content");
    Snapshot::new(load_and_check(&content, NaiveDate::default()).unwrap().directory)
}

/// The reason that is given for a query, as code and message; null if the list has slots.
fn reason(demo: &Snapshot, query: &str) -> Value {
    let request = Request::from_target(&format!("/v1/availability?{query}&explain=true")).unwrap();
    let now: DateTime<Utc> = "2026-11-22T12:00:00Z".parse().unwrap();
    let body: Value = serde_json::from_slice(demo.answer(&request, now).unwrap().body()).unwrap();
    assert_eq!(body["slots"].as_array().unwrap().is_empty(), !body["reason"].is_null(), "{query}: {body}");
    assert_eq!(body.as_object().unwrap().keys().next_back().unwrap(), "reason");
    body["reason"].clone()
}

#[test]
fn the_first_reason_that_holds_is_given() {
    let demo = demo();
    for (query, code, part) in [
        ("state=CA&appointmentType=999", "TYPE_UNKNOWN", "no visit type 999"),
        ("state=CA&appointmentType=201", "TYPE_WITHOUT_TIMES", "Message visit happens by message"),
        ("state=HI&appointmentType=104", "TYPE_NOT_OFFERED", "Sleep and mood visit isn't offered in Hawaii"),
        ("state=CA&appointmentType=102&newPatients=true", "TYPE_NOT_OFFERED", "for current patients only"),
        ("state=WY", "STATE_NOT_SERVED", "Wyoming"),
        (
            "state=NY&provider=amara-okonkwo",
            "PROVIDER_NOT_LICENSED",
            "Amara Okonkwo isn't licensed in New York",
        ),
        (
            "state=MA&provider=miriam-katzenbach",
            "PROVIDER_NOT_ACCEPTING",
            "isn't accepting new patients there",
        ),
        (
            "state=CO&provider=rowan-achterberg&insurance=Puget%20Fern%20Health",
            "PLAN_NOT_ACCEPTED",
            "Rowan Achterberg doesn't accept Puget Fern Health in Colorado",
        ),
        ("state=CA&insurance=Puget%20Fern%20Health", "PLAN_NOT_ACCEPTED", "No clinician here accepts"),
        ("state=MA&language=Hebrew", "NO_MATCH", "Clinicians match if language doesn't matter."),
        (
            "state=CA&provider=maria-de-la-vega&gender=male",
            "NO_MATCH",
            "Clinicians match if gender doesn't matter.",
        ),
        (
            "state=CA&from=2027-06-01T00:00:00Z",
            "NOTHING_OPEN",
            "posted only through December 22, 2026. Please choose an earlier date.",
        ),
    ] {
        let found = reason(&demo, query);
        assert_eq!(found["code"], code, "{query}: {found}");
        assert!(found["message"].as_str().unwrap().contains(part), "{query}: {found}");
    }
    assert_eq!(reason(&demo, "state=CA"), json!(null));
}

/// What an empty page says of the next opening keeps to the page before and to the part of the day.
#[test]
fn the_next_opening_is_one_that_was_asked_for() {
    let demo = demo();
    let now: DateTime<Utc> = "2026-11-22T12:00:00Z".parse().unwrap();
    let slots = |query: &str| -> Vec<String> {
        let request = Request::from_target(&format!("/v1/availability?{query}&limit=200")).unwrap();
        let body: Value = serde_json::from_slice(demo.answer(&request, now).unwrap().body()).unwrap();
        let start = |slot: &Value| slot["startTime"].as_str().unwrap().to_owned();
        body["slots"].as_array().unwrap().iter().map(start).collect()
    };
    let utc = |start: &str| {
        let at: DateTime<Utc> = start.parse().unwrap();
        at.format("%B %-d at %-I:%M %p UTC").to_string()
    };
    let all = slots("state=AZ&provider=amara-okonkwo");
    // The token of her second slot, then a time that ends before her third.
    let cut = Request::from_target("/v1/availability?state=AZ&provider=amara-okonkwo&limit=2").unwrap();
    let next = demo.answer(&cut, now).unwrap().next_path(&cut).unwrap();
    let token = next.split("after=").nth(1).unwrap();
    let found = reason(&demo, &format!("state=AZ&provider=amara-okonkwo&after={token}&until={}", all[2]));
    let expected = format!("No more openings in that time. The next one is {}.", utc(&all[2]));
    assert_eq!(found["message"], expected);

    let evening =
        |query: &str| slots(&format!("state=AZ&timeZone=America/Phoenix&part=evening&horizonDays=30{query}"));
    let message = |query: &str| {
        reason(&demo, &format!("state=AZ&timeZone=America/Phoenix&part=evening{query}"))["message"].clone()
    };
    match evening("").first() {
        Some(first) => {
            let at = first.parse::<DateTime<Utc>>().unwrap() - chrono::TimeDelta::hours(7);
            let expected = at.format("The next one is %B %-d at %-I:%M %p MST.").to_string();
            let until = format!("&until={first}");
            assert_eq!(message(&until), format!("No evening openings in that time. {expected}"));
        }
        None => assert_eq!(message(""), "No evening openings in the next 30 days."),
    }
}
