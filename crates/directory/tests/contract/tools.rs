//! What models send to the tools, and that it is answered as REST answers it.

use directory::api::ParameterKind;
use directory::{Fault, OPERATIONS, Operation, Request};
use serde_json::{Map, Value, json};

use super::{NOW, ask, clinic};

fn call(tool: &str, arguments: &Value) -> Result<String, Fault> {
    let operation = Operation::for_tool(tool).unwrap();
    let arguments: Map<String, Value> = arguments.as_object().unwrap().clone();
    let answer = clinic().answer(&Request::from_tool(operation, &arguments)?, NOW.parse().unwrap())?;
    Ok(String::from_utf8(answer.body().to_vec()).unwrap())
}

#[test]
fn tools_take_what_models_send_and_give_rests_bytes() {
    for (tool, arguments, target) in [
        ("list_states", json!({}), "/v1/states"),
        ("list_insurances", json!({"state": null}), "/v1/insurances"),
        ("list_insurances", json!({"state": "ny"}), "/v1/insurances?state=NY"),
        ("search_providers", json!({"limit": "1", "offset": 1.0}), "/v1/providers?limit=1&offset=1"),
        ("search_providers", json!({"limit": 1e300, "gender": ""}), "/v1/providers?limit=100"),
        ("get_provider", json!({"slug": "bo-two"}), "/v1/providers/bo-two"),
        ("get_provider", json!({"slug": " bo-two\n"}), "/v1/providers/bo-two"),
        (
            "search_providers",
            json!({"gender": " Female ", "providerType": "\tphysician"}),
            "/v1/providers?gender=%20female+&providerType=+Physician",
        ),
        (
            "search_providers",
            json!({"gender": "non-binary", "providerType": "Nurse Practitioner"}),
            "/v1/providers?gender=nonBinary&providerType=nursePractitioner",
        ),
        ("search_providers", json!({"gender": "prefer not to say"}), "/v1/providers?gender=preferNotToSay"),
        ("list_appointment_types", json!({"state": "California"}), "/v1/appointment-types?state=CA"),
        (
            "check_availability",
            json!({"state": "CA", "appointmentType": "101", "provider": "ann-zero", "horizonDays": 2, "limit": 3}),
            "/v1/availability?state=CA&appointmentType=101&provider=ann-one&horizonDays=2&limit=3",
        ),
    ] {
        assert_eq!(call(tool, &arguments), ask(target), "{tool} {arguments}");
    }
    for (tool, arguments, sentence) in [
        ("check_availability", json!({}), "Which US state will you be in at the time of the visit?"),
        ("check_availability", json!({"state": null}), "Which US state will you be in"),
        ("check_availability", json!({"state": 5}), "Which US state will you be in"),
        (
            "check_availability",
            json!({"state": "CA", "limit": 1.5}),
            "Please give the number of times to show as a whole number",
        ),
        ("check_availability", json!({"state": "CA", "limit": "5.0"}), "the number of times to show"),
        (
            "check_availability",
            json!({"state": "CA", "horizonDays": "soon"}),
            "the number of days to look ahead",
        ),
        (
            "check_availability",
            json!({"state": "CA", "appointmentType": "first"}),
            "Please choose a visit type",
        ),
        ("search_providers", json!({"gender": " - "}), "Please choose the clinician's gender"),
        (
            "search_providers",
            json!({"gender": "x"}),
            "Please choose the clinician's gender: female, male, non-binary",
        ),
        (
            "search_providers",
            json!({"State": "CA"}),
            "I can't search by “state” here. I can search by state, insurance plan, clinician type, gender, name or",
        ),
        (
            "check_availability",
            json!({"state": "CA", "preferredDate": "Monday"}),
            "I can't search by “preferred date” here. I can search by state, visit type, clinician, insurance plan, \
             gender, clinician type, language, start time, end time, time zone, part of the day.",
        ),
        ("list_states", json!({"x": 1}), "I can't search by “x” here. The list is always complete"),
        (
            "get_provider",
            json!({"slug": "zz"}),
            "No clinician is listed as “zz”. Search by state to find one.",
        ),
        (
            "search_providers",
            json!({"state": "XX"}),
            "I don't recognize the state “XX”. Please give a US state name or two-letter code.",
        ),
    ] {
        let fault = call(tool, &arguments).unwrap_err();
        assert!(fault.spoken().contains(sentence), "{tool} {arguments}: {}", fault.spoken());
        for developers_word in ["argument", "parameter", "providerType", "horizonDays", "appointmentType"] {
            assert!(!fault.spoken().contains(developers_word), "{tool} {arguments}: {}", fault.spoken());
        }
    }
}

#[test]
fn a_value_with_something_far_behind_it_is_not_that_value() {
    for (tool, name, value) in [
        ("get_provider", "slug", "bo-two"),
        ("get_provider", "slug", "Bo Two"),
        ("check_availability", "provider", "ann-one"),
        ("check_availability", "insurance", "Goldenrod PPO"),
        ("list_insurances", "state", "NY"),
    ] {
        let mut arguments = json!({});
        if tool == "check_availability" {
            arguments["state"] = "CA".into();
        }
        arguments[name] = value.into();
        assert!(call(tool, &arguments).is_ok(), "{value}");
        arguments[name] = format!("{value}{}, not that one", " ".repeat(2_000)).into();
        assert!(call(tool, &arguments).is_err(), "{value}");
    }
}

#[test]
fn every_parameter_of_a_row_is_read() {
    for operation in &OPERATIONS {
        for parameter in operation.arguments() {
            let other_than_default = match parameter.kind {
                ParameterKind::Count { default, least, .. } if default == least => (least + 1).to_string(),
                ParameterKind::Count { least, .. } => least.to_string(),
                _ => parameter.example.to_owned(),
            };
            let required = operation.parameters.iter().filter(|row| row.required);
            let mut arguments: Map<String, Value> =
                required.map(|row| (row.name.to_owned(), row.example.into())).collect();
            arguments.insert(parameter.name.to_owned(), other_than_default.into());
            let request = Request::from_tool(operation, &arguments).unwrap();
            let is_read = request.arguments().contains_key(parameter.name);
            assert!(is_read, "{} takes {} and does nothing with it", operation.name, parameter.name);
        }
    }
}

#[test]
fn what_a_request_says_of_itself_means_the_same_request() {
    for target in [
        "/v1/states",
        "/v1/insurances?state=NY",
        "/v1/providers?state=CA&insurance=Goldenrod%20PPO&providerType=physician&gender=female&limit=3&offset=9",
        "/v1/providers/ann-one",
        "/v1/appointment-types?state=CA",
        "/v1/availability?state=CA&appointmentType=101&provider=ann-one&horizonDays=3&limit=7",
    ] {
        let request = Request::from_target(target).unwrap();
        assert_eq!(request.path_and_query(), target);
        let by_tool = Request::from_tool(request.tool(), &request.arguments()).unwrap();
        assert_eq!(by_tool.path_and_query(), target);
    }
    assert_eq!(Operation::tools().count(), 6);
}
