//! What the lists of a clinic have, and what its clinicians' files use of them.

use std::collections::BTreeSet;
use std::ops::Range;

use super::super::lines::each_line;
use super::super::sources::Sources;
use super::super::statement::Statement;
use super::lists::inner;

pub(super) const PLANS: &str = "insurances.toml";
pub(super) const TYPES: &str = "appointment-types.toml";

pub(super) fn names_below<'a>(sources: &'a Sources, folder: &'a str) -> impl Iterator<Item = &'a str> {
    sources.below(folder).filter_map(move |(path, _)| path.strip_prefix(folder)?.strip_prefix('/'))
}

pub(super) fn values_of<'t>(
    text: &'t str,
    key: &'static str,
) -> impl Iterator<Item = (&'t str, Range<usize>)> {
    let statements =
        each_line(text).filter_map(move |(at, _)| Statement::on_line(text, at, |known| known == key));
    statements.map(|found| (inner(found.value(text)), found.value))
}

pub(super) fn ids_of<'t>(text: &'t str, key: &'static str) -> impl Iterator<Item = u32> + 't {
    let numbers = |value: &'t str| value.split(|sign: char| !sign.is_ascii_digit());
    values_of(text, key).flat_map(move |(value, _)| numbers(value).filter_map(|id| id.parse().ok()))
}

pub(super) fn unused(sources: &Sources) -> BTreeSet<String> {
    let text_of = |path: &str| sources.whole_text(path).unwrap_or_default();
    let (plans, types) = (text_of(PLANS), text_of(TYPES));
    let mut names: BTreeSet<String> = values_of(&plans, "name").map(|(plan, _)| plan.to_owned()).collect();
    names.extend(values_of(&types, "id").map(|(id, _)| id.to_owned()));
    let holidays = names_below(sources, "holidays").filter_map(|name| name.strip_suffix(".toml"));
    names.extend(holidays.map(str::to_owned));
    for home in ["providers", "availability"] {
        for (path, _) in sources.below(home).filter(|(_, source)| source.is_text()) {
            let text = text_of(path);
            let ids: BTreeSet<String> = ids_of(&text, "appointment-types").map(|id| id.to_string()).collect();
            names.retain(|name| !ids.contains(name) && !text.contains(&format!("\"{name}\"")));
        }
    }
    names
}
