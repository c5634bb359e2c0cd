//! Mistakes as people make them, planted into a clinic's files. What was meant is known, so a repair can be judged.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use directory::content::{Class, ContentError, Entries, Problem, Report, load_and_check_entries};

use rayon::prelude::*;

use super::super::{in_memory, support::clinic};

/// A mistake on a line `key = value`.
type Mistake = fn(&str, &str) -> Option<String>;

/// The mistakes, each with a name.
const MISTAKES: [(&str, Mistake); 30] = [
    ("the closing quote is missing", |key, value| Some(format!("{key} = {}", value.strip_suffix('"')?))),
    ("the opening quote is missing", |key, value| Some(format!("{key} = {}", value.strip_prefix('"')?))),
    ("no quotes", |key, value| {
        (value.starts_with('"')).then(|| format!("{key} = {}", value.trim_matches('"')))
    }),
    ("curly quotes", |key, value| {
        let inner = value.strip_prefix('"')?.strip_suffix('"')?;
        Some(format!("{key} = “{inner}”"))
    }),
    ("one curly quote", |key, value| Some(format!("{key} = {}”", value.strip_suffix('"')?))),
    ("a colon", |key, value| Some(format!("{key}: {value}"))),
    ("two equals signs", |key, value| Some(format!("{key} == {value}"))),
    ("a long dash", |key, value| Some(format!("{key} — {value}"))),
    ("no equals sign", |key, value| value.starts_with(['"', '[']).then(|| format!("{key} {value}"))),
    ("a bullet", |key, value| Some(format!("- {key} = {value}"))),
    ("a comma at the end", |key, value| Some(format!("{key} = {value},"))),
    ("a semicolon at the end", |key, value| Some(format!("{key} = {value};"))),
    ("a capital key", |key, value| {
        let (first, rest) = (key.len() > 3).then(|| key.split_at(1))?;
        Some(format!("{}{rest} = {value}", first.to_uppercase()))
    }),
    ("an underscore", |key, value| key.contains('-').then(|| format!("{} = {value}", key.replace('-', "_")))),
    ("spaces in the key", |key, value| {
        key.contains('-').then(|| format!("{} = {value}", key.replace('-', " ")))
    }),
    ("a special space", |key, value| Some(format!("{key}\u{a0}= {value}"))),
    ("an invisible sign", |key, value| Some(format!("\u{200b}{key} = {value}"))),
    ("round brackets", |key, value| {
        let inner = value.strip_prefix('[')?.strip_suffix(']')?;
        Some(format!("{key} = ({inner})"))
    }),
    ("no brackets", |key, value| {
        let inner = value.strip_prefix('[')?.strip_suffix(']')?;
        (!inner.is_empty()).then(|| format!("{key} = {inner}"))
    }),
    ("no closing bracket", |key, value| Some(format!("{key} = {}", value.strip_suffix(']')?))),
    ("semicolons in the list", |key, value| {
        (value.starts_with('[') && value.contains(','))
            .then(|| format!("{key} = {}", value.replace(',', ";")))
    }),
    ("no commas in the list", |key, value| {
        (value.starts_with('[') && value.contains(',')).then(|| format!("{key} = {}", value.replace(',', "")))
    }),
    ("quoted numbers", |key, value| {
        let inner = value.strip_prefix('[')?.strip_suffix(']')?;
        let is_number = |entry: &str| entry.trim().bytes().all(|byte| byte.is_ascii_digit());
        let quoted: Vec<_> = inner.split(',').map(|entry| format!("\"{}\"", entry.trim())).collect();
        (!inner.is_empty() && inner.split(',').all(is_number))
            .then(|| format!("{key} = [{}]", quoted.join(", ")))
    }),
    ("the names of days", |key, value| {
        written_otherwise(key, value, &[("\"mon\"", "\"Monday\""), ("\"wed\"", "\"Wed.\"")])
    }),
    ("hours of a clock of twelve", |key, value| {
        written_otherwise(key, value, &[("09:00-12:00", "9am-12pm"), ("13:00-17:00", "1:00 pm - 5:00 pm")])
    }),
    ("an en dash in hours", |key, value| written_otherwise(key, value, &[(":00-1", ":00 – 1")])),
    ("dates of the United States", |key, value| {
        written_otherwise(key, value, &[("2026-11-26", "11/26/2026"), ("2026-12-25", "12/25/2026")])
    }),
    ("durations in words", |key, value| {
        written_otherwise(key, value, &[("\"30m\"", "\"30 minutes\""), ("\"2h\"", "\"2 hours\"")])
    }),
    ("tabs and spaces", |key, value| Some(format!("  {key}\t=  {value}  , "))),
    ("a text for true", |key, value| match value {
        "true" => Some(format!("{key} = yes")),
        "false" => Some(format!("{key} = No")),
        _ => None,
    }),
];

/// A value with some of its texts written as people write them.
fn written_otherwise(key: &str, value: &str, words: &[(&str, &str)]) -> Option<String> {
    let other = words.iter().fold(value.to_owned(), |value, (from, to)| value.replace(from, to));
    (other != value).then(|| format!("{key} = {other}"))
}

fn checked(files: &BTreeMap<String, String>) -> Option<Report> {
    let mut entries = Entries::default();
    for (path, text) in files {
        entries.add(path, text.clone().into_bytes().into()).unwrap();
    }
    match load_and_check_entries(entries, NaiveDate::from_ymd_opt(2026, 11, 21).unwrap()) {
        Ok(_) => None,
        Err(ContentError::Invalid(report)) => Some(*report),
        Err(error) => panic!("{error}"),
    }
}

/// A file with mistakes: their names, its path, and its text.
type Planted = (String, String, String);

/// A line of the file with a mistake in it.
fn mistaken(line: &str, mistake: Mistake) -> Option<String> {
    let (key, value) = line.split_once('=').filter(|_| !line.starts_with('#'))?;
    mistake(key.trim(), value.trim())
}

/// Each mistake on each line of each file of the clinic, and as many pairs of them on two lines.
fn planted(files: &BTreeMap<String, String>) -> Vec<Planted> {
    let mut planted = Vec::new();
    for (path, text) in files {
        let lines: Vec<&str> = text.lines().collect();
        let joined = |lines: &[&str]| lines.join("\n") + "\n";
        for (at, line) in lines.iter().enumerate() {
            for (number, (name, mistake)) in MISTAKES.into_iter().enumerate() {
                let Some(wrong) = mistaken(line, mistake) else { continue };
                let mut broken = lines.clone();
                broken[at] = &wrong;
                planted.push((name.to_owned(), path.clone(), joined(&broken)));
                // The other line and its mistake go round, so that all meet.
                for turn in [1, 4, 9, 13] {
                    let (other, (second, mistake)) = (
                        (at + number + turn) % lines.len(),
                        MISTAKES[(number * 5 + at + turn) % MISTAKES.len()],
                    );
                    let Some(worse) = mistaken(lines[other], mistake).filter(|_| other != at) else {
                        continue;
                    };
                    let mut broken = broken.clone();
                    broken[other] = &worse;
                    planted.push((format!("{name}, and {second}"), path.clone(), joined(&broken)));
                }
            }
        }
    }
    planted
}

/// What became of a file when its certain repairs, or else the first one, were followed until nothing was left.
struct Followed {
    is_right: bool,
    was_offered: bool,
    /// The first certain repair that was not right.
    wrong: Option<String>,
    is_certain: bool,
}

fn follow(files: &BTreeMap<String, String>, path: &str, text: &str) -> Option<Followed> {
    const ROUNDS: usize = 4;
    let meaning = |text: &str| text.parse::<toml::Table>().ok();
    let mut repaired = files.clone();
    repaired.insert(path.to_owned(), text.to_owned());
    let mut report = Some(checked(&repaired)?);
    let (mut was_offered, mut is_certain, mut titles) = (false, true, Vec::new());
    for _ in 0..ROUNDS {
        let Some(known) = report.as_ref() else { break };
        let Some(repair) = known.problems().iter().flat_map(Problem::repairs).next() else {
            break;
        };
        was_offered = true;
        is_certain &= repair.class == Class::Certain;
        titles.push(repair.title.clone());
        for edit in known.edits_on_disk(repair).into_iter().rev() {
            repaired.get_mut(&edit.path).unwrap().replace_range(edit.span, &edit.text);
        }
        report = checked(&repaired);
    }
    let is_right = meaning(&repaired[path]) == meaning(&files[path]);
    let wrong = (is_certain && was_offered && !is_right)
        .then(|| format!("{}\n{}", titles.join("; "), repaired[path]));
    Some(Followed { is_right, was_offered, wrong, is_certain })
}

#[test]
fn a_certain_repair_restores_what_was_meant_in_two_thousand_files() {
    let (_folder, content) = clinic();
    let files: BTreeMap<String, String> = in_memory(&content)
        .iter()
        .filter_map(|(path, bytes)| Some((path.to_owned(), String::from_utf8(bytes.to_vec()).ok()?)))
        .collect();
    let planted = planted(&files);
    let followed: Vec<(&Planted, Followed)> = planted
        .par_iter()
        .filter_map(|case| follow(&files, &case.1, &case.2).map(|followed| (case, followed)))
        .collect();
    let number = |holds: fn(&Followed) -> bool| followed.iter().filter(|(_, one)| holds(one)).count();
    let (offered, right, certain) = (
        number(|one| one.was_offered),
        number(|one| one.is_right),
        number(|one| one.was_offered && one.is_certain),
    );
    let wrong: Vec<String> = followed
        .iter()
        .filter_map(|((name, path, _), one)| Some(format!("{name} in {path}: {}", one.wrong.as_ref()?)))
        .collect();
    println!(
        "{} mistakes: {offered} with a repair, {right} right in the end; {certain} by certain repairs alone, {} of them wrong",
        followed.len(),
        wrong.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(followed.len() >= 2000, "{}", followed.len());
    assert!(
        offered * 10 >= followed.len() * 9 && right * 10 >= offered * 8,
        "{} {offered} {right}",
        followed.len()
    );
}
