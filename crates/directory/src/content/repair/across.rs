//! What is tried for names of files, and for what two files or two places contradict each other in.

use std::collections::BTreeSet;
use std::ops::Range;

use super::super::lines::{line_at, with_break};
use super::super::mistakes::{nearest, slug_meant};
use super::super::offer::{Class, Edit};
use super::super::problem::Problem;
use super::super::sources::Sources;
use super::super::statement::{Statement, table_above};
use super::candidate::{Candidate, Effect};
use super::here::Here;
use super::lists::{inner, texts_equal, value_at_top, with_entry, without_entry};
use super::trial::{Changes, SmallFolder, names_below};
use crate::model::{Slug, StateCode};

const PLANS: &str = "insurances.toml";
const TYPES: &str = "appointment-types.toml";

/// What else a file may be called, with how sure that is.
pub(super) fn other_names(sources: &Sources, path: &str) -> Vec<(Class, String)> {
    let (home, name) = path.split_once('/').unwrap_or(("", path));
    let name = name.rsplit('/').next().unwrap_or(name);
    let stem = name.split('.').next().unwrap_or_default();
    let ending = name[stem.len()..].to_ascii_lowercase();
    let mut names: Vec<(Class, String)> = Vec::new();
    if ["providers", "availability"].contains(&home)
        && [".toml", ".txt", ".toml.txt", ""].contains(&ending.as_str())
    {
        let is_slug = stem.parse::<Slug>().is_ok();
        let class = if is_slug { Class::Certain } else { Class::Likely };
        names.extend(slug_meant(stem).map(|slug| (class, format!("{home}/{slug}.toml"))));
    } else if home.is_empty() && ending == ".toml" {
        names.extend(["providers", "availability"].map(|home| (Class::Likely, format!("{home}/{name}"))));
    }
    if home == "availability" {
        let without: Vec<&str> = clinicians_without_hours(sources).collect();
        let mut longer = without.iter().filter(|slug| slug.starts_with(&format!("{stem}-")));
        let only = longer.next().filter(|_| longer.next().is_none()).copied();
        let near = nearest(stem, without.iter().copied()).or(only);
        names.extend(near.map(|slug| (Class::Likely, format!("availability/{slug}.toml"))));
    }
    names.retain(|(_, to)| to != path && sources.get(to).is_none());
    names
}

fn clinicians_without_hours(sources: &Sources) -> impl Iterator<Item = &str> {
    let stems = names_below(sources, "providers").filter_map(|name| name.strip_suffix(".toml"));
    stems.filter(|stem| sources.get(&format!("availability/{stem}.toml")).is_none())
}

pub(super) fn of_files(folder: &SmallFolder<'_>, problem: &Problem) -> Vec<Candidate> {
    let path = problem.path();
    let renamed = other_names(folder.sources(), path).into_iter().map(|(class, to)| {
        let title = format!("Rename {path} to {to}");
        Candidate::moving(path, class, to, title)
    });
    renamed.collect()
}

/// Both sides of a contradiction between lists.
pub(super) fn of_lists(folder: &SmallFolder<'_>, changes: &Changes, here: &Here<'_>) -> Vec<Candidate> {
    let raw = here.text.get(here.span.clone()).unwrap_or_default();
    let table = table_above(here.text, here.span.start);
    let key = Statement::on_line(here.text, here.span.start, |_| true)
        .map(|statement| statement.key(here.text).to_owned());
    let key = key.as_deref().unwrap_or_default();
    let is_clinician = here.path.starts_with("providers/");
    match (table, key) {
        ("", "accepting") if is_clinician => one_of_two(here, raw, here.path, here.text, "licensed"),
        ("insurance", _) if is_clinician && inner(raw).parse::<StateCode>().is_ok() => {
            let code = inner(raw).parse().map_or("", StateCode::code);
            let state = format!("\"{code}\"");
            let mut found = one_of_two(here, &state, here.path, here.text, "licensed");
            let line = line_at(here.text, here.span.start);
            let end = with_break(here.text, &line).end;
            let title = format!("Delete the plans for {code}");
            found.push(
                Candidate::edit("contradiction", Class::Likely, here.path, line.start..end, "")
                    .titled(title)
                    .removing(),
            );
            found
        }
        ("insurance", _) if is_clinician => of_plan(folder, changes, inner(raw)),
        ("weekly" | "exception", "types") => {
            let path = here.path.replacen("availability/", "providers/", 1);
            let text = folder.text(changes, &path).unwrap_or_default();
            let mut found = of_id(folder, changes, here, raw);
            found.extend(one_of_two(here, raw, &path, text, "appointment-types"));
            found
        }
        ("", "appointment-types") if is_clinician => {
            let mut found = of_id(folder, changes, here, raw);
            found.extend(without(here, raw));
            found
        }
        ("type", "duration") => {
            let line = line_at(here.text, here.span.start);
            let end = with_break(here.text, &line).end;
            let title = "Delete the duration";
            vec![
                Candidate::edit("contradiction", Class::Likely, here.path, line.start..end, "")
                    .titled(title)
                    .removing(),
            ]
        }
        ("", "holidays") => renamed_list(folder, inner(raw)),
        ("type", _) if here.path == "appointment-types.toml" => other_id(folder, here),
        _ => Vec::new(),
    }
}

/// Remove an entry here, or add it to the list that lacks it.
fn one_of_two(here: &Here<'_>, raw: &str, path: &str, text: &str, list: &str) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = without(here, raw).into_iter().collect();
    let added = value_at_top(text, list).and_then(|place| with_entry(text, &place, raw));
    found.extend(added.map(|(at, entry)| {
        let elsewhere = if path == here.path { String::new() } else { format!(" in {path}") };
        let title = format!("Add {raw} to `{list}`{elsewhere}");
        Candidate::edit("contradiction", Class::Likely, path, at, entry).titled(title).adding()
    }));
    found
}

fn without(here: &Here<'_>, raw: &str) -> Option<Candidate> {
    let span = without_entry(here.text, &here.span)?;
    let title = format!("Remove {raw} here");
    Some(Candidate::edit("contradiction", Class::Likely, here.path, span, "").titled(title).removing())
}

/// A plan that the catalog does not have: it was renamed there, or removed.
fn of_plan(folder: &SmallFolder<'_>, changes: &Changes, name: &str) -> Vec<Candidate> {
    let Some(catalog) = folder.text(changes, PLANS) else { return Vec::new() };
    if !texts_equal(catalog, name).is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    let uses = || {
        let files = folder.texts.iter().filter(|(path, _)| path.starts_with("providers/"));
        files.flat_map(|(path, text)| texts_equal(text, name).into_iter().map(move |span| (path, text, span)))
    };
    let clinicians = uses().map(|(path, ..)| path).collect::<BTreeSet<_>>().len();
    let unused = folder.unused_plans(catalog);
    let near = nearest(name, unused.iter().map(|(plan, _)| plan.as_str())).map(str::to_owned);
    let renamed = unused.iter().filter(|(plan, _)| near.as_ref().is_none_or(|near| near == plan)).take(1);
    for (plan, place) in renamed {
        let title = format!("Change \"{plan}\" back to \"{name}\" in {PLANS}");
        let old = format!("\"{name}\"");
        found.push(Candidate::edit("undo-rename", Class::Likely, PLANS, place.clone(), old).titled(title));
        let edits =
            uses().map(|(path, _, span)| Edit { path: path.clone(), span, text: format!("\"{plan}\"") });
        let title = format!("Write \"{plan}\" wherever \"{name}\" is written");
        found.push(all("rename-everywhere", title, edits.collect()).putting_back());
    }
    if found.is_empty() {
        let end = catalog.len();
        let gap = if catalog.ends_with('\n') { "\n" } else { "\n\n" };
        let entry = format!("{gap}[[plan]]\nname = \"{name}\"\n");
        let title = format!("Add \"{name}\" to {PLANS}");
        found.push(
            Candidate::edit("put-back", Class::Likely, PLANS, end..end, entry).titled(title).putting_back(),
        );
    }
    if !folder.may_be_more {
        let edits = uses().filter_map(|(path, text, span)| {
            Some(Edit { path: path.clone(), span: without_entry(text, &span)?, text: String::new() })
        });
        let whose =
            if clinicians == 1 { "this clinician".to_owned() } else { format!("{clinicians} clinicians") };
        let title = format!("Remove \"{name}\" from {whose}");
        found.push(all("contradiction", title, edits.collect()).removing());
    }
    found
}

fn all(row: &'static str, title: String, edits: Vec<Edit>) -> Candidate {
    Candidate {
        row,
        class: Class::Likely,
        title: Some(title),
        edits,
        moves: Vec::new(),
        keeps: false,
        effect: Effect::Nothing,
    }
}

/// An id that two visit types have: another one that files name and no type has, or the next one.
fn other_id(folder: &SmallFolder<'_>, here: &Here<'_>) -> Vec<Candidate> {
    let begin = line_at(here.text, here.span.start).start;
    let mut at = begin;
    for line in here.text[begin..].split_inclusive('\n') {
        if let Some(id) = Statement::on_line(here.text, at, |key| key == "id") {
            let ids: Vec<u32> = ids_of(here.text, "id").collect();
            let known: BTreeSet<u32> = ids.iter().copied().collect();
            if known.len() == ids.len() {
                return Vec::new();
            }
            let lists = ["appointment-types", "types"];
            let named =
                folder.texts.values().flat_map(|text| lists.into_iter().flat_map(|list| ids_of(text, list)));
            let missing: BTreeSet<u32> = named.filter(|id| !known.contains(id)).collect();
            let next = known.last().and_then(|last| last.checked_add(1));
            let ids = missing.into_iter().take(1).chain(next);
            return ids
                .map(|new| Candidate::edit("id", Class::Likely, here.path, id.value.clone(), new.to_string()))
                .collect();
        }
        at += line.len();
    }
    Vec::new()
}

/// A visit type that the catalog does not have: it has another id there now, or the id is mistyped.
fn of_id(folder: &SmallFolder<'_>, changes: &Changes, here: &Here<'_>, raw: &str) -> Vec<Candidate> {
    let Some(catalog) = folder.text(changes, TYPES) else { return Vec::new() };
    let known: Vec<String> = ids_of(catalog, "id").map(|id| id.to_string()).collect();
    if known.iter().any(|id| id == raw) {
        return Vec::new();
    }
    let is_used = folder.used_ids();
    let mut found = Vec::new();
    for id in known.iter().filter(|id| !id.parse().is_ok_and(|id| is_used.contains(&id))).take(1) {
        let line = catalog.lines().find(|line| {
            line.split_once('=').is_some_and(|(key, value)| key.trim() == "id" && value.trim() == id)
        });
        let place = line.and_then(|line| catalog.find(line).map(|at| at + line.len() - id.len()));
        found.extend(place.map(|at| {
            let title = format!("Change the id {id} back to {raw} in {TYPES}");
            Candidate::edit("undo-rename", Class::Likely, TYPES, at..at + id.len(), raw).titled(title)
        }));
    }
    // Two digits that changed places. Another digit may be another visit.
    let digits = |id: &str| {
        let mut digits: Vec<char> = id.chars().collect();
        digits.sort_unstable();
        digits
    };
    let near = known.iter().find(|id| digits(id) == digits(raw));
    found.extend(
        near.map(|id| Candidate::edit("value", Class::Likely, here.path, here.span.clone(), id.as_str())),
    );
    found
}

/// Visit types by their names in the place of ids.
pub(super) fn of_types(folder: &SmallFolder<'_>, changes: &Changes, here: &Here<'_>) -> Option<Candidate> {
    let statement =
        Statement::on_line(here.text, here.span.start, |key| ["appointment-types", "types"].contains(&key))?;
    let catalog: toml::Table = folder.text(changes, TYPES)?.parse().ok()?;
    let types = catalog.get("type")?.as_array()?;
    let id_of = |name: &str| {
        let found = types.iter().find(|one| one.get("name").and_then(toml::Value::as_str) == Some(name))?;
        found.get("id")?.as_integer().map(|id| id.to_string())
    };
    let list: toml::Table = format!("a = {}", statement.value(here.text)).parse().ok()?;
    let ids: Option<Vec<String>> = list["a"].as_array()?.iter().map(|entry| id_of(entry.as_str()?)).collect();
    let text = format!("[{}]", ids?.join(", "));
    Some(Candidate::edit("value", Class::Likely, here.path, statement.value, text))
}

/// A list of holidays whose file has another name now.
fn renamed_list(folder: &SmallFolder<'_>, name: &str) -> Vec<Candidate> {
    let to = format!("holidays/{name}.toml");
    let files: Vec<String> = folder.files_below("holidays").map(|file| format!("holidays/{file}")).collect();
    match files.as_slice() {
        [only] if !folder.has_file(&to) && !folder.is_named_in_hours(only) => {
            let title = format!("Rename {only} to {to}");
            vec![Candidate::moving(only, Class::Likely, to, title)]
        }
        _ => Vec::new(),
    }
}

/// The numbers in the lines of a key.
fn ids_of<'t>(text: &'t str, key: &'t str) -> impl Iterator<Item = u32> + 't {
    let values = text.lines().filter_map(move |line| {
        let (found, value) = line.split_once('=')?;
        (found.trim() == key).then_some(value.split('#').next().unwrap_or_default())
    });
    values.flat_map(|value| value.split(|sign: char| !sign.is_ascii_digit()).filter_map(|id| id.parse().ok()))
}

/// A clinician's file among the hours, or the other way round.
pub(super) fn misplaced(folder: &SmallFolder<'_>, here: &Here<'_>) -> Vec<Candidate> {
    let (home, name) = here.path.split_once('/').unwrap_or(("", here.path));
    let other = match home {
        "providers" => "availability",
        "availability" => "providers",
        _ => return Vec::new(),
    };
    let is_here = |key: &str| here.text.lines().any(|line| line.trim_start().starts_with(key));
    let to = format!("{other}/{name}");
    let is_of_other = if other == "providers" { is_here("display-name") } else { is_here("timezone") };
    if !is_of_other || folder.has_file(&to) {
        return Vec::new();
    }
    let title = format!("Move this file to {to}");
    vec![Candidate::moving(here.path, Class::Likely, to, title)]
}

impl SmallFolder<'_> {
    /// Whether some file of hours names a list of holidays.
    fn is_named_in_hours(&self, path: &str) -> bool {
        let name = path.trim_start_matches("holidays/").trim_end_matches(".toml");
        let quoted = format!("\"{name}\"");
        let texts =
            self.files_below("availability").filter_map(|name| self.read(&format!("availability/{name}")));
        texts.into_iter().any(|text| text.contains(&quoted))
    }

    /// The visit types that some clinician offers.
    fn used_ids(&self) -> BTreeSet<u32> {
        let texts = self.files_below("providers").filter_map(|name| self.read(&format!("providers/{name}")));
        texts.flat_map(|text| ids_of(&text, "appointment-types").collect::<Vec<_>>()).collect()
    }

    /// The plans of the catalog that no clinician takes, with the places of their names.
    fn unused_plans(&self, catalog: &str) -> Vec<(String, Range<usize>)> {
        let mut at = 0;
        let mut plans = Vec::new();
        for line in catalog.split_inclusive('\n') {
            if let Some(name) = Statement::on_line(catalog, at, |key| key == "name") {
                plans.push((inner(name.value(catalog)).to_owned(), name.value.clone()));
            }
            at += line.len();
        }
        let texts: Vec<String> = self
            .files_below("providers")
            .filter_map(|name| self.read(&format!("providers/{name}")))
            .collect();
        plans.retain(|(plan, _)| {
            let quoted = format!("\"{plan}\"");
            !texts.iter().any(|text| text.contains(&quoted))
        });
        plans
    }
}
