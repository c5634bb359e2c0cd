//! Decides which of the proposed edits heal, and how sure they are.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::super::offer::{Class, Edit, Repair};
use super::super::problem::{Kind, Problem};
use super::super::statement::Statement;
use super::candidate::{Candidate, Effect};
use super::rows::candidates;
use super::trial::{Changed, Changes, Outcome, SmallFolder};

/// How many repairs of a problem are offered.
const OFFERED: usize = 3;
/// How many edits are tried for a problem.
const TRIED: usize = 40;

struct Healing {
    repair: Repair,
    changes: Changes,
    gone: Vec<usize>,
    effect: Effect,
    /// How many errors it uncovers.
    uncovers: usize,
    size: usize,
}

/// The checks that may still be made.
struct Trials<'a> {
    /// Of this problem.
    left: usize,
    /// What each costs.
    cost: usize,
    /// What those of all problems may still cost.
    budget: &'a mut usize,
}

impl Trials<'_> {
    /// Whether one more may be made, which is counted.
    fn take(&mut self) -> bool {
        let (Some(left), Some(budget)) = (self.left.checked_sub(1), self.budget.checked_sub(self.cost))
        else {
            return false;
        };
        (self.left, *self.budget) = (left, budget);
        true
    }
}

/// The repairs of a problem, best first, and all problems that each of them heals. `budget` is what checks may still
/// cost.
pub(super) fn judge(
    folder: &SmallFolder<'_>,
    problem: &Problem,
    budget: &mut usize,
) -> (Vec<Repair>, Vec<Problem>) {
    let Some(at) = folder.before.iter().position(|known| known == problem) else { return Default::default() };
    let mut healing: Vec<Healing> = Vec::new();
    let mut trials = Trials { left: TRIED, cost: folder.cost(), budget };
    for candidate in candidates(folder, &Changes::new(), problem) {
        if !trials.take() {
            break;
        }
        if let Some(found) = heals(folder, problem, at, &candidate, &mut trials)
            && !healing.iter().any(|known| means_the_same(&known.changes, &found.changes))
        {
            healing.push(found);
        }
    }
    // What is meant by a wrong name is known, so it need not go.
    if healing.iter().any(|found| matches!(found.repair.name, "value" | "meant" | "key" | "undo-rename")) {
        healing.retain(|found| {
            found.effect == Effect::Nothing || matches!(found.repair.name, "order" | "rename-everywhere")
        });
    }
    healing.sort_by_key(|found| {
        let Repair { class, causes, .. } = &found.repair;
        let is_everywhere = found.repair.edits.len() > 2;
        let order = (found.effect, !causes.is_empty(), *class, is_everywhere, found.size);
        (Reverse(found.gone.len()), found.uncovers, order)
    });
    let Some(best) = healing.first() else { return Default::default() };
    // All that are offered heal the same problems, and leave as few.
    let (gone, uncovers) = (best.gone.clone(), best.uncovers);
    healing.retain(|found| found.gone == gone && found.uncovers == uncovers);
    healing.truncate(OFFERED);
    let is_alone = healing.len() == 1;
    let healed = gone.iter().map(|&at| folder.before[at].clone()).collect();
    let repairs = healing.into_iter().map(|found| Repair {
        class: if is_alone { found.repair.class } else { Class::Likely },
        ..found.repair
    });
    (repairs.collect(), healed)
}

/// Tries one candidate. An error inside its edit gets one more repair.
fn heals(
    folder: &SmallFolder<'_>,
    problem: &Problem,
    at: usize,
    candidate: &Candidate,
    trials: &mut Trials<'_>,
) -> Option<Healing> {
    let changes = folder.apply(&Changes::new(), &candidate.edits, &candidate.moves)?;
    let outcome = folder.try_out(&changes);
    if !outcome.gone.contains(&at) {
        return None;
    }
    // A header changes to what the lines below it belong.
    let is_strict = matches!(candidate.row, "header" | "place") && problem.kind != Kind::WrongType;
    let is_new = |(error, is_inside): &&(Problem, bool)| {
        *is_inside || is_strict || !Outcome::is_uncovered(error, problem)
    };
    let new: Vec<&Problem> = outcome.errors.iter().filter(is_new).map(|(error, _)| error).collect();
    match new.as_slice() {
        [] => found(folder, candidate, changes, outcome, candidate.class),
        [error] if candidate.is_of_notation() => {
            for second in candidates(folder, &changes, error) {
                if !second.is_of_notation() {
                    continue;
                }
                if !trials.take() {
                    return None;
                }
                let Some(both) = folder.apply(&changes, &second.edits, &second.moves) else { continue };
                let outcome = folder.try_out(&both);
                let is_whole =
                    outcome.gone.contains(&at) && !outcome.errors.iter().any(|error| is_new(&error));
                if is_whole {
                    let class = candidate.class.max(second.class);
                    return found(
                        folder,
                        &Candidate { keeps: false, ..candidate.clone() },
                        both,
                        outcome,
                        class,
                    );
                }
            }
            None
        }
        _ => None,
    }
}

fn found(
    folder: &SmallFolder<'_>,
    candidate: &Candidate,
    changes: Changes,
    outcome: Outcome,
    class: Class,
) -> Option<Healing> {
    let is_gone = |path: &String| {
        candidate.moves.iter().any(|moved| moved.from == *path || moved.to.as_ref() == Some(path))
    };
    let mut edits = Vec::new();
    for (path, text) in changes.iter().filter(|(path, _)| !is_gone(path)) {
        let (before, after) = (folder.texts.get(path).map_or("", String::as_str), text.as_deref()?);
        if candidate.keeps && !keeps(before, after) {
            return None;
        }
        let Changed { before: span, after: new } = Changed::between(before, after);
        edits.push(Edit { path: path.clone(), span, text: after[new].to_owned() });
    }
    // Several edits of a file are told one by one, unless a second repair changed the text of the first.
    let is_as_proposed =
        folder.apply(&Changes::new(), &candidate.edits, &candidate.moves).as_ref() == Some(&changes);
    let mut edits = if is_as_proposed { candidate.edits.clone() } else { edits };
    edits.sort_by(|one, other| (&one.path, one.span.start).cmp(&(&other.path, other.span.start)));
    let causes: Vec<String> = outcome.warnings.iter().map(|warning| warning.what().to_owned()).collect();
    // What another name of a file shows was there before.
    let causes = if candidate.moves.is_empty() { causes } else { Vec::new() };
    let class = if causes.is_empty() { class } else { Class::Likely };
    let size = edits.iter().map(|edit| edit.span.len() + edit.text.len()).sum();
    let title = match &candidate.title {
        Some(title) if is_as_proposed => title.clone(),
        _ => title_of(&edits, folder),
    };
    let repair = Repair {
        name: candidate.row,
        class,
        title,
        heals: outcome.gone.len(),
        causes,
        edits,
        moves: candidate.moves.clone(),
    };
    let uncovers = outcome.errors.len();
    Some(Healing { repair, changes, gone: outcome.gone, effect: candidate.effect, uncovers, size })
}

/// What to write, as it stands in the file afterwards.
fn title_of(edits: &[Edit], folder: &SmallFolder<'_>) -> String {
    const SHOWN: usize = 80;
    let Some(edit) = edits.first() else { return "Do this".to_owned() };
    let before = folder.texts.get(&edit.path).map_or("", String::as_str);
    let mut after = before.to_owned();
    after.replace_range(edit.span.clone(), &edit.text);
    let end = edit.span.start + edit.text.len();
    let first = after[..edit.span.start].rfind('\n').map_or(0, |at| at + 1);
    let last = after[end..].find('\n').map_or(after.len(), |at| end + at);
    let written = after[first..last].trim();
    let written = match written.split_once('=') {
        Some((key, value)) if !key.contains(['"', '\n']) => format!("{} = {}", key.trim(), value.trim()),
        _ => written.to_owned(),
    };
    let mut shown: String =
        written.lines().next().unwrap_or_default().trim_end().chars().take(SHOWN).collect();
    if shown.len() < written.len() {
        shown.push('…');
    }
    format!("Write {shown}")
}

/// Whether all keys stay keys, and all letters and digits stay.
fn keeps(before: &str, after: &str) -> bool {
    let signs = |text: &str| text.chars().filter(|sign| sign.is_alphanumeric()).collect::<String>();
    keys(before) == keys(after) && signs(before) == signs(after)
}

fn keys(text: &str) -> Vec<&str> {
    let is_key =
        |key: &str| !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let mut at = 0;
    let mut keys = Vec::new();
    for line in text.split_inclusive('\n') {
        let found =
            Statement::on_line(text, at, is_key).filter(|found| text[found.joint.clone()].contains('='));
        keys.extend(found.map(|found| found.key(text)));
        at += line.len();
    }
    keys
}

/// Whether two results say the same, in whatever notation.
fn means_the_same(one: &Changes, other: &Changes) -> bool {
    let parsed = |changes: &Changes| -> Option<BTreeMap<String, Option<toml::Table>>> {
        let read = |(path, text): (&String, &Option<String>)| {
            let table = match text {
                Some(text) => Some(text.parse::<toml::Table>().ok()?),
                None => None,
            };
            Some((path.clone(), table))
        };
        changes.iter().map(read).collect()
    };
    one == other || parsed(one).is_some_and(|read| Some(read) == parsed(other))
}
