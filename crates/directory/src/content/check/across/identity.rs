//! Clinicians with the same id, name, NPI or profile.

use std::cell::LazyCell;
use std::collections::{BTreeMap, HashMap, HashSet};

use super::super::provider::Draft;
use super::context::Context;
use super::repeated::repeated;
use crate::content::problem::{FileSpan, Problem};
use crate::content::problems::Problems;
use crate::content::sources::SourceFile;

/// Two clinicians with the same biography of at least this many bytes are reported: one was probably copied.
const SHORTEST_OWN_BIO: usize = 80;
/// How many words at the beginning of a biography can be a name.
const MOST_WORDS: usize = 6;
const WORD_ENDS: [char; 6] = [' ', ',', '.', '\'', '\u{2019}', '\n'];

pub(super) fn ids_are_unique(context: &Context<'_>, problems: &mut Problems) {
    for (first, second) in repeated(context.drafts, |draft| draft.id.as_ref().map(|id| &id.value)) {
        let (Some(other), Some(id)) = (&first.id, &second.id) else { continue };
        let what = format!("the id \"{}\" is used twice", id.value);
        let hint = "a published id never changes: find out which of the two files is the newer one, and write an id there that was \
                    never used";
        let problem = Problem::error(second.place(&id.span), what);
        problems.push(problem.also(first.place(&other.span), "and here").hint(hint));
    }
}

/// Reports an NPI that two clinicians share. A feed refers to clinicians by NPI, so the hours of one would be shown for
/// the other.
pub(super) fn npis_are_unique(context: &Context<'_>, problems: &mut Problems) {
    for (first, second) in repeated(context.drafts, |draft| draft.npi.as_ref().map(|npi| &npi.value)) {
        if let (Some(other), Some(npi)) = (&first.npi, &second.npi) {
            let what = format!("{} and {} have the same NPI, \"{}\"", second.slug, first.slug, npi.value);
            let hint = "an NPI belongs to one person: look both up in https://npiregistry.cms.hhs.gov, and correct or delete the \
                        wrong one";
            let problem = Problem::error(second.place(&npi.span), what);
            problems.push(problem.also(first.place(&other.span), "and here").hint(hint));
        }
    }
}

/// Warns of two clinicians with the same long biography.
pub(super) fn biographies_are_unique(context: &Context<'_>, problems: &mut Problems) {
    let is_own = |draft: &&Draft| {
        draft.provider.as_ref().is_some_and(|provider| provider.bio.len() >= SHORTEST_OWN_BIO)
    };
    for (first, draft) in
        repeated(context.drafts.iter().filter(is_own), |draft| Some(&draft.provider.as_ref()?.bio))
    {
        if has_id_of(first, draft) || first.name == draft.name {
            continue;
        }
        let what = format!("{} and {} have the same biography", first.slug, draft.slug);
        let other = FileSpan::file(&first.path());
        let warning = Problem::warning(FileSpan::file(&draft.path()), what).also(other, "and here");
        problems.push(warning.hint("write a biography of its own for each of the two"));
    }
}

/// Warns of a biography that begins with the name of another clinician: it was probably copied with that file.
pub(super) fn biographies_begin_with_their_clinician(context: &Context<'_>, problems: &mut Problems) {
    let drafts =
        || context.drafts.iter().filter_map(|draft| Some((draft.name.as_ref()?.value.as_str(), draft)));
    let first_words: HashSet<&str> = drafts().filter_map(|(name, _)| name.split(WORD_ENDS).next()).collect();
    // Few biographies begin with a name.
    let names: LazyCell<HashMap<&str, &Draft>, _> = LazyCell::new(|| drafts().collect());
    let last_names: LazyCell<HashMap<&str, &Draft>, _> = LazyCell::new(|| {
        drafts().filter_map(|(name, draft)| Some((name.rsplit_once(' ')?.1, draft))).collect()
    });
    for draft in context.drafts {
        let (Some(provider), Some(own)) = (&draft.provider, &draft.name) else { continue };
        let (subject, titled) =
            match ["Dr. ", "Dr "].iter().find_map(|title| provider.bio.strip_prefix(title)) {
                Some(rest) => (rest, true),
                None => (provider.bio.as_str(), false),
            };
        let first = subject.split(WORD_ENDS).next().unwrap_or_default();
        if subject.starts_with(own.value.as_str()) || !titled && !first_words.contains(first) {
            continue;
        }
        let ends = subject.char_indices().filter(|(_, letter)| WORD_ENDS.contains(letter));
        let starts = ends.take(MOST_WORDS).map(|(end, _)| &subject[..end]);
        let mut others = starts.filter_map(|start| match names.get(start) {
            Some(other) if start.contains(' ') => Some(*other),
            _ if titled && !own.value.contains(start) => last_names.get(start).copied(),
            _ => None,
        });
        let Some(other) = others.find(|other| other.slug != draft.slug && other.name != draft.name) else {
            continue;
        };
        // The other checks report copies.
        let is_copy = other.provider.as_ref().is_some_and(|other| other.bio == provider.bio);
        if is_copy || has_id_of(other, draft) {
            continue;
        }
        if let Some(name) = &other.name {
            let what = format!("this biography begins with the name of another clinician, {}", name.value);
            let problem = Problem::warning(FileSpan::file(&draft.path()), what)
                .also(other.place(&name.span), "this one");
            problems.push(problem.hint(format!("was it copied? Write that of {}", own.value)));
        }
    }
}

/// Warns of a portrait that two clinicians have. A picture that more have is a placeholder.
pub(super) fn portraits_show_one_clinician(context: &Context<'_>, problems: &mut Problems) {
    let mut by_picture: BTreeMap<[u8; 32], Vec<(&Draft, &FileSpan)>> = BTreeMap::new();
    for draft in context.drafts {
        let Some(portrait) = &draft.portrait else { continue };
        if let Some(SourceFile::Portrait { hash, .. }) =
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

pub(super) fn names_are_unique(context: &Context<'_>, problems: &mut Problems) {
    let name = |draft: &Draft| draft.name.as_ref().map(|name| name.value.to_lowercase());
    for (first, draft) in repeated(context.drafts, name) {
        let (Some(first_name), Some(name)) = (&first.name, &draft.name) else { continue };
        // Their ids are reported.
        if has_id_of(first, draft) {
            continue;
        }
        let what = format!("{} and {} have the same name, \"{}\"", first.slug, draft.slug, name.value);
        let hint = "if they are two people, tell them apart, for example by a middle initial; if they are one, delete one of the \
                    two files, with the hours of that name, and write its slug into former-slugs of the other";
        let warning = Problem::warning(draft.place(&name.span), what);
        problems.push(warning.also(first.place(&first_name.span), "the other").hint(hint));
    }
}

fn has_id_of(draft: &Draft, other: &Draft) -> bool {
    draft.id.is_some() && draft.id == other.id
}
