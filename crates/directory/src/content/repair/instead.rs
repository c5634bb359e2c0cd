//! Words and states that stand in place of others.

use super::super::shape::Atom;
use super::super::statement::Statement;
use super::atoms;
use super::candidate::Candidate;
use super::here::Here;
use super::lists::{inner, value_at_top};
use super::trial::SmallFolder;
use super::used::{names_below, values_of};
use super::values::listed;
use crate::model::StateCode;

/// What a word in place of a name says, if that is yes or no.
pub(super) fn is_yes(word: &str) -> Option<bool> {
    Some(atoms::read(&Atom::Flag, word).first()?.text == "true")
}

/// The only list of holidays, where it says that there is one.
pub(super) fn list_of_holidays(
    folder: &SmallFolder<'_>,
    here: &Here<'_>,
    statement: Statement,
) -> Option<Candidate> {
    if !is_yes(&inner(statement.value(here.text)).to_lowercase())? {
        let title = "Delete the holidays line, if this clinician works on holidays";
        return Some(here.without_lines("empty", &statement.whole).titled(title));
    }
    let mut lists = names_below(folder.sources, "holidays").filter_map(|name| name.strip_suffix(".toml"));
    let only = lists.next().filter(|_| lists.next().is_none())?;
    Some(here.edit("value", statement.value, format!("\"{only}\"")))
}

/// A state of the license that a list, or the table of plans, lacks, and whose code has one letter of this one.
pub(super) fn licensed_instead(here: &Here<'_>, list: &str, quotes: [&str; 2]) -> Option<Candidate> {
    let written = inner(here.text.get(here.span.clone())?);
    let licensed = here.text.get(value_at_top(here.text, "licensed")?)?;
    let listed = value_at_top(here.text, list).and_then(|list| here.text.get(list)).unwrap_or_default();
    let is_meant = |code: &&'static str| {
        let same = code.bytes().zip(written.bytes()).filter(|(one, other)| one == other).count();
        let is_listed = listed.contains(&format!("\"{code}\""))
            || list.is_empty() && values_of(here.text, code).next().is_some();
        same == 1 && licensed.contains(&format!("\"{code}\"")) && !is_listed
    };
    let mut meant = StateCode::all().map(StateCode::code).filter(is_meant);
    let only = meant.next().filter(|_| meant.next().is_none())?;
    Some(here.edit("state", here.span.clone(), format!("{}{only}{}", quotes[0], quotes[1])))
}

/// The only state that `accepting` names without a license, in place of a code that is one letter away.
pub(super) fn accepted_instead(here: &Here<'_>) -> Option<Candidate> {
    let written = here.text.get(here.span.clone())?;
    let list = |key| Some(listed(here.text.get(value_at_top(here.text, key)?)?));
    let (licensed, accepting) = (list("licensed")?, list("accepting")?);
    let mut meant =
        accepting.iter().filter(|code| !licensed.contains(code) && code.parse::<StateCode>().is_ok());
    let only = meant.next().filter(|_| meant.next().is_none())?;
    let same = only.bytes().zip(inner(written).bytes()).filter(|(one, other)| one == other).count();
    (same == 1 && inner(written).len() == 2)
        .then(|| here.edit("state", here.span.clone(), format!("\"{only}\"")))
}
