//! Looks for repairs of what is wrong: edits that are tried before they are offered. The modules of rows and `across`
//! propose edits from the text at a problem's place and from what its key holds, never from a message. `trial` checks a small folder
//! with each. One that heals and breaks nothing is offered, with all other problems that it heals: its followers.
//!
//! - *Healing is not being right*: a repair is certain only if it rewrites notation, nothing else heals, every key stays a
//!   key, and every letter and digit outside the notation stays.
//! - *Uncovered is not new*: behind a value that cannot be read, other mistakes were hidden.
//! - *Deletion heals everything*, so it is offered only for an empty value, a repetition, or one side of a contradiction.

mod across;
mod atoms;
mod broken_lines;
mod candidate;
mod date_rows;
mod entry_rows;
mod here;
mod hours_rows;
mod instead;
mod judge;
mod line_rows;
mod lists;
mod mend;
mod rows;
mod state_rows;
mod table_rows;
mod times;
mod trial;
mod used;
mod value_rows;
mod values;
mod whole_file;
mod written;

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;

use super::offer::Repaired;
use super::problem::{Kind, Problem, Severity};
use super::problems::Problems;
use super::sources::Sources;
pub use atoms::words_meant;
use judge::{Learned, has_repairs, judge};
pub use mend::{Mended, choose, mend};
use trial::{Lists, SmallFolder};
pub use written::toml_text;

/// For how many causes a check looks for repairs. The others get their sentence.
const MOST_CAUSES: usize = 24;
/// What the checks for repairs cost in all, in units of a byte without structure.
const CHECKED: usize = 24 << 20;
/// How many problems with the same words are looked at together.
const TOGETHER: usize = 40;

pub(super) fn repairs(sources: &Sources, problems: &Problems, today: NaiveDate) -> Repaired {
    let mut repaired = Repaired::default();
    if problems.is_empty() {
        return repaired;
    }
    let problems: Vec<&Problem> = problems.iter().collect();
    let mut order: Vec<usize> = (0..problems.len()).collect();
    order.sort_by_key(|&at| problems[at].order());
    let mut alike: BTreeMap<(&str, Severity), BTreeSet<&str>> = BTreeMap::new();
    for problem in &problems {
        let paths = alike.entry((problem.what(), problem.severity())).or_default();
        if paths.len() < TOGETHER {
            paths.insert(problem.path());
        }
    }
    let mut folders: BTreeMap<BTreeSet<String>, SmallFolder<'_>> = BTreeMap::new();
    let lists = Lists::of(sources, today);
    let (mut causes, mut budget, mut learned) = (0, CHECKED, Learned::default());
    for at in order {
        if causes == MOST_CAUSES {
            break;
        }
        if repaired.followers.contains_key(&at) {
            continue;
        }
        causes += 1;
        let problem = problems[at];
        if !has_repairs(problem, sources.whole_text(problem.path()).as_deref()) {
            continue;
        }
        let mut paths = files_around(sources, problem, &problems);
        let same = &alike[&(problem.what(), problem.severity())];
        paths.extend(same.iter().map(|path| (*path).to_owned()));
        let folder =
            folders.entry(paths).or_insert_with_key(|paths| SmallFolder::of(sources, &lists, paths, today));
        let judged = judge(folder, problem, &mut learned, &mut budget);
        if judged.repairs.is_empty() {
            continue;
        }
        for (other, known) in problems.iter().enumerate() {
            let is_of_file =
                known.kind == Kind::File && problem.kind != Kind::File && known.path() != problem.path();
            if other != at
                && !is_of_file
                && !repaired.repairs.contains_key(&other)
                && judged.healed.iter().any(|healed| healed == *known)
            {
                repaired.followers.insert(other, at);
            }
        }
        repaired.repairs.insert(at, judged.repairs);
    }
    // A biography that was copied is wrong for its clinician in other ways, too.
    for (at, copied) in problems.iter().enumerate() {
        if copied.what().ends_with(" have the same biography.") {
            let of_it = problems.iter().enumerate().filter(|(other, problem)| {
                *other != at && problem.place == copied.place && problem.what().contains("biography says")
            });
            repaired.followers.extend(of_it.map(|(other, _)| (other, at)));
        }
    }
    repaired
}

fn files_around(sources: &Sources, problem: &Problem, problems: &[&Problem]) -> BTreeSet<String> {
    let mut paths = BTreeSet::from([problem.path().to_owned()]);
    // The lists of the clinic are what the other files refer to.
    if !problem.path().contains('/') {
        let others = problems.iter().filter(|other| other.severity == Severity::Error);
        paths.extend(others.map(|other| other.path().to_owned()).take(TOGETHER));
        paths.extend(sources.below("providers").map(|(path, _)| path.to_owned()).take(TOGETHER));
    }
    if problem.kind == Kind::File {
        paths.extend(trial::counterpart_of(problem.path()).filter(|path| sources.get(path).is_some()));
        paths.extend(across::original_of(problem.path()).filter(|path| sources.get(path).is_some()));
        paths.extend(across::other_names(sources, problem.path()).into_iter().map(|(_, path)| path));
    }
    paths.extend(problem.also.iter().map(|(place, _)| place.path.clone()));
    paths
}
