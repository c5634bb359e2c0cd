//! The worker's facts; `tests/black_box/worker.mjs` runs the worker itself.

use super::*;
use crate::test_fixture as fixture;

fn facts_of(directory: &Directory) -> Value {
    facts(directory, &crate::answer_files(directory).unwrap(), &headers::rules(directory).unwrap()).unwrap()
}

#[test]
fn facts_have_files_parameters_states_and_former_slugs() {
    let facts = facts_of(fixture::snapshot().directory());
    assert_eq!(
        facts["lists"]["/v1/providers"],
        json!({
            "file": "/v1/providers.json", "folder": "/v1/providers/state/", "state": "state",
            "others": ["insurance", "providerType", "gender", "limit", "offset", "q", "language", "explain"]
        })
    );
    assert_eq!(
        facts["lists"]["/v1/states"],
        json!({ "file": "/v1/states.json", "folder": null, "state": null, "others": [] })
    );
    assert_eq!(facts["lists"]["/v1/insurances"]["folder"], "/v1/insurances/");
    assert_eq!(facts["live"]["url"], "https://live.larkspur.example");
    assert_eq!(facts["live"]["paths"], json!(["/v1/availability", "/api/mcp"]));
    assert_eq!(facts["moved"], json!({ "ada-laurent": "ada-moreau" }));
    assert_eq!(facts["states"]["new york"], "NY");
    assert_eq!(facts["states"]["washington, d.c."], "DC");
    assert_eq!(facts["states"]["us virgin islands"], "VI");
    assert_eq!(facts["profiles"], "/v1/providers/");
}

#[test]
fn the_published_worker_is_the_facts_and_the_fixed_script() {
    let snapshot = fixture::snapshot_without_live();
    let answers = crate::answer_files(snapshot.directory()).unwrap();
    let edge = rules(snapshot.directory(), &answers).unwrap();
    let names: Vec<_> = edge.files.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(names, ["_worker.js", "_routes.json", "_headers", "_redirects"]);
    let worker = std::str::from_utf8(&edge.files[0].1).unwrap();
    let (facts, rest) = worker.split_once(";\n\n").unwrap();
    assert_eq!(rest, WORKER);
    let facts: Value = serde_json::from_str(facts.strip_prefix("const FACTS = ").unwrap()).unwrap();
    assert_eq!(facts["live"]["url"], Value::Null);
    assert_eq!(edge.notes.len(), 1);
    assert_eq!(*edge.files[3].1, *b"/providers/ada-laurent /providers/ada-moreau 301\n");
    let spanish = moved_pages(fixture::in_english_and_spanish().directory());
    let expected = b"/providers/ada-laurent /providers/ada-moreau 301\n\
        /es/providers/ada-laurent /es/providers/ada-moreau 301\n";
    assert_eq!(*spanish, *expected);
}
