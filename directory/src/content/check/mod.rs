//! Checks the files of a content folder and builds a [`Directory`], or a report of its errors.
//!
//! Each file is checked on its own first, and then [`across`] compares files. Every check adds to the same list of
//! problems. If a file could not be read whole, nothing is reported as missing because of it.

mod across;
mod availability;
mod bio;
mod catalogue;
mod credentials;
mod exceptions;
mod feed;
mod fields;
mod holidays;
mod identity;
mod lints;
mod markdown;
mod names;
mod organisation;
mod page;
mod portraits;
mod provider;
mod quiet;
mod reach;
mod starter;
mod unlikely;
mod visit_type;
mod zone;

use std::collections::BTreeMap;

use chrono::{Datelike, NaiveDate};
use rayon::prelude::*;

use super::fingerprint::{Files, Fingerprint, TextHash};
use super::load::{Source, Sources, has_text_ending};
use super::problem::{Place, Problem, Severity};
use super::report::Report;
use super::words::slug_meant;
use crate::calendar::Schedule;
use crate::model::{Directory, DirectoryParts, Provider, Slug, VisitType};
use catalogue::Catalogue;
pub use feed::FolderFeed;
use lints::Finding;
use provider::Draft;
use visit_type::CheckedType;

/// How many files are read before their results are stored.
const AT_A_TIME: usize = 1024;
/// How many files one task reads: few, so that no thread waits long for another.
const IN_A_PIECE: usize = 16;

/// Content without errors.
#[derive(Debug)]
pub struct Checked {
    /// The directory.
    pub directory: Directory,
    /// The feed of the folder, if it has one.
    pub feed: Option<FolderFeed>,
    /// The warnings.
    pub warnings: Report,
    /// Identifies the content of the folder.
    pub fingerprint: Fingerprint,
}

/// Checks all files. `today` decides about warnings alone.
pub(super) fn check(
    mut sources: Sources,
    mut problems: Vec<Problem>,
    today: NaiveDate,
) -> Result<Checked, Report> {
    let mut seen = Seen::of(&sources);
    let organisation = organisation::read(&sources, &mut problems);
    let mut catalogue = Catalogue::read(&sources, &mut problems);
    let drafts =
        collect(&mut sources, "providers", &mut seen, &mut problems, |path, text, slug, problems| {
            Some(provider::read(path, text, slug, &catalogue, today.year(), problems))
        });
    let by_slug: BTreeMap<&Slug, &Draft> = drafts.iter().map(|draft| (&draft.slug, draft)).collect();
    let schedules =
        collect(&mut sources, "availability", &mut seen, &mut problems, |path, text, slug, problems| {
            let draft = by_slug.get(&slug).copied();
            availability::read(path, text, &slug, draft, &catalogue, today, problems)
                .map(|schedule| (slug, Box::new(schedule)))
        });
    // Hashing needs nothing of the checks and runs beside them.
    let (across, (generation, fingerprint)) = rayon::join(
        || across::check(&sources, &catalogue, &drafts, &problems),
        || std::mem::take(&mut seen.files).fold(),
    );
    problems.extend(across);
    lints::judge(&sources, seen.findings, &mut problems);
    let feed = feed::read(&sources, &mut problems);
    let directory = organisation.filter(|_| is_valid(&problems)).map(|organisation| {
        Directory::new(DirectoryParts {
            organisation,
            plans: catalogue.plan_names(),
            visit_types: std::mem::take(&mut catalogue.types)
                .into_values()
                .filter_map(CheckedType::enabled)
                .collect(),
            providers: with_schedules(drafts, schedules),
            generation,
            retired: std::mem::take(&mut catalogue.retired_slugs).into_keys().collect(),
        })
    });
    if let Some(directory) = &directory {
        page::check(directory, &mut problems);
        reach::check(directory, catalogue.plans(), &mut problems);
        catalogue.holidays.check(today, &mut problems);
    }
    // The feed's lines are matched with the providers.
    let feed = directory.as_ref().zip(feed);
    let feed = feed.and_then(|(directory, found)| feed::resolve(found, directory, &mut problems));
    let valid = directory.filter(|_| is_valid(&problems));
    let report = Report::new(problems, sources);
    match valid {
        Some(directory) => Ok(Checked { directory, feed, warnings: report, fingerprint }),
        None => Err(report),
    }
}

fn is_valid(problems: &[Problem]) -> bool {
    problems.iter().all(|problem| problem.severity() == Severity::Warning)
}

/// Results from every file, of whatever kind.
#[derive(Default)]
struct Seen {
    files: Files,
    findings: Vec<Finding>,
}

impl Seen {
    /// The results from the files that are in memory already.
    fn of(sources: &Sources) -> Self {
        let mut seen = Self::default();
        for (path, source) in sources.iter() {
            match source {
                Source::Text(text) => seen.add(path.to_owned(), look_at(path, text)),
                source => seen.files.add_beside(path, source),
            }
        }
        seen
    }

    fn add(&mut self, path: String, (hash, findings): (TextHash, Vec<Finding>)) {
        self.files.add(path, hash);
        self.findings.extend(findings);
    }
}

fn look_at(path: &str, text: &str) -> (TextHash, Vec<Finding>) {
    (TextHash::of(text), lints::in_file(path, text))
}

/// The result for a file: its value, its problems, and its hash and findings, with the text if it has problems.
type Looked<T> = (Option<T>, Vec<Problem>, Option<(Option<String>, (TextHash, Vec<Finding>))>);

/// Reads each file of a folder whose files are named after slugs. Keeps the texts of files with problems only.
fn collect<T: Send>(
    sources: &mut Sources,
    folder: &str,
    seen: &mut Seen,
    problems: &mut Vec<Problem>,
    read: impl Fn(&str, &str, Slug, &mut Vec<Problem>) -> Option<T> + Sync,
) -> Vec<T> {
    let paths = sources.later(folder);
    let mut values = Vec::with_capacity(paths.len());
    let mut kept: Vec<(String, Option<String>)> = Vec::new();
    let look = |buffer: &mut Vec<u8>, path: &String| {
        let mut found = Vec::new();
        let slug = slug_of(path, folder, sources, &mut found);
        match sources.read(path, buffer) {
            Ok(None) => (None, Vec::new(), None),
            Ok(Some(text)) => {
                let value = slug.and_then(|slug| read(path, text, slug, &mut found));
                let look = look_at(path, text);
                let text = (!found.is_empty()).then(|| text.to_owned());
                (value, found, Some((text, look)))
            }
            Err(problem) => {
                found.push(*problem);
                (None, found, None)
            }
        }
    };
    let mut put_away = |paths: Vec<String>, results: Vec<Looked<T>>| {
        for (path, (value, found, text)) in paths.into_iter().zip(results) {
            values.extend(value);
            problems.extend(found);
            match text {
                None => kept.push((path, None)),
                Some((text, look)) => {
                    if text.is_some() {
                        kept.push((path.clone(), text));
                    }
                    seen.add(path, look);
                }
            }
        }
    };
    // The results of one batch are stored while the next batch is read.
    let mut paths = paths.into_iter();
    let mut before = (Vec::new(), Vec::new());
    loop {
        let now: Vec<String> = paths.by_ref().take(AT_A_TIME).collect();
        let is_last = now.is_empty();
        let ((), results) = rayon::join(
            || put_away(before.0, before.1),
            || now.par_iter().with_max_len(IN_A_PIECE).map_init(Vec::new, look).collect(),
        );
        if is_last {
            break;
        }
        before = (now, results);
    }
    for (path, text) in kept {
        sources.keep(&path, text);
    }
    values
}

/// The slug in a file's name.
fn slug_of(path: &str, folder: &str, sources: &Sources, problems: &mut Vec<Problem>) -> Option<Slug> {
    let stem = path.strip_prefix(folder)?.strip_prefix('/')?.strip_suffix(".toml")?;
    if let Some((inner, _)) = stem.rsplit_once('/') {
        // Reported as a folder with the name of a file.
        if !has_text_ending(inner) {
            let problem = Problem::error(Place::file(path), "nothing reads files in a folder of this folder");
            problems.push(problem.hint(format!("move it up into {folder}/")));
        }
        return None;
    }
    match stem.parse() {
        Ok(slug) => Some(slug),
        Err(rule) => {
            let meant = slug_meant(stem).unwrap_or_else(|| "jane-doe".to_owned());
            let (what, hint) = if sources.get(&format!("{folder}/{meant}.toml")).is_some() {
                let what =
                    format!("this looks like a copy of {meant}.toml, and \"{stem}\" is not a slug: {rule}");
                (what, format!("keep what is right in {meant}.toml, and delete this file"))
            } else {
                let what =
                    format!("the file's name is the provider's slug, and \"{stem}\" is not a slug: {rule}");
                (what, format!("rename the file: {meant}.toml"))
            };
            problems.push(Problem::error(Place::file(path), what).hint(hint));
            None
        }
    }
}

/// Joins providers with their hours. They stay in their boxes: moving ten thousand of them would copy megabytes.
fn with_schedules(
    mut drafts: Vec<Draft>,
    schedules: Vec<(Slug, Box<Schedule>)>,
) -> Vec<(Box<Provider>, Option<Box<Schedule>>)> {
    let mut schedules: BTreeMap<_, _> = schedules.into_iter().collect();
    let providers = drafts.iter_mut().filter_map(|draft| draft.provider.take());
    let with_schedule = |provider: Box<Provider>| {
        let schedule = schedules.remove(&provider.slug);
        (provider, schedule)
    };
    let providers = providers.map(with_schedule).collect();
    // Dropping the many small rest takes long; nothing needs to wait for it.
    rayon::spawn(move || drop(drafts));
    providers
}

impl CheckedType {
    fn enabled(self) -> Option<VisitType> {
        self.is_enabled.then_some(self.visit_type)
    }
}
