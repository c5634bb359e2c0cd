//! The contract, case by case, on the clinic of `clinic/`. Bodies and codes are written by hand from the specification.

#![expect(
    clippy::unwrap_used,
    clippy::too_many_lines,
    reason = "tests fail by panicking, and a table is as long as it is"
)]

mod additions;
mod leave;
mod names;
mod reasons;
mod slots;
mod tools;
mod typed;

use std::path::Path;

use chrono::{DateTime, NaiveDate, Utc};
use directory::content::load_and_check;
use directory::{Caching, Fault, OPERATIONS, Request, Snapshot};
use serde_json::{Value, json};

/// A Monday, 04:00 in California and 07:00 in New York.
const NOW: &str = "2026-11-23T12:00:00Z";

fn clinic() -> Snapshot {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clinic");
    Snapshot::new(load_and_check(&folder, NaiveDate::default()).unwrap().directory)
}

fn ask_at(clinic: &Snapshot, target: &str, now: &str) -> Result<String, Fault> {
    let now: DateTime<Utc> = now.parse().unwrap();
    let answer = clinic.answer(&Request::from_target(target)?, now)?;
    Ok(String::from_utf8(answer.body().to_vec()).unwrap())
}

fn ask(target: &str) -> Result<String, Fault> {
    ask_at(&clinic(), target, NOW)
}

const STATES: &str = r#"{"states":[{"code":"CA","name":"California","appointmentTypeCount":2},{"code":"NY","name":"New York","appointmentTypeCount":1}]}"#;
const ANN: &str = r#"{"id":"prov-1","slug":"ann-one","displayName":"Ann One","credentials":"MD","providerType":"physician","gender":"female","bio":"Ann listens.","headshotUrl":"https://clinic.example/headshots/ann-one.svg","profileUrl":"https://clinic.example/providers/ann-one","menopauseSocietyCertified":false,"clinicalInterests":["Sleep"],"education":[{"degree":"MD","field":"Medicine","institution":"Example University","year":2009}],"certifications":[{"issuer":"ABOG","name":"Obstetrics & Gynecology"}],"acceptedInsurance":["Goldenrod PPO","Harbor Mutual HMO"],"acceptedInsuranceByState":{"CA":["Goldenrod PPO","Harbor Mutual HMO"],"NY":["Goldenrod PPO"]},"appointmentTypes":[{"id":101,"name":"New patient visit","states":["CA","NY"],"description":"A first visit."},{"id":201,"name":"Message visit","states":["CA"],"description":"By message."}],"statesLicensed":["CA","NY"],"statesAcceptingPatients":["CA"]}"#;
const BO: &str = r#"{"id":"prov-2","slug":"bo-two","displayName":"Bo Two","credentials":"NP","providerType":"nursePractitioner","gender":"male","bio":"Bo explains.","headshotUrl":null,"profileUrl":"https://clinic.example/providers/bo-two","menopauseSocietyCertified":false,"clinicalInterests":[],"education":[],"certifications":[],"acceptedInsurance":["Goldenrod PPO"],"acceptedInsuranceByState":{"NY":["Goldenrod PPO"]},"appointmentTypes":[{"id":101,"name":"New patient visit","states":["NY"],"description":"A first visit."}],"statesLicensed":["NY"],"statesAcceptingPatients":["NY"]}"#;

fn page(total: usize, limit: i64, offset: i64, providers: &[&str]) -> String {
    format!(r#"{{"total":{total},"limit":{limit},"offset":{offset},"providers":[{}]}}"#, providers.join(","))
}

#[test]
fn catalog_answers_have_the_specifications_fields_in_its_order() {
    let both = r#"{"id":101,"name":"New patient visit","description":"A first visit.","modality":"video","newPatientEligible":true,"states":["CA","NY"]}"#;
    let message = r#"{"id":201,"name":"Message visit","description":"By message.","modality":"async","newPatientEligible":false,"states":["CA"]}"#;
    for (target, body) in [
        ("/v1/states", STATES.to_owned()),
        ("/v1/states/", STATES.to_owned()),
        ("/v1/insurances", r#"{"state":null,"insurances":["Goldenrod PPO","Harbor Mutual HMO"]}"#.to_owned()),
        (
            "/v1/insurances?state=",
            r#"{"state":null,"insurances":["Goldenrod PPO","Harbor Mutual HMO"]}"#.to_owned(),
        ),
        ("/v1/insurances?state=new%20york", r#"{"state":"NY","insurances":["Goldenrod PPO"]}"#.to_owned()),
        ("/v1/insurances?state=PR", r#"{"state":"PR","insurances":[]}"#.to_owned()),
        ("/v1/appointment-types", format!(r#"{{"state":null,"appointmentTypes":[{both},{message}]}}"#)),
        (
            "/v1/appointment-types?state=ny",
            format!(r#"{{"state":"NY","appointmentTypes":[{}]}}"#, both.replace(r#""CA","NY""#, r#""NY""#)),
        ),
        ("/v1/appointment-types?state=AK", r#"{"state":"AK","appointmentTypes":[]}"#.to_owned()),
        ("/v1/providers/ann-one", ANN.to_owned()),
        ("/v1/providers/bo-two", BO.to_owned()),
    ] {
        assert_eq!(ask(target).unwrap(), body, "{target}");
    }
}

#[test]
fn providers_are_filtered_by_every_filter_together_and_paged() {
    for (query, expected) in [
        ("", page(2, 10, 0, &[ANN, BO])),
        // Licensure and not acceptance: Ann isn't accepting new patients in New York.
        ("?state=NY", page(2, 10, 0, &[ANN, BO])),
        ("?state=california", page(1, 10, 0, &[ANN])),
        ("?state=GU", page(0, 10, 0, &[])),
        ("?insurance=harbor+mutual+hmo", page(1, 10, 0, &[ANN])),
        ("?insurance=%20Goldenrod%20PPO%20", page(2, 10, 0, &[ANN, BO])),
        // With a state the plan must be taken there.
        ("?insurance=Harbor%20Mutual%20HMO&state=NY", page(0, 10, 0, &[])),
        ("?insurance=Goldenrod%20PPO&state=NY", page(2, 10, 0, &[ANN, BO])),
        ("?providerType=NURSEPRACTITIONER", page(1, 10, 0, &[BO])),
        ("?gender=Female&providerType=physician&state=CA&insurance=goldenrod%20ppo", page(1, 10, 0, &[ANN])),
        ("?gender=nonBinary", page(0, 10, 0, &[])),
        ("?limit=1", page(2, 1, 0, &[ANN])),
        ("?limit=1&offset=1", page(2, 1, 1, &[BO])),
        ("?limit=0", page(2, 1, 0, &[ANN])),
        ("?limit=-7", page(2, 1, 0, &[ANN])),
        ("?limit=101", page(2, 100, 0, &[ANN, BO])),
        ("?limit=99999999999999999999", page(2, 100, 0, &[ANN, BO])),
        ("?offset=-99999999999999999999", page(2, 10, 0, &[ANN, BO])),
        ("?offset=2", page(2, 10, 2, &[])),
        ("?offset=99999999999999999999", page(2, 10, i64::MAX, &[])),
        // The last of a repeated parameter wins, also when it is empty.
        ("?state=CA&state=NY", page(2, 10, 0, &[ANN, BO])),
        ("?state=XX&state=CA", page(1, 10, 0, &[ANN])),
        ("?state=CA&state=", page(2, 10, 0, &[ANN, BO])),
        ("?State=CA&unknown=1", page(2, 10, 0, &[ANN, BO])),
    ] {
        assert_eq!(ask(&format!("/v1/providers{query}")).unwrap(), expected, "{query}");
    }
}

#[test]
fn errors_have_their_status_code_and_message() {
    let long = "x".repeat(100);
    for (target, status, code, message) in [
        ("/v1/insurances?state=XX", 400, "SPONSOR_NOT_COVERED", "invalid state code: XX".to_owned()),
        (
            "/v1/providers?state=Californa",
            400,
            "SPONSOR_NOT_COVERED",
            "invalid state code: Californa".to_owned(),
        ),
        ("/v1/appointment-types?state=%00", 400, "SPONSOR_NOT_COVERED", "invalid state code: %00".to_owned()),
        ("/v1/appointment-types?state=%zz", 400, "SPONSOR_NOT_COVERED", "invalid state code: %zz".to_owned()),
        ("/v1/availability?state=%ff", 400, "SPONSOR_NOT_COVERED", "invalid state code: %ff".to_owned()),
        (
            "/v1/availability?state=%3Cscript%3E",
            400,
            "SPONSOR_NOT_COVERED",
            "invalid state code: <script>".to_owned(),
        ),
        (
            "/v1/availability?state=a%0d%0ab",
            400,
            "SPONSOR_NOT_COVERED",
            "invalid state code: a\u{fffd}\u{fffd}b".to_owned(),
        ),
        (
            &format!("/v1/insurances?state={long}"),
            400,
            "SPONSOR_NOT_COVERED",
            format!("invalid state code: {}", "x".repeat(64)),
        ),
        ("/v1/availability", 400, "INVALID_PARAMETER", "invalid parameter: state is required".to_owned()),
        (
            "/v1/availability?state=",
            400,
            "INVALID_PARAMETER",
            "invalid parameter: state is required".to_owned(),
        ),
        (
            "/v1/availability?state=CA&limit=ten",
            400,
            "INVALID_PARAMETER",
            "invalid parameter: limit must be a whole number".to_owned(),
        ),
        (
            "/v1/availability?state=CA&limit=5.0",
            400,
            "INVALID_PARAMETER",
            "invalid parameter: limit must be a whole number".to_owned(),
        ),
        (
            "/v1/availability?state=CA&appointmentType=1e2",
            400,
            "INVALID_PARAMETER",
            "invalid parameter: appointmentType must be a whole number".to_owned(),
        ),
        (
            "/v1/providers?providerType=doctor",
            400,
            "INVALID_PARAMETER",
            "invalid parameter: providerType must be one of physician, nursePractitioner".to_owned(),
        ),
        (
            "/v1/providers?gender=x",
            400,
            "INVALID_PARAMETER",
            "invalid parameter: gender must be one of female, male, nonBinary, other, preferNotToSay"
                .to_owned(),
        ),
        (
            "/v1/providers?insurance=Nope",
            400,
            "INVALID_INSURANCE",
            "invalid insurance: Nope; accepted here: Goldenrod PPO, Harbor Mutual HMO".to_owned(),
        ),
        (
            "/v1/providers/unlisted-person",
            404,
            "PROVIDER_NOT_FOUND",
            "provider not found: unlisted-person".to_owned(),
        ),
        (
            "/v1/providers/Ann-One",
            404,
            "PROVIDER_NOT_FOUND",
            "provider not found: Ann-One; did you mean ann-one?".to_owned(),
        ),
        (
            "/v1/providers/%20ann-one",
            404,
            "PROVIDER_NOT_FOUND",
            "provider not found:  ann-one; did you mean ann-one?".to_owned(),
        ),
        ("/v1/providers/old-doc", 404, "PROVIDER_NOT_FOUND", "provider not found: old-doc".to_owned()),
        ("/v1/providers/a%2Fb", 404, "PROVIDER_NOT_FOUND", "provider not found: a/b".to_owned()),
        (
            "/v1/providers/%ff",
            400,
            "INVALID_PARAMETER",
            "invalid parameter: slug must be percent-encoded UTF-8".to_owned(),
        ),
        (
            "/v1/availability?state=CA&provider=unlisted-person",
            404,
            "PROVIDER_NOT_FOUND",
            "provider not found: unlisted-person".to_owned(),
        ),
        ("/v1/providers/a/b", 404, "NOT_FOUND", "there is nothing at this path".to_owned()),
        ("/v2/states", 404, "NOT_FOUND", "there is nothing at this path".to_owned()),
    ] {
        let fault = ask(target).unwrap_err();
        assert_eq!((fault.kind().status(), fault.kind().code()), (status, code), "{target}");
        assert_eq!(fault.message(), message, "{target}");
        assert_eq!(
            serde_json::from_slice::<Value>(&fault.body()).unwrap(),
            json!({"code": code, "message": message}),
            "{target}"
        );
    }
}

#[test]
fn names_that_mean_nothing_are_kept_each_once_in_order() {
    let request =
        Request::from_path_and_query("/v1/providers", Some("b=1&a=2&b=3&state=CA&Limit=1&slug=x&=y"))
            .unwrap();
    assert_eq!(request.ignored(), ["b", "a", "Limit", "slug", ""]);
    let many: Vec<_> = (0..2700).map(|number| format!("n{number}")).collect();
    let request = Request::from_path_and_query("/v1/states", Some(&many.join("&"))).unwrap();
    assert_eq!(request.ignored(), &many[..11], "only the first names are kept, and one more");
    assert!(Request::from_path_and_query("/v1/states", Some("%zz=1")).is_err());
    assert!(Request::from_path_and_query("/v1/states", Some("x=%zz")).is_ok());
    // The same names where the rest is a mistake.
    let query = "b=1&a=2&b=3&state=Narnia&Limit=1&slug=x&=y";
    assert!(Request::from_path_and_query("/v1/providers", Some(query)).is_err());
    assert_eq!(Request::ignored_of("/v1/providers", query), ["b", "a", "Limit", "slug", ""]);
    assert!(Request::ignored_of("/v1/nowhere", query).is_empty());
}

#[test]
fn a_path_alone_asks_what_it_asks_with_an_empty_query() {
    for operation in &OPERATIONS {
        let path = operation.path.replace("{slug}", "jane-doe");
        let (alone, empty) =
            (Request::from_path_and_query(&path, None), Request::from_path_and_query(&path, Some("")));
        assert_eq!(alone.as_ref().ok(), empty.as_ref().ok(), "{path}");
        let needs_more =
            operation.parameters.iter().any(|parameter| parameter.required && parameter.name != "slug");
        assert_eq!(alone.is_err(), needs_more, "{path}");
    }
}

#[test]
fn a_former_slug_is_answered_with_todays_profile_and_where_it_is() {
    let clinic = clinic();
    let answer = |path: &str| {
        clinic.answer(&Request::from_path_and_query(path, None).unwrap(), NOW.parse().unwrap()).unwrap()
    };
    let moved = answer("/v1/providers/ann-zero");
    assert_eq!((moved.moved_path(), &moved.body()[..]), (Some("/v1/providers/ann-one"), ANN.as_bytes()));
    assert_eq!(answer("/v1/providers/ann-one").moved_path(), None);
    assert_eq!(answer("/v1/providers/ann-one").caching(), Caching::Catalog);
    assert_eq!(
        answer("/v1/states").etag().to_string(),
        etag::EntityTag::from_data(STATES.as_bytes()).to_string()
    );
}
