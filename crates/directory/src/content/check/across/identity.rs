//! Clinicians with the same id, name, NPI or profile.

use std::cell::LazyCell;
use std::collections::{BTreeMap, HashMap, HashSet};

use super::super::portraits::ENDINGS;
use super::super::provider::Draft;
use super::context::Context;
use super::repeated::repeated;
use super::truth::found_at;
use crate::content::problem::{FileSpan, Problem, Severity};
use crate::content::problems::Problems;
use crate::content::sources::SourceFile;
use crate::model::{Provider, ProviderId, slug_words};
use crate::statements::{Place, Step};

/// Two clinicians with the same biography of at least this many bytes are reported: one was probably copied.
const SHORTEST_OWN_BIO: usize = 80;
/// How many words at the beginning of a biography can be a name.
const MOST_WORDS: usize = 6;
/// Longer words after "Dr." are last names.
const LONGEST_SHORT_NAME: usize = 5;
/// What a biography says next of its clinician.
const VERBS: [&str; 8] = [" is ", " has ", " was ", " works ", " treats ", " sees ", " helps ", " cares "];
const WORD_ENDS: [char; 6] = [' ', ',', '.', '\'', '\u{2019}', '\n'];

pub(super) fn ids_are_unique(context: &Context<'_>, problems: &mut Problems) {
    for (first, second) in repeated(context.drafts, |draft| draft.id.as_ref().map(|id| &id.value)) {
        let (first, second) = in_order(first, second, context);
        let (Some(other), Some(id)) = (&first.id, &second.id) else { continue };
        let what = format!("Two clinicians have the id \"{}\".", id.value);
        let free = free_id(id.value.as_str(), context);
        let such_as = free.map_or_else(String::new, |free| format!(", such as \"{free}\""));

        let licenses =
            |draft: &Draft| draft.provider.as_ref().map(|provider| provider.record.licenses.clone());
        let is_shared = [
            ("`display-name`", has_name_of(first, second)),
            (
                "`npi`",
                first.npi.is_some()
                    && first.npi.as_ref().map(|npi| &npi.value) == second.npi.as_ref().map(|npi| &npi.value),
            ),
            ("`bio`", !bio(first).is_empty() && bio(first) == bio(second)),
            (
                "the numbers of `license`",
                licenses(first).is_some_and(|own| !own.is_empty()) && licenses(first) == licenses(second),
            ),
        ];
        let shared: Vec<&str> = is_shared.into_iter().filter(|(_, is)| *is).map(|(key, _)| key).collect();
        let too = match &shared[..] {
            [] => String::new(),
            [only] => format!(", and change {only}"),
            [others @ .., last] => format!(", and change {} and {last}", others.join(", ")),
        };
        let both = first.provider.as_deref().zip(second.provider.as_deref());
        let is_same = |is: fn(&Provider, &Provider) -> bool| both.is_some_and(|(one, other)| is(one, other));
        let copied = is_same(|one, other| {
            one.licensed == other.licensed
                && one.insurance == other.insurance
                && one.education == other.education
                && !one.education.is_empty()
        });
        let check =
            if copied { " Check its bio, licenses, `accepting`, plans, and degrees, too." } else { "" };
        let is_edited = shared.is_empty() && !copied;
        let is_copied = !is_edited && is_copy(second, first, context);
        let newer = if is_copied { "the copy" } else { "the newer file" };
        let give = if is_edited { "If this one was edited, change it back. Otherwise give" } else { "Give" };
        let name =
            |draft: &Draft| draft.name.as_ref().map(|name| name.value.split(' ').next().map(str::to_owned));
        let is_same_person = is_copied && name(first) == name(second) && first.name != second.name;
        let rename = if is_same_person {
            format!(
                " If it's the same person under a new name, delete the copy, and run `nameplate rename provider {} {}`.",
                first.slug, second.slug
            )
        } else {
            String::new()
        };
        let hint = format!(
            "Published ids never change. {give} {newer} its own id, which no clinician has or had{such_as}{too}.{check}{rename}"
        );
        let problem = Problem::error(second.place(&id.span), what);
        problems.push(problem.also(first.place(&other.span), "and here").hint(hint));
    }
}

/// Two clinicians, the copied file last.
fn in_order<'d>(first: &'d Draft, second: &'d Draft, context: &Context<'_>) -> (&'d Draft, &'d Draft) {
    if is_copy(first, second, context) { (second, first) } else { (first, second) }
}

/// Whether a file repeats another one's id, NPI, name or biography, and fits its own name less than that one.
fn is_copy(draft: &Draft, other: &Draft, context: &Context<'_>) -> bool {
    let fits = |draft: &Draft| {
        let name = draft.name.as_ref().map_or("", |name| name.value.as_str());
        let named = [name.split(' ').next(), name.rsplit(' ').next()];
        let named = named.into_iter().flatten().filter(|word| bio(draft).contains(word)).count();
        let has_portrait =
            draft.portrait.as_ref().is_some_and(|file| file.name.contains(draft.slug.as_str()));
        let has_hours = context.sources.get(&format!("availability/{}.toml", draft.slug)).is_some();
        let is_named = slug_words(name) == draft.slug.as_str();
        let others = [has_portrait, has_hours, draft.is_whole].into_iter().filter(|is| *is).count();
        (usize::from(is_named) + named, others)
    };
    let npi = |draft: &Draft| draft.npi.as_ref().map(|npi| npi.value.clone());
    let repeats = has_id_of(draft, other)
        || npi(draft).is_some() && npi(draft) == npi(other)
        || has_name_of(draft, other)
        || !bio(draft).is_empty() && bio(draft) == bio(other);
    repeats && fits(draft) < fits(other)
}

fn bio(draft: &Draft) -> &str {
    draft.provider.as_ref().map_or("", |provider| &provider.bio)
}

fn has_name_of(draft: &Draft, other: &Draft) -> bool {
    lower_name(draft).is_some() && lower_name(draft) == lower_name(other)
}

fn lower_name(draft: &Draft) -> Option<String> {
    draft.name.as_ref().map(|name| name.value.to_lowercase())
}

/// The next id with another number at its end that no clinician has or had.
pub(super) fn free_id(id: &str, context: &Context<'_>) -> Option<String> {
    let stem = id.trim_end_matches(|digit: char| digit.is_ascii_digit());
    let width = id.len() - stem.len();
    let number: u32 = id[stem.len()..].parse().ok()?;
    let is_free = |id: &String| {
        let retired = &context.catalog.retired_ids;
        !context.ids.contains(id.as_str())
            && id.parse::<ProviderId>().is_ok_and(|id| !retired.contains_key(&id))
    };
    (1..=100)
        .filter_map(|more| number.checked_add(more))
        .map(|next| format!("{stem}{next:0width$}"))
        .find(is_free)
}

/// A feed refers to clinicians by NPI, so the hours of one would be shown for the other.
pub(super) fn npis_are_unique(context: &Context<'_>, problems: &mut Problems) {
    for (first, second) in repeated(context.drafts, |draft| draft.npi.as_ref().map(|npi| &npi.value)) {
        let (first, second) = in_order(first, second, context);
        // Their ids are reported, and what else was copied.
        if has_id_of(first, second) {
            continue;
        }
        if let (Some(other), Some(npi)) = (&first.npi, &second.npi) {
            let what = format!("{} and {} have the same NPI, \"{}\".", second.slug, first.slug, npi.value);
            let hint = "Look both clinicians up at https://npiregistry.cms.hhs.gov, then correct or delete \
                        the wrong NPI. Each NPI belongs to one person.";
            let problem = Problem::error(second.place(&npi.span), what);
            problems.push(problem.also(first.place(&other.span), "and here").hint(hint));
        }
    }
}

/// Boards of different professions may give the same number.
pub(super) fn licenses_are_unique(context: &Context<'_>, problems: &mut Problems) {
    let held = context.drafts.iter().filter_map(|draft| Some((draft, draft.provider.as_deref()?)));
    let held = held.flat_map(|(draft, provider)| {
        provider.record.licenses.iter().enumerate().map(move |(at, license)| (draft, provider, at, license))
    });
    for ((first, one, at_first, _), (second, other, at, license)) in
        repeated(held, |(_, provider, _, license)| {
            Some((provider.provider_type, license.state, &license.number))
        })
    {
        // Ids and NPIs are reported, and one file may have an entry twice.
        if first.slug == second.slug || has_id_of(first, second) || one.npi.is_some() && one.npi == other.npi
        {
            continue;
        }
        // To find a place parses its file again.
        let path = second.path();
        if !problems.has_room(&path, Severity::Warning) {
            problems.count(&path, Severity::Warning, 1);
            continue;
        }
        let place = |provider, at| {
            let number = Place::at(provider, [Step::Key("license"), Step::Entry(at), Step::Key("number")]);
            found_at(context.sources, &number, &mut Vec::new())
        };
        let (number, state) = (&license.number, license.state);
        let what = format!("{} and {} have the same {state} license, \"{number}\".", second.slug, first.slug);
        let hint = "Look both clinicians up at the state's board, then correct or delete the wrong number.";
        let problem = Problem::warning(place(other, at), what).also(place(one, at_first), "and here");
        problems.push(problem.hint(hint));
    }
}

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
        let (first, draft) = in_order(first, draft, context);
        let what = format!("{} and {} have the same biography.", first.slug, draft.slug);
        let hint = match &first.name {
            Some(name) if is_copy(draft, first, context) => {
                let own = draft.name.as_ref().map_or(draft.slug.as_str(), |own| own.value.as_str());
                format!("It's probably about {}. Write {own}'s own biography.", name.value)
            }
            _ => "Write a separate biography for each.".to_owned(),
        };
        let warning = Problem::warning(draft.bio_place(), what).also(first.bio_place(), "and here");
        problems.push(warning.hint(hint));
    }
}

/// Such a biography was probably copied with that clinician's file.
pub(super) fn biographies_begin_with_their_clinician(context: &Context<'_>, problems: &mut Problems) {
    let drafts =
        || context.drafts.iter().filter_map(|draft| Some((draft.name.as_ref()?.value.as_str(), draft)));
    let first_words: HashSet<&str> = drafts().filter_map(|(name, _)| name.split(WORD_ENDS).next()).collect();
    // Few biographies begin with a name.
    let names: LazyCell<HashMap<&str, &Draft>, _> = LazyCell::new(|| drafts().collect());
    let last_names: LazyCell<HashMap<&str, &Draft>, _> = LazyCell::new(|| {
        drafts().filter_map(|(name, draft)| Some((name.rsplit_once(' ')?.1, draft))).collect()
    });
    let alone: LazyCell<HashMap<&str, Option<&Draft>>, _> = LazyCell::new(|| {
        let mut alone = HashMap::new();
        for (name, draft) in drafts() {
            let first = name.split(WORD_ENDS).next().unwrap_or_default();
            alone.entry(first).and_modify(|only| *only = None).or_insert(Some(draft));
        }
        alone
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
            // "Grace under pressure" isn't a name.
            _ if VERBS.iter().any(|verb| subject[start.len()..].starts_with(verb))
                && !own
                    .value
                    .split(WORD_ENDS)
                    .any(|word| !word.is_empty() && provider.bio.contains(word)) =>
            {
                alone.get(start).copied().flatten()
            }
            _ => None,
        });
        let Some(other) = others.find(|other| other.slug != draft.slug && other.name != draft.name) else {
            // "Dr. Bob" may be what patients call him.
            let is_long = first.len() > LONGEST_SHORT_NAME;
            if titled && !own.value.contains(first) && (is_long || is_of_former_name(draft, first)) {
                let what = format!("This biography says Dr. {first}, but the name is {}.", own.value);
                let hint = "If the name changed, write the new one in the biography, too.";
                problems.push(Problem::warning(draft.bio_place(), what).hint(hint));
            }
            continue;
        };
        // The other checks report copies.
        let is_copy = other.provider.as_ref().is_some_and(|other| other.bio == provider.bio);
        if is_copy || has_id_of(other, draft) {
            continue;
        }
        if let Some(name) = &other.name {
            let what = format!("This biography begins with another clinician's name, {}.", name.value);
            let problem = Problem::warning(draft.bio_place(), what).also(other.place(&name.span), "this one");
            problems.push(problem.hint(format!(
                "If it was copied, write a few sentences about {0} instead. If only the name is wrong, write {0}.",
                own.value
            )));
        }
    }
}

/// Whether a word is of a slug that a clinician had, or of the name of the portrait.
fn is_of_former_name(draft: &Draft, word: &str) -> bool {
    let portrait = draft.portrait.iter().map(|portrait| portrait.name.as_str());
    let former = draft.former_slugs.iter().map(|(slug, _)| slug.as_str());
    let word = slug_words(word);
    let mut words = portrait.chain(former).flat_map(|name| name.split(['-', '.']));
    !word.is_empty() && words.any(|part| part == word)
}

/// A picture that more than two have is a placeholder.
pub(super) fn portraits_show_one_clinician(context: &Context<'_>, problems: &mut Problems) {
    let used: HashSet<&str> =
        context.drafts.iter().filter_map(|draft| Some(draft.portrait.as_ref()?.name.as_str())).collect();
    // A picture with the clinician's own name that is unused is reported with it.
    let has_own = |draft: &Draft| {
        let mut names = ENDINGS.iter().map(|ending| format!("{}.{ending}", draft.slug));
        names.any(|name| {
            !used.contains(name.as_str()) && context.sources.get(&format!("headshots/{name}")).is_some()
        })
    };
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
        if has_id_of(first, second)
            || first.name == second.name
            || context.all_providers_read && (has_own(first) || has_own(second))
        {
            continue;
        }
        // A picture with one's name was written by mistake in the other's file.
        let mut portraits = first.portrait.iter().chain(&second.portrait);
        let is_of_second = portraits.all(|portrait| portrait.name.starts_with(second.slug.as_str()));
        let (place, other) = if is_of_second { (other, place) } else { (place, other) };
        let what = format!("{} and {} have the same portrait.", first.slug, second.slug);
        let hint = "Put each clinician's picture in headshots/ and write its name here, or leave one \
                    without a portrait.";
        problems.push(Problem::warning(place.clone(), what).also(other.clone(), "and here").hint(hint));
    }
}

pub(super) fn names_are_unique(context: &Context<'_>, problems: &mut Problems) {
    for (first, draft) in repeated(context.drafts, lower_name) {
        let (first, draft) = in_order(first, draft, context);
        let (Some(first_name), Some(name)) = (&first.name, &draft.name) else { continue };
        // Their ids are reported.
        if has_id_of(first, draft) {
            continue;
        }
        let what = format!("{} and {} have the same name, \"{}\".", first.slug, draft.slug, name.value);
        let hint = "If they are two people, tell them apart, for example with a middle initial. If they \
                    are the same person, delete one file and its hours, and add its slug to the other's \
                    `former-slugs`.";
        let hint = if is_copy(draft, first, context) {
            format!("If you copied {}, change `display-name` here. {hint}", first.path())
        } else {
            hint.to_owned()
        };
        let warning = Problem::warning(draft.place(&name.span), what);
        problems.push(warning.also(first.place(&first_name.span), "the other").hint(hint));
    }
}

fn has_id_of(draft: &Draft, other: &Draft) -> bool {
    draft.id.is_some() && draft.id == other.id
}
