use std::fs;

use super::*;

fn today() -> NaiveDate {
    NaiveDate::from_ymd_opt(2026, 11, 27).unwrap()
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn file(clinic: &Clinic, path: &str) -> String {
    clinic.files().into_iter().find(|(known, _)| known == path).unwrap().1
}

fn refusal<T: std::fmt::Debug>(result: Result<T, Refusal>) -> String {
    result.unwrap_err().to_string()
}

/// The starter's files change: then each replaced text must still occur once.
#[test]
fn every_replaced_text_is_in_the_example_once() {
    let clinic = Clinic {
        name: Some("A".to_owned()),
        states: texts(&["NV"]),
        plans: texts(&["P"]),
        languages: texts(&["Spanish"]),
        phone: Some("212-555-0134".to_owned()),
        ..Clinic::default()
    };
    let without_plans = Clinic { plans: Vec::new(), ..clinic.clone() };
    for (from, _) in clinic.replacements().into_iter().chain(without_plans.replacements()) {
        let found: usize = STARTER.iter().map(|(_, text)| text.matches(from).count()).sum();
        assert_eq!(found, 1, "{from}");
    }
}

#[test]
fn each_state_gives_a_folder_with_only_the_warnings_of_the_example() {
    for state in StateCode::all() {
        let clinic = Clinic { states: texts(&[state.code()]), ..Clinic::default() };
        let mut entries = Entries::default();
        for (path, text) in clinic.files().into_iter().filter(|(path, _)| path.contains("toml")) {
            entries.add(&path, Bytes::from(text)).unwrap();
        }
        let checked = load_and_check_entries(entries, today()).unwrap();
        let others: Vec<_> =
            checked.warnings.problems().iter().filter(|warning| !warning.is_of_example()).collect();
        // Only the clinic knows where its notices are, and its phone number.
        let others: Vec<_> = others
            .iter()
            .filter(|warning| {
                !["[notices]", "Patients can't book"].iter().any(|what| warning.what().starts_with(what))
            })
            .collect();
        assert!(others.is_empty(), "{state}: {others:?}");
    }
}

#[test]
fn answers_are_in_the_files() {
    let clinic = Clinic { states: texts(&["ny", "Texas"]), ..Clinic::default() };
    let clinic = clinic.with(today(), |clinic| clinic.name = Some("Dr. \"Bo\" \\ Co".to_owned())).unwrap();
    let clinic = clinic.with(today(), |clinic| clinic.plans = vec!["Aetna PPO".to_owned()]).unwrap();
    let clinic = Clinic { languages: texts(&["Spanish", "en"]), ..clinic };
    let clinic = clinic.with(today(), |_| {}).unwrap();
    let directory = file(&clinic, "directory.toml");
    assert!(directory.contains("name        = \"Dr. \\\"Bo\\\" \\\\ Co\"\n"), "{directory}");
    assert!(directory.contains("site-languages = [\"Spanish\", \"en\"]\ncontent-language = \"English\""));
    assert!(file(&clinic, "insurances.toml").ends_with("\n\n[[plan]]\nname = \"Aetna PPO\"\n"));
    let jane = file(&clinic, "providers/jane-doe.toml");
    assert!(jane.contains("\nlicensed  = [\"NY\", \"TX\"]        # where"), "{jane}");
    assert!(jane.contains("\naccepting = [\"NY\", \"TX\"]        # where"), "{jane}");
    assert!(
        jane.contains("\nall = [\"Aetna PPO\"]    # in every state") && !jane.contains("CA  ="),
        "{jane}"
    );
    assert!(file(&clinic, "availability/jane-doe.toml").contains("timezone = \"America/New_York\""));
    assert!(file(&clinic, "appointment-types.toml").contains("\nstates = [\"NY\", \"TX\"]"));
    assert!(file(&clinic, "translations/es.toml").contains("\" = \"Una primera consulta"));
    let in_english = Clinic::default().files();
    assert!(!in_english.iter().any(|(path, _)| path.starts_with("translations/")));
}

#[test]
fn a_clinic_without_plans_has_none_of_the_example() {
    let clinic = Clinic::default().with(today(), |clinic| clinic.has_no_plans = true).unwrap();
    assert!(!file(&clinic, "insurances.toml").contains("[[plan]]\n"));
    assert!(file(&clinic, "providers/jane-doe.toml").contains("\nall = []"));
}

#[test]
fn unusable_answers_are_refused_in_one_sentence() {
    let of = |states: &[&str], languages: &[&str]| {
        let clinic = Clinic { states: texts(states), languages: texts(languages), ..Clinic::default() };
        refusal(clinic.with(today(), |_| {}))
    };
    assert_eq!(
        of(&["CA", "Ontario"], &[]),
        "\"Ontario\" isn't a state. A state is a two-letter code such as \"CA\" or a full name such as \"California\"."
    );
    assert_eq!(
        of(&[], &["French"]),
        "Pages aren't available in French. Delete it: pages can be in English and Spanish."
    );
    let named = |name: &str| Clinic::default().with(today(), |clinic| clinic.name = Some(name.to_owned()));
    assert!(refusal(named(&"x".repeat(300))).ends_with(" Shorten it."));
    let twice = Clinic::default()
        .with(today(), |clinic| clinic.plans = vec!["Aetna PPO".to_owned(), "aetna ppo".to_owned()]);
    assert_eq!(refusal(twice), "\"aetna ppo\" is listed twice. Delete this entry: it repeats one above.");
}

#[expect(clippy::disallowed_methods, reason = "a test writes a sheet")]
#[test]
fn a_spreadsheet_brings_its_clinicians_and_their_plans() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("clinicians.csv");
    let heading = "id,slug,display-name,credentials,provider-type,gender,bio,licensed,accepting,insurance all,insurance TX,exported";
    let ann = "p-1,ann-lee,Ann Lee,MD,physician,female,Dr. Lee has seen families in Texas for ten years.,TX; NY,TX,Aetna PPO; Oscar,Cigna,deadbeef";
    fs::write(&path, format!("{heading}\n{ann}\n")).unwrap();
    let clinic = Clinic { plans: vec!["Oscar".to_owned()], ..Clinic::default() };
    let clinic = clinic.with_sheet(today(), &path).unwrap();
    let paths: Vec<String> = clinic.files().into_iter().map(|(path, _)| path).collect();
    assert!(paths.contains(&"providers/ann-lee.toml".to_owned()), "{paths:?}");
    assert!(!paths.iter().any(|path| path.contains("jane-doe")), "{paths:?}");
    assert_eq!(clinic.plans, ["Oscar", "Aetna PPO", "Cigna"]);

    fs::write(&path, format!("{heading}\n{}\n", ann.replace("TX; NY,TX", "TX; NY,XX"))).unwrap();
    let told = refusal(Clinic::default().with_sheet(today(), &path));
    assert!(
        told.starts_with("clinicians.csv I2: ") && told.ends_with("1 mistake; nothing was written"),
        "{told}"
    );
    let missing = refusal(Clinic::default().with_sheet(today(), &folder.path().join("none.csv")));
    assert!(missing.ends_with("none.csv can't be read: the file doesn't exist"), "{missing}");
}
