//! Ids, names and NPIs that two clinicians share, and copied profiles.

use std::collections::HashMap;

use super::super::catalogue::Catalogue;
use super::super::provider::{Draft, EXAMPLE_ID};
use super::context::Context;
use crate::content::problem::{Advice, Place, Problem};
use crate::model::Provider;

/// Unused ids: the numbers after the highest one.
struct FreeIds {
    last: u64,
}

impl FreeIds {
    fn new(catalogue: &Catalogue, drafts: &[Draft]) -> Self {
        let taken = drafts.iter().filter_map(Draft::only_id).chain(catalogue.retired_ids.keys());
        let numbers = taken.filter_map(|id| id.as_str().strip_prefix("prov-")?.parse::<u32>().ok());
        Self { last: numbers.max().map_or(0, u64::from) }
    }

    fn next(&mut self) -> String {
        self.last += 1;
        format!("prov-{:04}", self.last)
    }
}

pub(super) fn ids_are_there_and_unique(context: &Context<'_>, problems: &mut Vec<Problem>) {
    let Context { catalogue, drafts, .. } = *context;
    let mut free = FreeIds::new(catalogue, drafts);
    for problem in drafts.iter().filter_map(|draft| draft.without_id.as_deref()) {
        let hint = problem.help().unwrap_or_default().replace(EXAMPLE_ID, &free.next());
        problems.push(problem.clone().hint(hint));
    }
    let mut seen: HashMap<_, &Draft> = HashMap::with_capacity(drafts.len());
    for draft in drafts {
        let Some(id) = draft.only_id() else { continue };
        if let Some(first) = seen.get(id) {
            problems.extend(same_id(first, draft, &mut free));
        } else {
            seen.insert(id, draft);
        }
    }
}

/// A published id never changes, so the problem is shown at the copy, if it is known which file that is.
fn same_id(first: &Draft, second: &Draft, free: &mut FreeIds) -> Option<Problem> {
    let (copy, original, is_known) =
        if is_copy(first, second) { (first, second, true) } else { (second, first, is_copy(second, first)) };
    let ((id, place), (_, other)) = (copy.id()?, original.id()?);
    let new = format!("\"{}\"", free.next());
    let (what, advice) = if is_known {
        let what = format!("the id \"{id}\" belongs to {}, of whose file this is a copy", original.slug);
        (what, Advice::write(new).and(", which is free, and leave the other file as it is"))
    } else {
        let hint = format!(
            "a published id never changes: find out which of the two files is the newer one, and write id = {new} there"
        );
        (format!("the id \"{id}\" is used twice"), hint.into())
    };
    Some(Problem::error(place, what).also(other, "and here").hint(advice))
}

/// A feed names clinicians by their NPI, so with one NPI for two clinicians the hours of one would be shown as the
/// other's.
pub(super) fn npis_are_unique(context: &Context<'_>, problems: &mut Vec<Problem>) {
    let mut seen: HashMap<&str, &Draft> = HashMap::with_capacity(context.drafts.len());
    for draft in context.drafts {
        let Some((npi, _)) = draft.npi() else { continue };
        let Some(&first) = seen.get(npi) else {
            seen.insert(npi, draft);
            continue;
        };
        let (copy, original) = if is_copy(first, draft) { (first, draft) } else { (draft, first) };
        if let (Some((_, place)), Some((_, other))) = (copy.npi(), original.npi()) {
            let what = format!("{} and {} have one NPI, \"{npi}\"", copy.slug, original.slug);
            let hint = "an NPI belongs to one person: look both up in https://npiregistry.cms.hhs.gov, and correct or \
                        delete the wrong one";
            problems.push(Problem::error(place, what).also(other, "and here").hint(hint));
        }
    }
}

/// Warns of two clinicians with one biography and one portrait: one file is a copy of the other.
pub(super) fn profiles_are_unique(context: &Context<'_>, problems: &mut Vec<Problem>) {
    let mut seen: HashMap<&str, &Draft> = HashMap::new();
    for draft in context.drafts {
        let Some(provider) = draft.provider.as_deref().filter(|provider| provider.headshot().is_some())
        else {
            continue;
        };
        let Some(&first) = seen.get(provider.bio()) else {
            seen.insert(provider.bio(), draft);
            continue;
        };
        let has_own_portrait = first.provider.as_deref().and_then(Provider::headshot) != provider.headshot();
        let is_passed_over = has_own_portrait
            || first.only_id() == draft.only_id()
            || first.name.as_ref().map(|name| &name.value) == draft.name.as_ref().map(|name| &name.value);
        if is_passed_over {
            continue;
        }
        let (copy, old) = if is_copy(first, draft) { (first, draft) } else { (draft, first) };
        let (copy, old) = (&copy.slug, &old.slug);
        let what = format!("{copy} has the biography and the portrait of {old}");
        let hint = format!(
            "if they are two people, write the biography of {copy}, and change or delete `headshot`; if {copy} is a new name \
             of {old}, delete this file, rename providers/{old}.toml to {copy}.toml, change the name in it, add \
             former-slugs = [\"{old}\"], and rename availability/{old}.toml, too"
        );
        let place = Place::file(&format!("providers/{copy}.toml"));
        let other = Place::file(&format!("providers/{old}.toml"));
        problems.push(Problem::warning(place, what).also(other, "and here").hint(hint));
    }
}

/// Whether a file is a copy of another: it has the other's name or portrait.
fn is_copy(draft: &Draft, other: &Draft) -> bool {
    let portrait = draft.portrait.as_ref().and_then(|portrait| portrait.name.rsplit_once('.'));
    let has_others_portrait = portrait.is_some_and(|(stem, _)| stem == other.slug.as_str());
    has_others_portrait || !fits_its_slug(draft) && fits_its_slug(other)
}

/// Whether the name and the slug share a word.
fn fits_its_slug(draft: &Draft) -> bool {
    draft.name.as_ref().is_none_or(|name| {
        let name = name.value.to_lowercase();
        let mut words = name.split(|character: char| !character.is_alphanumeric());
        words.any(|word| draft.slug.as_str().split('-').any(|part| part == word))
    })
}

/// Warns of two clinicians with one name, whom patients cannot tell apart.
pub(super) fn names_are_unique(context: &Context<'_>, problems: &mut Vec<Problem>) {
    let mut seen: HashMap<String, &Draft> = HashMap::with_capacity(context.drafts.len());
    for draft in context.drafts {
        let Some(name) = &draft.name else { continue };
        let Some(first) = seen.get(&name.value.to_lowercase()) else {
            seen.insert(name.value.to_lowercase(), draft);
            continue;
        };
        // Reported as a copied file.
        if first.only_id().is_some() && first.only_id() == draft.only_id() {
            continue;
        }
        let what = format!("{} and {} have one name, \"{}\"", first.slug, draft.slug, name.value);
        let warning = Problem::warning(draft.place(&name.span), what);
        let hint = "if they are two people, tell them apart, for example by a middle initial; if they are one, delete \
                    one of the two files and write its slug into former-slugs of the other";
        let first = first.name.as_ref().map(|name| first.place(&name.span));
        problems.push(match first {
            Some(first) => warning.also(first, "the other").hint(hint),
            None => warning.hint(hint),
        });
    }
}
