//! Checks across files: names are unique, references lead somewhere, and everything is used.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::super::load::{BUSY_PATH, OPEN_PATH, Source, Sources, has_text_ending};
use super::super::passed_over::is_lock;
use super::super::problem::{Place, Problem};
use super::super::words::{MISPLACED, nearest, slug_meant};
use super::catalogue::Catalogue;
use super::provider::Draft;
use super::{identity, portraits};
use crate::model::Slug;

/// For how many stray files a near name is searched.
const GUESSED_AT_MOST: usize = 100;

/// Runs the checks. A file that could not be read was reported already, and is not reported as missing.
pub(super) fn check(
    sources: &Sources,
    catalogue: &Catalogue,
    drafts: &[Draft],
    known: &[Problem],
) -> Vec<Problem> {
    let told: BTreeSet<String> = known.iter().map(|problem| problem.path().to_owned()).collect();
    let mut found = Vec::new();
    let problems = &mut found;
    catalogue.missing_lists(problems);
    identity::check(catalogue, drafts, problems);
    slugs_are_unique(sources, drafts, problems);
    who_left_stays_away(catalogue, drafts, problems);
    // A provider's file that could not be read may use anything.
    let unread =
        |path: &String| path.starts_with("providers/") && drafts.iter().all(|draft| draft.path() != *path);
    let knows_all = everybody_is_known(sources, drafts) && !told.iter().any(unread);
    let named: Vec<_> = drafts.iter().filter_map(|draft| draft.portrait.as_ref()).collect();
    portraits::are_there_and_used(sources, &named, &told, knows_all, problems);
    let mut strays = Stray::find(sources, &told, known);
    Stray::by_elimination(&mut strays, sources, catalogue, drafts);
    hours_belong_to_somebody(&strays, catalogue, problems);
    if knows_all {
        catalogue_is_used(catalogue, drafts, problems);
    }
    accepting_providers_have_hours(sources, drafts, &strays, &told, problems);
    every_file_is_read(sources, problems);
    found
}

fn slugs_are_unique(sources: &Sources, drafts: &[Draft], problems: &mut Vec<Problem>) {
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

fn who_left_stays_away(catalogue: &Catalogue, drafts: &[Draft], problems: &mut Vec<Problem>) {
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

/// A file of hours without a provider.
struct Stray<'a> {
    path: &'a str,
    slug: Slug,
    /// The provider that they are probably of.
    meant: Option<&'a str>,
    /// Whether `meant` is the only provider without hours, and not one of a similar name.
    is_by_elimination: bool,
}

impl<'a> Stray<'a> {
    fn find(sources: &'a Sources, told: &BTreeSet<String>, known: &[Problem]) -> Vec<Self> {
        let stems = |folder: &'static str| {
            sources.below(folder).filter_map(move |(path, source)| {
                let stem = path.strip_prefix(folder)?.strip_prefix('/')?.strip_suffix(".toml")?;
                source.is_text().then_some((path, stem))
            })
        };
        if stems("availability").next().is_none() {
            return Vec::new();
        }
        let is_slug = |stem: &&str| stem.parse::<Slug>().is_ok();
        let slugs: BTreeSet<_> = stems("providers").map(|(_, stem)| stem).filter(is_slug).collect();
        let without_hours = slugs.iter().copied();
        let without_hours =
            without_hours.filter(|slug| sources.get(&format!("availability/{slug}.toml")).is_none());
        let without_hours: Vec<_> = without_hours.collect();
        // A provider's file with a changed name or ending is reported on its own.
        let nearly_there: BTreeSet<_> =
            sources.below("providers").filter_map(|(path, _)| slug_meant(&stem_of(path)?)).collect();
        let is_stray = |stem: &str| {
            !slugs.contains(stem)
                && sources.get(&format!("{stem}.toml")).is_none()
                && !nearly_there.contains(stem)
                && !told.contains(&format!("providers/{stem}.toml"))
        };
        let misplaced = known.iter().filter(|problem| problem.what() == MISPLACED);
        let misplaced: BTreeSet<_> = misplaced.map(Problem::path).collect();
        let strays = stems("availability").filter(|(path, stem)| is_stray(stem) && !misplaced.contains(path));
        let strays = strays.filter_map(|(path, stem)| Some((path, stem, stem.parse().ok()?)));
        let strays = strays.enumerate().map(|(at, (path, stem, slug))| {
            // Hundreds of stray files are no typing mistakes, and each search takes time.
            let meant =
                if at < GUESSED_AT_MOST { nearest(stem, without_hours.iter().copied()) } else { None };
            Self { path, slug, meant, is_by_elimination: false }
        });
        strays.collect()
    }

    /// One stray file and one provider without hours: the provider's file was probably renamed.
    fn by_elimination(strays: &mut [Self], sources: &Sources, catalogue: &Catalogue, drafts: &'a [Draft]) {
        let mut left = strays.iter_mut().filter(|stray| !catalogue.retired_slugs.contains_key(&stray.slug));
        let (Some(stray), None) = (left.next(), left.next()) else { return };
        let lacks_hours = |draft: &&Draft| {
            !draft.accepting.is_empty() && sources.get(&format!("availability/{}.toml", draft.slug)).is_none()
        };
        let mut lacking = drafts.iter().filter(lacks_hours);
        if let (None, Some(draft), None) = (stray.meant, lacking.next(), lacking.next()) {
            (stray.meant, stray.is_by_elimination) = (Some(draft.slug.as_str()), true);
        }
    }
}

fn hours_belong_to_somebody(strays: &[Stray<'_>], catalogue: &Catalogue, problems: &mut Vec<Problem>) {
    for Stray { path, slug, meant, is_by_elimination } in strays {
        let problem = Problem::error(Place::file(path), format!("there is no providers/{slug}.toml"));
        problems.push(if let Some(retired) = catalogue.retired_slugs.get(slug) {
            problem.also(retired.clone(), "retired here").hint(format!("{slug} has left: delete this file"))
        } else {
            let hours = match meant {
                Some(near) if *is_by_elimination => format!(
                    "if these are the hours of {near}, rename this file to {near}.toml; if the pages of {near} were \
                     published as {slug} before, add former-slugs = [\"{slug}\"] to providers/{near}.toml, too"
                ),
                Some(near) => format!("if these are the hours of {near}, rename this file to {near}.toml"),
                None => "name this file after the provider whose hours these are".to_owned(),
            };
            let left = format!("\n[[provider]]\nid = \"…\"    # the id in the deleted file\nslug = \"{slug}\"");
            problem.hint(format!("{hours}; if {slug} has left, delete this file and add to retired.toml:{left}"))
        });
    }
}

/// Whether every provider's file was read. Only then is it known what is unused.
fn everybody_is_known(sources: &Sources, drafts: &[Draft]) -> bool {
    let files = sources.below("providers").filter(|(_, source)| source.is_text());
    let is_beside = |path: &str| folder_meant(path, sources, &["providers"]).is_some();
    files.count() == drafts.len()
        && !sources.iter().any(|(path, _)| is_beside(path))
        && drafts.iter().all(|draft| draft.is_whole)
        && sources.below("providers").all(|(path, _)| meant_path(path, sources).is_none())
}

/// The path with the right ending; `None` if the ending is right, or if that file exists and this one is a copy.
fn meant_path(path: &str, sources: &Sources) -> Option<String> {
    if has_text_ending(path) {
        return None;
    }
    let (folder, _) = path.rsplit_once('/')?;
    let meant = format!("{folder}/{}.toml", slug_meant(&stem_of(path)?)?);
    sources.get(&meant).is_none().then_some(meant)
}

fn catalogue_is_used(catalogue: &Catalogue, drafts: &[Draft], problems: &mut Vec<Problem>) {
    let mut is_used = vec![false; catalogue.plans().count()];
    for plan in drafts.iter().flat_map(|draft| &draft.plans) {
        is_used[plan.index()] = true;
    }
    for ((plan, place), is_used) in catalogue.plans().zip(is_used) {
        if !is_used {
            let warning = Problem::warning(place.clone(), format!("no provider accepts \"{plan}\""));
            problems.push(warning.hint("it is not published until a provider does"));
        }
    }
    for (id, checked) in &catalogue.types {
        let states = checked.visit_type.states;
        let offers = |draft: &Draft| {
            draft.visit_types.contains(id) && !draft.accepting.intersection(states).is_empty()
        };
        if checked.is_enabled && checked.is_sound && !drafts.iter().any(offers) {
            let what = format!("no provider who accepts patients offers the visit type {id}");
            let warning = Problem::warning(checked.place.clone(), what);
            problems.push(warning.hint("it is not published until a provider does"));
        }
    }
}

fn accepting_providers_have_hours(
    sources: &Sources,
    drafts: &[Draft],
    strays: &[Stray<'_>],
    told: &BTreeSet<String>,
    problems: &mut Vec<Problem>,
) {
    // A feed of open slots may have hours that no file has.
    if sources.get(OPEN_PATH).is_some() {
        return;
    }
    let misnamed: BTreeSet<&str> = strays.iter().filter_map(|stray| stray.meant).collect();
    let warning = |draft: &Draft| {
        let hours = format!("availability/{}.toml", draft.slug);
        let is_misnamed = misnamed.contains(draft.slug.as_str());
        let is_beside = sources.get(&format!("{}.toml", draft.slug)).is_some();
        (sources.get(&hours).is_none() && !told.contains(&hours) && !is_misnamed && !is_beside).then(|| {
            let what = "this provider accepts new patients and has no hours";
            Problem::warning(Place::file(&draft.path()), what).hint(format!("write them into {hours}"))
        })
    };
    // A clinic with its hours elsewhere has this warning for every provider.
    let accepting = drafts.par_iter().filter(|draft| !draft.accepting.is_empty());
    problems.par_extend(accepting.filter_map(warning));
}

/// The name before ".toml", also of "jane-doe.toml.txt" and "jane-doe.TOML".
fn stem_of(path: &str) -> Option<String> {
    let name = path.rsplit('/').next()?;
    let at = name.to_ascii_lowercase().find(".toml")?;
    Some(name[..at].to_owned())
}

/// Reports files that are not read.
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
            (Some((folder, _)), Source::Portrait { .. }) => folder == "headshots",
            _ => false,
        };
        let is_expected = || path.starts_with("schemas/") || path.to_ascii_lowercase().ends_with(".md");
        // Reported with its folder.
        let is_too_deep = matches!(source, Source::Text(_) | Source::Later)
            && ["providers/", "availability/"].iter().any(|folder| path.starts_with(folder));
        if !is_read && is_lock(path) {
            let what = "nothing reads this file: an office program keeps it while it has another one open";
            problems.push(
                Problem::warning(Place::file(path), what).hint("close that program, or delete this file"),
            );
        } else if !is_read && !is_too_deep && !is_expected() {
            let hint = hint_for_unread(path, sources, &FILES, &FOLDERS);
            let is_meant = path.rsplit_once('/').is_some_and(|(folder, _)| FOLDERS.contains(&folder));
            if is_meant && meant_path(path, sources).is_some() {
                let what = "nothing reads this file, because its name does not end in .toml";
                problems.push(Problem::error(Place::file(path), what).hint(hint));
                continue;
            }
            if folder_meant(path, sources, &FOLDERS).is_some() {
                let what = "nothing reads this file, because it lies beside the folders";
                problems.push(Problem::error(Place::file(path), what).hint(hint));
                continue;
            }
            problems.push(Problem::warning(Place::file(path), "nothing reads this file").hint(hint));
        }
    }
}

/// The folder that a file beside the folders belongs in.
fn folder_meant<'a>(path: &str, sources: &Sources, folders: &[&'a str]) -> Option<&'a str> {
    let stem = path.strip_suffix(".toml").filter(|stem| !stem.contains('/'))?;
    let is_in = |folder: &str| sources.get(&format!("{folder}/{path}")).is_some();
    // The provider has a file in one of the two folders: this is the other one.
    let lacks_it = |folder: &&&str| match **folder {
        "providers" => is_in("availability") && !is_in("providers"),
        "availability" => is_in("providers") && !is_in("availability"),
        _ => false,
    };
    let named = folders.iter().find(|folder| **folder == stem);
    named.or_else(|| folders.iter().find(lacks_it)).copied()
}

/// What to do with a file that nothing reads.
fn hint_for_unread(path: &str, sources: &Sources, files: &[&str], folders: &[&str]) -> String {
    if let Some((folder, name)) = path.rsplit_once('/') {
        let stem = stem_of(name).and_then(|stem| slug_meant(&stem));
        let near = nearest(folder, folders.iter().copied());
        let is_copy = near == Some(folder)
            && sources.get(&format!("{folder}/{}.toml", stem.as_deref().unwrap_or_default())).is_some();
        if is_copy {
            return "delete it, or move it out of the content folder".to_owned();
        }
        if let (Some(stem), Some(near)) = (stem, near) {
            return if near == folder {
                format!("rename it to {stem}.toml")
            } else {
                format!("did you mean {near}/{stem}.toml?")
            };
        }
    } else if let Some(folder) = folder_meant(path, sources, folders) {
        return format!("move it into {folder}/");
    }
    match nearest(path, files.iter().copied()) {
        Some(near) => format!("did you mean {near}?"),
        None => "move it out of the content folder, or into the right one".to_owned(),
    }
}
