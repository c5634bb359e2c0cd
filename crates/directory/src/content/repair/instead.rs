//! Words and states that stand in place of others.

use std::collections::BTreeSet;
use std::ops::Range;

use super::super::lines::line_number;
use super::super::mistakes::has_key;
use super::super::offer::Edit;
use super::super::problem::{FileSpan, Kind, Problem};
use super::super::shape::Atom;
use super::super::statement::Statement;
use super::atoms;
use super::candidate::{Candidate, Effect};
use super::here::Here;
use super::lists::{inner, value_at_top, with_entry, without_entry};
use super::trial::{Changes, SmallFolder, counterpart_of};
use super::used::{PLANS, TYPES, ids_of, names_below, values_of};
use super::values::listed;
use super::written::list as list_of;
use crate::model::StateCode;

/// How many clinicians' files are read to learn where plans are sold.
pub(super) const MOST_FILES: usize = 200;

/// What a word in place of a name says, if that is yes or no.
pub(super) fn is_yes(word: &str) -> Option<bool> {
    Some(atoms::read(&Atom::Flag, word).first()?.text == "true")
}

/// The name of a list of holidays among dates: each date is a day off of its own.
pub(super) fn list_among_dates(
    folder: &SmallFolder<'_>,
    here: &Here<'_>,
    statement: &Statement,
) -> Option<Candidate> {
    let (mut lists, mut days) = (Vec::new(), Vec::new());
    for part in statement.value(here.text).split([',', ';', '+', '&']) {
        let part = part.trim_matches([' ', '"', '[', ']']);
        match &atoms::read(&Atom::Date, part)[..] {
            [date] => days.push(format!("[[exception]]\nkind = \"off\"\nfrom = {}", date.text)),
            _ => lists.push(part),
        }
    }
    let ([list], false) = (&lists[..], days.is_empty()) else { return None };
    folder.sources.get(&format!("holidays/{list}.toml"))?;
    let (days, end) = (days.join("\n\n"), here.text.len());
    let title = format!("Write holidays = \"{list}\", and at the end of the file:\n{days}");
    let gap = if here.text.ends_with('\n') { "\n" } else { "\n\n" };
    let edits = vec![
        here.write(statement.value.clone(), format!("\"{list}\"")),
        here.write(end..end, format!("{gap}{days}\n")),
    ];
    Some(Candidate::of("dates", edits).titled(title))
}

impl Here<'_> {
    /// A plan in a state in which the catalog doesn't sell it.
    pub(super) fn plan_elsewhere(&self, folder: &SmallFolder<'_>, plan: &FileSpan) -> Vec<Candidate> {
        let states = || {
            let (catalog, start) = (folder.texts.get(PLANS)?, plan.start().filter(|_| plan.path == PLANS)?);
            let (_, states) = values_of(catalog, "states").find(|(_, place)| place.start > start)?;
            let line = &self.text[self.line()];
            let code: StateCode = line.split('=').next()?.trim().parse().ok()?;
            let (at, entry) = with_entry(catalog, &states, &format!("\"{}\"", code.code()))?;
            let of_plan = |other: &&Problem| other.also.as_ref().is_some_and(|(place, _)| place == plan);
            let or = match folder.before.iter().filter(of_plan).count() {
                2.. => ". Otherwise remove it here",
                _ => "",
            };
            let title = format!(
                "If the plan is sold in {0}, add \"{0}\" to its `states` in {PLANS}{or}",
                code.code()
            );
            let add = Candidate::edit("contradiction", PLANS, at, entry).with(Effect::Adds);
            Some(add.titled(title))
        };
        let raw = self.text.get(self.span.clone()).unwrap_or_default();
        states().map_or_else(Vec::new, |add| without(self, raw).into_iter().chain([add]).collect())
    }
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

/// Lines that were copied from the file of another clinician.
pub(super) fn of_other_file(
    folder: &SmallFolder<'_>,
    here: &Here<'_>,
    problem: &Problem,
) -> Option<Candidate> {
    let copied = match problem.kind {
        Kind::File => Some(here.span.start..here.text.len()).filter(|lines| lines.start > 0),
        _ => here.table().filter(|_| problem.what().contains("these hours overlap")),
    }?;
    let lines = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (home, block) = (here.path.split_once('/')?.0, lines(&here.text[copied.clone()]));
    let has_them =
        |path: &&str| folder.sources.whole_text(path).is_some_and(|text| lines(&text).contains(&block));
    let files = folder.sources.below(home).map(|(path, _)| path).filter(|path| *path != here.path);
    let other = files.take(MOST_FILES).find(has_them)?;
    let end = here.text[..copied.end].trim_end().len();
    let [first, last] = [copied.start, end].map(|at| line_number(here.text, at));
    let title = if first == last {
        format!("Delete line {first}: it's a copy of a line in {other}")
    } else {
        format!("Delete lines {first}–{last}: they are a copy of lines in {other}")
    };
    Some(here.edit("repeat", copied, "").titled(title))
}

/// A license that was changed to a state that nothing else names, while plans and `accepting` still name the old one. If
/// several could have been changed, it is the last one.
pub(super) fn licensed_again(here: &Here<'_>, raw: &str) -> Option<Candidate> {
    let old = inner(raw);
    let list = |key| Some(listed(here.text.get(value_at_top(here.text, key)?)?));
    let (licensed, accepting) = (list("licensed")?, list("accepting")?);
    let has_plans = |state: StateCode| values_of(here.text, state.code()).next().is_some();
    let is_unnamed = |code: &&String| !accepting.contains(code) && !code.parse().is_ok_and(has_plans);
    let unnamed: Vec<&String> = licensed.iter().filter(is_unnamed).collect();
    let new = unnamed.last().filter(|_| old.parse().is_ok_and(has_plans))?;
    let again: Vec<&str> =
        licensed.iter().map(|code| if code == *new { old } else { code.as_str() }).collect();
    let again = format!("[{}]", list_of(again.into_iter()));
    let title =
        format!("Write licensed = {again}, if {new} is a mistake: `accepting` and the plans name {old}");
    Some(here.edit("state", value_at_top(here.text, "licensed")?, again).titled(title))
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

pub(super) fn name_of_type(folder: &SmallFolder<'_>, changes: &Changes, id: &str) -> Option<String> {
    let catalog = folder.text(changes, TYPES)?;
    let (_, place) = values_of(catalog, "id").find(|(known, _)| *known == id)?;
    Some(values_of(catalog, "name").find(|(_, name)| name.start > place.start)?.0.to_owned())
}

/// A list of holidays whose file has another name now.
pub(super) fn renamed_list(folder: &SmallFolder<'_>, name: &str) -> Vec<Candidate> {
    let to = format!("holidays/{name}.toml");
    let mut files = names_below(folder.sources, "holidays");
    match (files.next(), files.next()) {
        (Some(only), None) if folder.sources.get(&to).is_none() => {
            let is_unused = only.strip_suffix(".toml").is_some_and(|list| folder.is_unused(list));
            let rename = is_unused.then(|| Candidate::rename(&format!("holidays/{only}"), to));
            rename.into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// Remove an entry here, or add it to the list that lacks it.
pub(super) fn one_of_two(here: &Here<'_>, raw: &str, path: &str, text: &str, list: &str) -> Vec<Candidate> {
    let added = value_at_top(text, list).and_then(|place| with_entry(text, &place, raw));
    let add = |(at, entry): (Range<usize>, String)| {
        let elsewhere = if path == here.path { String::new() } else { format!(" in {path}") };
        let add = Candidate::edit("contradiction", path, at, entry).with(Effect::Adds);
        add.titled(format!("Add {raw} to `{list}`{elsewhere}"))
    };
    without(here, raw).into_iter().chain(added.map(add)).collect()
}

pub(super) fn without(here: &Here<'_>, raw: &str) -> Option<Candidate> {
    let remove = here.edit("contradiction", without_entry(here.text, &here.span)?, "");
    Some(remove.titled(format!("Remove {raw} here")).with(Effect::Removes))
}

/// A visit type that is gone, out of each file that lists it.
pub(super) fn without_type(
    folder: &SmallFolder<'_>,
    changes: &Changes,
    here: &Here<'_>,
) -> Option<Candidate> {
    let id = here.text.get(here.span.clone())?;
    let catalog = folder.text(changes, TYPES)?;
    let is_gone = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
    let is_gone = is_gone && values_of(catalog, "id").all(|(known, _)| known != id);
    let mut edits = Vec::new();
    let homes = |path: &str| path.starts_with("providers/") || path.starts_with("availability/");
    for (path, text) in folder.texts.iter().filter(|(path, _)| is_gone && homes(path)) {
        for (_, list) in values_of(text, "appointment-types").chain(values_of(text, "types")) {
            let is_digit = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
            let mut places = text[list.clone()].match_indices(id).map(|(at, _)| list.start + at);
            let entry = places.find(|&at| !is_digit(at - 1) && !is_digit(at + id.len()));
            let entry = entry.and_then(|at| without_entry(text, &(at..at + id.len())));
            edits.extend(entry.map(|span| Edit { path: path.clone(), span, text: String::new() }));
        }
    }
    let files: BTreeSet<&str> = edits.iter().map(|edit| edit.path.as_str()).collect();
    let title = format!(
        "Remove {id} from the {} files that list it. Or, to only pause it, put it back in {TYPES} with enabled = false",
        files.len()
    );
    (files.len() > 1).then(|| Candidate::of("contradiction", edits).titled(title).with(Effect::Removes))
}

/// An id that two visit types have: another one that files name and no type has, or the next one.
pub(super) fn other_id(folder: &SmallFolder<'_>, here: &Here<'_>) -> Vec<Candidate> {
    let start = here.line().start;
    let ids: Vec<u32> = ids_of(here.text, "id").collect();
    let known: BTreeSet<u32> = ids.iter().copied().collect();
    let below = values_of(here.text, "id").find(|(_, place)| place.start >= start);
    let Some(below) = below.filter(|_| known.len() < ids.len()) else { return Vec::new() };
    let lists = ["appointment-types", "types"];
    let named = folder.texts.values().flat_map(|text| lists.into_iter().flat_map(|list| ids_of(text, list)));
    let missing = named.filter(|id| !known.contains(id)).min();
    let same = below.1.clone();
    let next =
        here.text[same].parse().ok().and_then(|id: u32| (id..=u32::MAX).find(|id| !known.contains(id)));
    let Some(missing) = missing else {
        return next.map(|id| here.edit("id", below.1, id.to_string())).into_iter().collect();
    };
    // Which of the two has the other's id, only a person knows.
    let same = values_of(here.text, "id").filter(|(id, _)| *id == below.0);
    let write = |(_, place): (&str, Range<usize>)| {
        let line = line_number(here.text, place.start);
        let name = values_of(here.text, "name").find(|(_, name)| name.start > place.start);
        let name = name.map_or("this visit", |(name, _)| name);
        here.edit("id", place, missing.to_string())
            .titled(format!("Write id = {missing} on line {line}, if visit {missing} is {name}"))
    };
    same.map(write).collect()
}

/// A clinician's profile and hours, each in the other's folder.
pub(super) fn exchanged(folder: &SmallFolder<'_>, path: &str) -> Option<Candidate> {
    let other = counterpart_of(path)?;
    let (own, others) = (folder.texts.get(path)?, folder.texts.get(&other)?);
    let (profile, hours) = if path.starts_with("providers/") { (others, own) } else { (own, others) };
    let is_profile = |text: &str| text.lines().any(|line| has_key(line, "display-name"));
    let edit =
        |path: &str, before: &str, after: &str| Candidate::edit("", path, 0..before.len(), after).edits;
    let edits = [edit(path, own, others), edit(&other, others, own)].concat();
    let title = format!("Exchange {path} and {other}: each is in the other's folder");
    let is_so = is_profile(profile) && !is_profile(hours);
    is_so.then(|| Candidate::of("place", edits).titled(title))
}
