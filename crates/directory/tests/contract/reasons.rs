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
