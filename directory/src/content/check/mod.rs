//! From sources to a [`Directory`], or to a report of everything that is wrong with them.
//!
//! Each file is read on its own first; then the checks of [`across`] look at what no single file can tell.
//! A check adds to the problems and goes on. Where a file could not be read whole, nothing is said about
//! what seems to be missing because of it.

mod across;
mod availability;
mod catalogue;
mod feed;
mod fields;
mod lints;
mod organisation;
mod provider;

use std::collections::BTreeMap;

use chrono::NaiveDate;
use rayon::prelude::*;

use super::load::{Source, Sources};
use super::report::{Place, Problem, Report, Severity};
use crate::calendar::{FeedMode, ProviderFeed, Schedule};
use crate::model::{Directory, DirectoryParts, Provider, Slug, VisitType};
use catalogue::{Catalogue, CheckedType};
use provider::Draft;

/// Content that passed, and what is worth a look in it.
#[derive(Debug)]
pub struct Checked {
    /// The directory.
    pub directory: Directory,
    /// What `availability/busy.ndjson` or `availability/open.ndjson` says of every provider, where one of them is
    /// there. It is no part of the directory's generation.
    pub feed: Option<(FeedMode, Vec<ProviderFeed>)>,
    /// Warnings alone.
    pub warnings: Report,
}

/// Checks everything. `today` tells which exceptions are past; it decides about warnings alone.
pub(super) fn check(
    sources: Sources,
    mut problems: Vec<Problem>,
    today: NaiveDate,
) -> Result<Checked, Report> {
    let organisation = organisation::read(&sources, &mut problems);
    let catalogue = Catalogue::read(&sources, &mut problems);
    let drafts = collect(&sources, "providers", &mut problems, |path, text, slug, problems| {
        Some(provider::read(path, text, slug, &catalogue, problems))
    });
    let by_slug: BTreeMap<&Slug, &Draft> = drafts.iter().map(|draft| (&draft.slug, draft)).collect();
    let schedules = collect(&sources, "availability", &mut problems, |path, text, slug, problems| {
        let draft = by_slug.get(&slug).copied();
        availability::read(path, text, &slug, draft, &catalogue, today, problems)
            .map(|schedule| (slug, schedule))
    });
    across::check(&sources, &catalogue, &drafts, &mut problems);
    lints::check(&sources, &mut problems);
    let feed = feed::read(&sources, &mut problems);
    let generation = super::generation::of(&sources);
    let directory = organisation.filter(|_| is_valid(&problems)).map(|organisation| {
        Directory::new(DirectoryParts {
            organisation,
            plans: catalogue.plan_names(),
            visit_types: catalogue.types.into_values().filter_map(CheckedType::enabled).collect(),
            providers: with_schedules(drafts, schedules),
            generation,
        })
    });
    // Whom a feed's lines are about can only be told once the providers are known.
    let feed = directory.as_ref().zip(feed).and_then(|(directory, (mode, file))| {
        Some((mode, feed::resolve(mode, file, directory, &mut problems)?))
    });
    let valid = directory.filter(|_| is_valid(&problems));
    let report = Report::new(problems, sources);
    match valid {
        Some(directory) => Ok(Checked { directory, feed, warnings: report }),
        None => Err(report),
    }
}

fn is_valid(problems: &[Problem]) -> bool {
    problems.iter().all(|problem| problem.severity() == Severity::Warning)
}

/// Reads each file of a folder whose files are named after slugs.
fn collect<T: Send>(
    sources: &Sources,
    folder: &str,
    problems: &mut Vec<Problem>,
    read: impl Fn(&str, &str, Slug, &mut Vec<Problem>) -> Option<T> + Sync,
) -> Vec<T> {
    let files: Vec<_> = sources
        .below(folder)
        .filter_map(|(path, source)| match source {
            Source::Text(text) => Some((path, text.as_str())),
            Source::Feed(_) | Source::Portrait(_) | Source::Unread => None,
        })
        .collect();
    let results: Vec<_> = files
        .into_par_iter()
        .map(|(path, text)| {
            let mut found = Vec::new();
            let value = slug_of(path, folder, &mut found).and_then(|slug| read(path, text, slug, &mut found));
            (value, found)
        })
        .collect();
    let (values, found): (Vec<_>, Vec<_>) = results.into_iter().unzip();
    problems.extend(found.into_iter().flatten());
    values.into_iter().flatten().collect()
}

/// The slug that a file's name gives.
fn slug_of(path: &str, folder: &str, problems: &mut Vec<Problem>) -> Option<Slug> {
    let stem = path.strip_prefix(folder)?.strip_prefix('/')?.strip_suffix(".toml")?;
    match stem.parse() {
        Ok(slug) => Some(slug),
        Err(rule) => {
            let what = format!("the file's name is the provider's slug, and \"{stem}\" is none: {rule}");
            problems.push(Problem::error(Place::file(path), what).hint("rename the file: jane-doe.toml"));
            None
        }
    }
}

fn with_schedules(drafts: Vec<Draft>, schedules: Vec<(Slug, Schedule)>) -> Vec<(Provider, Option<Schedule>)> {
    let mut schedules: BTreeMap<_, _> = schedules.into_iter().collect();
    let providers = drafts.into_iter().filter_map(|draft| draft.provider);
    providers
        .map(|provider| {
            let schedule = schedules.remove(&provider.slug);
            (provider, schedule)
        })
        .collect()
}

impl CheckedType {
    fn enabled(self) -> Option<VisitType> {
        self.is_enabled.then_some(self.visit_type)
    }
}
