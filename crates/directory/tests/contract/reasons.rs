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
        ("state=HI&appointmentType=104", "TYPE_NOT_OFFERED", "Sleep and mood visit is not offered in Hawaii"),
        ("state=CA&appointmentType=102&newPatients=true", "TYPE_NOT_OFFERED", "for current patients only"),
        ("state=WY", "STATE_NOT_SERVED", "Wyoming"),
        (
            "state=NY&provider=amara-okonkwo",
            "PROVIDER_NOT_LICENSED",
            "Amara Okonkwo is not licensed in New York",
        ),
        ("state=MA&provider=miriam-katzenbach", "PROVIDER_NOT_ACCEPTING", "takes no new patients there now"),
        (
            "state=CO&provider=rowan-achterberg&insurance=Puget%20Fern%20Health",
            "PLAN_NOT_ACCEPTED",
            "Rowan Achterberg does not take Puget Fern Health in Colorado",
        ),
        ("state=CA&insurance=Puget%20Fern%20Health", "PLAN_NOT_ACCEPTED", "No clinician here takes"),
        ("state=MA&language=Hebrew", "NO_MATCH", "There are some without language."),
        ("state=CA&provider=maria-de-la-vega&gender=male", "NO_MATCH", "There are some without gender."),
        ("state=CA&from=2027-06-01T00:00:00Z", "NOTHING_OPEN", "2027-06-01T00:00:00Z is later than that"),
    ] {
        let found = reason(&demo, query);
        assert_eq!(found["code"], code, "{query}: {found}");
        assert!(found["message"].as_str().unwrap().contains(part), "{query}: {found}");
    }
    assert_eq!(reason(&demo, "state=CA"), json!(null));
}
