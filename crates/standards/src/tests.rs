//! Compares documents with those of `tests/cases/standards`, which other FHIR software has validated, and the manifest with
//! its files.

use std::collections::BTreeSet;

use serde_json::Value;

use super::test_content::{case, crowd, demo, edited, expected, now};
use super::*;
use directory::calendar::{Calendar, FeedEntries, FeedMode, Freshness, Instant, ProviderFeed};
use directory::model::Directory;

fn calendar(directory: &Directory) -> Calendar {
    Calendar::from_hours(directory, Instant::ceil(now()))
}

fn document(directory: &Directory, calendar: &Calendar, path: &str) -> Option<String> {
    let target = FhirTarget::parse(path)?;
    let document = FhirExport::new(directory).unwrap().answer(&target, calendar, now()).unwrap()?;
    Some(String::from_utf8(document.body).unwrap())
}

#[test]
fn documents_are_the_expected_ones() {
    let directory = case();
    let calendar = calendar(&directory);
    for name in [
        "Organization.ndjson",
        "Location.ndjson",
        "HealthcareService.ndjson",
        "Practitioner.ndjson",
        "PractitionerRole.ndjson",
        "Schedule.ndjson",
        "slots/2026-11-22.ndjson",
        "slots/2026-11-23.ndjson",
        "slots/2026-11-24.ndjson",
        "$bulk-publish",
    ] {
        let path = format!("fhir/{name}");
        assert_eq!(
            document(&directory, &calendar, &format!("/{path}")).as_deref(),
            Some(&*expected(&path)),
            "{name}"
        );
    }
}

#[test]
fn the_manifest_counts_lines_and_names_states() {
    let directory = demo();
    let calendar = calendar(&directory);
    let manifest: Value =
        serde_json::from_str(&document(&directory, &calendar, BULK_PUBLISH_PATH).unwrap()).unwrap();
    let output = manifest["output"].as_array().unwrap();
    assert_eq!(output.len(), 6 + 32);
    let (mut ids, mut references, mut slots) = (BTreeSet::new(), Vec::new(), 0);
    for file in output {
        let path = file["url"].as_str().unwrap().strip_prefix("https://api.larkspur.example").unwrap();
        let body = document(&directory, &calendar, path).unwrap();
        let lines: Vec<Value> = body.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(file["count"], lines.len(), "{path}");
        for line in &lines {
            assert_eq!(line["resourceType"], file["type"]);
            assert!(ids.insert(format!(
                "{}/{}",
                line["resourceType"].as_str().unwrap(),
                line["id"].as_str().unwrap()
            )));
            collect_references(line, &mut references);
        }
        slots += if file["type"] == "Slot" { lines.len() } else { 0 };
        let keys: Vec<(&str, &str)> = lines
            .iter()
            .map(|line| (line["start"].as_str().unwrap_or_default(), line["id"].as_str().unwrap()))
            .collect();
        assert!(keys.is_sorted(), "{path}");
    }
    assert!(slots > 10_000, "{slots}");
    assert!(references.iter().all(|reference| ids.contains(reference)));
}

fn collect_references(value: &Value, to: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            to.extend(fields.get("reference").and_then(Value::as_str).map(str::to_owned));
            fields.values().for_each(|value| collect_references(value, to));
        }
        Value::Array(values) => values.iter().for_each(|value| collect_references(value, to)),
        _ => {}
    }
}

#[test]
fn a_resource_read_by_id_equals_its_line() {
    let long = "x".repeat(60);
    for directory in [demo(), edited(&[("providers/sol.toml", "prov-0002", &long)])] {
        let calendar = calendar(&directory);
        for resource_type in &FHIR_RESOURCE_TYPES {
            let file = document(&directory, &calendar, &format!("/{}", resource_type.file_path())).unwrap();
            for line in file.lines() {
                let id = serde_json::from_str::<Value>(line).unwrap()["id"].as_str().unwrap().to_owned();
                assert!(id.len() <= 64, "{id}");
                let path = format!("/fhir/{}/{id}", resource_type.name);
                assert_eq!(document(&directory, &calendar, &path).as_deref(), Some(line), "{path}");
            }
            for id in ["", "nobody", "prov-0001.ZZ", "prov-0001.999", ".CA", "0101", "ca"] {
                assert_eq!(
                    document(&directory, &calendar, &format!("/fhir/{}/{id}", resource_type.name)),
                    None,
                    "{id}"
                );
            }
        }
    }
}

#[test]
fn unconfirmed_entries_say_so() {
    let directory = edited(&[
        ("directory.toml", "[standards]", "[accuracy]\nprofile = \"nsa\"\n\n[standards]"),
        ("providers/jane-doe.toml", "accepting = [\"CA\"]", "accepting = [\"CA\"]\nstatus = \"unconfirmed\""),
    ]);
    let calendar = calendar(&directory);
    for name in ["Practitioner", "PractitionerRole"] {
        let lines = document(&directory, &calendar, &format!("/fhir/{name}.ndjson")).unwrap();
        for line in lines.lines() {
            let resource: Value = serde_json::from_str(line).unwrap();
            let is_jane = resource["id"].as_str().unwrap().starts_with("prov-0001");
            // The URL and the code are those of the National Directory's guide.
            let url = "http://hl7.org/fhir/us/ndh/StructureDefinition/base-ext-verification-status";
            let found =
                resource["extension"].as_array().into_iter().flatten().find(|entry| entry["url"] == url);
            let code = found.map(|entry| &entry["valueCodeableConcept"]["coding"][0]["code"]);
            assert_eq!(code, is_jane.then_some(&Value::from("incomplete")), "{line}");
        }
    }
}

#[test]
fn a_leave_is_a_time_in_which_the_role_is_not_available_and_has_no_slots() {
    let leave =
        "[[leave]]\nfrom = 2026-11-23\nuntil = 2027-03-01\n\n[[leave]]\nfrom = 2027-06-01\n[insurance]";
    let directory = edited(&[("providers/jane-doe.toml", "[insurance]", leave)]);
    let calendar = calendar(&directory);
    let lines = document(&directory, &calendar, "/fhir/PractitionerRole.ndjson").unwrap();
    for line in lines.lines() {
        let role: Value = serde_json::from_str(line).unwrap();
        let is_jane = role["id"].as_str().unwrap().starts_with("prov-0001");
        // A FHIR period ends with its last day, the day before the first one back.
        let expected = serde_json::json!([
            { "description": "On leave", "during": { "start": "2026-11-23", "end": "2027-02-28" } },
            { "description": "On leave", "during": { "start": "2027-06-01" } },
        ]);
        assert_eq!(role.get("notAvailable"), is_jane.then_some(&expected), "{line}");
    }
    // Her hours are those of Mondays.
    let slots = document(&directory, &calendar, "/fhir/slots/2026-11-23.ndjson").unwrap();
    assert!(!slots.contains("prov-0001"), "{slots}");
}

#[test]
fn a_certificate_stated_as_flag_and_entry_is_published_once() {
    let names_and_issuers = |entries: &str| {
        let ours = "issuer = \"ABOG\"\nname = \"Obstetrics & Gynecology\"\n";
        let directory = edited(&[("providers/jane-doe.toml", ours, entries)]);
        let jane = document(&directory, &calendar(&directory), "/fhir/Practitioner/prov-0001").unwrap();
        let jane: Value = serde_json::from_str(&jane).unwrap();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let qualifications = jane["qualification"].as_array().unwrap().iter();
        let all =
            qualifications.map(|entry| [text(&entry["code"]["text"]), text(&entry["issuer"]["display"])]);
        // The first three are two licenses and a degree.
        all.skip(3).collect::<Vec<_>>()
    };
    let society = "The Menopause Society";
    for issuer in [society, "menopause society", "North American Menopause Society"] {
        let entry = format!("issuer = \"{issuer}\"\nname = \"NCMP\"\n");
        assert_eq!(names_and_issuers(&entry), [["NCMP", issuer]]);
    }
    let two = "issuer = \"The Menopause Society\"\nname = \"NCMP\"\n[[certifications]]\nissuer = \"The Menopause Society\"\nname = \"Fellow\"\n";
    assert_eq!(names_and_issuers(two), [["NCMP", society], ["Fellow", society]]);
    let other = "issuer = \"British Menopause Society\"\nname = \"Specialist\"\n";
    assert_eq!(
        names_and_issuers(other),
        [["Specialist", "British Menopause Society"], ["Menopause Society Certified Practitioner", society]]
    );
}

#[test]
fn unknown_facts_are_left_out() {
    let directory = edited(&[
        ("directory.toml", "publish-npis = true", ""),
        ("directory.toml", "npi          = \"9941339100\"", ""),
        ("directory.toml", "phone       = \"+1-510-555-0100\"", ""),
        ("directory.toml", "booking-url", "# booking-url"),
        (
            "providers/jane-doe.toml",
            "[[specialty]]\ncode = \"207V00000X\"\nname = \"Obstetrics & Gynecology\"",
            "",
        ),
        ("providers/jane-doe.toml", "accepting = [\"CA\"]", "accepting = []"),
        ("appointment-types.toml", "new-patient-eligible = false", "new-patient-eligible = true"),
    ]);
    let calendar = calendar(&directory);
    let all =
        ["Organization", "Location", "HealthcareService", "Practitioner", "PractitionerRole", "Schedule"]
            .map(|name| document(&directory, &calendar, &format!("/fhir/{name}.ndjson")).unwrap())
            .concat();
    for private in ["us-npi", "9120047185", "9941339100", "510-555", "207V", "null", "[]", "\"\""] {
        assert!(!all.contains(private), "{private}");
    }
    // Visit type 102 is offered only in California, where no clinician accepts new patients after the edit.
    let services = document(&directory, &calendar, "/fhir/HealthcareService.ndjson").unwrap();
    assert!(
        services
            .lines()
            .nth(1)
            .unwrap()
            .ends_with("\"comment\":\"For patients we know.\",\"appointmentRequired\":true}")
    );
    assert!(!document(&directory, &calendar, "/fhir/Schedule.ndjson").unwrap().contains("prov-0001"));
    let slots = document(&directory, &calendar, "/fhir/slots/2026-11-23.ndjson").unwrap();
    assert!(slots.contains("prov-0002") && !slots.contains("prov-0001") && !slots.contains("deep-link"));
    assert!(
        FhirExport::new(&edited(&[(
            "directory.toml",
            "[standards]\npublish-npis = true\nnpi          = \"9941339100\"",
            ""
        )]))
        .is_none()
    );
}

#[test]
fn time_changes_only_the_days_within_the_longest_notice() {
    let directory = demo();
    let export = FhirExport::new(&directory).unwrap();
    let at = |seconds: i64| now() + chrono::TimeDelta::seconds(seconds);
    let body = |target: &FhirTarget, seconds: i64| {
        let calendar = Calendar::from_hours(&directory, Instant::ceil(at(seconds)));
        export.answer(target, &calendar, at(seconds)).unwrap().map(|document| document.body)
    };
    let targets: Vec<FhirTarget> = export.files(now()).collect();
    let mut settled = 0;
    for target in &targets {
        let change = |seconds| export.change(target, &calendar(&directory), at(seconds));
        if change(0) == change(3600) {
            assert_eq!(body(target, 0), body(target, 3600), "{}", target.path());
            settled += 1;
        }
        // A document stays the same for a minute.
        assert_eq!(change(1), change(59));
        assert_eq!(body(target, 1), body(target, 59), "{}", target.path());
    }
    assert!(settled >= 6 + 28, "{settled}");
}

#[test]
fn slots_keep_each_clinicians_notice() {
    let directory = case();
    let export = FhirExport::new(&directory).unwrap();
    let monday = FhirTarget::parse("/fhir/slots/2026-11-23.ndjson").unwrap();
    let ids = |now: &str| {
        let now = now.parse().unwrap();
        let calendar = Calendar::from_hours(&directory, Instant::ceil(now));
        let body = export.answer(&monday, &calendar, now).unwrap().unwrap().body;
        let ids =
            |line: &str| serde_json::from_str::<Value>(line).unwrap()["id"].as_str().unwrap().to_owned();
        String::from_utf8(body).unwrap().lines().map(ids).collect::<Vec<_>>()
    };
    // Jane Doe's notice is two hours, Sol's one hour by default; Sol's first visit begins at 14:00 UTC.
    assert_eq!(ids("2026-11-23T13:00:00Z").len(), 4);
    assert_eq!(ids("2026-11-23T13:00:01Z").len(), 3);
    assert_eq!(ids("2026-11-23T21:30:00Z"), ["prov-0001.101.1795476600", "prov-0001.102.1795476600"]);
    assert_eq!(ids("2026-11-23T21:30:00.5Z"), Vec::<String>::new());
}

#[test]
fn a_late_feed_has_its_time_and_an_expired_one_gives_no_empty_list() {
    let directory = case();
    let export = FhirExport::new(&directory).unwrap();
    let as_of: Instant = "2026-11-22T17:48:07Z".parse().unwrap();
    let busy =
        |slug: &str| ProviderFeed { provider: slug.parse().unwrap(), entries: FeedEntries::Busy(Vec::new()) };
    let read = Calendar::with_feed(&directory, FeedMode::Busy, Instant::ceil(now()))
        .apply(&directory, &[busy("jane-doe"), busy("sol")]);
    let answer = |calendar: &Calendar, path: &str| {
        export.answer(&FhirTarget::parse(path).unwrap(), calendar, now()).map(|document| document.unwrap())
    };
    let stale = read.with_freshness(&directory, Freshness::Stale { as_of }, &[]);
    let manifest = answer(&stale, BULK_PUBLISH_PATH).unwrap();
    assert_eq!(manifest.as_of, Some(as_of));
    assert!(
        String::from_utf8(manifest.body).unwrap().contains("\"transactionTime\": \"2026-11-22T17:48:07Z\"")
    );
    let monday = "/fhir/slots/2026-11-23.ndjson";
    assert_eq!(answer(&stale, monday).unwrap().as_of, Some(as_of));
    assert_eq!(answer(&stale, "/fhir/Schedule.ndjson").unwrap().as_of, None);
    let slugs = |slugs: &[&str]| slugs.iter().map(|slug| slug.parse().unwrap()).collect::<Vec<_>>();
    let unknown = [
        Calendar::with_feed(&directory, FeedMode::Busy, Instant::ceil(now())),
        read.with_freshness(&directory, Freshness::Expired, &[]),
        read.with_freshness(&directory, Freshness::Fresh, &slugs(&["jane-doe", "sol"])),
    ];
    for calendar in &unknown {
        for path in [BULK_PUBLISH_PATH, monday] {
            assert_eq!(
                answer(calendar, path).unwrap_err().kind(),
                directory::FaultKind::AvailabilityUnavailable
            );
        }
        assert!(answer(calendar, "/fhir/Schedule.ndjson").is_ok());
    }
    let partly = read.with_freshness(&directory, Freshness::Fresh, &slugs(&["jane-doe"]));
    let slots = String::from_utf8(answer(&partly, monday).unwrap().body).unwrap();
    assert!(slots.contains("prov-0002") && !slots.contains("prov-0001"));
}

#[test]
fn only_published_days_have_a_file() {
    let directory = case();
    let calendar = calendar(&directory);
    let has = |day: &str| document(&directory, &calendar, &format!("/fhir/slots/{day}.ndjson")).is_some();
    assert!(has("2026-11-22") && has("2026-12-23"));
    assert!(!has("2026-11-21") && !has("2026-12-24") && !has("1970-01-01") && !has("2026-11-23/0"));
    assert!(!has("9999-12-31") && !has("0000-01-01"));
}

#[test]
fn the_statement_declares_what_is_served() {
    let directory = case();
    let statement = document(&directory, &calendar(&directory), "/fhir/metadata").unwrap();
    let statement: Value = serde_json::from_str(&statement).unwrap();
    let resources = statement["rest"][0]["resource"].as_array().unwrap();
    assert_eq!(resources.len(), FHIR_RESOURCE_TYPES.len());
    for resource in resources {
        assert_eq!(resource["interaction"], serde_json::json!([{"code": "read"}]));
        let name = resource["type"].as_str().unwrap();
        let file = document(&directory, &calendar(&directory), &format!("/fhir/{name}.ndjson")).unwrap();
        let first: Value = serde_json::from_str(file.lines().next().unwrap()).unwrap();
        let path = format!("/fhir/{name}/{}", first["id"].as_str().unwrap());
        assert!(document(&directory, &calendar(&directory), &path).is_some(), "{path}");
    }
    assert_eq!(statement["implementation"]["url"], "https://api.larkspur.example/fhir");
}

#[test]
fn a_large_clinic_has_several_files_for_a_day() {
    let directory = crowd(1001);
    let calendar = calendar(&directory);
    let manifest: Value =
        serde_json::from_str(&document(&directory, &calendar, BULK_PUBLISH_PATH).unwrap()).unwrap();
    let output = manifest["output"].as_array().unwrap();
    assert_eq!(output.len(), 6 + 2 * 32);
    let mut slots = 0;
    for number in 0..2 {
        let path = format!("/fhir/slots/2026-11-23/{number}.ndjson");
        let count = document(&directory, &calendar, &path).unwrap().lines().count();
        let listed =
            output.iter().find(|file| file["url"] == format!("https://api.larkspur.example{path}")).unwrap();
        assert_eq!(listed["count"], count);
        assert!(count > 800, "{count}");
        slots += count;
    }
    // Two first visits of each clinician.
    assert_eq!(slots, 2 * 1001);
    for other in ["2026-11-23.ndjson", "2026-11-23/2.ndjson"] {
        assert_eq!(document(&directory, &calendar, &format!("/fhir/slots/{other}")), None);
    }
}
