//! Tests of the rules. Each test writes its own content and rows.

mod sources;

use bytes::Bytes;
use chrono::NaiveDate;

use super::*;
use directory::content::{Entries, load_and_check_entries};
use directory::statements::Rule;

fn day(year: i32, month: u32, day: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(year, month, day).unwrap()
}

fn today() -> NaiveDate {
    day(2026, 11, 22)
}

const JANE: &str = "id = \"prov-1\"\ndisplay-name = \"Jane Doe\"\ncredentials = \"MD\"\nprovider-type = \"physician\"\ngender = \"female\"\nbio = \"She sees adults.\"\nlicensed = [\"CA\", \"TX\"]\naccepting = [\"CA\"]\nappointment-types = [101]\nnpi = \"9941339100\"\n\n[insurance]\nall = [\"Goldenrod PPO\"]\n\n[[license]]\nstate = \"CA\"\nnumber = \"A 123456\"\nexpires = 2027-03-31\n";
const HOURS: &str =
    "timezone = \"America/Chicago\"\n[[weekly]]\ndays = [\"mon\"]\nhours = [\"09:00-12:00\"]\n";

/// A clinic with one clinician, and more files.
fn clinic(jane: &str, more: &[(&str, &str)]) -> Directory {
    let mut files = std::collections::BTreeMap::new();
    let mut add = |path: &str, text: &str| _ = files.insert(path.to_owned(), text.to_owned());
    add(
        "directory.toml",
        "name = \"A\"\ndescription = \"B\"\napi-url = \"https://a.example\"\nmcp-url = \"https://a.example/api/mcp\"\nsite-url = \"https://s.example\"\n",
    );
    add(
        "appointment-types.toml",
        "[[type]]\nid = 101\nname = \"New\"\ndescription = \"D\"\nmodality = \"video\"\nnew-patient-eligible = true\nduration = \"30m\"\nstates = \"all\"\n[[type]]\nid = 102\nname = \"Old\"\ndescription = \"D\"\nmodality = \"video\"\nnew-patient-eligible = false\nduration = \"30m\"\nstates = \"all\"\n[[type]]\nid = 201\nname = \"Message\"\ndescription = \"D\"\nmodality = \"async\"\nnew-patient-eligible = true\nstates = [\"CA\"]\n",
    );
    add("insurances.toml", "[[plan]]\nname = \"Goldenrod PPO\"\n[[plan]]\nname = \"Blue Mesa\"\n");
    add("providers/jane-doe.toml", jane);
    add("availability/jane-doe.toml", HOURS);
    for (path, text) in more {
        add(path, text);
    }
    let mut entries = Entries::default();
    for (path, text) in files {
        entries.add(&path, Bytes::from(text)).unwrap();
    }
    match load_and_check_entries(entries, today()) {
        Ok(checked) => checked.directory,
        Err(error) => panic!("{error:?}"),
    }
}

/// Returns the rule and the strength of each finding.
fn found(directory: &Directory, sources: &[AuditSource]) -> Vec<(&'static str, Strength)> {
    let audit = audit(directory, sources, false, today());
    assert_eq!(audit.rejected, []);
    audit.findings.iter().map(|finding| (finding.rule.word(), finding.strength)).collect()
}

fn source(rows: SourceRows) -> AuditSource {
    let as_of = day(2026, 11, 15);
    AuditSource { file: "list.csv".to_owned(), as_of, row_count: 10, previous_row_count: None, rows }
}

#[test]
fn correct_content_has_no_finding() {
    assert_eq!(found(&clinic(JANE, &[]), &[]), []);
}

#[test]
fn an_entry_that_contradicts_itself_is_certain() {
    for (from, to, rule) in [
        ("\"MD\"", "\"MD, MSCP\"", "certified"),
        ("2027-03-31", "2026-11-21", "license-over"),
        ("[101]", "[102]", "no-way-in"),
        ("[101]", "[102, 201]", ""),
        ("2027-03-31", "2026-12-01", "ends-soon"),
    ] {
        let jane = JANE.replace(from, to);
        let expected = match rule {
            "" => vec![],
            "ends-soon" => vec![(rule, Strength::Question)],
            rule => vec![(rule, Strength::Certain)],
        };
        assert_eq!(found(&clinic(&jane, &[]), &[]), expected, "{to}");
    }
    // Renewed under another number, or in a state that is not in `licensed`.
    let renewed = JANE.replace("2027-03-31", "2020-03-31")
        + "\n[[license]]\nstate = \"CA\"\nnumber = \"B 1\"\nexpires = 2028-03-31\n";
    assert_eq!(found(&clinic(&renewed, &[]), &[]), []);
    let last_day = renewed.replace("2028-03-31", "2026-11-22");
    assert_eq!(found(&clinic(&last_day, &[]), &[]), [("ends-soon", Strength::Question)]);
    let elsewhere =
        JANE.to_owned() + "\n[[license]]\nstate = \"NY\"\nnumber = \"B 1\"\nexpires = 2020-03-31\n";
    assert_eq!(found(&clinic(&elsewhere, &[]), &[]), []);
}

#[test]
fn only_the_menopause_society_itself_certifies() {
    for (issuer, is_theirs) in [
        ("The Menopause Society", true),
        ("north american menopause society", true),
        ("British Menopause Society", false),
        ("International Menopause Society", false),
        ("Australasian Menopause Society", false),
    ] {
        let jane = format!("{JANE}\n[[certifications]]\nissuer = \"{issuer}\"\nname = \"Practitioner\"\n");
        let expected = if is_theirs { vec![("certified", Strength::Certain)] } else { vec![] };
        assert_eq!(found(&clinic(&jane, &[]), &[]), expected, "{issuer}");
    }
}

#[test]
fn missing_hours_and_hours_that_begin_later_contradict_nothing() {
    for (hours, is_found) in [
        ("timezone = \"America/Chicago\"\n", false),
        (&*format!("{HOURS}[effective]\nfrom = 2027-06-01\n"), false),
        (&*format!("{HOURS}[effective]\nuntil = 2026-11-20\n"), true),
        (&*format!("{HOURS}[[exception]]\nkind = \"off\"\nfrom = 2026-11-20\nto = 2027-06-01\n"), true),
        (&*HOURS.replace("hours =", "types = [101]\nhours ="), false),
    ] {
        let directory = clinic(JANE, &[("availability/jane-doe.toml", hours)]);
        let expected = if is_found { vec![("no-way-in", Strength::Certain)] } else { vec![] };
        assert_eq!(found(&directory, &[]), expected, "{hours}");
        // With a feed of open slots, hours are not checked.
        assert_eq!(audit(&directory, &[], true, today()).findings, []);
    }
}

#[test]
fn a_registry_row_is_compared_by_npi_and_by_words_of_the_name() {
    let row = RegistryRow {
        line: 7,
        npi: "9941339100".to_owned(),
        names: vec!["JANE SMITH".to_owned()],
        sex: "F".to_owned(),
        taxonomies: vec!["207V00000X".to_owned()],
        ..RegistryRow::default()
    };
    let directory = clinic(JANE, &[]);
    let judged = |row: RegistryRow| found(&directory, &[source(SourceRows::Registry(vec![row]))]);
    assert_eq!(judged(row.clone()), []);
    let stranger = RegistryRow { names: vec!["ANN LEE".to_owned()], ..row.clone() };
    assert_eq!(judged(stranger.clone()), [("npi-stranger", Strength::Question)]);
    let dentist = RegistryRow { taxonomies: vec!["122300000X".to_owned()], ..stranger };
    assert_eq!(judged(dentist), [("npi-stranger", Strength::Likely)]);
    let off = RegistryRow { deactivated: Some(day(2020, 1, 1)), ..row.clone() };
    assert_eq!(judged(off.clone()), [("npi-off", Strength::Certain)]);
    assert_eq!(judged(RegistryRow { reactivated: Some(day(2020, 2, 1)), ..off }), []);
    assert_eq!(
        judged(RegistryRow { is_organization: true, ..row }),
        [("npi-organization", Strength::Certain)]
    );
}

#[test]
fn a_license_is_invalid_only_if_every_row_of_the_person_is() {
    let row = |name: &str, is_valid: Option<bool>| BoardRow {
        line: 3,
        license_key: license_key("A-0123456"),
        name: name.to_owned(),
        status: "Surrendered".to_owned(),
        is_valid,
    };
    let directory = clinic(JANE, &[]);
    let judged = |rows: Vec<BoardRow>| {
        let types = vec![directory::model::ProviderType::Physician];
        let board = Board { state: "CA".parse().unwrap(), types, rows };
        found(&directory, &[source(SourceRows::Board(board))])
    };
    assert_eq!(judged(vec![row("DOE, JANE", Some(false))]), [("board", Strength::Certain)]);
    assert_eq!(judged(vec![row("DOE, JANE", Some(false)), row("DOE, JANE", Some(true))]), []);
    assert_eq!(judged(vec![row("LEE, ANN", Some(false))]), []);
    assert_eq!(judged(vec![row("DOE, ANN", Some(false))]), [("board", Strength::Likely)]);
    assert_eq!(judged(vec![row("DOE", Some(false))]), [("board", Strength::Likely)]);
    assert_eq!(judged(vec![row("DOE, JANE", None)]), []);
    // On the date of the list, this license had ended, and another one was valid. So the entry agrees with the board.
    let rows = || vec![row("DOE, JANE", Some(false))];
    let ended = JANE.replace("2027-03-31", "2026-11-14");
    for (end, expected) in [("2026-11-14", true), ("2026-11-15", false), ("2027-03-31", false)] {
        let other = format!("\n[[license]]\nstate = \"CA\"\nnumber = \"B 1\"\nexpires = {end}\n");
        let types = vec![directory::model::ProviderType::Physician];
        let board = Board { state: "CA".parse().unwrap(), types, rows: rows() };
        let findings = found(&clinic(&(ended.clone() + &other), &[]), &[source(SourceRows::Board(board))]);
        assert_eq!(findings.contains(&("board", Strength::Certain)), expected, "{end}");
    }
    // A particle is not the name of one person.
    let types = vec![directory::model::ProviderType::Physician];
    let rows = vec![row("DE LA TORRE, ANA", Some(false))];
    let board = Board { state: "CA".parse().unwrap(), types, rows };
    let maria = clinic(&JANE.replace("Jane Doe", "Maria de la Cruz"), &[]);
    assert_eq!(found(&maria, &[source(SourceRows::Board(board))]), []);
}

#[test]
fn a_board_is_rejected_by_the_share_of_clinicians_and_not_of_licenses() {
    // Each clinician has two licenses. Four of 80 clinicians are 5 percent, and four of 79 are more.
    for (clinicians, is_rejected) in [(80, false), (79, true)] {
        let second = "\n[[license]]\nstate = \"CA\"\nnumber = \"SECOND\"\nexpires = 2028-03-31\n";
        let file = |number: usize| {
            JANE.replace("prov-1", &format!("prov-9{number}"))
                .replace("Jane Doe", &format!("Jane Doe the {number}th"))
                .replace("npi = \"9941339100\"\n", "")
                .replace("A 123456", &format!("A 7{number}"))
                + &second.replace("SECOND", &format!("B 7{number}"))
        };
        let more: Vec<_> =
            (1..clinicians).map(|number| (format!("providers/jane-{number}.toml"), file(number))).collect();
        let files: Vec<_> = more.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let directory = clinic(&file(0), &files);
        let rows = (0..clinicians).flat_map(|number| {
            ["A", "B"].map(|letter| BoardRow {
                line: 3,
                license_key: license_key(&format!("{letter} 7{number}")),
                name: format!("Jane Doe the {number}th"),
                status: "Surrendered".to_owned(),
                is_valid: Some(number >= 4),
            })
        });
        let types = vec![directory::model::ProviderType::Physician];
        let board = Board { state: "CA".parse().unwrap(), types, rows: rows.collect() };
        let audit = audit(&directory, &[source(SourceRows::Board(board))], false, today());
        assert_eq!(audit.rejected.len(), usize::from(is_rejected), "{:?}", audit.rejected);
        assert!(audit.rejected.iter().all(|(_, why)| why.contains("with 4 of the 79 clinicians")));
    }
}

fn roster_row(until: Option<NaiveDate>) -> RosterRow {
    RosterRow {
        line: 2,
        npi: "9941339100".to_owned(),
        from: None,
        until,
        state: None,
        is_valid: None,
        is_accepting: None,
    }
}

fn roster(directory: &Directory, is_complete: bool, rows: Vec<RosterRow>) -> AuditSource {
    let plan = directory.plan_numbers().find(|plan| directory.plan(*plan).as_str() == "Goldenrod PPO");
    source(SourceRows::Roster(Roster { plan: plan.unwrap(), states: None, is_complete, rows }))
}

#[test]
fn an_accepted_finding_is_not_reported_until_its_date_passes_or_its_values_change() {
    let jane = JANE.replace("2027-03-31", "2026-11-21");
    let name = audit(&clinic(&jane, &[]), &[], false, today()).findings[0].name.clone();
    let allow =
        |until: &str| format!("[[audit]]\nfinding = \"{name}\"\nreason = \"looked up\"\nuntil = {until}\n");
    let (allowed, past) = (allow("2026-11-22"), allow("2026-11-21"));
    let accepted = audit(&clinic(&jane, &[("allow.toml", &allowed)]), &[], false, today());
    assert_eq!((accepted.findings.len(), accepted.allowed.len()), (0, 1));
    assert_eq!(found(&clinic(&jane, &[("allow.toml", &past)]), &[]).len(), 1);
    let other = jane.replace("2026-11-21", "2026-11-20");
    assert_eq!(found(&clinic(&other, &[("allow.toml", &allowed)]), &[]).len(), 1);
    // The hash was computed with Python, over the rule's first spelling, which is read, too.
    assert_eq!(name, "license-over-c141e4ec");
    let first = allowed.replace("license", "licence");
    assert_eq!(found(&clinic(&jane, &[("allow.toml", &first)]), &[]), []);
}

#[test]
fn pairs_are_reported_once() {
    let degree = "\n[[education]]\ndegree = \"MD\"\nfield = \"Medicine\"\ninstitution = \"A\"\nyear = 2009\n";
    let jane = JANE.to_owned() + degree;
    let twin = jane
        .replace("prov-1", "prov-2")
        .replace("npi = \"9941339100\"\n", "")
        .replace("accepting = [\"CA\"]", "accepting = []")
        .replace("A 123456", "A 99");
    let directory = clinic(&jane, &[("providers/jane-roe.toml", &twin)]);
    assert_eq!(found(&directory, &[]), [("twin", Strength::Likely)]);
    let copy = |name: &str, bio: &str| twin.replace("Jane Doe", name).replace("She sees adults.", bio);
    // Initials and particles are in every text, and do not mention the clinician.
    for (name, bio) in [
        ("Ann Lee", "Dr. Jane Doe listens."),
        ("Ann Lee", "Jane Doe's practice is calm."),
        ("Ann Lee", "Jane Doe’s practice is calm."),
        ("Mary A. Jones", "Jane Doe is a physician."),
        ("Ana de Leon", "Jane Doe viene de Lima."),
    ] {
        let directory = clinic(&jane, &[("providers/ann-lee.toml", &copy(name, bio))]);
        assert_eq!(found(&directory, &[]), [("bio-copied", Strength::Likely)], "{name}: {bio}");
    }
    let directory = clinic(&jane, &[("providers/ann-lee.toml", &copy("Ann Lee", "Jane Doe taught Ann."))]);
    assert_eq!(found(&directory, &[]), []);
    let directory = clinic(&copy("J. R.", "J. R. treats migraine."), &[]);
    assert_eq!(found(&directory, &[]), []);
    // Both colleagues' names begin with the same two words.
    for (bio, copied) in [("Jane Doe listens.", "jane-doe"), ("Jane Doe Roe listens.", "jane-roe")] {
        let (ann, roe) =
            (copy("Ann Lee", bio), copy("Jane Doe Roe", "She sees adults.").replace("prov-2", "prov-3"));
        let directory = clinic(&jane, &[("providers/ann-lee.toml", &ann), ("providers/jane-roe.toml", &roe)]);
        let findings = audit(&directory, &[], false, today()).findings;
        assert_eq!(findings.len(), 1, "{bio}: {findings:?}");
        assert!(format!("{:?}", findings[0].witness).contains(copied), "{bio}: {findings:?}");
    }
}

#[test]
fn the_demo_clinic_has_no_finding() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../content");
    let checked = directory::content::load_and_check(&folder, today()).unwrap();
    assert_eq!(audit(&checked.directory, &[], false, today()).findings, []);
}
