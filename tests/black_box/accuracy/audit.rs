//! `audit`, from content and lists to findings and requests.

use std::fs;

use serde_json::Value;

use super::{Clinic, NOW, code, path};
use crate::harness::{nameplate, root, text};

#[test]
fn the_demo_and_the_starter_have_no_alarm() {
    let printed = code(&nameplate(&["audit", "--fail-on", "likely", "--now", NOW]), 0);
    let expected = "Compared entries with each other only: 0 certain, 0 likely findings. For NPIs and licenses, add --sources";
    assert!(printed.contains(expected), "{printed}");
    let folder = tempfile::tempdir().unwrap();
    let starter = folder.path().join("starter");
    code(&nameplate(&["init", path(&starter)]), 0);
    code(&nameplate(&["audit", "--fail-on", "likely", "--now", NOW, "--content", path(&starter)]), 0);
}

const SOURCES: &str = "[[source]]\nkind = \"registry\"\nfile = \"registry.csv\"\nas-of = 2026-11-09\n\n[[source]]\nkind = \"exclusions\"\nfile = \"leie.csv\"\nas-of = 2026-11-08\n";
const REGISTRY: &str = "\"NPI\",\"Entity Type Code\",\"Provider Last Name (Legal Name)\",\"Provider First Name\",\"NPI Deactivation Date\"\n\"9120047185\",\"1\",\"OKONKWO\",\"AMARA\",\"03/15/2026\"\n\"1000000004\",\"1\",\"OTHER\",\"ANN\",\"\"\n";
const LEIE: &str = "LASTNAME,NPI,EXCLDATE,REINDATE,WAIVERDATE\nX,0000000000,20200101,00000000,00000000\nSOKOLIK,9321708452,20240520,00000000,00000000\n";

#[test]
fn each_output_format_has_the_finding_its_place_and_what_contradicts_it() {
    let clinic = Clinic::new();
    clinic.write("registry.csv", REGISTRY);
    clinic.write("leie.csv", LEIE);
    let sources = clinic.write("audit.toml", SOURCES);
    let history = clinic.path("audit/history.ndjson");
    let run = |format: &str| {
        code(
            &clinic.audit(&["--sources", path(&sources), "--format", format, "--history", path(&history)]),
            1,
        )
    };
    let shown = run("text");
    assert!(shown.contains("certain: the NPI 9120047185 was deactivated on 2026-03-15 [npi-off-"), "{shown}");
    assert!(shown.contains("amara-okonkwo.toml:15:7") && shown.contains("^^^^^^^^^^^^"), "{shown}");
    assert!(shown.contains("against registry.csv:2: deactivated 2026-03-15"), "{shown}");
    assert!(shown.contains("Yevgenia Sokolik is on the federal list of exclusions"), "{shown}");
    assert!(shown.contains("2 certain, 0 likely"), "{shown}");
    let json: Value = serde_json::from_str(&run("json")).unwrap();
    assert_eq!(json["certain"], 2);
    assert_eq!(json["findings"][0]["line"], 15);
    assert_eq!(json["findings"][0]["rule"], "npi-off");
    let annotation = run("github");
    assert!(
        annotation.starts_with("::error file=")
            && annotation.contains("amara-okonkwo.toml,line=15,col=7,title=npi-off-")
    );
    assert_eq!(fs::read_to_string(&history).unwrap().lines().count(), 3);

    // An accepted finding is not printed.
    let name = json["findings"][0]["name"].as_str().unwrap();
    let allow = format!("[[audit]]\nfinding = \"{name}\"\nreason = \"asked\"\nuntil = 2027-01-01\n");
    fs::write(clinic.content.join("allow.toml"), allow).unwrap();
    assert!(run("text").contains("\n1 certain, 0 likely findings; 1 accepted in allow.toml"));

    // Most rows of a source are gone since last time.
    clinic.write("registry.csv", REGISTRY.lines().next().unwrap().to_owned() + "\n");
    assert!(run("text").contains("registry.csv was rejected: it has 0 rows, and had 2 last time"));
}

#[test]
fn a_source_that_is_cut_off_wrongly_mapped_or_wrongly_encoded_is_refused_by_line_and_column() {
    let clinic = Clinic::new();
    clinic.write("leie.csv", LEIE);
    let sources = clinic.write("audit.toml", SOURCES);
    for (bytes, told) in [
        (
            REGISTRY.replace("\"03/15/2026\"", "\"March\"").into_bytes(),
            "registry.csv:2:5: \"March\" isn't a date",
        ),
        (REGISTRY.as_bytes()[..REGISTRY.len() - 9].to_vec(), "registry.csv:3:"),
        (
            REGISTRY.replace("\"NPI\"", "\"NPJ\"").into_bytes(),
            "registry.csv has no column \"NPI\": map it, such as columns = { npi = \"its name there\" }; its columns are \"NPJ\"",
        ),
        (
            REGISTRY.replace("ANN", "Ã©").bytes().filter(|byte| *byte != 0xc3).collect(),
            "registry.csv:3:4: this isn't UTF-8",
        ),
        (b"\xff\xfeN\0P\0".to_vec(), "registry.csv:1:1: this isn't UTF-8 text (perhaps UTF-16)"),
    ] {
        clinic.write("registry.csv", bytes);
        let output = clinic.audit(&["--sources", path(&sources)]);
        let printed = code(&output, 2);
        assert!(printed.contains(told), "{printed}");
        assert_eq!(text(&output.stdout), "", "nothing is printed");
    }
    clinic.write("registry.csv", REGISTRY);
    for (toml, told) in [
        (
            SOURCES.replace("\"registry\"", "\"registrar\""),
            "there is no \"registrar\": did you mean \"registry\"?",
        ),
        (
            SOURCES.replacen("]]", "]", 1),
            "audit.toml:1: This line opens a table but doesn't close it. Write ",
        ),
        ("[source]\nkind = \"registry\"\n".to_owned(), "write two brackets on each side of the table's name"),
        (SOURCES.replace("2026-11-09", "\"2026-11-09\""), "write a date without quotes, like 2026-11-26"),
        (
            SOURCES.replace("2026-11-09", "2026-11-09T00:00:00Z"),
            "audit.toml:1: as-of = 2026-11-09T00:00:00Z isn't a date",
        ),
        (SOURCES.replace("registry.csv", "registri.csv"), "registri.csv can't be read"),
        (
            format!("{SOURCES}columns = {{ nip = \"NPI\" }}\n"),
            "has no \"nip\": its keys are npi, on, reinstated, waived",
        ),
        (
            format!(
                "{SOURCES}\n[[source]]\nkind = \"roster\"\nfile = \"leie.csv\"\nas-of = 2026-11-08\nplan = \"Goldenrood\"\n"
            ),
            "did you mean \"Goldenrod PPO\"?",
        ),
    ] {
        clinic.write("audit.toml", toml);
        let printed = code(&clinic.audit(&["--sources", path(&sources)]), 2);
        assert!(printed.contains(told), "{printed}");
    }
}

#[test]
fn unknown_words_about_others_do_not_hide_ours() {
    let clinic = Clinic::new();
    let others = (10..40).map(|number| format!("1000000004,aword{number}\n")).collect::<Vec<_>>().concat();
    clinic.write("roster.csv", format!("NPI,Status\n{others}9120047185,zword\n"));
    let roster = "[[source]]\nkind = \"roster\"\nfile = \"roster.csv\"\nas-of = 2026-11-08\nplan = \"Goldenrod PPO\"\n\
                  columns = { status = \"Status\" }\n";
    let sources = clinic.write("audit.toml", roster);
    let printed = code(&clinic.audit(&["--sources", path(&sources), "--fail-on", "never"]), 0);
    assert!(printed.contains("roster.csv:32: \"zword\" is in neither `good` nor `bad`"), "{printed}");
    assert!(!printed.contains("aword"), "{printed}");
}

#[test]
fn what_lapsed_is_marked_only_in_its_file() {
    let clinic = Clinic::new();
    let file = clinic.provider("amara-okonkwo");
    code(&clinic.attest(&["amara-okonkwo", "--by", "clinician"]), 0);
    let confirmed = fs::read_to_string(&file).unwrap();
    assert!(code(&clinic.audit(&["--fix"]), 0).contains("0 entries lapsed"));
    assert_eq!(fs::read_to_string(&file).unwrap(), confirmed);
    let printed = code(&clinic.audit(&["--fix", "--now", "2027-03-01T00:00:00Z"]), 0);
    assert!(printed.contains("1 entry lapsed"), "{printed}");
    let marked = fs::read_to_string(&file).unwrap();
    assert_eq!(
        marked,
        confirmed.replace("id = \"prov-0001\"\n", "id = \"prov-0001\"\nstatus = \"unconfirmed\"\n")
    );
}

/// The corpus in small: benches/accuracy shares nothing with the rules.
#[test]
fn planted_mistakes_are_found_and_right_content_is_left_alone() {
    if !crate::edges::is_installed("python3") {
        return;
    }
    let mut bench = std::process::Command::new("python3");
    bench.arg(root().join("benches/accuracy")).arg(env!("CARGO_BIN_EXE_nameplate"));
    let output = bench.args(["--clinicians", "800", "--times", "2"]).output().unwrap();
    let printed = code(&output, 0);
    assert!(printed.contains("right content, 800 clinicians: 0 certain, 0 likely"), "{printed}");
    let all = printed.lines().find(|line| line.starts_with("all ")).unwrap();
    let columns: Vec<&str> = all.split_whitespace().collect();
    assert_eq!((columns[1], columns[2], columns[3]), ("28", "28", "0"), "{printed}");
}
