//! What is tried for names of files, and for what two files or two places contradict each other in.

use std::collections::BTreeSet;
use std::ops::Range;

use strsim::{damerau_levenshtein, levenshtein, osa_distance};

use super::super::check::is_another_plan;
use super::super::lines::line_at;
use super::super::mistakes::{nearest, slug_meant};
use super::super::offer::{Class, Edit};
use super::super::problem::{FileSpan, Problem};
use super::super::sources::Sources;
use super::super::statement::{Statement, table_above};
use super::candidate::{Candidate, Effect};
use super::here::Here;
use super::hours_rows::type_without_hours;
use super::instead::{
    accepted_instead, exchanged, is_yes, licensed_again, licensed_instead, list_among_dates,
    list_of_holidays, name_of_type, one_of_two, other_id, renamed_list, without,
};
use super::lists::{inner, texts_equal, value_at_top, with_entry, without_entry};
use super::state_rows::plans_without_license;
use super::trial::{Changes, SmallFolder};
use super::used::{PLANS, TYPES, ids_of, names_below, values_of};
use super::written::quoted;
use crate::model::{ProviderType, Slug, StateCode};

/// Among how many clinicians without hours a file is looked for that has another name.
const MOST_NAMES: usize = 2_000;

pub(super) fn other_names(sources: &Sources, path: &str) -> Vec<(Class, String)> {
    let (home, name) = path.split_once('/').unwrap_or(("", path));
    let name = name.rsplit('/').next().unwrap_or(name);
    let stem = name.split('.').next().unwrap_or_default();
    let ending = name[stem.len()..].to_ascii_lowercase();
    let is_text =
        [".toml", ".txt", ".toml.txt", ".tml", ".yaml", ".yml", ".text", ""].contains(&ending.as_str());
    let homes = ["providers", "availability"];
    let text = sources.whole_text(path).unwrap_or_default();
    let mut names: Vec<(Class, String)> = Vec::new();
    if homes.contains(&home) && is_text {
        let is_slug = stem.parse::<Slug>().is_ok();
        let class = if is_slug { Class::Certain } else { Class::Likely };
        names.extend(slug_meant(stem).map(|slug| (class, format!("{home}/{slug}.toml"))));
    }
    if home != "holidays" && ending == ".toml" && text.lines().any(|line| line.starts_with("dates")) {
        return vec![(Class::Likely, format!("holidays/{name}"))];
    }
    if ["", "holidays", "providers", "availability"].contains(&home) && ending == ".toml" {
        names.extend(homes.map(|home| (Class::Likely, format!("{home}/{name}"))));
    }
    let are_hours = text.contains("weekly") || text.contains("exception");
    if homes.contains(&home) && are_hours {
        // Hours may be in the wrong folder, too. Among very many names, looking for a near one takes too long.
        let without = clinicians_without_hours(sources).filter(|slug| *slug != stem).take(MOST_NAMES + 1);
        let without: Vec<&str> = without.collect();
        let without = if without.len() > MOST_NAMES { Vec::new() } else { without };
        let begins =
            |long: &str, short: &str| long.strip_prefix(short).is_some_and(|rest| rest.starts_with('-'));
        let mut longer = without.iter().filter(|slug| begins(slug, stem) || begins(stem, slug));
        let only = longer.next().filter(|_| longer.next().is_none()).copied();
        let shares_name = |slug: &&&str| {
            slug.split('-').any(|name| name.len() > 2 && stem.split('-').any(|own| own == name))
        };
        let mut sharing = without.iter().filter(shares_name);
        let sharing = sharing.next().filter(|_| sharing.next().is_none()).copied();
        let near = nearest(stem, without.iter().copied()).or(only).or(sharing);
        names.extend(near.map(|slug| (Class::Likely, format!("availability/{slug}.toml"))));
    }
    // A trial checks all of a small folder, so another one is tried only for what the text looks like.
    let is_likely = |to: &str| match to.split_once('/') {
        Some((other, _)) if other == home => true,
        Some(("providers", _)) => text.contains("display-name"),
        _ => are_hours,
    };
    names.retain(|(_, to)| to != path && sources.get(to).is_none() && is_likely(to));
    names
}

fn clinicians_without_hours(sources: &Sources) -> impl Iterator<Item = &str> {
    let stems = names_below(sources, "providers").filter_map(|name| name.strip_suffix(".toml"));
    stems.filter(|stem| sources.get(&format!("availability/{stem}.toml")).is_none())
}

pub(super) fn of_files(folder: &SmallFolder<'_>, problem: &Problem) -> Vec<Candidate> {
    let path = problem.path();
    let names = other_names(folder.sources, path).into_iter();
    let names = names.map(|(class, to)| {
        let renamed = of_renamed(folder, path, &to);
        renamed.unwrap_or_else(|| Candidate::rename(path, to).class(class))
    });
    // A list under a similar name.
    let is_missing = folder.sources.get(path).is_none() && !path.contains('/');
    let top =
        folder.sources.iter().map(|(other, _)| other).filter(|other| is_missing && !other.contains('/'));
    let similar = nearest(path, top.filter(|other| other.to_lowercase().contains(".t")));
    let exchanged = exchanged(folder, path);
    let names = exchanged
        .into_iter()
        .chain(names)
        .chain(similar.map(|other| Candidate::rename(other, path.to_owned())));
    let retired = problem.also.iter().filter_map(|(place, _)| of_retired(folder, path, place)).flatten();
    names.chain(of_copy(folder, path)).chain(retired).collect()
}

/// The hours of a clinician whose file has another name now, to which links to the old name lead. A letter or two are a
/// typo.
fn of_renamed(folder: &SmallFolder<'_>, from: &str, to: &str) -> Option<Candidate> {
    let [old, new] = [from, to].map(|path| path.strip_prefix("availability/")?.strip_suffix(".toml"));
    let old = old.filter(|old| old.parse::<Slug>().is_ok())?;
    let profile = format!("providers/{}.toml", new.filter(|new| damerau_levenshtein(old, new) > 2)?);
    let text = folder.texts.get(&profile)?;
    let (at, entry) = if let Some(list) = value_at_top(text, "former-slugs") {
        with_entry(text, &list, &format!("\"{old}\""))?
    } else {
        let end = line_at(text, value_at_top(text, "display-name")?.end).end;
        (end..end, format!("\nformer-slugs = [\"{old}\"]"))
    };
    let title = format!(
        "Rename {from} to {to}, and add \"{old}\" to `former-slugs` in {profile}: old links stay valid"
    );
    let edits = Candidate::edit("former-slug", &profile, at, entry).edits;
    Some(Candidate { row: "former-slug", edits, ..Candidate::rename(from, to.to_owned()) }.titled(title))
}

/// The file of which another one is a copy, by its name.
pub(super) fn original_of(path: &str) -> Option<String> {
    let (home, name) = path.split_once('/')?;
    let original = format!("{home}/{}.toml", slug_meant(name.strip_suffix(".toml")?)?);
    (original != path).then_some(original)
}

/// A copy of a file that was not changed.
fn of_copy(folder: &SmallFolder<'_>, path: &str) -> Option<Candidate> {
    let original = original_of(path)?;
    let text = |path: &str| folder.sources.whole_text(path);
    let is_same = text(path)? == text(&original)?;
    let title = format!("Delete {path}: it says the same as {original}");
    is_same.then(|| Candidate::without_files("repeat", &[path]).titled(title))
}

/// A clinician who is listed and has left.
fn of_retired(folder: &SmallFolder<'_>, path: &str, place: &FileSpan) -> Option<Vec<Candidate>> {
    let text = folder.texts.get(&place.path).filter(|_| place.path == "retired.toml")?;
    let start = text.get(..place.start()?)?.rfind("[[provider]]")?;
    let end = text[start + 1..].find("\n[[").map_or(text.len(), |length| start + length + 2);
    let value = |text: &str, key| Some(values_of(text, key).next()?.0.to_owned());
    let entry = &text[start..end];
    let slug = value(entry, "slug")?;
    let is_both = path == format!("providers/{slug}.toml")
        && value(entry, "id")? == value(folder.texts.get(path)?, "id")?;
    let hours = format!("availability/{slug}.toml");
    let files = [path, &hours];
    let files = &files[..if folder.texts.contains_key(&hours) { 2 } else { 1 }];
    let left = Candidate::without_files("contradiction", files);
    let left = left.titled(format!("Delete {}: {slug} has left", files.join(" and ")));
    let stays = Candidate::edit("contradiction", &place.path, start..end, "");
    let stays = stays.titled(format!("Remove {slug} from retired.toml")).with(Effect::RemovesOther);
    is_both.then(|| vec![left, stays])
}

/// A word for all in place of a list of them.
pub(super) fn of_all(folder: &SmallFolder<'_>, changes: &Changes, here: &Here<'_>) -> Option<Candidate> {
    const ALL: [&str; 6] = ["all", "any", "every", "yes", "true", "open"];
    const CURRENT: [&str; 8] = ["current", "existing", "established", "no", "not", "closed", "false", "none"];
    let statement = Statement::on_line(here.text, here.span.start, |key| !key.is_empty())?;
    let word = inner(statement.value(here.text)).to_lowercase();
    let first = word.split(' ').next()?;
    if (table_above(here.text, here.span.start), statement.key(here.text)) == ("", "holidays") {
        return list_among_dates(folder, here, &statement)
            .or_else(|| list_of_holidays(folder, here, statement));
    }
    if CURRENT.contains(&first) && statement.key(here.text) == "accepting" {
        let title = "Write accepting = [], if this clinician sees only current patients";
        return Some(here.edit("all", statement.value, "[]").titled(title));
    }
    if !ALL.contains(&first) {
        return None;
    }
    let each = |path: &str, key| {
        let found: Vec<String> =
            values_of(folder.text(changes, path)?, key).map(|(value, _)| value.to_owned()).collect();
        Some(found)
    };
    let list = match (table_above(here.text, here.span.start), statement.key(here.text)) {
        ("", "accepting") => here.text.get(value_at_top(here.text, "licensed")?)?.to_owned(),
        ("", "appointment-types") => format!("[{}]", each(TYPES, "id")?.join(", ")),
        ("insurance", _) => format!("[\"{}\"]", each(PLANS, "name")?.join("\", \"")),
        _ => return None,
    };
    Some(here.edit("all", statement.value, list))
}

pub(super) fn of_lists(folder: &SmallFolder<'_>, changes: &Changes, here: &Here<'_>) -> Vec<Candidate> {
    let raw = here.text.get(here.span.clone()).unwrap_or_default();
    let table = table_above(here.text, here.span.start);
    let key = Statement::on_line(here.text, here.span.start, |_| true)
        .map(|statement| statement.key(here.text).to_owned());
    let key = key.as_deref().unwrap_or_default();
    let is_clinician = here.path.starts_with("providers/");
    let without_line = |title: String| here.without_lines("contradiction", &here.line()).titled(title);
    match (table, key) {
        ("", "accepting") if is_clinician => {
            let mut found = one_of_two(here, raw, here.path, here.text, "licensed");
            for add in found.iter_mut().filter(|add| add.effect == Effect::Adds) {
                add.effect = Effect::PutsBack;
                add.title =
                    Some(format!("If there is a license for {}, add {raw} to `licensed`", inner(raw)));
            }
            found.extend(licensed_again(here, raw));
            found.extend(licensed_instead(here, "accepting", ["\"", "\""]));
            found.extend(without_plans_too(here, raw));
            found
        }
        ("insurance", _) if is_clinician && inner(raw).parse::<StateCode>().is_ok() => {
            plans_without_license(folder, here, raw)
        }
        ("", "provider-type") if is_clinician => {
            let is_near =
                inner(raw).parse::<ProviderType>().is_err() && !ProviderType::meant_by(inner(raw)).is_empty();
            let credentials = value_at_top(here.text, "credentials").and_then(|place| here.text.get(place));
            let of_credentials = credentials.filter(|_| is_near).and_then(ProviderType::with);
            let write = |one: ProviderType| here.edit("credentials", here.span.clone(), quoted(one.word()));
            of_credentials.map(write).into_iter().collect()
        }
        ("", "licensed") if is_clinician => accepted_instead(here).into_iter().collect(),
        ("insurance", _) if is_clinician && raw.len() == 2 => {
            licensed_instead(here, "", [""; 2]).into_iter().collect()
        }
        ("insurance", _) if is_clinician => of_plan(folder, changes, inner(raw)),
        ("weekly" | "exception", "types") => {
            let path = here.path.replacen("availability/", "providers/", 1);
            let text = folder.text(changes, &path).unwrap_or_default();
            let mut found = of_id(folder, changes, here, raw);
            found.extend(one_of_two(here, raw, &path, text, "appointment-types"));
            found.extend(type_without_hours(folder, changes, here, text));
            let name =
                name_of_type(folder, changes, raw).filter(|_| of_id(folder, changes, here, raw).is_empty());
            for add in found.iter_mut().filter(|add| add.effect == Effect::Adds) {
                let Some(name) = &name else { break };
                add.effect = Effect::PutsBack;
                add.title = Some(format!(
                    "If this clinician offers {name} ({raw}), add {raw} to `appointment-types` in {path}"
                ));
            }
            found
        }
        ("", "appointment-types") if is_clinician => {
            let mut found = of_id(folder, changes, here, raw);
            found.extend(without(here, raw));
            found
        }
        ("type", "duration") => vec![without_line("Delete the duration".to_owned())],
        ("", "holidays") if is_yes(inner(raw)).is_none() => renamed_list(folder, inner(raw)),
        ("type", _) if here.path == TYPES => other_id(folder, here),
        _ => Vec::new(),
    }
}

fn without_plans_too(here: &Here<'_>, raw: &str) -> Option<Candidate> {
    let code = inner(raw).parse().map_or("", StateCode::code);
    // Of a state that is listed twice, one entry stays, and so do its plans.
    if here.text[here.line()].matches(raw).count() > 1 {
        return None;
    }
    let (_, plans) =
        values_of(here.text, code).find(|(_, place)| table_above(here.text, place.start) == "insurance")?;
    let mut edits = without(here, raw)?.edits;
    edits.extend(here.without_lines("contradiction", &plans).edits);
    let title = format!("Remove {raw} here, and delete the plans for {code}");
    Some(Candidate::of("contradiction", edits).titled(title).with(Effect::Removes))
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
    let unused: Vec<(&str, Range<usize>)> =
        values_of(catalog, "name").filter(|(plan, _)| folder.is_unused(plan)).collect();
    let known = nearest(name, values_of(catalog, "name").map(|(plan, _)| plan));
    let is_other = |known: &str| !folder.is_unused(known) || is_another_plan(name, known);
    if known.is_some_and(is_other) && uses().nth(1).is_none() {
        // A typo of a plan that others have, or another plan.
        return found;
    }
    let near = nearest(name, unused.iter().map(|(plan, _)| *plan));
    if let Some((plan, place)) = unused.iter().find(|(plan, _)| near.is_none_or(|near| near == *plan)) {
        let undo = Candidate::edit("undo-rename", PLANS, place.clone(), format!("\"{name}\""));
        found.push(undo.titled(format!("Change \"{plan}\" back to \"{name}\" in {PLANS}")));
        let edits =
            uses().map(|(path, _, span)| Edit { path: path.clone(), span, text: format!("\"{plan}\"") });
        let everywhere = Candidate::of("rename-everywhere", edits.collect()).with(Effect::PutsBack);
        found.push(everywhere.titled(format!("Write \"{plan}\" everywhere instead of \"{name}\"")));
    } else if uses().nth(1).is_none() {
        // A name in one place alone is that of a known plan or of a new one.
        return found;
    } else {
        let end = catalog.len();
        let gap = if catalog.ends_with('\n') { "\n" } else { "\n\n" };
        let entry = format!("{gap}[[plan]]\nname = \"{name}\"\n");
        // Several have it, so it was in the list, and was deleted on purpose.
        let effect = if uses().nth(2).is_some() { Effect::Adds } else { Effect::PutsBack };
        let put_back = Candidate::edit("put-back", PLANS, end..end, entry).with(effect);
        found.push(put_back.titled(format!("Add \"{name}\" to {PLANS}")));
    }
    if !folder.may_be_more {
        let edits = uses().filter_map(|(path, text, span)| {
            Some(Edit { path: path.clone(), span: without_entry(text, &span)?, text: String::new() })
        });
        let whose = match uses().map(|(path, ..)| path).collect::<BTreeSet<_>>().len() {
            1 => "this clinician".to_owned(),
            clinicians => format!("{clinicians} clinicians"),
        };
        let remove = Candidate::of("contradiction", edits.collect()).with(Effect::Removes);
        found.push(remove.titled(format!("Remove \"{name}\" from {whose}")));
    }
    found
}

/// A visit type that the catalog does not have: it has another id there now, or the id is mistyped.
fn of_id(folder: &SmallFolder<'_>, changes: &Changes, here: &Here<'_>, raw: &str) -> Vec<Candidate> {
    let Some(catalog) = folder.text(changes, TYPES) else { return Vec::new() };
    let known: Vec<(&str, Range<usize>)> = values_of(catalog, "id").collect();
    if known.iter().any(|(id, _)| *id == raw) {
        return Vec::new();
    }
    let uses =
        folder.texts.values().flat_map(|text| ["appointment-types", "types"].map(|list| ids_of(text, list)));
    let is_used_again = uses.flatten().filter(|id| id.to_string() == raw).nth(1).is_some();
    // What one place alone names was mistyped there: which id was meant, no unused one can tell.
    let unused = known.iter().find(|(id, _)| is_used_again && folder.is_unused(id));
    let undo = unused.map(|(id, place)| {
        let undo = Candidate::edit("undo-rename", TYPES, place.clone(), raw);
        undo.titled(format!("Change the id {id} back to {raw} in {TYPES}"))
    });
    // Two neighbors that changed places. Another digit may be another visit.
    let is_swapped =
        |id: &str| id.len() == raw.len() && osa_distance(id, raw) == 1 && levenshtein(id, raw) == 2;
    let near = known.iter().find(|(id, _)| is_swapped(id));
    let near = near.map(|(id, _)| here.edit("value", here.span.clone(), *id));
    undo.into_iter().chain(near).collect()
}

/// Visit types by their names in the place of ids.
pub(super) fn of_types(folder: &SmallFolder<'_>, changes: &Changes, here: &Here<'_>) -> Option<Candidate> {
    let statement =
        Statement::on_line(here.text, here.span.start, |key| ["appointment-types", "types"].contains(&key))?;
    let catalog = folder.text(changes, TYPES)?;
    let is_id = |id: &str| values_of(catalog, "id").any(|(known, _)| known == id);
    // A period in place of a comma.
    let entry = here.text.get(here.span.clone())?.replacen('.', ", ", 1);
    if entry.split_once(", ").is_some_and(|(one, other)| is_id(one) && is_id(other)) {
        return Some(here.edit("value", here.span.clone(), entry));
    }
    let catalog: toml::Table = catalog.parse().ok()?;
    let types = catalog.get("type")?.as_array()?;
    let plain = |name: &str| name.trim().to_lowercase().replace('-', " ");
    let name_of = |one: &'_ toml::Value| one.get("name").and_then(toml::Value::as_str).map(plain);
    let names: Vec<String> = types.iter().filter_map(name_of).collect();
    let id_of = |name: &str| {
        let wanted = plain(name);
        let is_longer = |known: &&String| known.starts_with(&wanted) || wanted.starts_with(known.as_str());
        let mut longer = names.iter().filter(is_longer);
        let only = longer.next().filter(|_| longer.next().is_none()).map(String::as_str);
        let known = names.iter().map(String::as_str).find(|known| *known == wanted);
        let known = known.or(only).or_else(|| nearest(&wanted, names.iter().map(String::as_str)))?;
        let found = types.iter().find(|one| name_of(one).as_deref() == Some(known))?;
        found.get("id")?.as_integer().map(|id| id.to_string())
    };
    let list: toml::Table = format!("a = {}", statement.value(here.text)).parse().ok()?;
    let number = |entry: &toml::Value| Some(entry.as_integer()?.to_string());
    let id = |entry: &toml::Value| number(entry).or_else(|| id_of(entry.as_str()?));
    let ids: Option<Vec<String>> = list["a"].as_array()?.iter().map(id).collect();
    Some(here.edit("value", statement.value, format!("[{}]", ids?.join(", "))))
}
