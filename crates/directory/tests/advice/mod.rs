//! Tests that following the advice of the reports literally solves the problems.
//!
//! Where a message names a replacement, [`replacements_solve_their_problems`] writes it in place of the marked
//! text in every case of `broken/`. Advice in sentences is followed by hand in `followed`, `hours` and
//! `values`.

mod booking;
mod followed;
mod hours;
mod values;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use directory::content::{ContentError, Position, Report, Severity};

use crate::support::{clinic, tests};
use crate::{broken_case, check};
use followed::{Delete, FOLLOWED, Rename, Replace, Write};

fn report(content: &Path) -> Report {
    match check(content) {
        Ok(checked) => checked.warnings,
        Err(ContentError::Invalid(report)) => *report,
        Err(error) => panic!("{error}"),
    }
}

/// The offset of a place in a text.
fn offset(text: &str, at: &Position) -> usize {
    let line: usize = text.split_inclusive('\n').take(at.line - 1).map(str::len).sum();
    let column: usize = text[line..].chars().take(at.column - 1).map(char::len_utf8).sum();
    line + column
}

/// Problems whose replacement leads to another problem, with the reason.
const LEADS_ON: [(&str, &str); 1] = [(
    "number-where-text-should-be",
    "`gender = true` is quoted first, and then refused with the list of words",
)];

#[test]
fn replacements_solve_their_problems() {
    let mut followed = 0;
    let mut wrong = Vec::new();
    for entry in fs::read_dir(tests().join("broken")).unwrap() {
        let case = entry.unwrap().path();
        let name = case.file_stem().unwrap().to_str().unwrap().to_owned();
        let (_folder, content) = clinic();
        broken_case(&case, &content);
        let before = report(&content);
        let mut edits: BTreeMap<String, Vec<(usize, usize, String)>> = BTreeMap::new();
        let mut all_have_one = before.errors() > 0;
        let mut what = Vec::new();
        for problem in before.problems() {
            let Some(replacement) = before.replacement(problem) else {
                all_have_one &= problem.severity() == Severity::Warning;
                continue;
            };
            let path = replacement.from.path.clone();
            let text = fs::read_to_string(&path).unwrap();
            let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
            let (from, to) = (offset(text, &replacement.from), offset(text, &replacement.to));
            edits.entry(path).or_default().push((from, to, replacement.text.to_owned()));
            what.push((replacement.from.path.clone(), replacement.from.line, problem.what().to_owned()));
        }
        for (path, mut edits) in edits {
            let text = fs::read_to_string(&path).unwrap();
            let mut text = text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned();
            edits.sort();
            edits.dedup();
            followed += edits.len();
            for (from, to, replacement) in edits.into_iter().rev() {
                text.replace_range(from..to, &replacement);
            }
            fs::write(&path, text).unwrap();
        }
        let after = report(&content);
        let left = after.problems().iter().find(|problem| {
            let at = after.position(problem);
            what.iter()
                .any(|(path, line, what)| (path, *line, what.as_str()) == (&at.path, at.line, problem.what()))
        });
        let is_known = LEADS_ON.iter().any(|(known, _)| *known == name);
        if left.is_some() || all_have_one && after.errors() > 0 && !is_known {
            wrong.push(format!("{name}:\n{}", after.drawn(false)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(followed > 50, "only {followed} replacements were tried");
}

#[test]
fn advice_in_sentences_solves_its_problem() {
    let cases = FOLLOWED.iter().chain(&booking::FOLLOWED).chain(&hours::FOLLOWED).chain(&values::FOLLOWED);
    for (case, steps, holds) in cases {
        let (_folder, content) = clinic();
        broken_case(&tests().join("broken").join(format!("{case}.txt")), &content);
        let before = report(&content);
        assert!(!before.problems().is_empty(), "{case} is not broken");
        for step in *steps {
            match step {
                Replace(path, from, to) => {
                    let text = fs::read_to_string(content.join(path)).unwrap();
                    assert!(text.contains(from), "{case}: {from}");
                    fs::write(content.join(path), text.replacen(from, to, 1)).unwrap();
                }
                Write(path, text) => fs::write(content.join(path), text).unwrap(),
                Rename(from, to) => fs::rename(content.join(from), content.join(to)).unwrap(),
                Delete(path) => fs::remove_file(content.join(path)).unwrap(),
            }
        }
        let checked = check(&content).unwrap_or_else(|error| {
            panic!("{case}: {error}\n{}", report(&content).drawn(false));
        });
        assert!(holds(&checked.directory), "{case}: something else is published");
        let warned = checked.warnings.problems().iter().find(|&after| before.problems().contains(after));
        assert_eq!(warned, None, "{case}: the advice changed nothing");
    }
}
