//! Tests that each offered repair, followed literally, heals what it says and breaks nothing.

mod generated;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use chrono::NaiveDate;
use directory::content::{ContentError, Kind, Problem, Repair, Report, Severity, mend};

use crate::support::{clinic, tests};
use crate::{broken_case, check};

fn report(content: &Path) -> Report {
    match check(content) {
        Ok(checked) => checked.warnings,
        Err(ContentError::Invalid(report)) => *report,
        Err(error) => panic!("{error}"),
    }
}

/// Applies a repair to the files on disk, as a program does that reads the JSON.
fn apply(content: &Path, report: &Report, repair: &Repair) {
    for edit in report.edits_on_disk(repair).into_iter().rev() {
        let path = content.join(edit.path);
        let mut text = fs::read_to_string(&path).unwrap_or_default();
        text.replace_range(edit.span, &edit.text);
        fs::write(path, text).unwrap();
    }
    for moved in &repair.moves {
        match &moved.to {
            Some(to) => fs::rename(content.join(&moved.from), content.join(to)).unwrap(),
            None => fs::remove_file(content.join(&moved.from)).unwrap(),
        }
    }
}

/// How many problems of a severity there are of each file and text.
fn counts(report: &Report, severity: Severity) -> BTreeMap<(String, String), usize> {
    let mut counts = BTreeMap::new();
    for problem in report.problems().iter().filter(|problem| problem.severity() == severity) {
        *counts.entry((problem.path().to_owned(), problem.what().to_owned())).or_default() += 1;
    }
    counts
}

/// What is wrong with a repair: nothing, if it heals its problem and its followers and breaks nothing.
fn fault(before: &Report, after: &Report, problem: &Problem, repair: &Repair) -> Option<String> {
    let (old, new) = (counts(before, Severity::Error), counts(after, Severity::Error));
    let key = (problem.path().to_owned(), problem.what().to_owned());
    let of = |counts: &BTreeMap<_, usize>, key| counts.get(key).copied().unwrap_or_default();
    if problem.severity() == Severity::Error && of(&new, &key) >= of(&old, &key) + problem.follower_count() {
        return Some(format!("{key:?} is still there"));
    }
    // Behind a mistake of notation, others were hidden.
    if matches!(problem.kind(), Kind::Syntax | Kind::WrongType | Kind::File) {
        return None;
    }
    let healed = usize::from(problem.severity() == Severity::Error);
    if after.errors() + healed > before.errors() {
        return Some(format!("{} errors, and {} after it", before.errors(), after.errors()));
    }
    if let Some((error, _)) =
        new.iter().find(|(error, number)| **number > of(&old, error) && of(&old, error) == 0)
    {
        return Some(format!("{error:?} is new"));
    }
    // Without errors, the checks of the whole folder run, too.
    let warned = counts(before, Severity::Warning);
    let warnings = counts(after, Severity::Warning);
    let is_told = |what: &String| repair.causes.contains(what);
    let in_file = |path: &str| repair.edits.iter().any(|edit| edit.path == path);
    let untold = warnings.keys().find(|key| !warned.contains_key(key) && in_file(&key.0) && !is_told(&key.1));
    untold.filter(|_| before.errors() == 0).map(|warning| format!("{warning:?} is not told"))
}

#[test]
fn each_offered_repair_heals_its_problem_and_breaks_nothing() {
    let (mut wrong, mut tried) = (Vec::new(), 0);
    for entry in fs::read_dir(tests().join("broken")).unwrap() {
        let case = entry.unwrap().path();
        let (_folder, content) = clinic();
        broken_case(&case, &content);
        let before = report(&content);
        for problem in before.problems() {
            for repair in problem.repairs() {
                let (_folder, content) = clinic();
                broken_case(&case, &content);
                apply(&content, &before, repair);
                let fault = fault(&before, &report(&content), problem, repair);
                wrong.extend(fault.map(|fault| format!("{}: {}: {fault}", case.display(), repair.title)));
                tried += 1;
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(tried > 120, "only {tried} repairs were offered");
}

/// A judge that accepts everything would fail this: the problem is still there if nothing is followed.
#[test]
fn the_judge_of_these_tests_refuses_what_heals_nothing() {
    let (_folder, content) = clinic();
    let path = content.join("providers/bo-two.toml");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("[\"NY\"]", "[\"NY\"")).unwrap();
    let before = report(&content);
    let problem = &before.problems()[0];
    assert!(fault(&before, &before, problem, &problem.repairs()[0]).is_some());
}

/// One planted change has one message.
#[test]
fn a_renamed_plan_is_one_message_with_both_ways_out() {
    let (_folder, content) = clinic();
    let path = content.join("insurances.toml");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("Goldenrod PPO", "Goldenrod Select")).unwrap();
    let report = report(&content);
    let errors: Vec<&Problem> =
        report.problems().iter().filter(|problem| problem.severity() == Severity::Error).collect();
    let [problem] = errors.as_slice() else { panic!("{}", report.drawn(false)) };
    let names: Vec<&str> = problem.repairs().iter().map(|repair| repair.name).collect();
    assert!(names.contains(&"undo-rename") && names.contains(&"rename-everywhere"), "{names:?}");
    assert_eq!(problem.follower_count() + 1, report.errors());
}

/// A check lists five hundred errors, and offers repairs for two dozen causes.
#[test]
fn one_mistake_in_each_of_many_files_is_repaired_in_one_run() {
    const FILES: usize = 600;
    let (_folder, content) = clinic();
    let right = fs::read_to_string(content.join("providers/bo-two.toml")).unwrap();
    for number in 0..FILES {
        let letters: String =
            number.to_string().bytes().map(|digit| char::from(digit + b'a' - b'0')).collect();
        let other =
            right.replace("prov-2", &format!("prov-1{number}")).replace("Bo", &format!("Bo{letters}"));
        let wrong = match number % 3 {
            0 => other.replace("gender = \"male\"", "gender = male"),
            1 => other.replace("licensed = [\"NY\"]", "licensed = (\"NY\")"),
            _ => other.replace("display-name =", "Display Name:"),
        };
        assert_ne!(wrong, other);
        fs::write(content.join(format!("providers/bo-{letters}.toml")), wrong).unwrap();
    }
    let today = NaiveDate::from_ymd_opt(2026, 11, 21).unwrap();
    let mended = mend(&content, today, false).unwrap();
    assert_eq!((mended.applied.len(), mended.files.len()), (FILES, FILES));
    for (path, (before, after)) in mended.files {
        let path = content.join(path);
        assert_eq!(before.unwrap(), fs::read_to_string(&path).unwrap());
        fs::write(path, after.unwrap()).unwrap();
    }
    assert_eq!(report(&content).errors(), 0);
}

/// In lowercase, the slug would be valid, but it is another clinician's.
#[test]
fn a_repair_that_only_another_clinicians_file_forbids_is_not_applied() {
    let (_folder, content) = clinic();
    let path = content.join("providers/bo-two.toml");
    let text = fs::read_to_string(&path).unwrap();
    let today = NaiveDate::from_ymd_opt(2026, 11, 21).unwrap();
    for (slug, applied) in [("Bo-Old", 1), ("Ann-One", 0)] {
        fs::write(&path, format!("former-slugs = [\"{slug}\"]\n{text}")).unwrap();
        assert_eq!(mend(&content, today, true).unwrap().applied.len(), applied, "{slug}");
    }
}

/// What a check offers for all of the files that name a list, each of these files alone would have repaired otherwise.
#[test]
fn what_is_wrong_with_a_list_is_repaired_as_the_check_says() {
    let today = NaiveDate::from_ymd_opt(2026, 11, 21).unwrap();
    let (_folder, content) = clinic();
    let hours = fs::read_to_string(content.join("availability/ann-one.toml")).unwrap();
    fs::write(content.join("availability/bo-two.toml"), hours).unwrap();
    fs::rename(content.join("holidays/us-federal.toml"), content.join("holidays/federal.toml")).unwrap();
    let mended = mend(&content, today, true).unwrap();
    let titles: Vec<&str> = mended.applied.iter().map(|(_, title)| title.as_str()).collect();
    assert_eq!(titles, ["Rename holidays/federal.toml to holidays/us-federal.toml"]);
    assert!(mended.files.keys().all(|path| path.starts_with("holidays/")), "{:?}", mended.files.keys());

    // With one id twice, the other one is missing wherever it is used: a person says which of the two was changed.
    let (_folder, content) = clinic();
    let types = fs::read_to_string(content.join("appointment-types.toml")).unwrap();
    assert!(types.contains("id = 101") && types.contains("id = 201"));
    fs::write(content.join("appointment-types.toml"), types.replace("id = 101", "id = 201")).unwrap();
    let mended = mend(&content, today, true).unwrap();
    assert_eq!(mended.applied, [], "{:?}", report(&content).drawn(false));
}

/// The edits that the first problem with a file offers, as the file after each.
fn offered(content: &Path, path: &str) -> Vec<String> {
    let before = report(content);
    let problem = before.problems().iter().find(|problem| problem.path() == path).unwrap();
    let text = fs::read_to_string(content.join(path)).unwrap();
    let after = |repair: &Repair| {
        let edits = before.edits_on_disk(repair).into_iter().rev();
        edits.fold(text.clone(), |mut text, edit| {
            text.replace_range(edit.span, &edit.text);
            text
        })
    };
    problem.repairs().iter().map(after).collect()
}

#[test]
fn a_portrait_in_other_letters_is_found() {
    let (_folder, content) = clinic();
    let path = "providers/bo-two.toml";
    let picture = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>";
    fs::write(content.join("headshots/bo-two.svg"), picture).unwrap();
    let text = fs::read_to_string(content.join(path)).unwrap();
    let others: Vec<&str> = text.lines().filter(|line| !line.starts_with("headshot")).collect();
    let with = |name: &str| format!("headshot = \"{name}\"\n{}\n", others.join("\n"));
    fs::write(content.join(path), with("Bo-Two.PNG")).unwrap();
    assert_eq!(offered(&content, path), [with("bo-two.svg")]);
}

#[test]
fn the_name_beside_a_later_date_of_a_line_goes_and_the_dates_stay() {
    let (_folder, content) = clinic();
    let path = "holidays/us-federal.toml";
    fs::write(content.join(path), "dates = [\n    2026-12-24, 2026-12-25 (Christmas),\n]\n").unwrap();
    let right = "dates = [\n    2026-12-24, 2026-12-25,\n]\n";
    assert!(offered(&content, path).contains(&right.to_owned()), "{:?}", offered(&content, path));
}
