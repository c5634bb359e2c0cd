//! Files of hours without a provider, and providers without hours.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::super::portraits::ENDINGS;
use super::super::provider::Draft;
use super::MAX_GUESSES;
use super::context::{Context, DirectoryContext};
use super::paths::{document, folder_resembled, stem_of};
use crate::calendar::{Class, Hours};
use crate::content::mistakes::{MISPLACED, nearest, slug_meant};
use crate::content::problem::{FileSpan, Problem};
use crate::content::problems::Problems;
use crate::content::sources::OPEN_PATH;
use crate::model::{Modality, Slug, VisitTypeId};

pub(super) fn providers_have_their_hours(context: &Context<'_>, problems: &mut Problems) {
    let strays = Stray::find(context);
    hours_belong_to_a_provider(&strays, context, problems);
    accepting_providers_have_hours(&strays, context, problems);
}

/// What people add to the name of a file that they keep.
const COPIES: [&str; 8] = ["-old", "-backup", "-bak", "-copy", "-new", "-draft", "-original", "-2"];

struct Stray<'a> {
    path: &'a str,
    slug: Slug,
    /// The slug of the provider whose hours these probably are.
    meant: Option<&'a str>,
}

impl<'a> Stray<'a> {
    fn find(context: &Context<'a>) -> Vec<Self> {
        let Context { sources, reported, known, .. } = context;
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
        // `unread` reports these files.
        let misnamed = |path| stem_of(path).map_or_else(|| Some(document(path)?.0), |stem| slug_meant(&stem));
        let misnamed_files = sources.below("providers").filter_map(|(path, _)| misnamed(path));
        let elsewhere = sources.iter().map(|(path, _)| path);
        let elsewhere = elsewhere.filter(|path| folder_resembled(path) == Some("providers"));
        let misnamed_files: BTreeSet<_> = misnamed_files.chain(elsewhere.filter_map(stem_of)).collect();
        let is_stray = |stem: &str| {
            !slugs.contains(stem)
                && sources.get(&format!("{stem}.toml")).is_none()
                && !misnamed_files.contains(stem)
                && !reported.contains(format!("providers/{stem}.toml").as_str())
        };
        let misplaced = known.iter().filter(|problem| problem.what() == MISPLACED);
        let misplaced: BTreeSet<_> = misplaced.map(Problem::path).collect();
        let strays = stems("availability").filter(|(path, stem)| is_stray(stem) && !misplaced.contains(path));
        let strays = strays.filter_map(|(path, stem)| Some((path, stem, stem.parse().ok()?)));
        let strays = strays.enumerate().map(|(at, (path, stem, slug))| {
            // Hundreds of stray files aren't typos, and each search takes time.
            let meant = if at < MAX_GUESSES { nearest(stem, without_hours.iter().copied()) } else { None };
            Self { path, slug, meant }
        });
        strays.collect()
    }
}

fn hours_belong_to_a_provider(strays: &[Stray<'_>], context: &Context<'_>, problems: &mut Problems) {
    for Stray { path, slug, meant } in strays {
        let missing = format!("providers/{slug}.toml doesn't exist.");
        let problem = |what: String| Problem::in_file(path, what);
        let original = COPIES.iter().find_map(|end| slug.as_str().strip_suffix(end));
        let has_file = |slug: &&str| context.sources.get(&format!("providers/{slug}.toml")).is_some();
        if let Some(original) = original.filter(has_file) {
            let copy = problem(format!("This looks like an old copy of {original}.toml."));
            problems.push(copy.hint(format!("Copy what you need to {original}.toml, and delete this file.")));
            continue;
        }
        let portrait = ENDINGS.map(|ending| format!("headshots/{slug}.{ending}"));
        let portrait = portrait.iter().find(|path| context.sources.get(path).is_some());
        let portrait = portrait.map_or_else(String::new, |path| format!(" and {path}"));
        problems.push(if let Some(retired) = context.catalog.retired_slugs.get(slug) {
            problem(missing).also(retired.clone(), "retired here").hint(format!("{slug} has left. Delete this file{portrait}."))
        } else {
            let left = format!("retired.toml:\n[[provider]]\nid = \"…\"    # the id in the deleted file; look in your files' history\nslug = \"{slug}\"\n# and the deleted file's former-slugs line, if it had one");
            problem(missing).hint(match meant {
                Some(near) => format!("If these are {near}'s hours, rename this file to {near}.toml. If {slug} has left, delete this file{portrait} and add to {left}"),
                None => format!("If {slug} has left, delete this file{portrait}.\nAlso add to {left}\nIf not, put providers/{slug}.toml back, or name this file after the clinician whose hours these are."),
            })
        });
    }
}

fn accepting_providers_have_hours(strays: &[Stray<'_>], context: &Context<'_>, problems: &mut Problems) {
    let Context { sources, drafts, reported, .. } = context;
    // The feed may list the open times in place of files.
    if sources.get(OPEN_PATH).is_some() {
        return;
    }
    let misnamed: BTreeSet<&str> = strays.iter().filter_map(|stray| stray.meant).collect();
    let documents: BTreeSet<String> =
        sources.below("availability").filter_map(|(path, _)| Some(document(path)?.0)).collect();
    let warning = |draft: &Draft| {
        let hours = format!("availability/{}.toml", draft.slug);
        let is_misnamed = misnamed.contains(draft.slug.as_str()) || documents.contains(draft.slug.as_str());
        let is_beside = sources.get(&format!("{}.toml", draft.slug)).is_some();
        (sources.get(&hours).is_none() && !reported.contains(hours.as_str()) && !is_misnamed && !is_beside)
            .then(|| {
                let what = "This clinician accepts new patients but has no hours.";
                Problem::warning(FileSpan::file(&draft.path()), what)
                    .hint(format!("Write the hours in {hours}."))
            })
    };
    let accepting = drafts.par_iter().filter(|draft| draft.needs_hours(context.catalog));
    problems.extend(accepting.filter_map(warning).collect::<Vec<_>>());
}

/// Warns of a video visit that a clinician offers and no hours are for: no opening for it is ever shown.
pub(super) fn visits_have_hours(context: &DirectoryContext<'_>, problems: &mut Problems) {
    let directory = context.directory;
    for number in directory.provider_numbers().filter(|_| !context.catalog.has_open_feed) {
        let Some(schedule) = directory.schedule(number) else { continue };
        let (parts, provider) = (schedule.parts(), directory.provider(number));
        let dated = parts.replace.iter().chain(&parts.extra).map(|dated| &dated.hours);
        let all = parts.weekly.iter().map(|weekly| &weekly.hours).chain(dated);
        let named: BTreeSet<VisitTypeId> =
            all.flat_map(Hours::classes).flat_map(Class::types).copied().collect();
        let is_video =
            |id: VisitTypeId| directory.visit_type(id).is_some_and(|known| known.modality == Modality::Video);
        let is_missed = |id: &&VisitTypeId| !named.is_empty() && !named.contains(id) && is_video(**id);
        for id in provider.visit_types.iter().filter(is_missed) {
            let what = format!("Visit type {id}, which this clinician offers, has no hours.");
            let hint = format!(
                "Add {id} to a `types` list here, or remove it from `appointment-types` in providers/{}.toml.",
                provider.slug
            );
            let place = FileSpan::file(&format!("availability/{}.toml", provider.slug));
            problems.push(Problem::warning(place, what).hint(hint));
        }
    }
}
