//! Compares the list of tools with the demo clinic's answers.

use std::collections::BTreeMap;
use std::path::Path;

use directory::api::{Snapshot, how_to_book};
use directory::calendar::{Calendar, FeedMode, Freshness, Instant};
use jsonschema::Validator;

use super::*;
use crate::mcp::{instructions, tools};
use crate::testing::now;

fn demo() -> Snapshot {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../content");
    let checked = directory::content::load_and_check(&folder, now().date_naive());
    Snapshot::new(checked.unwrap_or_else(|error| panic!("{error:?}")).directory)
}

fn called(snapshot: &Snapshot, tool: &str, arguments: &Value) -> Value {
    let params = json!({ "name": tool, "arguments": arguments });
    let params = params.to_string();
    let outcome = tools::call(snapshot, now(), &serde_json::from_str(&params).unwrap()).unwrap();
    let mut bytes = Vec::new();
    outcome.write(&mut bytes);
    bytes.push(b'}');
    serde_json::from_slice(&bytes).unwrap()
}

#[test]
fn every_answer_of_the_demo_keeps_its_output_schema() {
    let listed = tools::list(demo().directory());
    let validators: BTreeMap<&str, Validator> = listed
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| {
            let validator =
                jsonschema::options().should_validate_formats(true).build(&tool["outputSchema"]).unwrap();
            assert!(!validator.is_valid(&json!({})), "the schema must not accept everything");
            (tool["name"].as_str().unwrap(), validator)
        })
        .collect();
    let demo = demo();
    let values = |tool: &str, arguments: &Value, list: &str, field: &str| -> Vec<Value> {
        let answer = called(&demo, tool, arguments);
        answer["structuredContent"][list].as_array().unwrap().iter().map(|one| one[field].clone()).collect()
    };
    let states = values("list_states", &json!({}), "states", "code");
    let slugs = values("search_providers", &json!({ "limit": 100 }), "providers", "slug");
    let visits = values("list_appointment_types", &json!({}), "appointmentTypes", "id");
    let mut calls = vec![
        ("list_states", json!({})),
        ("list_insurances", json!({})),
        ("list_appointment_types", json!({})),
        ("search_providers", json!({})),
        ("search_providers", json!({ "offset": 1000 })),
        ("check_availability", json!({ "state": "WY" })),
    ];
    for state in &states {
        calls.push(("list_insurances", json!({ "state": state })));
        calls.push(("list_appointment_types", json!({ "state": state })));
        calls.push(("search_providers", json!({ "state": state, "limit": 100 })));
        calls.push(("check_availability", json!({ "state": state, "limit": 200, "horizonDays": 20 })));
        for visit in &visits {
            calls.push(("check_availability", json!({ "state": state, "appointmentType": visit })));
        }
    }
    for slug in &slugs {
        calls.push(("get_provider", json!({ "slug": slug })));
        calls.push(("check_availability", json!({ "state": "CA", "provider": slug })));
    }
    assert!(calls.len() > 150, "{}", calls.len());
    for (tool, arguments) in &calls {
        let result = called(&demo, tool, arguments);
        assert_eq!(result["isError"], false, "{tool} {arguments}");
        if let Err(error) = validators[tool].validate(&result["structuredContent"]) {
            panic!("{tool} {arguments}: {error}");
        }
    }
}

#[test]
fn an_expired_feed_is_a_failure_with_its_sentence() {
    let demo = demo();
    let with_feed = Calendar::with_feed(demo.directory(), FeedMode::Busy, Instant::ceil(now()));
    let slug = "amara-okonkwo";
    for (freshness, withheld, sentence) in [
        (
            Freshness::Expired,
            vec![],
            "Appointment times can't be checked right now because the scheduling system isn't responding. \
             Nothing is wrong with your request. Please try again in a few minutes.",
        ),
        // She may have no calendar: then no one should try again.
        (
            Freshness::Fresh,
            vec![slug.parse().unwrap()],
            "Openings aren't available online for what you asked. Please ask the clinic about times.",
        ),
    ] {
        let calendar = with_feed.with_freshness(demo.directory(), freshness, &withheld);
        let arguments = json!({ "state": "CA", "provider": slug });
        let result = called(&demo.with_calendar(calendar), "check_availability", &arguments);
        assert_eq!(result, json!({ "content": [{ "type": "text", "text": sentence }], "isError": true }));
    }
}

#[test]
fn a_stale_feed_adds_a_second_text_after_rests_body() {
    let demo = demo();
    let read = Instant::ceil("2026-11-21T11:00:00Z".parse().unwrap());
    let with_feed = Calendar::with_feed(demo.directory(), FeedMode::Busy, read);
    let fresh = demo.with_calendar(with_feed.with_freshness(demo.directory(), Freshness::Fresh, &[]));
    let late = with_feed.with_freshness(demo.directory(), Freshness::Stale { as_of: read }, &[]);
    let arguments = json!({ "state": "CA" });
    let expected = called(&fresh, "check_availability", &arguments);
    let result = called(&demo.with_calendar(late), "check_availability", &arguments);
    assert_eq!(result["content"][0], expected["content"][0]);
    assert_eq!(result["structuredContent"], expected["structuredContent"]);
    let cut = expected["content"][1]["text"].as_str().unwrap();
    let late = "These openings were last confirmed November 21 at 11:00 AM UTC, and some may be taken. Call \
        (510) 555-0100 to confirm one.";
    assert!(cut.starts_with("This list is cut."), "{cut}");
    assert_eq!(result["content"][1], json!({ "type": "text", "text": format!("{late} {cut}") }));
    assert_eq!(result["isError"], false);
    let tools = tools::list(demo.directory());
    assert!(
        tools[5]["description"].as_str().unwrap().contains("second text"),
        "the description says where to look"
    );
}

/// With the specification's parameters alone a body says nothing of more openings, nor why it is empty.
#[test]
fn a_second_text_says_what_the_list_does_not() {
    let demo = demo();
    let ask = |arguments: Value| called(&demo, "check_availability", &arguments);
    let second =
        |answer: &Value| answer["content"].get(1).map(|text| text["text"].as_str().unwrap().to_owned());
    let slots = |answer: &Value| answer["structuredContent"]["slots"].as_array().unwrap().clone();

    // Going on as the second texts say gives the list that a larger limit gives.
    let first = ask(json!({ "state": "CA", "limit": 20, "horizonDays": 2 }));
    let (mut all, text) = (slots(&first), second(&first).unwrap());
    let (begin, end) = (
        "This list is cut. For the next part, call again with \"after\": \"",
        "\" and the other arguments unchanged.",
    );
    let token = text.strip_prefix(begin).unwrap().strip_suffix(end).unwrap().to_owned();
    let mut rest = ask(json!({ "state": "CA", "limit": 20, "horizonDays": 2, "after": token }));
    all.extend(slots(&rest));
    while let Some(next) = rest["structuredContent"].get("next").cloned() {
        assert_eq!(second(&rest), None, "the body says it");
        rest = ask(json!({ "state": "CA", "limit": 20, "horizonDays": 2, "after": next }));
        all.extend(slots(&rest));
    }
    let whole = ask(json!({ "state": "CA", "limit": 200, "horizonDays": 2 }));
    assert!(all == slots(&whole) && second(&whole).is_none(), "{} slots", all.len());

    let text = second(&ask(json!({ "state": "WY" }))).unwrap();
    assert_eq!(text, "No clinician here has appointments for patients in Wyoming.");
    let explained = ask(json!({ "state": "WY", "explain": true }));
    assert_eq!(
        (second(&explained), &explained["structuredContent"]["reason"]["message"]),
        (None, &json!(text))
    );

    // Openings are known for thirty days from now.
    let last = (now() + chrono::TimeDelta::days(30)).format("%B %-d, %Y");
    let far = (now() + chrono::TimeDelta::days(40)).format("%Y-%m-%dT%H:%M:%SZ").to_string();
    let until = ask(json!({ "state": "CA", "limit": 1, "until": far }));
    assert_eq!(second(&until), Some(format!("Openings are posted only through {last}.")));
    let from = ask(json!({ "state": "CA", "from": far }));
    let told = format!("Openings are posted only through {last}. Please choose an earlier date.");
    assert_eq!((slots(&from).len(), second(&from)), (0, Some(told)));
}

#[test]
fn the_list_of_tools_is_short_and_explains_empty_and_full_lists() {
    let tools = tools::list(demo().directory());
    // With a long booking address, and the rest of a reply.
    let reply = json!({ "jsonrpc": "2.0", "id": 1, "result": { "tools": tools } }).to_string();
    assert!(reply.len() + 300 <= 20_480, "{} bytes", reply.len());
    let texts = |tool: usize| tools[tool]["description"].as_str().unwrap();
    for word in [
        "newPatients=true",
        "`truncated`",
        "`after`",
        "explain=true",
        "`reason`",
        "onePer=provider",
        "`from`",
    ] {
        assert!(texts(5).contains(word), "{word}");
    }
    assert!(texts(2).contains("statesAcceptingPatients") && texts(2).contains("2 KB"));
}

#[tokio::test]
async fn assistants_learn_where_a_slot_is_booked() {
    let server = Server::start(options()).await;
    let list = send(&server, "tools/list", json!({})).await.event()["result"]["tools"].clone();
    let fixture = crate::testing::snapshot();
    let clinic = fixture.directory().organization();
    assert_eq!(list, tools::list(fixture.directory()));
    let note = how_to_book(clinic).unwrap();
    assert!(note.contains(clinic.booking_url.as_deref().unwrap()), "{note}");
    assert!(list[5]["description"].as_str().unwrap().ends_with(&note), "{list}");
    assert!(instructions::for_clinic(clinic).contains(&note));
    let demos = instructions::for_clinic(demo().directory().organization());
    for told in [
        "- The phone is answered: Mon, Tue, Wed, Thu, Fri 08:00-18:00 (America/Los_Angeles)\n",
        "- What a visit costs: If we take your plan, you pay your usual copay, coinsurance, or deductible.\n",
        "- Without insurance: Ask the price before you book.\n",
    ] {
        assert!(demos.contains(told), "{demos}");
    }
    let without = instructions::for_clinic(demo().directory().organization());
    assert!(
        without.contains("To book: (510) 555-0100 (opens at the clinic; nothing is held).")
            && !without.contains("URI template")
    );
}

#[test]
fn schemas_have_no_references_and_no_rust_formats() {
    let listed = tools::list(demo().directory()).to_string();
    assert!(!listed.contains("\"uint"), "validators report formats that they do not know");
    assert!(!listed.contains("$ref"), "some clients do not follow references");
}
