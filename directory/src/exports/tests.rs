//! Compares the files with those of `tests/cases/standards`, which outside readers have validated.

use super::*;
use crate::fhir::test_content::{case, edited, expected};

#[test]
fn the_insurers_file_is_the_expected_one() {
    let file = qhp(&case()).unwrap();
    assert_eq!(String::from_utf8(file.body.unwrap()).unwrap(), expected("exports/qhp-providers.json"));
    assert_eq!(
        file.note.as_deref(),
        Some("exports/qhp-providers.json leaves out 1 of 2 clinicians: 1 without `npi`")
    );
}

#[test]
fn the_insurers_file_is_left_out_with_a_reason() {
    let note = |name: &str, from: &str, to: &str| {
        let file = qhp(&edited(&[(name, from, to)]))?;
        assert_eq!(file.body, None);
        file.note
    };
    let directory = "directory.toml";
    assert_eq!(note("insurances.toml", "hios-ids", "# hios-ids"), None);
    assert!(note(directory, "publish-npis = true", "").unwrap().contains("publish-npis = true"));
    assert!(note(directory, "phone ", "# phone").unwrap().contains("[address]"));
    assert!(note(directory, "94607", "9460").unwrap().contains("[address]"));
    let jane = "providers/jane-doe.toml";
    for (from, to, why) in [
        ("[confirmed]\non = 2026-11-02\nby = \"clinician\"", "", "1 without `[confirmed]`"),
        (
            "[[specialty]]\ncode = \"207V00000X\"\nname = \"Obstetrics & Gynecology\"",
            "",
            "1 without `[[specialty]]`",
        ),
        ("all = [\"Amberline Choice PPO\"]", "", "1 without a plan with `hios-ids`"),
    ] {
        let note = note(jane, from, to).unwrap();
        assert!(note.contains("2 of 2") && note.contains(why), "{note}");
    }
}

#[test]
fn an_id_counts_in_its_own_state_alone() {
    let elsewhere = edited(&[("insurances.toml", "NY = [\"12345NY0010001\"]", "TX = [\"12345TX0010001\"]")]);
    let body = String::from_utf8(qhp(&elsewhere).unwrap().body.unwrap()).unwrap();
    assert!(body.contains("12345CA0010001") && !body.contains("12345TX0010001"), "{body}");
}

#[test]
fn the_submission_is_the_expected_one() {
    assert_eq!(String::from_utf8(npd(&case()).unwrap()).unwrap(), expected("exports/npd.csv"));
    let quoted = edited(&[("directory.toml", "\"Larkspur Health\"", "'Larkspur, \"Health\"'")]);
    let text = String::from_utf8(npd(&quoted).unwrap()).unwrap();
    assert!(
        text.contains("\r\n\"Larkspur, \"\"Health\"\"\",\"Larkspur, \"\"Health\"\"\",9120047185,de la Doe,"),
        "{text}"
    );
}

#[test]
fn a_submission_is_refused_with_its_reason() {
    let refused = |name, from, to| npd(&edited(&[(name, from, to)])).unwrap_err();
    let directory = "directory.toml";
    let standards = "[standards]\npublish-npis = true\nnpi          = \"9941339100\"";
    assert_eq!(refused(directory, standards, ""), NoSubmission::NoExport);
    assert_eq!(refused(directory, "publish-npis = true", ""), NoSubmission::PrivateNpis);
    assert_eq!(refused(directory, "city ", "# city"), NoSubmission::NoAddress);
    assert_eq!(refused("providers/jane-doe.toml", "npi = ", "# npi = "), NoSubmission::NoNpi);
}
