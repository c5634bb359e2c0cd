//! The document is complete, and agrees with real answers.

use std::collections::BTreeSet;

use super::*;
use crate::test_fixture as fixture;

fn documents() -> Vec<(String, Value)> {
    let files = files(&fixture::snapshot()).unwrap();
    files.into_iter().map(|(path, body)| (path.to_string(), serde_json::from_slice(&body).unwrap())).collect()
}

fn openapi() -> Value {
    documents().swap_remove(0).1
}

fn objects<'a>(value: &'a Value, found: &mut Vec<&'a Map<String, Value>>) {
    match value {
        Value::Object(members) => {
            found.push(members);
            members.values().for_each(|member| objects(member, found));
        }
        Value::Array(elements) => elements.iter().for_each(|element| objects(element, found)),
        _ => {}
    }
}

/// A schema of the document with everything that it refers to.
fn schema(document: &Value, schema: &Value) -> jsonschema::Validator {
    let mut whole = schema.clone();
    whole["components"] = document["components"].clone();
    jsonschema::draft202012::new(&whole).unwrap()
}

#[test]
fn every_operation_is_described_and_every_reference_resolves() {
    let document = openapi();
    let paths: Vec<_> = document["paths"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(paths, OPERATIONS.each_ref().map(|row| row.path));
    let mut found = Vec::new();
    objects(&document, &mut found);
    let mut referred = BTreeSet::new();
    for reference in found.iter().filter_map(|object| object.get("$ref")) {
        let pointer = reference.as_str().unwrap().strip_prefix('#').unwrap();
        assert!(document.pointer(pointer).is_some(), "{pointer}");
        referred.insert(pointer.to_owned());
    }
    for (group, members) in document["components"].as_object().unwrap() {
        for name in members.as_object().unwrap().keys() {
            let pointer = format!("/components/{group}/{name}");
            assert!(referred.contains(&pointer), "{pointer} is not referred to");
        }
    }
}

#[test]
fn links_connect_existing_parameters_with_existing_values() {
    let document = openapi();
    let mut linked = BTreeSet::new();
    for row in &OPERATIONS {
        let answer = &document["paths"][row.path]["get"]["responses"]["200"];
        let example = &answer["content"]["application/json"]["example"];
        for link in answer["links"].as_object().unwrap().values() {
            let to = Operation::for_tool(link["operationId"].as_str().unwrap()).unwrap();
            for (name, expression) in link["parameters"].as_object().unwrap() {
                assert!(to.parameter(name).is_some(), "{name}");
                let pointer = expression.as_str().unwrap().strip_prefix("$response.body#").unwrap();
                // The fixture has no hours and so no slots.
                let is_there = example.pointer(pointer).is_some() || pointer.starts_with("/slots");
                assert!(is_there, "{}: {pointer}", row.path);
                linked.insert((to.name, name.clone()));
            }
        }
    }
    let linked: Vec<_> = linked.iter().map(|(tool, name)| format!("{tool} {name}")).collect();
    assert_eq!(
        linked,
        [
            "check_availability appointmentType",
            "check_availability provider",
            "check_availability state",
            "get_provider slug",
            "list_appointment_types state",
            "list_insurances state",
            "search_providers insurance",
            "search_providers state",
        ]
    );
}

#[test]
fn examples_and_planned_answers_match_their_schemas() {
    let (document, snapshot) = (openapi(), fixture::snapshot());
    for row in &OPERATIONS {
        let operation = &document["paths"][row.path]["get"];
        let media = &operation["responses"]["200"]["content"]["application/json"];
        let validator = schema(&document, &media["schema"]);
        assert!(validator.is_valid(&media["example"]), "{}", row.path);
        assert!(!validator.is_valid(&json!({})) && !validator.is_valid(&json!([])), "{}", row.path);
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let validator = schema(&document, &parameter["schema"]);
            assert!(validator.is_valid(&parameter["example"]), "{parameter}");
        }
        for (path, request) in crate::answer_files(snapshot.directory()).unwrap().0 {
            if request.operation().id == row.id {
                let answer = snapshot.answer(&request, chrono::DateTime::UNIX_EPOCH).unwrap();
                let answer: Value = serde_json::from_slice(answer.body()).unwrap();
                assert!(validator.is_valid(&answer), "{path}");
            }
        }
    }
}

#[test]
fn each_schema_is_published_as_a_separate_document() {
    let documents = documents();
    let names: Vec<_> = documents.iter().map(|(path, _)| path.as_str()).collect();
    assert!(names.contains(&"v1/schemas/PublicProviderProfile.json"), "{names:?}");
    assert_eq!(names.len(), 1 + OPERATIONS.len() + 1);
    for (path, document) in &documents[1..] {
        assert_eq!(document["$id"], format!("https://api.larkspur.example/{path}"));
        assert!(jsonschema::draft202012::new(document).is_ok(), "{path}");
    }
}

#[test]
fn parameters_have_one_plain_type() {
    let document = openapi();
    let types: Vec<_> = OPERATIONS
        .iter()
        .flat_map(|row| document["paths"][row.path]["get"]["parameters"].as_array().into_iter().flatten())
        .map(|parameter| {
            let schema = &parameter["schema"];
            let plain = ["type", "enum", "default", "pattern", "maxLength"];
            assert!(
                schema.as_object().unwrap().keys().all(|key| plain.contains(&key.as_str())),
                "{parameter}"
            );
            assert!(schema.to_string().len() < 120, "{parameter}");
            (parameter["name"].as_str().unwrap(), schema["type"].as_str().unwrap())
        })
        .collect();
    for expected in [
        ("state", "string"),
        ("insurance", "string"),
        ("providerType", "string"),
        ("gender", "string"),
        ("limit", "integer"),
        ("offset", "integer"),
        ("slug", "string"),
        ("appointmentType", "integer"),
        ("provider", "string"),
        ("horizonDays", "integer"),
    ] {
        assert!(types.contains(&expected), "{expected:?} of {types:?}");
    }
}

#[test]
fn availability_links_use_a_state_that_accepts_new_patients() {
    let document = openapi();
    for (path, place) in [("/v1/providers", "/providers/0/"), ("/v1/providers/{slug}", "/")] {
        let links = &document["paths"][path]["get"]["responses"]["200"]["links"];
        let expected = format!("$response.body#{place}statesAcceptingPatients/0");
        assert_eq!(links["check_availability"]["parameters"]["state"], expected, "{path}");
    }
}

#[test]
fn every_error_code_of_an_operation_is_listed_with_its_status() {
    let document = openapi();
    let codes = |path: &str, status: &str| {
        let response = &document["paths"][path]["get"]["responses"][status];
        let response = response["$ref"]
            .as_str()
            .map_or(response, |pointer| document.pointer(pointer.trim_start_matches('#')).unwrap());
        let examples = response["content"]["application/json"]["examples"].as_object();
        examples.map(|examples| examples.keys().cloned().collect::<Vec<_>>()).unwrap_or_default()
    };
    assert_eq!(codes("/v1/states", "400"), ["INVALID_PARAMETER", "BAD_REQUEST"]);
    assert_eq!(
        codes("/v1/providers", "400"),
        ["SPONSOR_NOT_COVERED", "INVALID_PARAMETER", "INVALID_INSURANCE", "BAD_REQUEST"]
    );
    assert_eq!(codes("/v1/providers/{slug}", "404"), ["PROVIDER_NOT_FOUND"]);
    assert_eq!(codes("/v1/availability", "503"), ["AVAILABILITY_UNAVAILABLE", "OVERLOADED"]);
    let mistake = &document["paths"]["/v1/insurances"]["get"]["responses"]["400"]["content"]["application/json"]
        ["examples"]["SPONSOR_NOT_COVERED"]["value"];
    assert_eq!(mistake["message"], "invalid state code: XX");
    let responses = &document["paths"]["/v1/providers/{slug}"]["get"]["responses"];
    let statuses: Vec<_> = responses.as_object().unwrap().keys().map(String::as_str).collect();
    let expected = ["200", "301", "304", "400", "404", "405", "408", "413", "414", "431", "500", "503"];
    assert_eq!(statuses, expected);
}
