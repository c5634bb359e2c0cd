//! Following the advice of the reports literally ends in the right state.
//!
//! Where a message names a replacement, [`replacements_put_an_end_to_their_problems`] writes it in place of the marked
//! text in every case of `broken/`. Advice in sentences is followed by hand in [`FOLLOWED`].

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use directory::Directory;
use directory::content::{ContentError, Position, Report, Severity};

use crate::support::{clinic, tests};
use crate::{broken_case, check};

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
    "`gender = true` is quoted first, and then refused with the words there are",
)];

#[test]
fn replacements_put_an_end_to_their_problems() {
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

/// What a person does who follows a sentence of advice.
enum Step {
    Replace(&'static str, &'static str, &'static str),
    Write(&'static str, &'static str),
    Rename(&'static str, &'static str),
    Delete(&'static str),
}
use Step::{Delete, Rename, Replace, Write};

/// A case of `broken/`, the advice followed to the letter, and what must then be published.
type Followed = (&'static str, &'static [Step], fn(&Directory) -> bool);

const BO: &str = "providers/bo-two.toml";
const HOURS: &str = "availability/bo-two.toml";

fn has(directory: &Directory, slug: &str, bio: &str) -> bool {
    directory.providers().iter().any(|provider| provider.slug().as_str() == slug && provider.bio() == bio)
}

fn closes_on_christmas_eve(directory: &Directory) -> bool {
    let number =
        directory.provider_numbers().find(|&number| directory.provider(number).slug().as_str() == "bo-two");
    let schedule = directory.schedule(number.unwrap()).unwrap();
    schedule.parts().replace.iter().any(|dated| dated.date.to_string() == "2026-12-24")
}

fn is_there(directory: &Directory) -> bool {
    has(directory, "bo-two", "Bo explains.")
}

fn is_off_over_christmas(directory: &Directory) -> bool {
    let number =
        directory.provider_numbers().find(|&number| directory.provider(number).slug().as_str() == "bo-two");
    let schedule = directory.schedule(number.unwrap()).unwrap();
    let off = schedule.parts().off.iter().map(|off| (off.from.to_string(), off.to.to_string()));
    off.eq([("2026-12-24".to_owned(), "2026-12-26".to_owned())])
}

const FOLLOWED: [Followed; 32] = [
    (
        "biography-of-paragraphs-in-one-quote",
        &[Replace(BO, "\"Bo explains.", "\"\"\"Bo explains."), Replace(BO, "he rests.\"", "he rests.\"\"\"")],
        |directory| {
            has(directory, "bo-two", "Bo explains.\n\nHe likes to ask twice.\n\nOn Sundays he rests.")
        },
    ),
    (
        "biography-of-paragraphs-in-single-quotes",
        &[Replace(BO, "'Bo explains.", "\"\"\"Bo explains."), Replace(BO, "ask twice.'", "ask twice.\"\"\"")],
        |directory| has(directory, "bo-two", "Bo explains.\n\nHe likes to ask twice."),
    ),
    (
        "biography-of-paragraphs-each-in-quotes",
        &[
            Replace(BO, "\"Bo explains.\"", "\"\"\"Bo explains."),
            Replace(BO, "\"He likes to ask twice.\"", "He likes to ask twice.\"\"\""),
        ],
        |directory| has(directory, "bo-two", "Bo explains.\n\nHe likes to ask twice."),
    ),
    (
        "merge-markers",
        &[
            Replace(BO, "<<<<<<< HEAD\nbio = \"Bo explains.\"\n=======\n", ""),
            Replace(BO, ">>>>>>> bo-writes\n", ""),
        ],
        |directory| has(directory, "bo-two", "Bo explains twice."),
    ),
    (
        "merge-markers-in-a-biography",
        &[
            Replace(BO, "<<<<<<< HEAD\n", ""),
            Replace(BO, "=======\nBo explains twice.\n>>>>>>> bo-writes\n", ""),
        ],
        |directory| has(directory, "bo-two", "Bo explains."),
    ),
    (
        "two-clinicians-in-one-file",
        &[
            Replace(
                BO,
                "\nid = \"prov-3\"\ndisplay-name = \"Cy Three\"\ncredentials = \"NP\"\nprovider-type = \"nursePractitioner\"\ngender = \"male\"\nbio = \"Bo explains.\"\nlicensed = [\"NY\"]\naccepting = [\"NY\"]\nappointment-types = [101]\n",
                "",
            ),
            Write(
                "providers/cy-three.toml",
                "id = \"prov-3\"\ndisplay-name = \"Cy Three\"\ncredentials = \"NP\"\nprovider-type = \"nursePractitioner\"\ngender = \"male\"\nbio = \"Bo explains.\"\nlicensed = [\"NY\"]\naccepting = [\"NY\"]\nappointment-types = [101]\n",
            ),
        ],
        |directory| has(directory, "bo-two", "Bo explains.") && has(directory, "cy-three", "Bo explains."),
    ),
    ("copied-file", &[Replace("providers/cy-three.toml", "\"prov-2\"", "\"prov-0100\"")], |directory| {
        directory
            .providers()
            .iter()
            .any(|provider| provider.id().as_str() == "prov-2" && provider.slug().as_str() == "bo-two")
    }),
    ("hours-that-are-a-word", &[Replace(HOURS, "hours = \"closed\"", "hours = []")], closes_on_christmas_eve),
    (
        "hours-that-are-a-word-each-week",
        &[
            Replace(HOURS, "[[weekly]]\ndays  = [\"thu\"]\nhours = \"closed\"\n", ""),
            Replace(HOURS, "[[weekly]]\ndays  = [\"fri\"]\nhours = [\"closed\"]\n", ""),
        ],
        |directory| has(directory, "bo-two", "Bo explains."),
    ),
    (
        "education-as-one-text",
        &[Replace(
            BO,
            "education = \"MD, Medicine, Example University, 2009\"\n",
            "[[education]]\ndegree = \"MD\"\nfield = \"Medicine\"\ninstitution = \"Example University\"\nyear = 2009\n",
        )],
        |directory| {
            directory
                .providers()
                .iter()
                .any(|provider| provider.slug().as_str() == "bo-two" && provider.education().len() == 1)
        },
    ),
    (
        "plans-as-a-list",
        &[Replace(
            BO,
            "insurance = [\"Goldenrod PPO\", \"Harbor Mutual HMO\"]\n",
            "[insurance]\nall = [\"Goldenrod PPO\", \"Harbor Mutual HMO\"]\n",
        )],
        |directory| has(directory, "bo-two", "Bo explains."),
    ),
    (
        "pasted-table-of-markdown",
        &[Write(
            "insurances.toml",
            "[[plan]]\nname = \"Goldenrod PPO\"\n[[plan]]\nname = \"Harbor Mutual HMO\"\n",
        )],
        |directory| directory.plans().len() == 2,
    ),
    (
        "pasted-table",
        &[Write(
            HOURS,
            "timezone = \"America/New_York\"\n[[weekly]]\ndays = [\"mon\"]\nhours = [\"09:00-17:00\"]\n[[weekly]]\ndays = [\"tue\"]\nhours = [\"09:00-17:00\"]\n",
        )],
        |directory| has(directory, "bo-two", "Bo explains."),
    ),
    (
        "holidays-as-names",
        &[Replace(
            "holidays/us-federal.toml",
            "\"Thanksgiving\", \"Christmas\"",
            "2026-11-26, 2026-12-25, 2027-11-25",
        )],
        |directory| has(directory, "bo-two", "Bo explains."),
    ),
    (
        "clinician-who-left-without-a-word",
        &[Delete(HOURS), Write("retired.toml", "[[provider]]\nid = \"prov-2\"\nslug = \"bo-two\"\n")],
        |directory| directory.providers().len() == 1,
    ),
    (
        "renamed-file",
        &[
            Rename(HOURS, "availability/bo-three.toml"),
            Replace(
                "providers/bo-three.toml",
                "appointment-types",
                "former-slugs = [\"bo-two\"]\nappointment-types",
            ),
        ],
        |directory| {
            let provider =
                directory.providers().iter().find(|provider| provider.slug().as_str() == "bo-three").unwrap();
            provider.former_slugs().len() == 1
        },
    ),
    (
        "copy-that-a-download-made",
        &[
            Delete("providers/bo-two (1).toml"),
            Delete("providers/bo-two copy.toml"),
            Delete("providers/Copy of bo-two.toml"),
            Delete("availability/bo-two (1).toml"),
        ],
        |directory| directory.providers().len() == 2,
    ),
    ("downloaded-file-without-its-original", &[Rename("providers/bo-two (1).toml", BO)], |directory| {
        has(directory, "bo-two", "Bo explains.")
    }),
    (
        "portrait-of-another-format",
        &[Rename("headshots/bo-two.jpg", "headshots/bo-two.svg"), Replace(BO, "bo-two.jpg", "bo-two.svg")],
        |directory| has(directory, "bo-two", "Bo explains."),
    ),
    ("gender-missing", &[Replace(BO, "bio =", "gender = \"male\"\nbio =")], |directory| {
        has(directory, "bo-two", "Bo explains.")
    }),
    (
        "header-forgotten-before-a-second-entry",
        &[
            Replace("insurances.toml", "\nname = \"Harbor", "[[plan]]\nname = \"Harbor"),
            Replace(HOURS, "\ndays  = [\"thu\"]", "[[weekly]]\ndays  = [\"thu\"]"),
            Replace(
                HOURS,
                "\nkind = \"off\"\nfrom = 2026-12-31",
                "[[exception]]\nkind = \"off\"\nfrom = 2026-12-31",
            ),
        ],
        |directory| directory.plans().len() == 2,
    ),
    (
        "insurance-list-above-its-table",
        &[
            Replace(BO, "[insurance]\n", "[insurance]\nall = [\"Goldenrod PPO\"]\n"),
            Replace(BO, "insurance = [\"Goldenrod PPO\"]\n", ""),
        ],
        is_there,
    ),
    (
        "list-of-plans-in-their-own-file",
        &[Write(
            "insurances.toml",
            "[[plan]]\nname = \"Goldenrod PPO\"\n[[plan]]\nname = \"Harbor Mutual HMO\"\n",
        )],
        |directory| directory.plans().len() == 2,
    ),
    (
        "two-clinicians-as-a-list-in-one-file",
        &[
            Write(
                BO,
                "id = \"prov-2\"\ndisplay-name = \"Bo Two\"\ncredentials = \"NP\"\nprovider-type = \"nursePractitioner\"\ngender = \"male\"\nbio = \"Bo explains.\"\nlicensed = [\"NY\"]\naccepting = [\"NY\"]\nappointment-types = [101]\n",
            ),
            Write(
                "providers/cy-three.toml",
                "id = \"prov-3\"\ndisplay-name = \"Cy Three\"\ncredentials = \"NP\"\nprovider-type = \"nursePractitioner\"\ngender = \"male\"\nbio = \"Bo explains.\"\nlicensed = [\"NY\"]\naccepting = [\"NY\"]\nappointment-types = [101]\n",
            ),
        ],
        |directory| directory.providers().len() == 3,
    ),
    (
        "exception-with-a-list-of-dates",
        &[
            Replace(HOURS, "dates = [2026-12-24, 2026-12-26]", "from = 2026-12-24\nto = 2026-12-26"),
            Replace(HOURS, "dates = [2026-12-28]", "date = 2026-12-28"),
        ],
        is_off_over_christmas,
    ),
    (
        "dates-from-to-in-one-text",
        &[Replace(HOURS, "from = \"2026-12-24 - 2026-12-26\"", "from = 2026-12-24\nto = 2026-12-26")],
        is_off_over_christmas,
    ),
    (
        "exception-that-is-closed",
        &[Replace(HOURS, "\"closed\"\ndate = 2026-12-24", "\"off\"\nfrom = 2026-12-24\nto = 2026-12-26")],
        is_off_over_christmas,
    ),
    (
        "list-of-states-as-a-word",
        &[
            Replace(BO, "\"all\"", "[\"NY\"]"),
            Replace(BO, "true", "[\"NY\"]"),
            Replace("providers/cy-three.toml", "\"NY, CA\"", "[\"NY\", \"CA\"]"),
            Replace("providers/cy-three.toml", "\"no\"", "[]"),
        ],
        is_there,
    ),
    ("header-above-a-clinician", &[Replace(BO, "[[provider]]\n", "")], is_there),
    ("year-with-a-zero-before-it", &[Replace(BO, "09", "2009")], is_there),
    (
        "apostrophes-and-quotes-in-a-biography-in-single-quotes",
        &[
            Replace(
                BO,
                "'Bo doesn't rush, and says \"take your time\".'",
                "\"\"\"Bo doesn't rush, and says \"take your time\".\"\"\"",
            ),
            Replace("providers/cy-three.toml", "'Cy doesn't", "\"\"\"Cy doesn't"),
            Replace("providers/cy-three.toml", "patient.'", "patient.\"\"\""),
        ],
        |directory| {
            has(directory, "bo-two", "Bo doesn't rush, and says \"take your time\".")
                && has(directory, "cy-three", "Cy doesn't rush.\n\nShe's patient.")
        },
    ),
    ("hours-file-of-another-name", &[Rename("availability/second.toml", HOURS)], is_there),
];

#[test]
fn advice_in_sentences_ends_well_when_it_is_followed() {
    for (case, steps, holds) in &FOLLOWED {
        let (_folder, content) = clinic();
        broken_case(&tests().join("broken").join(format!("{case}.txt")), &content);
        assert!(report(&content).errors() > 0, "{case} is not broken");
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
    }
}
