//! Former slugs, and slugs and ids of clinicians who left.

use super::context::Context;
use super::repeated::repeated;
use crate::content::problem::{Place, Problem};
use crate::model::Slug;

/// A slug has one owner for ever: it leads visitors of an old address to this clinician.
pub(super) fn former_slugs_are_unique(context: &Context<'_>, problems: &mut Vec<Problem>) {
    let Context { sources, drafts, .. } = *context;
    let current = |slug: &Slug| Place::file(&format!("providers/{slug}.toml"));
    let is_current = |slug: &Slug| sources.get(&current(slug).path).is_some();
    let slugs = || drafts.iter().flat_map(|draft| &draft.former_slugs);
    for (former, place) in slugs().filter(|(slug, _)| is_current(slug)) {
        let problem = Problem::error(place.clone(), format!("\"{former}\" is a provider's slug today"));
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

/// Ids and slugs of retired.toml are never used again.
pub(super) fn retired_stay_away(context: &Context<'_>, problems: &mut Vec<Problem>) {
    let Context { catalogue, drafts, .. } = *context;
    let mut back = |what: String, place: Place, retired: &Place, hint: &str| {
        let problem = Problem::error(place, format!("{what} belonged to a clinician who left"));
        problems.push(problem.also(retired.clone(), "retired here").hint(hint));
    };
    let own_hint = "if this is that clinician, delete this file and the one in availability/; ids and slugs are never used \
                    again, so a new clinician needs others";
    let former_hint = "if it was an address of this clinician, who has not left, delete its [[provider]] entry in \
                       retired.toml; if it was the address of another clinician, take it out of former-slugs";
    let drafts =
        if catalogue.retired_ids.is_empty() && catalogue.retired_slugs.is_empty() { &[] } else { drafts };
    for draft in drafts {
        if let Some(id) = &draft.id
            && let Some(retired) = catalogue.retired_ids.get(&id.value)
        {
            back(format!("the id \"{}\"", id.value), draft.place(&id.span), retired, own_hint);
        }
        if let Some(retired) = catalogue.retired_slugs.get(&draft.slug) {
            back(format!("the slug \"{}\"", draft.slug), Place::file(&draft.path()), retired, own_hint);
        }
        for (slug, place) in &draft.former_slugs {
            if let Some(retired) = catalogue.retired_slugs.get(slug) {
                back(format!("the slug \"{slug}\""), place.clone(), retired, former_hint);
            }
        }
    }
}
