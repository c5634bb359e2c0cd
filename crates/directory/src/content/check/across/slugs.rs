//! Former slugs, and the slugs and ids of clinicians who left.

use super::context::Context;
use super::identity::free_id;
use super::repeated::repeated;
use crate::content::problem::{FileSpan, Problem};
use crate::content::problems::Problems;
use crate::model::Slug;

/// Reports a former slug that another clinician has or had: an old address must lead to one clinician only.
pub(super) fn former_slugs_are_unique(context: &Context<'_>, problems: &mut Problems) {
    let Context { sources, drafts, .. } = *context;
    let current = |slug: &Slug| FileSpan::file(&format!("providers/{slug}.toml"));
    let is_current = |slug: &Slug| sources.get(&current(slug).path).is_some();
    let slugs = || drafts.iter().flat_map(|draft| &draft.former_slugs);
    for (former, place) in slugs().filter(|(slug, _)| is_current(slug)) {
        let problem = Problem::error(place.clone(), format!("\"{former}\" is a clinician's current slug."));
        let hint = "Delete it here, or rename that file: a slug never goes to another clinician.";
        problems.push(problem.also(current(former), "here").hint(hint));
    }
    for ((_, first), (former, place)) in
        repeated(slugs(), |(slug, _)| Some(slug).filter(|slug| !is_current(slug)))
    {
        let what = format!("Two entries list \"{former}\" as a former slug.");
        let problem = Problem::error(place.clone(), what).also(first.clone(), "first here");
        problems.push(problem.hint("Delete one: only one clinician can have had it."));
    }
}

/// The slug that would make a profile's path that of the search for summaries.
pub const PATH_OF_SUMMARIES: &str = "summary";
/// The slug whose page web servers would show at the address of the folder.
const PATH_OF_THE_FOLDER: &str = "index";

pub(super) fn profiles_have_paths_of_their_own(context: &Context<'_>, problems: &mut Problems) {
    let Context { catalog, drafts, .. } = *context;
    let rename = |slug: &Slug| {
        format!(
            "Rename this file, for example to {slug}-2.toml, and rename its file in availability/ the \
            same way."
        )
    };
    for draft in drafts.iter().filter(|draft| draft.slug.as_str() == PATH_OF_THE_FOLDER) {
        let what = "The slug \"index\" is reserved: web servers show providers/index.html at the address \
                    /providers/.";
        problems.push(Problem::in_file(&draft.path(), what).hint(rename(&draft.slug)));
    }
    let mut taken = |place: &FileSpan, hint: &str| {
        let what = "The slug \"summary\" is reserved: /v1/providers/summary lists all clinicians.";
        problems.push(Problem::error(place.clone(), what).hint(hint));
    };
    for draft in drafts {
        if draft.slug.as_str() == PATH_OF_SUMMARIES {
            taken(&FileSpan::file(&draft.path()), &rename(&draft.slug));
        }
        for (_, place) in draft.former_slugs.iter().filter(|(slug, _)| slug.as_str() == PATH_OF_SUMMARIES) {
            taken(place, "Delete it here.");
        }
    }
    if let Some(place) = catalog.retired_slugs.get(PATH_OF_SUMMARIES) {
        taken(place, "Write another slug here, such as \"summary-2\".");
    }
}

pub(super) fn retired_ids_and_slugs_are_not_reused(context: &Context<'_>, problems: &mut Problems) {
    let Context { catalog, drafts, .. } = *context;
    let drafts =
        if catalog.retired_ids.is_empty() && catalog.retired_slugs.is_empty() { &[] } else { drafts };
    let mut report = |what: String, place: FileSpan, retired: &FileSpan, hint: &str| {
        let problem = Problem::error(place, format!("{what} belonged to a clinician who left."));
        problems.push(problem.also(retired.clone(), "retired here").hint(hint));
    };
    let left_hint = "If this is that clinician, delete this file and its file in availability/. If this is \
                     a new clinician, choose another id and file name: they are never reused.";
    let other_hint = "If the entry in retired.toml is about another clinician, correct it and leave this \
                      file as it is. If this is a new clinician, choose an id and a file name that no \
                      clinician has had: they are never reused.";
    let former_hint = "If it was this clinician's address and they haven't left, delete their [[provider]] \
                       entry in retired.toml. If it was another clinician's, remove it from \
                       `former-slugs`.";
    let new_hint = ": ids are never reused. If this clinician's page already shows this id, retired.toml has the wrong \
                    one: write there the id of the clinician who left.";
    for draft in drafts {
        let entry = draft.id.as_ref().and_then(|id| catalog.retired.get(&id.value));
        let own_hint = if entry == Some(&draft.slug) { left_hint } else { other_hint };
        // The name of the file is right.
        let is_new = entry != Some(&draft.slug) && !catalog.retired_slugs.contains_key(&draft.slug);
        if let Some(id) = &draft.id
            && let Some(retired) = catalog.retired_ids.get(&id.value)
        {
            let free = free_id(id.value.as_str(), context).filter(|_| is_new);
            let hint = free.map_or_else(
                || own_hint.to_owned(),
                |free| format!("If this is a new clinician, write id = \"{free}\"{new_hint}"),
            );
            report(format!("The id \"{}\"", id.value), draft.place(&id.span), retired, &hint);
        }
        if let Some(retired) = catalog.retired_slugs.get(&draft.slug) {
            report(
                format!("The page address \"{}\"", draft.slug),
                FileSpan::file(&draft.path()),
                retired,
                own_hint,
            );
        }
        for (slug, place) in &draft.former_slugs {
            if let Some(retired) = catalog.retired_slugs.get(slug) {
                report(format!("The page address \"{slug}\""), place.clone(), retired, former_hint);
            }
        }
    }
}
