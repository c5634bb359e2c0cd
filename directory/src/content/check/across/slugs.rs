//! Former slugs, and slugs and ids of clinicians who left.

use std::collections::BTreeMap;

use super::context::Context;
use crate::content::problem::{Place, Problem};
use crate::model::Slug;

/// A slug has one owner for ever: it leads visitors of an old address to this clinician.
pub(super) fn former_slugs_are_unique(context: &Context<'_>, problems: &mut Vec<Problem>) {
    let Context { sources, drafts, .. } = *context;
    let mut seen: BTreeMap<&Slug, &Place> = BTreeMap::new();
    for (former, place) in drafts.iter().flat_map(|draft| &draft.former_slugs) {
        let current = format!("providers/{former}.toml");
        let problem = |what: String| Problem::error(place.clone(), what);
        if sources.get(&current).is_some() {
            let problem = problem(format!("\"{former}\" is a provider's slug today"));
            let hint = "a slug is never given to another clinician: delete it here, or rename that file";
            problems.push(problem.also(Place::file(&current), "here").hint(hint));
        } else if let Some(&first) = seen.get(former) {
            let problem = problem(format!("\"{former}\" is listed twice as a former slug"));
            let hint = "only one of the two can have had it";
            problems.push(problem.also(first.clone(), "first here").hint(hint));
        } else {
            seen.insert(former, place);
        }
    }
}

/// Ids and slugs of retired.toml are never used again.
pub(super) fn retired_stay_away(context: &Context<'_>, problems: &mut Vec<Problem>) {
    let Context { catalogue, drafts, .. } = *context;
    let mut back = |what: String, place: Place, retired: &Place| {
        let problem = Problem::error(place, format!("{what} belonged to a clinician who left"));
        let hint = "if this is that clinician, delete this file and the one in availability/; ids and slugs are never \
                    used again, so a new clinician needs others";
        problems.push(problem.also(retired.clone(), "retired here").hint(hint));
    };
    let drafts =
        if catalogue.retired_ids.is_empty() && catalogue.retired_slugs.is_empty() { &[] } else { drafts };
    for draft in drafts {
        if let Some((id, place)) = draft.id()
            && let Some(retired) = catalogue.retired_ids.get(id)
        {
            back(format!("the id \"{id}\""), place, retired);
        }
        let own = (draft.slug.clone(), Place::file(&draft.path()));
        for (slug, place) in std::iter::once(&own).chain(&draft.former_slugs) {
            if let Some(retired) = catalogue.retired_slugs.get(slug) {
                back(format!("the slug \"{slug}\""), place.clone(), retired);
            }
        }
    }
}
