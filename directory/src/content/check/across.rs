//! What no single file can tell: that names are nobody else's, that what is named is there, that what is
//! there is used.

use std::collections::{BTreeMap, BTreeSet};

use super::super::load::{BUSY_PATH, OPEN_PATH, Source, Sources};
use super::super::report::{Place, Problem};
use super::super::words::nearest;
use super::catalogue::Catalogue;
use super::provider::Draft;
use crate::model::Slug;

/// Runs the checks, one after the other. Of a file that could not be read, it has been told why: it is not
/// missing as well.
pub(super) fn check(sources: &Sources, catalogue: &Catalogue, drafts: &[Draft], problems: &mut Vec<Problem>) {
    let told: BTreeSet<String> = problems.iter().map(|problem| problem.path().to_owned()).collect();
    ids_are_unique(drafts, problems);
    slugs_are_unique(sources, drafts, problems);
    who_left_stays_away(catalogue, drafts, problems);
    // A provider whose file could not be read may use anything.
    let unread =
        |path: &String| path.starts_with("providers/") && drafts.iter().all(|draft| draft.path() != *path);
    let knows_all = drafts.iter().all(|draft| draft.is_whole) && !told.iter().any(unread);
    portraits_are_there_and_used(sources, drafts, &told, knows_all, problems);
    hours_belong_to_somebody(sources, &told, problems);
    if knows_all {
        catalogue_is_used(catalogue, drafts, problems);
    }
    accepting_providers_have_hours(sources, drafts, &told, problems);
    every_file_is_read(sources, problems);
}

fn ids_are_unique(drafts: &[Draft], problems: &mut Vec<Problem>) {
    let mut seen = BTreeMap::new();
    for draft in drafts {
        let Some((id, place)) = draft.id() else { continue };
        if let Some((_, first)) = seen.get(id).copied().and_then(Draft::id) {
            let problem = Problem::error(place, format!("the id \"{id}\" is used twice"));
            let hint = "give the new provider an id that was never used";
            problems.push(problem.also(first, "first here").hint(hint));
        } else {
            seen.insert(id, draft);
        }
    }
}

fn slugs_are_unique(sources: &Sources, drafts: &[Draft], problems: &mut Vec<Problem>) {
    let mut seen: BTreeMap<&Slug, &Place> = BTreeMap::new();
    for (former, place) in drafts.iter().flat_map(|draft| &draft.former_slugs) {
        let current = format!("providers/{former}.toml");
        let problem = |what: String| Problem::error(place.clone(), what);
        if sources.get(&current).is_some() {
            let problem = problem(format!("\"{former}\" is a provider's slug today"));
            let hint = "a slug is never given to somebody else: delete it here, or rename that file";
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

fn who_left_stays_away(catalogue: &Catalogue, drafts: &[Draft], problems: &mut Vec<Problem>) {
    let mut back = |what: String, place: Place, retired: &Place| {
        let problem = Problem::error(place, format!("{what} belonged to somebody who left"));
        let hint = "ids and slugs are never used again: choose another";
        problems.push(problem.also(retired.clone(), "retired here").hint(hint));
    };
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

fn portraits_are_there_and_used(
    sources: &Sources,
    drafts: &[Draft],
    told: &BTreeSet<String>,
    knows_all: bool,
    problems: &mut Vec<Problem>,
) {
    let portraits = sources.below("headshots").filter(|(_, source)| matches!(source, Source::Portrait(_)));
    let present: BTreeSet<&str> = portraits.filter_map(|(path, _)| path.strip_prefix("headshots/")).collect();
    let mut used = BTreeSet::new();
    for (name, place) in drafts.iter().filter_map(|draft| draft.portrait.as_ref()) {
        used.insert(name.as_str());
        let is_told = told.contains(&format!("headshots/{name}"));
        if !present.contains(name.as_str()) && !is_told {
            let hint = match nearest(name, present.iter().copied()) {
                Some(near) => format!("did you mean \"{near}\"?"),
                None => "put the file there".to_owned(),
            };
            problems
                .push(Problem::error(place.clone(), format!("there is no file headshots/{name}")).hint(hint));
        }
    }
    if knows_all {
        for name in present.difference(&used) {
            let place = Place::file(&format!("headshots/{name}"));
            let warning = Problem::warning(place, "no provider uses this portrait, so it is not published");
            problems.push(warning.hint("delete it, or name it in a provider's file: headshot = \"…\""));
        }
    }
}

fn hours_belong_to_somebody(sources: &Sources, told: &BTreeSet<String>, problems: &mut Vec<Problem>) {
    let stems = |folder: &'static str| {
        sources.below(folder).filter_map(move |(path, source)| {
            let stem = path.strip_prefix(folder)?.strip_prefix('/')?.strip_suffix(".toml")?;
            source.is_text().then_some((path, stem))
        })
    };
    let slugs: BTreeSet<_> = stems("providers").map(|(_, stem)| stem).collect();
    for (path, stem) in stems("availability") {
        let provider = format!("providers/{stem}.toml");
        if !slugs.contains(stem) && !told.contains(&provider) && stem.parse::<Slug>().is_ok() {
            let hint = match nearest(stem, slugs.iter().copied()) {
                Some(near) => format!("did you mean availability/{near}.toml?"),
                None => "the file's name is the provider's slug".to_owned(),
            };
            problems.push(Problem::error(Place::file(path), format!("there is no {provider}")).hint(hint));
        }
    }
}

fn catalogue_is_used(catalogue: &Catalogue, drafts: &[Draft], problems: &mut Vec<Problem>) {
    let used: BTreeSet<_> = drafts.iter().flat_map(|draft| &draft.plans).map(|plan| plan.index()).collect();
    for (rank, (plan, place)) in catalogue.plans().enumerate() {
        if !used.contains(&rank) {
            let warning = Problem::warning(place.clone(), format!("no provider accepts \"{plan}\""));
            problems.push(warning.hint("it is not published until somebody does"));
        }
    }
    for (id, checked) in &catalogue.types {
        let states = checked.visit_type.states;
        let offers = |draft: &Draft| {
            draft.visit_types.contains(id) && !draft.accepting.intersection(states).is_empty()
        };
        if checked.is_enabled && !drafts.iter().any(offers) {
            let what = format!("no provider who accepts patients offers the visit type {id}");
            let warning = Problem::warning(checked.place.clone(), what);
            problems.push(warning.hint("it is not published until somebody does"));
        }
    }
}

fn accepting_providers_have_hours(
    sources: &Sources,
    drafts: &[Draft],
    told: &BTreeSet<String>,
    problems: &mut Vec<Problem>,
) {
    // A feed of open slots is the authority, and may know hours that no file here does.
    if sources.get(OPEN_PATH).is_some() {
        return;
    }
    for draft in drafts.iter().filter(|draft| !draft.accepting.is_empty()) {
        let hours = format!("availability/{}.toml", draft.slug);
        if sources.get(&hours).is_none() && !told.contains(&hours) {
            let what = "this provider accepts new patients and has no hours";
            let warning = Problem::warning(Place::file(&draft.path()), what);
            problems.push(warning.hint(format!("write them into {hours}")));
        }
    }
}

/// Folders whose files are read, and the files beside them.
fn every_file_is_read(sources: &Sources, problems: &mut Vec<Problem>) {
    const FILES: [&str; 7] = [
        "directory.toml",
        "insurances.toml",
        "appointment-types.toml",
        "retired.toml",
        "allow.toml",
        BUSY_PATH,
        OPEN_PATH,
    ];
    const FOLDERS: [&str; 3] = ["providers", "availability", "holidays"];
    for (path, source) in sources.iter() {
        let is_read = match (path.rsplit_once('/'), source) {
            _ if FILES.contains(&path) => true,
            (Some((folder, _)), Source::Text(_) | Source::Later) => FOLDERS.contains(&folder),
            (Some((folder, _)), Source::Portrait(_)) => folder == "headshots",
            _ => false,
        };
        let is_expected = path.starts_with("schemas/") || path.to_ascii_lowercase().ends_with(".md");
        if !is_read && !is_expected {
            let hint = match nearest(path, FILES.into_iter()) {
                Some(near) => format!("did you mean {near}?"),
                None => "move it out of the content folder, or into the right one".to_owned(),
            };
            problems.push(Problem::warning(Place::file(path), "nothing reads this file").hint(hint));
        }
    }
}
