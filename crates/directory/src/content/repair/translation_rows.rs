//! What is tried for a line of translations. These files have no keys of their own.

use super::super::lines::line_at;
use super::super::offer::Class;
use super::super::problem::{Kind, Problem};
use super::candidate::Candidate;

/// Two sides that something else than `=` joins.
pub(super) fn joined_sides(text: &str, problem: &Problem) -> Option<Candidate> {
    let path = problem.path();
    let line = line_at(text, problem.place.start().filter(|_| problem.kind == Kind::Syntax)?);
    let quotes: Vec<_> = text[line.clone()].match_indices('"').map(|(at, _)| line.start + at).collect();
    let [_, left, right, _] = quotes[..] else { return None };
    let is_pair = path.starts_with("translations/") && left + 1 < right;
    is_pair.then(|| Candidate::edit("line", path, left + 1..right, " = ").class(Class::Certain))
}
