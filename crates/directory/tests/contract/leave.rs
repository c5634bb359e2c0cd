//! Leaves, and visits of current patients, on the demo clinic. The expected clinicians were read in its content files.

#![expect(clippy::disallowed_methods, reason = "the files of the demo are read, so that one can differ")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use chrono::{DateTime, NaiveDate, Utc};
use directory::content::{Entries, load_and_check_entries};
use directory::{Request, Snapshot};
use serde_json::{Value, json};

const GRACE: &str = "providers/grace-kealoha.toml";
const PLANS: &str = "\n[insurance]\n";

/// The demo clinic with lines in Grace Kealoha's file.
fn demo_with(lines: &str) -> Snapshot {
    demo_with_all(&[(GRACE, lines)])
}

/// The demo clinic with lines in these files, above the plans.
fn demo_with_all(added: &[(&str, &str)]) -> Snapshot {
    let content = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../content");
    let mut entries = Entries::default();
    let mut folders = vec![content.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(&content).unwrap().to_str().unwrap().to_owned();
            let mut bytes = fs::read(&path).unwrap();
            for (_, lines) in added.iter().filter(|(path, _)| *path == name) {
                let text = String::from_utf8(bytes).unwrap();
                assert!(text.contains(PLANS));
                bytes = text.replace(PLANS, &format!("\n{lines}{PLANS}")).into();
            }
            entries.add(&name, bytes.into()).unwrap();
        }
    }
    let today = NaiveDate::from_ymd_opt(2026, 11, 21).unwrap();
    Snapshot::new(load_and_check_entries(entries, today).unwrap().directory)
}

fn ask(demo: &Snapshot, target: &str, now: &str) -> Value {
    let now: DateTime<Utc> = now.parse().unwrap();
    let answer = demo.answer(&Request::from_target(target).unwrap(), now).unwrap();
    serde_json::from_slice(answer.body()).unwrap()
}

fn answer(demo: &Snapshot, query: &str, now: &str) -> Value {
    ask(demo, &format!("/v1/availability?{query}"), now)
}

/// The clinicians with an opening.
fn clinicians(demo: &Snapshot, query: &str) -> BTreeSet<String> {
    let answer = answer(demo, &format!("{query}&onePer=provider&limit=200"), "2026-11-21T12:00:00Z");
    let slots = answer["slots"].as_array().unwrap().iter();
    slots.map(|slot| slot["providerSlug"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn current_patients_find_their_visits_wherever_the_clinician_is_licensed() {
    let demo = demo_with("");
    for (state, before, added) in [
        ("AZ", 2, &["annelise-bjork", "ingrid-solheim"][..]),
        ("CA", 4, &["grace-kealoha"]),
        ("FL", 3, &["ingrid-solheim"]),
        ("PA", 2, &["ingrid-solheim"]),
        ("TX", 4, &["ingrid-solheim", "lucia-ibanez"]),
    ] {
        let found = clinicians(&demo, &format!("state={state}&appointmentType=102"));
        assert_eq!(found.len(), before + added.len(), "{state}: {found:?}");
        assert!(added.iter().all(|slug| found.contains(*slug)), "{state}: {found:?}");
        // A search without a visit type may be a new patient's.
        let any = clinicians(&demo, &format!("state={state}"));
        assert!(!added.iter().any(|slug| any.contains(*slug)), "{state}: {any:?}");
    }
    let reason =
        answer(&demo, "state=CA&appointmentType=102&newPatients=true&explain=true", "2026-11-21T12:00:00Z");
    assert_eq!(reason["reason"]["code"], "TYPE_NOT_OFFERED");
}

#[test]
fn a_paused_clinician_has_openings_for_current_patients_alone() {
    // She is licensed in California and Hawaii, and accepts new patients in Hawaii; follow-ups are not held there.
    let has = |demo: &Snapshot, query: &str| clinicians(demo, query).contains("grace-kealoha");
    for (lines, is_open) in [("", true), ("status = \"paused\"\n", false)] {
        let demo = demo_with(lines);
        assert_eq!(has(&demo, "state=HI&appointmentType=101"), is_open);
        assert_eq!(has(&demo, "state=HI"), is_open);
        assert!(has(&demo, "state=CA&appointmentType=102"));
    }
}

#[test]
fn profiles_and_lists_say_who_is_on_leave_and_when() {
    let demo =
        demo_with("[[leave]]\nfrom = 2026-12-01\nuntil = 2027-03-01\n\n[[leave]]\nfrom = 2027-06-01\n");
    let expected =
        json!([{ "from": "2026-12-01", "until": "2027-03-01" }, { "from": "2027-06-01", "until": null }]);
    let now = "2026-12-05T12:00:00Z";
    assert_eq!(ask(&demo, "/v1/providers/grace-kealoha", now)["leave"], expected);
    for list in ["/v1/providers", "/v1/providers/summary"] {
        let page = ask(&demo, &format!("{list}?limit=100"), now);
        for one in page["providers"].as_array().unwrap() {
            let leave = (one["slug"] == "grace-kealoha").then_some(&expected);
            assert_eq!(one.get("leave"), leave, "{list}: {}", one["slug"]);
        }
    }
}

#[test]
fn an_empty_list_says_that_the_clinician_is_on_leave() {
    let demo = demo_with("[[leave]]\nfrom = 2026-12-01\nuntil = 2027-03-01\n");
    let message = |demo: &Snapshot, query: &str, now: &str| {
        let answer = answer(demo, &format!("state=HI&provider=grace-kealoha&explain=true{query}"), now);
        let reason = &answer["reason"];
        reason["message"].as_str().map(|message| format!("{}: {message}", reason["code"].as_str().unwrap()))
    };
    assert_eq!(message(&demo, "", "2026-11-22T12:00:00Z"), None);
    for (query, now, expected) in [
        ("", "2026-12-05T12:00:00Z", "is on leave until March 1. I can look for someone else."),
        (
            "&from=2026-12-02T00:00:00Z",
            "2026-11-22T12:00:00Z",
            "is on leave from December 1 until March 1. I can look for someone else.",
        ),
        // Her week begins on Tuesday at seven in Honolulu, and March 1 is a Monday.
        (
            "&horizonDays=3",
            "2027-02-20T12:00:00Z",
            "is on leave until March 1. The next opening after that is March 2 at 5:00 PM UTC. I can look for someone else.",
        ),
    ] {
        let expected = format!("PROVIDER_ON_LEAVE: Grace Kealoha {expected}");
        assert_eq!(message(&demo, query, now).unwrap(), expected);
    }
    let back = message(&demo, "", "2027-02-28T12:00:00Z");
    assert_eq!(back, None);
    let demo = demo_with("[[leave]]\nfrom = 2026-12-01\n");
    let expected =
        "PROVIDER_ON_LEAVE: Grace Kealoha is on leave until further notice. I can look for someone else.";
    assert_eq!(message(&demo, "", "2026-12-05T12:00:00Z").unwrap(), expected);
    let demo = demo_with("[[leave]]\nfrom = 2026-12-01\nuntil = 2028-01-10\n");
    let expected =
        "PROVIDER_ON_LEAVE: Grace Kealoha is on leave until January 10, 2028. I can look for someone else.";
    assert_eq!(message(&demo, "", "2026-12-05T12:00:00Z").unwrap(), expected);
}

#[test]
fn a_list_without_a_clinician_says_that_all_who_match_are_on_leave() {
    let until = |date| format!("[[leave]]\nfrom = 2026-12-01\nuntil = {date}\n");
    let (grace, ingrid) = (until("2027-03-01"), until("2027-04-01"));
    let reason = |added: &[(&str, &str)], query: &str| {
        answer(&demo_with_all(added), &format!("{query}&explain=true"), "2026-12-05T12:00:00Z")["reason"]
            .clone()
    };
    for (added, query, rest) in [
        (
            &[(GRACE, &*grace)][..],
            "state=HI&providerType=nursePractitioner",
            "No one else matches in Hawaii.",
        ),
        (
            &[(GRACE, &*grace), ("providers/ingrid-solheim.toml", &*ingrid)],
            "state=HI",
            "Everyone else who matches in Hawaii is on leave, too.",
        ),
    ] {
        let message = format!("Grace Kealoha is on leave until March 1. {rest}");
        assert_eq!(reason(added, query), json!({ "code": "PROVIDER_ON_LEAVE", "message": message }));
    }
    assert_eq!(reason(&[(GRACE, &grace)], "state=HI"), json!(null));
}

#[test]
fn an_empty_list_leads_current_patients_to_their_visits() {
    let demo = demo_with("status = \"paused\"\n");
    let message = |query: &str| {
        let answer = answer(&demo, &format!("{query}&explain=true"), "2026-11-21T12:00:00Z");
        answer["reason"]["message"].as_str().unwrap().to_owned()
    };
    let closed = "Grace Kealoha is licensed in California but isn't accepting new patients there.";
    let current = " Are you a current patient? Then I can look for Follow-up visit.";
    assert_eq!(message("state=CA&provider=grace-kealoha"), format!("{closed}{current}"));
    assert_eq!(message("state=CA&provider=grace-kealoha&newPatients=true"), closed);
}
