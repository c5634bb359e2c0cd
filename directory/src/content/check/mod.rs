//! Checks the files of a content folder and builds a [`Directory`], or a report of its errors.
//!
//! Each file is checked on its own first, while it is read. Then the checks listed in [`across`] compare files. If a file
//! could not be read whole, nothing is reported as missing because of it.

mod across;
mod availability;
mod bio;
mod catalogue;
mod collect;
mod credentials;
mod exceptions;
mod feed;
mod fields;
mod holidays;
mod lints;
mod markdown;
mod minutes;
mod names;
mod orders;
mod organisation;
mod portraits;
mod provider;
mod quiet;
mod starter;
mod unlikely;
mod visit_type;
mod zone;

use std::collections::BTreeMap;

use chrono::{Datelike, NaiveDate};

use super::fingerprint::Fingerprint;
use super::load::Sources;
use super::problems::Problems;
use super::report::Report;
use crate::calendar::Schedule;
use crate::model::{Directory, DirectoryParts, Provider, Slug, VisitType};
use across::{Context, DirectoryContext};
use catalogue::Catalogue;
use collect::{EachFile, collect};
pub use feed::FolderFeed;
use provider::Draft;
use visit_type::CheckedType;

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
    mut problems: Problems,
    today: NaiveDate,
) -> Result<Checked, Box<Report>> {
    let mut each = EachFile::of(&sources);
    let organisation = organisation::read(&sources, &mut problems);
    let mut catalogue = Catalogue::read(&sources, &mut problems);
    let drafts = collect("providers", &mut sources, &mut each, &mut problems, |input| {
        Some(provider::read(input, &catalogue, today.year()))
    });
    let by_slug: BTreeMap<&Slug, &Draft> = drafts.iter().map(|draft| (&draft.slug, draft)).collect();
    let schedules = collect("availability", &mut sources, &mut each, &mut problems, |input| {
        let (slug, draft) = (input.slug.clone(), by_slug.get(&input.slug).copied());
        availability::read(input, draft, &catalogue, today).map(|schedule| (slug, Box::new(schedule)))
    });
    let EachFile { hashes, findings } = each;
    let context = Context::new(&sources, &catalogue, &drafts, &findings, &problems);
    // Hashing needs nothing of the checks and runs beside them.
    let (found, (generation, fingerprint)) = rayon::join(|| across::check(&context), || hashes.fold());
    problems.append(found);
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
        let context = DirectoryContext { directory, catalogue: &catalogue, today };
        across::check_directory(&context, &mut problems);
    }
    // The feed's lines are matched with the providers.
    let feed = directory.as_ref().zip(feed);
    let feed = feed.and_then(|(directory, found)| feed::resolve(found, directory, &mut problems));
    let valid = directory.filter(|_| is_valid(&problems));
    let report = Report::new(problems, sources);
    match valid {
        Some(directory) => Ok(Checked { directory, feed, warnings: report, fingerprint }),
        None => Err(Box::new(report)),
    }
}

fn is_valid(problems: &Problems) -> bool {
    problems.total().errors == 0
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
