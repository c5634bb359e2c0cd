//! Former slugs, and the slugs and ids of clinicians who left.

use super::context::Context;
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
        let problem = Problem::error(place.clone(), format!("\"{former}\" is a provider's current slug"));
        let hint = "a slug is never given to another clinician: delete it here, or rename that file";
        problems.push(problem.also(current(former), "here").hint(hint));
    }
    for ((_, first), (former, place)) in
        repeated(slugs(), |(slug, _)| Some(slug).filter(|slug| !is_current(slug)))
    {
        let what = format!("\"{former}\" is listed twice as a former slug");
        let problem = Problem::error(place.clone(), what).also(first.clone(), "first here");
        problems.push(problem.hint("only one of the two can have had it"));
    }
}

/// The slug that would make a profile's path that of the search for summaries.
const PATH_OF_SUMMARIES: &str = "summary";
/// The slug whose page web servers would show at the address of the folder.
const PATH_OF_THE_FOLDER: &str = "index";

pub(super) fn profiles_have_paths_of_their_own(context: &Context<'_>, problems: &mut Problems) {
    let Context { catalogue, drafts, .. } = *context;
    let rename = |slug: &Slug| {
        format!("give this file another name, such as {slug}-2.toml, and the one in availability/ the same")
    };
    for draft in drafts.iter().filter(|draft| draft.slug.as_str() == PATH_OF_THE_FOLDER) {
        let what = "the slug \"index\" cannot be used: web servers show the page providers/index.html at the address \
                    /providers/";
        problems.push(Problem::in_file(&draft.path(), what).hint(rename(&draft.slug)));
    }
    let mut taken = |place: &FileSpan, hint: &str| {
        let what =
            "the slug \"summary\" is taken: /v1/providers/summary is the path of a list of all clinicians";
        problems.push(Problem::error(place.clone(), what).hint(hint));
    };
    for draft in drafts {
        if draft.slug.as_str() == PATH_OF_SUMMARIES {
            taken(&FileSpan::file(&draft.path()), &rename(&draft.slug));
        }
        for (_, place) in draft.former_slugs.iter().filter(|(slug, _)| slug.as_str() == PATH_OF_SUMMARIES) {
            taken(place, "delete it here");
        }
    }
    if let Some(place) = catalogue.retired_slugs.get(PATH_OF_SUMMARIES) {
        taken(place, "write another slug here, such as \"summary-2\"");
    }
}

/// Reports ids and slugs of `retired.toml` that are used again.
pub(super) fn retired_ids_and_slugs_are_not_reused(context: &Context<'_>, problems: &mut Problems) {
    let Context { catalogue, drafts, .. } = *context;
    let drafts =
        if catalogue.retired_ids.is_empty() && catalogue.retired_slugs.is_empty() { &[] } else { drafts };
    let mut report = |what: String, place: FileSpan, retired: &FileSpan, hint: &str| {
        let problem = Problem::error(place, format!("{what} belonged to a clinician who left"));
        problems.push(problem.also(retired.clone(), "retired here").hint(hint));
    };
    let left_hint = "if this is that clinician, delete this file and the one in availability/; ids and slugs are never used \
                     again, so a new clinician needs others";
    let other_hint = "if that entry of retired.toml is about another clinician, correct it, and leave this file as it is; if \
                      this is a new clinician, choose an id or a file name that no clinician had: they are never used \
                      again";
    let former_hint = "if it was an address of this clinician, who has not left, delete its [[provider]] entry in \
                       retired.toml; if it was the address of another clinician, take it out of former-slugs";
    for draft in drafts {
        let entry = draft.id.as_ref().and_then(|id| catalogue.retired.get(&id.value));
        let own_hint = if entry == Some(&draft.slug) { left_hint } else { other_hint };
        if let Some(id) = &draft.id
            && let Some(retired) = catalogue.retired_ids.get(&id.value)
        {
            report(format!("the id \"{}\"", id.value), draft.place(&id.span), retired, own_hint);
        }
        if let Some(retired) = catalogue.retired_slugs.get(&draft.slug) {
            report(format!("the slug \"{}\"", draft.slug), FileSpan::file(&draft.path()), retired, own_hint);
        }
        for (slug, place) in &draft.former_slugs {
            if let Some(retired) = catalogue.retired_slugs.get(slug) {
                report(format!("the slug \"{slug}\""), place.clone(), retired, former_hint);
            }
        }
    }
}
