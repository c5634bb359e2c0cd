//! `init`, from answers to a folder that works at once.

use std::fs;
use std::process::{Command, Output};

use crate::harness::{command, nameplate, text};

/// Runs a command in a folder.
fn run_in(folder: &std::path::Path, arguments: &[&str]) -> Output {
    let mut command: Command = command(arguments);
    command.current_dir(folder).output().unwrap()
}

/// What `check` says in a folder that has `content`.
fn checked(folder: &std::path::Path) -> String {
    let checked = run_in(folder, &["check"]);
    assert_eq!(checked.status.code(), Some(0), "{}", text(&checked.stdout));
    text(&checked.stdout).to_owned()
}

#[test]
fn init_check_and_build_work_at_once_in_an_empty_folder() {
    let folder = tempfile::tempdir().unwrap();
    // People end a list with a comma.
    let flags = [
        "--name",
        "Larkspur Health",
        "--state",
        "ny  tx, Texas,",
        "--plan",
        "Aetna, Inc. PPO; Oscar; oscar ; Aetna,  Inc. PPO",
        "--phone",
        "212-555-0134",
    ];
    let done = run_in(folder.path(), &[&["init"][..], &flags, &["--language", "Español, English"]].concat());
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    assert!(text(&done.stdout).contains("nameplate check   lists"), "{}", text(&done.stdout));
    let printed = checked(folder.path());
    // Only the addresses, the description and the invented clinician's texts are left, and the pages for notices.
    let left = "warning: Replace 8 placeholders before you publish.";
    assert!(printed.contains(left), "{printed}");
    for lines in
        ["content/directory.toml, lines 5, 11, 12, 13", "content/providers/jane-doe.toml, lines 5, 9, 27, 31"]
    {
        assert!(printed.contains(lines), "{printed}");
    }
    assert!(printed.contains("content has no errors: 1 clinician, 2 visit types, 2 plans"), "{printed}");
    assert!(printed.ends_with("Listed above: 1 warning and 8 placeholders\n"), "{printed}");
    let built = run_in(folder.path(), &["build", "--quiet"]);
    assert_eq!(built.status.code(), Some(0));
    assert!(text(&built.stderr).starts_with("warning: the files have 8 placeholders"), "{built:?}");
    let jane = fs::read_to_string(folder.path().join("content/providers/jane-doe.toml")).unwrap();
    assert!(jane.contains("licensed  = [\"NY\", \"TX\"]"), "{jane}");
    let page = fs::read_to_string(folder.path().join("dist/index.html")).unwrap();
    assert!(page.contains("<html lang=\"es\"") && page.contains("Larkspur Health"));
}

#[test]
fn a_typo_in_the_example_is_repaired_although_its_placeholders_remain() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run_in(folder.path(), &["init", "--yes"]).status.code(), Some(0));
    let jane = folder.path().join("content/providers/jane-doe.toml");
    let before = fs::read_to_string(&jane).unwrap();
    fs::write(&jane, before.replace("display-name", "displayname")).unwrap();
    let fixed = run_in(folder.path(), &["check", "--fix"]);
    assert_eq!(fixed.status.code(), Some(0), "{}", text(&fixed.stdout));
    assert_eq!(fs::read_to_string(&jane).unwrap(), before);
}

#[test]
fn init_takes_the_clinicians_of_a_spreadsheet() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run_in(folder.path(), &["init", "first", "--yes"]).status.code(), Some(0));
    assert_eq!(run_in(folder.path(), &["export", "them.xlsx", "--content", "first"]).status.code(), Some(0));
    let done = run_in(
        folder.path(),
        &["init", "--name", "Larkspur Health", "--from", "them.xlsx", "--plan", "Oscar"],
    );
    assert!(text(&done.stdout).starts_with("Created content/ with 1 clinician.\n"), "{}", text(&done.stderr));
    assert!(folder.path().join("content/providers/jane-doe.toml").is_file());
    assert!(!folder.path().join("content/availability").exists());
    let plans = fs::read_to_string(folder.path().join("content/insurances.toml")).unwrap();
    let own = "\n[[plan]]\nname = \"Oscar\"\n\n[[plan]]\nname = \"Example Health PPO\"\n";
    assert!(plans.contains(own), "{plans}");
    checked(folder.path());
}

#[test]
fn init_refuses_what_it_cannot_use_and_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("full"), "").unwrap();
    for (arguments, said) in [
        (
            &["--state", "CA,?"][..],
            "\"?\" isn't a US state: write codes or names of states, separated by commas",
        ),
        (&["--state", "Calfornia"], "\"Calfornia\" isn't a US state: did you mean California?"),
        (&["--state", "all"], "--state: list each state where its clinicians are licensed, such as CA,NY"),
        (&["--plan", ""], "--plan is empty: add a value, write --plan none, or leave --plan out"),
        (&["--plan", "CA, TX"], "--plan: \"CA\" is a state: write the names of plans"),
        (&["--plan", "Aetna, NONE"], "\"none\" means no plan at all: write it alone, or leave it out"),
        (&["--phone", "555-0134"], "--phone: \"555-0134\" has 7 digits; a US number has 10."),
        (&["--from", "none.xlsx"], "none.xlsx can't be read: the file doesn't exist"),
        (&["--from", "full"], "full isn't an XLSX or CSV file: use a file name"),
        (
            &["--language", "French"],
            "\"French\" isn't a language for the site: write English, Spanish, or both",
        ),
        (&["full"], "full is a file: name a folder that doesn't exist yet"),
        (&["full/content"], "name a folder"),
    ] {
        let refused = run_in(folder.path(), &[&["init"][..], arguments].concat());
        let told = text(&refused.stderr);
        assert_eq!((refused.status.code(), told.lines().count()), (Some(2), 1), "{arguments:?}: {told}");
        assert!(told.contains(said), "{told}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "{arguments:?}");
    }
}

#[test]
fn init_writes_a_valid_clinic_and_overwrites_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let new = folder.path().join("new");
    let new = new.to_str().unwrap();
    assert_eq!(nameplate(&["init", new]).status.code(), Some(0));
    let checked = nameplate(&["check", "--content", new]);
    assert_eq!(checked.status.code(), Some(0));
    let printed = text(&checked.stdout);
    // Placeholders are one warning, after those of the phone number and the notices.
    assert!(printed.contains("jane-doe") && printed.contains("has no errors: "), "{printed}");
    assert_eq!(printed.matches("warning: [notices] is missing").count(), 1, "{printed}");
    assert_eq!(printed.matches("warning: Patients can't book").count(), 1, "{printed}");
    assert_eq!(printed.matches("warning: ").count(), 3, "{printed}");
    let checked = nameplate(&["check", "--format", "json", "--content", new]);
    let report: serde_json::Value = serde_json::from_slice(&checked.stdout).unwrap();
    let problems = report["problems"].as_array().unwrap();
    assert!(printed.contains(&format!("Replace {} placeholders", problems.len() - 2)), "{printed}");
    let line_of = |problem: &serde_json::Value| {
        let file = fs::read_to_string(folder.path().join(problem["path"].as_str().unwrap())).unwrap();
        let number = usize::try_from(problem["line"].as_u64().unwrap()).unwrap();
        file.lines().nth(number - 1).unwrap().to_owned()
    };
    let lines: String = problems.iter().map(line_of).collect();
    for example in [
        "Your Clinic",
        "One sentence about",
        "your-clinic.example",
        "Write a few",
        "Example Board",
        "Example School",
        "Jane Doe",
    ] {
        assert!(lines.contains(example), "{example}: {lines}");
    }
    // Both files ignore what a build writes and keeps.
    for ignored in ["new/.gitignore", ".gitignore"] {
        let ignored = fs::read_to_string(folder.path().join(ignored)).unwrap();
        for name in ["dist/", ".nameplate/", "calendars"] {
            assert!(ignored.lines().any(|line| line == name), "{ignored}");
        }
    }
    let again = nameplate(&["init", new]);
    assert_eq!(again.status.code(), Some(2));
    assert!(
        text(&again.stderr)
            .contains("already has a clinic, so nothing was written: run `nameplate check --content")
    );
    let inside = run_in(new.as_ref(), &["init"]);
    assert_eq!(inside.status.code(), Some(2));
    let said = "error: this folder already has a clinic, so nothing was written: run `nameplate check --content .` to see";
    assert!(text(&inside.stderr).starts_with(said), "{}", text(&inside.stderr));
    assert!(!folder.path().join("new/content").exists());

    fs::write(folder.path().join(".gitignore"), "mine\ndist/\n").unwrap();
    let done = run_in(folder.path(), &["init", "other"]);
    assert_eq!(done.status.code(), Some(0));
    assert_eq!(fs::read_to_string(folder.path().join(".gitignore")).unwrap(), "mine\ndist/\n");
    // It names the lines that this file lacks, and only those.
    let said = text(&done.stdout);
    assert!(said.contains("\n  calendars\n") && !said.contains("\n  dist/\n"), "{said}");
}
