//! Applies repairs, as `check --fix` does. In each round, the files of one clinician are repaired apart from those of
//! others, so ten thousand files with a mistake in each need two checks of the folder. The second says what the repairs
//! uncovered, and whether one of them made something wrong that only several clinicians' files together show.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use chrono::NaiveDate;
use rayon::prelude::*;

use super::super::check;
use super::super::load::{LoadError, load_edited};
use super::super::offer::{Class, Repair};
use super::super::problem::{Kind, Problem, Severity};
use super::super::problems::Problems;
use super::super::sources::{Edited, FeedIs, Sources};
use super::judge::{Judged, Learned, judge};
use super::trial::{Changes, Lists, SmallFolder};
use super::{TOGETHER, files_around};

const ROUNDS: usize = 4;
/// What the checks for the repairs of one clinician cost in a round, in units of a byte without structure.
const CHECKED: usize = 4 << 20;
/// How many clinicians' files are repaired one after another, to learn from them what to try first.
const LEARNED_FROM: usize = 32;
/// The repairs that only write what is there in another way. Of the others, a person says which way out is right.
const ONLY_WRITES: [&str; 10] =
    ["value", "line", "key", "header", "table", "characters", "place", "meant", "file", "dates"];

#[derive(Debug, Default)]
pub struct Mended {
    /// The place of each repaired problem, and what was done.
    pub applied: Vec<(String, String)>,
    /// Each changed file's text before and after. `None` is a file that does not exist.
    pub files: BTreeMap<String, (Option<String>, Option<String>)>,
}

/// The repaired files of one clinician, or the repaired lists.
#[derive(Default)]
struct Group<'a> {
    stem: &'a str,
    changes: Changes,
    applied: Vec<(String, String)>,
    /// How many errors are gone, as far as these files alone show it, and in which files.
    healed: usize,
    healed_files: BTreeSet<String>,
    /// Whether a problem is gone that can hide others.
    uncovers: bool,
}

/// Repairs what can be repaired without a question: `with_likely` also what is likely and has one way out.
pub fn mend(folder: &Path, today: NaiveDate, with_likely: bool) -> Result<Mended, LoadError> {
    let mut edited = Edited::new();
    let mut applied = Vec::new();
    let mut refused: BTreeSet<String> = BTreeSet::new();
    let first = found(folder, Edited::new(), today)?;
    let mut latest: Option<(Sources, Problems)> = None;
    for _ in 0..ROUNDS {
        let (sources, problems) = latest.as_ref().unwrap_or(&first);
        let groups = round(sources, problems, &refused, today, with_likely);
        if groups.is_empty() {
            break;
        }
        let mut with = edited.clone();
        with.extend(groups.iter().flat_map(|group| group.changes.clone()));
        let after = found(folder, with.clone(), today)?;
        let (before, now) = (errors_by_file(problems), errors_by_file(&after.1));
        let is_worse = |group: &&Group<'_>| {
            let errors = |by_file: &BTreeMap<&str, usize>| -> usize {
                let files: BTreeSet<&String> = group.changes.keys().chain(&group.healed_files).collect();
                files.iter().filter_map(|path| by_file.get(path.as_str())).sum()
            };
            !group.uncovers && errors(&now) + group.healed > errors(&before)
        };
        let worse: Vec<String> = groups.iter().filter(is_worse).map(|group| group.stem.to_owned()).collect();
        if worse.is_empty() {
            applied.extend(groups.into_iter().flat_map(|group| group.applied));
            (edited, latest) = (with, Some(after));
        }
        // The next round goes without them.
        refused.extend(worse);
    }
    let file = |(path, after): (String, Option<String>)| {
        let mark = |text: String| if first.0.has_mark(&path) { format!("\u{feff}{text}") } else { text };
        let before = first.0.get(&path).and_then(|_| first.0.whole_text(&path));
        let texts = (before.map(mark), after.map(mark));
        (path, texts)
    };
    Ok(Mended { applied, files: edited.into_iter().map(file).collect() })
}

fn found(folder: &Path, edited: Edited, today: NaiveDate) -> Result<(Sources, Problems), LoadError> {
    let (mut sources, unreadable) = load_edited(folder, FeedIs::ListenedTo, edited)?;
    let mut problems = Problems::to_repair();
    problems.append(unreadable);
    check::find(&mut sources, &mut problems, today);
    Ok((sources, problems))
}

fn errors_by_file(problems: &Problems) -> BTreeMap<&str, usize> {
    let mut errors = BTreeMap::new();
    for error in problems.iter().filter(|problem| problem.severity == Severity::Error) {
        let other = error.also.iter().map(|(place, _)| place.path.as_str());
        for path in other.filter(|path| *path != error.path()).chain([error.path()]) {
            *errors.entry(path).or_default() += 1;
        }
    }
    errors
}

/// Repairs the lists, which other files refer to, or else the files of each clinician.
fn round<'a>(
    sources: &Sources,
    problems: &'a Problems,
    refused: &BTreeSet<String>,
    today: NaiveDate,
    with_likely: bool,
) -> Vec<Group<'a>> {
    let all: Vec<&Problem> = problems.iter().collect();
    let known: BTreeSet<(&str, &str)> = all.iter().map(|problem| (problem.path(), problem.what())).collect();
    let mut files: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let mut shared: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for problem in all.iter().filter(|problem| names_list(problem)) {
        shared.entry(problem.what()).or_default().insert(problem.path());
    }
    shared.retain(|_, paths| paths.len() > 1);
    for problem in &all {
        let files = files
            .entry(if shared.contains_key(problem.what()) { "" } else { stem_of(problem.path()) })
            .or_default();
        if files.len() < TOGETHER || problem.severity == Severity::Error && !problem.path().contains('/') {
            files.extend(files_around(sources, problem, &all));
        }
    }
    files.retain(|stem, _| !refused.contains(*stem));
    let lists = Lists::of(sources, today);
    let mended = |(stem, paths): (&'a str, BTreeSet<String>), learned: &mut Learned| {
        let folder = SmallFolder::of(sources, &lists, &paths, today);
        let group = Group { stem, ..Group::default() };
        let is_of_group = |problem: &Problem| {
            let is_shared = shared.contains_key(problem.what());
            if is_shared { stem.is_empty() } else { stem_of(problem.path()) == stem }
        };
        let group = group.mended(folder, sources, &known, &is_of_group, learned, with_likely);
        Some(group).filter(|group| !group.applied.is_empty())
    };
    let mut learned = Learned::default();
    let of_lists = files.remove_entry("").and_then(|files| mended(files, &mut learned));
    if let Some(group) = of_lists {
        return vec![group];
    }
    let mut files: Vec<_> = files.into_iter().collect();
    let others = files.split_off(files.len().min(LEARNED_FROM));
    let mut groups: Vec<_> = files.into_iter().filter_map(|files| mended(files, &mut learned)).collect();
    groups.par_extend(others.into_par_iter().filter_map(|files| mended(files, &mut learned.clone())));
    groups
}

/// Whether a problem is about what a list of the clinic lacks. Where several files have it, the list may be wrong.
fn names_list(problem: &Problem) -> bool {
    let lists = ["insurances.toml", "appointment-types.toml", "holidays/"];
    lists.iter().any(|list| problem.what().contains(list))
}

/// The name that the files of one clinician share. Those of the clinic have none.
fn stem_of(path: &str) -> &str {
    match path.split_once('/') {
        Some(("providers" | "availability", name)) => name.split('.').next().unwrap_or(name),
        _ => "",
    }
}

impl Group<'_> {
    /// `known` are the problems of the whole folder.
    fn mended(
        mut self,
        mut folder: SmallFolder<'_>,
        sources: &Sources,
        known: &BTreeSet<(&str, &str)>,
        is_of_group: &dyn Fn(&Problem) -> bool,
        learned: &mut Learned,
        with_likely: bool,
    ) -> Self {
        let errors = |folder: &SmallFolder<'_>| -> Vec<Problem> {
            let errors = folder.before.iter().filter(|problem| problem.severity == Severity::Error);
            errors.cloned().collect()
        };
        let all = errors(&folder);
        // What only a part of the folder shows isn't a problem.
        let of_part = folder.before.iter().filter(|found| !known.contains(&(found.path(), found.what())));
        let of_part: BTreeSet<String> = of_part.map(|problem| problem.what().to_owned()).collect();
        let (mut at, mut budget, mut undecided) = (0, CHECKED, Vec::new());
        loop {
            folder.before.sort_by(|one, other| one.order().cmp(&other.order()));
            let Some(problem) = folder.before.get(at) else { break };
            let is_own =
                is_of_group(problem) && !of_part.contains(problem.what()) && !undecided.contains(problem);
            let judged =
                if is_own { judge(&folder, problem, learned, &mut budget) } else { Judged::default() };
            let Some((repair, (changes, left))) = choose(&judged.repairs, with_likely).zip(judged.first)
            else {
                // What a person decides heals these, too.
                if choose(&judged.repairs, true).is_none() {
                    undecided.extend(judged.healed);
                }
                at += 1;
                continue;
            };
            let text = folder.texts.get(problem.path()).map_or("", String::as_str);
            let before = problem.place.start().and_then(|start| text.get(..start)).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            self.applied
                .push((format!("{}:{line}", sources.shown_path(problem.path())), repair.title.clone()));
            self.uncovers |= matches!(problem.kind, Kind::Syntax | Kind::WrongType | Kind::File);
            folder.keep(&changes, left);
            self.changes.extend(changes);
        }
        let left = errors(&folder);
        self.healed = all.len().saturating_sub(left.len());
        let healed = all.iter().filter(|error| !left.contains(error));
        self.healed_files = healed.map(|error| error.path().to_owned()).collect();
        self
    }
}

pub fn choose(offered: &[Repair], with_likely: bool) -> Option<&Repair> {
    match offered {
        [first, ..] if first.class == Class::Certain => Some(first),
        // What brings a new warning is for a person.
        [only] if with_likely && only.causes.is_empty() && ONLY_WRITES.contains(&only.name) => Some(only),
        _ => None,
    }
}
