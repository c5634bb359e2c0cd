//! Clinicians with the same id, name, NPI or profile.

use std::collections::BTreeMap;

use super::super::catalogue::Catalogue;
use super::super::provider::{Draft, EXAMPLE_ID};
use super::context::Context;
use super::repeated::repeated;
use crate::content::problem::{Advice, Place, Problem};
use crate::content::problems::Problems;
use crate::content::sources::Source;

/// Two clinicians with the same biography of at least this many bytes are reported: one was probably copied.
const SHORTEST_OWN_BIO: usize = 80;

/// Suggests unused ids: the numbers after the highest one in use.
struct FreeIds {
    last: u64,
}

impl FreeIds {
    fn new(catalogue: &Catalogue, drafts: &[Draft]) -> Self {
        let taken = drafts
            .iter()
            .filter_map(|draft| Some(&draft.id.as_ref()?.value))
            .chain(catalogue.retired_ids.keys());
        let numbers = taken.filter_map(|id| id.as_str().strip_prefix("prov-")?.parse::<u32>().ok());
        Self { last: numbers.max().map_or(0, u64::from) }
    }

    fn next(&mut self) -> String {
        self.last += 1;
        format!("prov-{:04}", self.last)
    }
}

/// Reports missing ids, with a free id as advice, and repeated ones.
pub(super) fn ids_are_present_and_unique(context: &Context<'_>, problems: &mut Problems) {
    let Context { catalogue, drafts, .. } = *context;
    let mut free = FreeIds::new(catalogue, drafts);
    for problem in drafts.iter().filter_map(|draft| draft.without_id.as_deref()) {
        let hint = problem.help().unwrap_or_default().replace(EXAMPLE_ID, &free.next());
        problems.push(problem.clone().hint(hint));
    }
    for (first, second) in repeated(drafts, |draft| draft.id.as_ref().map(|id| &id.value)) {
        problems.extend(same_id(first, second, &mut free));
    }
}

/// The problem of a repeated id. A published id never changes, so the copy must get a new one if it is known which file
/// is the copy.
fn same_id(first: &Draft, second: &Draft, free: &mut FreeIds) -> Option<Problem> {
    let (copy, original, is_known) =
        if is_copy(first, second) { (first, second, true) } else { (second, first, is_copy(second, first)) };
    let (id, other) = (copy.id.as_ref()?, original.id.as_ref()?);
    let new = format!("\"{}\"", free.next());
    let (what, advice) = if is_known {
        let what = format!(
            "the id \"{}\" belongs to {}, and this file is a copy of that one",
            id.value, original.slug
        );
        let rest = format!(
            ", which is free; change every other line that is still about {0}, and leave the file of {0} as it is; if {1} is a \
             new name of {0}, delete {1}.toml in both folders and run `nameplate rename provider {0} {1}`",
            original.slug, copy.slug
        );
        (what, Advice::write(new).and(&rest))
    } else {
        let hint = format!(
            "a published id never changes: find out which of the two files is the newer one, and write id = {new} there"
        );
        (format!("the id \"{}\" is used twice", id.value), hint.into())
    };
    let problem = Problem::error(copy.place(&id.span), what);
    Some(problem.also(original.place(&other.span), "and here").hint(advice))
}

/// Reports an NPI that two clinicians share. A feed refers to clinicians by NPI, so the hours of one would be shown for
/// the other.
pub(super) fn npis_are_unique(context: &Context<'_>, problems: &mut Problems) {
    for (first, second) in repeated(context.drafts, |draft| draft.npi.as_ref().map(|npi| &npi.value)) {
        let (copy, original) = if is_copy(first, second) { (first, second) } else { (second, first) };
        if let (Some(npi), Some(other)) = (&copy.npi, &original.npi) {
            let what = format!("{} and {} have the same NPI, \"{}\"", copy.slug, original.slug, npi.value);
            let registry = "https://npiregistry.cms.hhs.gov";
            let hint = if is_copy(copy, original) {
                format!(
                    "this file is a copy of the other: look {} up in {registry}, and write the NPI that is there, or delete this \
                     line",
                    copy.slug
                )
            } else {
                format!(
                    "an NPI belongs to one person: look both up in {registry}, and correct or delete the wrong one"
                )
            };
            let problem = Problem::error(copy.place(&npi.span), what);
            problems.push(problem.also(original.place(&other.span), "and here").hint(hint));
        }
    }
}

/// Warns of two clinicians with the same long biography.
pub(super) fn biographies_are_unique(context: &Context<'_>, problems: &mut Problems) {
    let is_own = |draft: &&Draft| {
        draft.provider.as_ref().is_some_and(|provider| provider.bio().len() >= SHORTEST_OWN_BIO)
    };
    for (first, draft) in
        repeated(context.drafts.iter().filter(is_own), |draft| Some(draft.provider.as_ref()?.bio()))
    {
        if has_id_of(first, draft) || first.name == draft.name {
            continue;
        }
        let (copy, old) = if is_copy(first, draft) { (first, draft) } else { (draft, first) };
        let what = format!("{} has the biography of {}", copy.slug, old.slug);
        let other = Place::file(&old.path());
        let warning = Problem::warning(Place::file(&copy.path()), what).also(other, "and here");
        problems.push(warning.hint("write a biography of its own for each of the two"));
    }
}

/// Warns of a portrait that two clinicians have. A picture that more have is a placeholder.
pub(super) fn portraits_show_one_clinician(context: &Context<'_>, problems: &mut Problems) {
    let mut by_picture: BTreeMap<[u8; 32], Vec<(&Draft, &Place)>> = BTreeMap::new();
    for draft in context.drafts {
        let Some(portrait) = &draft.portrait else { continue };
        if let Some(Source::Portrait { hash, .. }) =
            context.sources.get(&format!("headshots/{}", portrait.name))
        {
            by_picture.entry(*hash).or_default().push((draft, &portrait.place));
        }
    }
    for drafts in by_picture.values() {
        let &[(first, other), (second, place)] = drafts.as_slice() else { continue };
        // The other checks report a copied file.
        if has_id_of(first, second) || first.name == second.name {
            continue;
        }
        let what = format!("{} and {} have the same portrait", first.slug, second.slug);
        let hint = "put the right picture of each into headshots/, and write its name; a clinician can be without a portrait";
        problems.push(Problem::warning(place.clone(), what).also(other.clone(), "and here").hint(hint));
    }
}

/// Whether a file is probably a copy of another: it has its portrait, or a name that fits only the other's slug.
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

pub(super) fn names_are_unique(context: &Context<'_>, problems: &mut Problems) {
    let name = |draft: &Draft| draft.name.as_ref().map(|name| name.value.to_lowercase());
    for (first, draft) in repeated(context.drafts, name) {
        let (Some(first_name), Some(name)) = (&first.name, &draft.name) else { continue };
        // `same_id` reports a copied file.
        if has_id_of(first, draft) {
            continue;
        }
        let what = format!("{} and {} have the same name, \"{}\"", first.slug, draft.slug, name.value);
        let (copy, old) = if is_copy(first, draft) { (first, draft) } else { (draft, first) };
        let hint = if is_copy(copy, old) {
            format!(
                "if {0}.toml was copied from {1}.toml for another person, write the name of that person there, and change \
                 every other line that is still about {1}; if {0} is a new name of {1}, delete {0}.toml in both folders and run \
                 `nameplate rename provider {1} {0}`",
                copy.slug, old.slug
            )
        } else {
            "if they are two people, tell them apart, for example by a middle initial; if they are one, delete one of the two \
             files, with the hours of that name, and write its slug into former-slugs of the other"
                .to_owned()
        };
        let warning = Problem::warning(draft.place(&name.span), what);
        problems.push(warning.also(first.place(&first_name.span), "the other").hint(hint));
    }
}

fn has_id_of(draft: &Draft, other: &Draft) -> bool {
    draft.id.is_some() && draft.id == other.id
}
