//! Decides which of the proposed edits heal, and how sure they are.

use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};

use super::super::bounds::Excess;
use super::super::lines::{each_line, line_at};
use super::super::offer::{Class, Edit, Repair};
use super::super::problem::{Kind, Problem, Severity};
use super::super::statement::Statement;
use super::candidate::{Candidate, Effect};
use super::rows::candidates;
use super::trial::{Changed, Changes, Outcome, SmallFolder};
use crate::model::StateCode;

const OFFERED: usize = 3;
/// The largest file whose lines are repaired, in bytes.
const LARGEST: usize = 64 << 10;
const TRIED: usize = 40;

struct Healing {
    repair: Repair,
    changes: Changes,
    after: Vec<Problem>,
    gone: Vec<usize>,
    effect: Effect,
    uncovers: usize,
    size: usize,
}

/// Which of the repairs that were tried was the only one to heal, and certain, by the words of a problem and by what was
/// tried. The same mistake can be in thousands of files.
#[derive(Clone, Default)]
pub(super) struct Learned(BTreeMap<Sort, usize>);

type Sort = (String, Vec<(&'static str, Class)>);

#[derive(Default)]
pub(super) struct Judged {
    /// The repairs, best first.
    pub(super) repairs: Vec<Repair>,
    /// All problems that each of them heals.
    pub(super) healed: Vec<Problem>,
    /// The files that the first one changes, and the problems that are left then.
    pub(super) first: Option<(Changes, Vec<Problem>)>,
}

struct Trial<'a> {
    folder: &'a SmallFolder<'a>,
    problem: &'a Problem,
    /// The place of the problem in the folder's list.
    at: usize,
    /// How many may still be made.
    left: usize,
    budget: &'a mut usize,
}

/// Whether repairs of a problem are looked for. Those of lines are not, in a large file or one that is hardly content.
pub(super) fn has_repairs(problem: &Problem, text: Option<&str>) -> bool {
    let is_small = |text: &str| text.len() <= LARGEST && Excess::find(text).is_none();
    problem.kind == Kind::File || text.is_some_and(is_small)
}

/// Looks for the repairs of a problem. `budget` is what checks may still cost.
pub(super) fn judge(
    folder: &SmallFolder<'_>,
    problem: &Problem,
    learned: &mut Learned,
    budget: &mut usize,
) -> Judged {
    let text = folder.texts.get(problem.path()).map(String::as_str);
    let at = folder.before.iter().position(|known| known == problem);
    let Some(at) = at.filter(|_| has_repairs(problem, text)) else { return Judged::default() };
    let proposed = candidates(folder, &Changes::new(), problem);
    let words = problem.what().split(['"', '`']).step_by(2).collect();
    let kind = (words, proposed.iter().map(|candidate| (candidate.row, candidate.class)).collect());
    let mut trial = Trial { folder, problem, at, left: TRIED, budget };
    let known = learned.0.get(&kind).and_then(|&at| trial.heals(&proposed[at], true));
    if let Some(found) = known.filter(|found| found.repair.class == Class::Certain) {
        return Judged::of(folder, vec![found]);
    }
    let mut healing: Vec<(usize, Healing)> = Vec::new();
    for (number, candidate) in proposed.iter().enumerate() {
        if let Some(found) = trial.heals(candidate, true)
            && !healing.iter().any(|(_, known)| {
                with_codes(&known.repair.title) == with_codes(&found.repair.title)
                    || means_the_same(&known.changes, &found.changes)
            })
        {
            healing.push((number, found));
        }
    }
    // What is meant by a wrong name is known, so it need not go.
    if healing.iter().any(|(_, found)| matches!(found.repair.name, "value" | "meant" | "key" | "undo-rename"))
    {
        healing.retain(|(_, found)| {
            found.effect == Effect::Nothing
                || matches!(found.repair.name, "order" | "undo-rename" | "rename-everywhere")
        });
    }
    // A warning that goes along with an error says nothing about which way out is meant.
    let weight = |gone: &[usize]| -> Vec<usize> {
        let is_equal = |at: &&usize| folder.before[**at].severity() == problem.severity();
        gone.iter().filter(is_equal).copied().collect()
    };
    healing.sort_by_key(|(_, found)| {
        let Repair { class, causes, edits, .. } = &found.repair;
        let order = (found.effect, !causes.is_empty(), *class, edits.len() > 2, found.size);
        (Reverse(weight(&found.gone).len()), found.uncovers, order)
    });
    let Some((_, best)) = healing.first() else { return Judged::default() };
    // All that are offered heal the same errors, and leave as few.
    let (gone, uncovers) = (weight(&best.gone), best.uncovers);
    // Of a date that can be read in two ways, the reading that fits another mistake may be the wrong one.
    let first = best.repair.edits.first().cloned();
    let is_reading = |found: &Healing| {
        let [edit] = &found.repair.edits[..] else { return false };
        problem.what().ends_with(" isn't a date.")
            && first.as_ref().is_some_and(|first| (&first.path, &first.span) == (&edit.path, &edit.span))
    };
    healing
        .retain(|(_, found)| is_reading(found) || weight(&found.gone) == gone && found.uncovers == uncovers);
    if healing.iter().all(|(_, found)| is_reading(found)) {
        healing.sort_by_key(|(number, _)| *number);
    }
    healing.truncate(OFFERED);
    let shared = |at: &usize| healing.iter().all(|(_, found)| found.gone.contains(at));
    let gone: Vec<usize> = healing[0].1.gone.iter().copied().filter(shared).collect();
    for (_, found) in &mut healing {
        found.repair.heals = gone.len();
        found.gone.clone_from(&gone);
    }
    match healing.as_mut_slice() {
        [(number, found)] if found.repair.class == Class::Certain => _ = learned.0.insert(kind, *number),
        [_] => {}
        several => several.iter_mut().for_each(|(_, found)| found.repair.class = Class::Likely),
    }
    Judged::of(folder, healing.into_iter().map(|(_, found)| found).collect())
}

impl Judged {
    /// `healing` heal the same problems.
    fn of(folder: &SmallFolder<'_>, healing: Vec<Healing>) -> Self {
        let gone = healing.first().map_or(&[][..], |best| &best.gone);
        let healed = gone.iter().map(|&at| folder.before[at].clone()).collect();
        let (repairs, mut states): (Vec<_>, Vec<_>) =
            healing.into_iter().map(|found| (found.repair, (found.changes, found.after))).unzip();
        Self { repairs, healed, first: states.drain(..).next() }
    }
}

impl Trial<'_> {
    /// Tries one candidate. An error inside its edit gets one more repair if it `may_chain`.
    fn heals(&mut self, candidate: &Candidate, may_chain: bool) -> Option<Healing> {
        (self.left, *self.budget) = (self.left.checked_sub(1)?, self.budget.checked_sub(self.folder.cost())?);
        let changes = self.folder.apply(&Changes::new(), &candidate.edits, &candidate.moves)?;
        let outcome = self.folder.try_out(&changes);
        if !outcome.gone.contains(&self.at) {
            return None;
        }
        // A header changes to what the lines below it belong.
        let is_strict = matches!(candidate.row, "header" | "place") && self.problem.kind != Kind::WrongType;
        let (errors, mut causes) = (outcome.of(Severity::Error), outcome.of(Severity::Warning));
        let is_new = |(new, is_inside): &&(Problem, bool)| {
            *is_inside || is_strict || !Outcome::is_uncovered(new, self.problem)
        };
        let mut new = errors.iter().filter(is_new);
        match (new.next(), new.next()) {
            (None, _) => {}
            (Some((error, _)), None)
                if may_chain && (candidate.is_of_notation() || candidate.row == "place") =>
            {
                for second in candidates(self.folder, &changes, error) {
                    if !second.is_of_notation() && second.row != "meant" {
                        continue;
                    }
                    let Some(both) = self.folder.apply(&changes, &second.edits, &second.moves) else {
                        continue;
                    };
                    let edits = both.iter().filter_map(|(path, text)| {
                        let before = self.folder.texts.get(path).map_or("", String::as_str);
                        let Changed { before: span, after } = Changed::between(before, text.as_deref()?);
                        Some(Edit { path: path.clone(), span, text: text.as_deref()?[after].to_owned() })
                    });
                    let chained = Candidate {
                        class: candidate.class.max(second.class),
                        title: match (&candidate.title, &second.edits[..]) {
                            (Some(title), [edit]) if candidate.row == "place" => {
                                Some(format!("{title}, and write {}", edit.text))
                            }
                            _ => None,
                        },
                        edits: edits.collect(),
                        keeps: false,
                        ..candidate.clone()
                    };
                    if let Some(found) = self.heals(&chained, false) {
                        return Some(found);
                    }
                }
                return None;
            }
            _ => return None,
        }
        let text = |path: &str| self.folder.texts.get(path).map_or("", String::as_str);
        let is_kept = |edit: &Edit| {
            self.folder.text(&changes, &edit.path).is_none_or(|after| keeps(text(&edit.path), after))
        };
        if candidate.keeps && !candidate.edits.iter().all(is_kept) {
            return None;
        }
        // What another name of a file shows was there before.
        causes.retain(|new| candidate.moves.is_empty() && is_new(&new));
        // An error that was hidden isn't new, but one alone is worth a word.
        let hidden =
            errors.first().filter(|(error, _)| errors.len() == 1 && error.path() == self.problem.path());
        let repair = Repair {
            name: candidate.row,
            class: if causes.is_empty() { candidate.class } else { Class::Likely },
            title: candidate
                .title
                .clone()
                .unwrap_or_else(|| title_of(&candidate.edits, self.folder, &outcome.after)),
            heals: outcome.gone.len(),
            causes: causes.iter().chain(hidden).map(|(next, _)| next.what().to_owned()).collect(),
            edits: candidate.edits.clone(),
            moves: candidate.moves.clone(),
        };
        let size = repair.edits.iter().map(|edit| edit.span.len() + edit.text.len()).sum();
        let (uncovers, effect) = (errors.len(), candidate.effect);
        Some(Healing { repair, changes, after: outcome.after, gone: outcome.gone, effect, uncovers, size })
    }
}

/// What to write, as it stands in the file afterwards: the line, or the edits alone if other mistakes are left on it.
fn title_of(edits: &[Edit], folder: &SmallFolder<'_>, left: &[Problem]) -> String {
    let Some(edit) = edits.first() else { return "Do this".to_owned() };
    let before = folder.texts.get(&edit.path).map_or("", String::as_str);
    let mut after = before.to_owned();
    for edit in edits.iter().rev().filter(|other| other.path == edit.path) {
        after.replace_range(edit.span.clone(), &edit.text);
    }
    let end = edit.span.start + edit.text.len();
    let lines = line_at(&after, edit.span.start).start..line_at(&after, end).end;
    let is_on_it = |at: usize| lines.contains(&at);
    let is_left = |other: &&Problem| {
        other.severity == Severity::Error
            && other.path() == edit.path
            && other.also.is_none()
            && other.place.start().is_some_and(is_on_it)
    };
    // A value within a list, not a part of what a second repair changed.
    let is_entry = |edit: &Edit| edit.text.starts_with(|sign: char| sign == '"' || sign.is_ascii_digit());
    let is_part_of_list = !after[lines.clone()].contains('=') || left.iter().any(|other| is_left(&other));
    let is_value = |edit: &Edit| !edit.span.is_empty() && is_entry(edit) && !edit.text.contains('\n');
    if is_part_of_list && edits.iter().all(is_value) {
        let instead = |edit: &Edit| {
            // Of a long list, only the entries that differ.
            let [mut new, mut old] = [&edit.text, &before[edit.span.clone()]]
                .map(|text| text.split(", ").collect::<VecDeque<_>>());
            while new.len().min(old.len()) > 1 && new.front() == old.front() {
                new.pop_front();
                old.pop_front();
            }
            while new.len().min(old.len()) > 1 && new.back() == old.back() {
                new.pop_back();
                old.pop_back();
            }
            let [new, old] = [new, old].map(|entries| Vec::from(entries).join(", "));
            format!("{new} instead of {old}")
        };
        return format!("Write {}", edits.iter().map(instead).collect::<Vec<_>>().join(", and "));
    }
    let written = after[lines].trim();
    let written = match written.split_once('=') {
        Some((key, value)) if !key.contains(['"', '\n']) => format!("{} = {}", key.trim(), value.trim()),
        _ => written.to_owned(),
    };
    let lines: Vec<&str> = written.lines().map(str::trim).collect();
    match lines[..] {
        [first, second] if second.contains('=') => format!("Write {first}, and below it {second}"),
        _ => format!("Write {}", lines.join("\n")),
    }
}

fn keeps(before: &str, after: &str) -> bool {
    let signs = |text: &str| text.chars().filter(|sign| sign.is_alphanumeric()).collect::<String>();
    keys(before) == keys(after) && signs(before) == signs(after)
}

fn keys(text: &str) -> Vec<&str> {
    let is_key =
        |key: &str| !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let statements = each_line(text).filter_map(|(at, _)| Statement::on_line(text, at, is_key));
    let joined = statements.filter(|found| text[found.joint.clone()].contains('='));
    joined.map(|found| &text[found.key]).collect()
}

/// A text with the codes of states in place of their names.
fn with_codes(text: &str) -> String {
    let is_name = |state: &StateCode| text.contains(state.name());
    StateCode::all().filter(is_name).fold(text.to_owned(), |text, state| {
        text.replace(&format!("\"{}\"", state.name()), &format!("\"{}\"", state.code()))
    })
}

/// Whether two results say the same, in whatever notation and letters.
fn means_the_same(one: &Changes, other: &Changes) -> bool {
    let parsed = |changes: &Changes| -> Option<BTreeMap<String, Option<toml::Table>>> {
        let read = |(path, text): (&String, &Option<String>)| {
            let table = match text {
                Some(text) => Some(text.to_lowercase().parse::<toml::Table>().ok()?),
                None => None,
            };
            Some((path.clone(), table))
        };
        changes.iter().map(read).collect()
    };
    one == other || parsed(one).is_some_and(|read| Some(read) == parsed(other))
}
