//! Checks the files of a content folder and builds a [`Directory`], or a report of its errors. Each file is checked on its
//! own while it is read: in `provider`, `availability`, `organization` (directory.toml) and `catalog` (the lists), with
//! `fields` for kinds of values. Then the checks listed in [`across`] compare files. If a part of a file could not be read,
//! nothing is reported as missing because of it.

mod accuracy;
mod across;
mod address;
mod attested;
mod availability;
mod bio;
mod booking;
mod catalog;
mod collect;
mod credentials;
mod days;
mod discovery;
mod exceptions;
mod feed;
mod fields;
mod holidays;
mod hosts;
mod languages;
mod leave;
mod letters;
mod lints;
mod minutes;
mod names;
mod opened;
mod organization;
mod patients;
mod portraits;
mod provider;
mod search_words;
mod sort_name;
mod standards;
mod starter;
mod translations;
mod unlikely;
mod visit_type;
mod zone;

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;

use super::generation;
use super::load::UNREAD_FOLDER;
use super::offer::Repaired;
use super::problems::Problems;
use super::report::Report;
use super::sources::{SourceFile, Sources};
use crate::calendar::Schedule;
use crate::model::{
    AccuracyParts, AllowedFinding, Directory, DirectoryParts, Generation, Headshot, Provider, Slug,
};
pub use across::PATH_OF_SUMMARIES;
use across::truth::licenses_are_current;
use across::{Context, DirectoryContext};
use catalog::Catalog;
pub(super) use catalog::is_another_plan;
use collect::{FolderScan, collect};
pub use feed::FolderFeed;
pub(super) use holidays::holiday_named;
pub(super) use minutes::minutes_of;
use provider::Draft;
pub use starter::is_of_example;
use visit_type::CheckedType;
pub use zone::{usual_zone, zone_of_state};

#[derive(Debug)]
pub struct Checked {
    pub directory: Directory,
    pub feed: Option<FolderFeed>,
    pub warnings: Report,
}

/// What the files of the clinicians say, as far as they could be read.
pub(super) struct Clinicians {
    drafts: Vec<Draft>,
    schedules: Vec<(Slug, Box<Schedule>)>,
    generation: Generation,
}

/// What the files of the clinic say, to which those of its clinicians refer.
pub(super) struct Lists {
    organization: organization::OrganizationFile,
    allowed: Vec<AllowedFinding>,
    catalog: Catalog,
    scan: FolderScan,
    problems: Problems,
}

/// `today` affects warnings, refuses confirmations of the future, and hides the badges of certificates that have ended.
pub(super) fn find(sources: &mut Sources, problems: &mut Problems, today: NaiveDate) -> (Lists, Clinicians) {
    // The problems go in, because a file that could not be read isn't missing.
    let mut lists = Lists::read(sources, std::mem::take(problems), today);
    *problems = std::mem::take(&mut lists.problems);
    let scan = std::mem::take(&mut lists.scan);
    let clinicians = lists.find(scan, sources, problems, today);
    (lists, clinicians)
}

impl Lists {
    pub(super) fn read(sources: &Sources, mut problems: Problems, today: NaiveDate) -> Self {
        let scan = FolderScan::start(sources);
        let mut organization = organization::read(sources, today, &mut problems);
        translations::read(sources, &mut organization.texts, &mut problems);
        let allowed = accuracy::allowed_findings(sources, &mut problems);
        let catalog = Catalog::read(sources, &mut problems);
        Self { organization, allowed, catalog, scan, problems }
    }

    /// As [`find`], where the lists are as they were.
    pub(super) fn find_again(&self, sources: &mut Sources, problems: &mut Problems, today: NaiveDate) {
        problems.append(self.problems.clone());
        let found = self.find(self.scan.clone(), sources, problems, today);
        self.warn_of_licenses(&found, sources, problems, today);
    }

    pub(super) fn warn_of_licenses(
        &self,
        found: &Clinicians,
        sources: &Sources,
        problems: &mut Problems,
        today: NaiveDate,
    ) {
        let read = found.drafts.iter().filter_map(|draft| draft.provider.as_deref());
        licenses_are_current(read, &self.allowed, sources, problems, today);
    }

    fn find(
        &self,
        mut scan: FolderScan,
        sources: &mut Sources,
        problems: &mut Problems,
        today: NaiveDate,
    ) -> Clinicians {
        let catalog = &self.catalog;
        let drafts = collect("providers", sources, &mut scan, problems, |input| {
            Some(provider::read(input, catalog, today))
        });
        let shown = drafts.iter().filter(|draft| !draft.is_withdrawn);
        let by_slug: BTreeMap<&Slug, &Draft> = shown.map(|draft| (&draft.slug, draft)).collect();
        let schedules = collect("availability", sources, &mut scan, problems, |input| {
            let (slug, draft) = (input.slug.clone(), by_slug.get(&input.slug).copied());
            availability::read(input, draft, catalog, today).map(|schedule| (slug, Box::new(schedule)))
        });
        let FolderScan { hashes, findings } = scan;
        zone::name_originals(problems, &hashes);
        let context = Context::new(sources, catalog, &drafts, &findings, problems);
        // Hashing and checking are independent, so they run in parallel.
        let (found, generation) =
            rayon::join(|| across::check(&context), || generation::name(&generation::combine(hashes)));
        problems.append(found);
        Clinicians { drafts, schedules, generation }
    }
}

pub(super) type FindRepairs = fn(&Sources, &Problems, NaiveDate) -> Repaired;

pub(super) fn check(
    mut sources: Sources,
    mut problems: Problems,
    today: NaiveDate,
    repairs: FindRepairs,
) -> Result<Checked, Box<Report>> {
    // Its files would be reported as missing, with advice to delete others.
    if problems.iter().any(|problem| problem.what().starts_with(UNREAD_FOLDER)) {
        return Err(Box::new(Report::new(problems, Repaired::default(), sources)));
    }
    let (lists, clinicians) = find(&mut sources, &mut problems, today);
    let Lists { organization, allowed, mut catalog, .. } = lists;
    let Clinicians { drafts, schedules, generation } = clinicians;
    let organization::OrganizationFile { organization, texts, policy } = organization;
    let feed = feed::read(&sources, &mut problems);
    let enabled = |checked: CheckedType| checked.is_enabled.then_some(checked.visit_type);
    let withdrawn = drafts.iter().filter(|draft| draft.is_withdrawn);
    let withdrawn_slugs = withdrawn.map(|draft| draft.slug.clone()).collect();
    let organization = organization.filter(|_| is_valid(&problems));
    if organization.is_none() {
        let read = drafts.iter().filter_map(|draft| draft.provider.as_deref());
        licenses_are_current(read, &allowed, &sources, &mut problems, today);
    }
    let directory = organization.map(|organization| {
        Directory::new(DirectoryParts {
            retired: reserved_slugs(&mut catalog, &drafts),
            organization,
            texts,
            plans: catalog.plan_names(),
            visit_types: std::mem::take(&mut catalog.types).into_values().filter_map(enabled).collect(),
            providers: with_schedules(drafts, schedules, &sources),
            generation,
            accuracy: AccuracyParts {
                policy,
                plan_states: catalog.states_of_plans(),
                allowed,
                withdrawn: withdrawn_slugs,
            },
        })
    });
    if let Some(directory) = &directory {
        let context = DirectoryContext { directory, catalog: &catalog, sources: &sources, today };
        across::check_directory(&context, &mut problems);
    }
    let feed = directory.as_ref().zip(feed);
    let feed = feed.and_then(|(directory, feed)| feed::resolve(feed, directory, &mut problems));
    let valid = directory.filter(|_| is_valid(&problems));
    let repaired = repairs(&sources, &problems, today);
    let report = Report::new(problems, repaired, sources);
    match valid {
        Some(directory) => Ok(Checked { directory, feed, warnings: report }),
        None => Err(Box::new(report)),
    }
}

pub(super) fn day_names() -> impl Iterator<Item = &'static str> {
    days::DAYS.iter().map(|(name, ..)| *name)
}

/// The slugs that no new clinician can have: those in `retired.toml`, and those of clinicians who are withdrawn.
fn reserved_slugs(catalog: &mut Catalog, drafts: &[Draft]) -> BTreeSet<Slug> {
    let withdrawn = drafts.iter().filter(|draft| draft.is_withdrawn);
    let withdrawn = withdrawn.flat_map(|draft| {
        let former = draft.former_slugs.iter().map(|(slug, _)| slug);
        former.chain([&draft.slug]).cloned()
    });
    std::mem::take(&mut catalog.retired_slugs).into_keys().chain(withdrawn).collect()
}

fn is_valid(problems: &Problems) -> bool {
    problems.total.errors == 0
}

/// Both stay boxed, because moving ten thousand of them would copy megabytes.
fn with_schedules(
    mut drafts: Vec<Draft>,
    schedules: Vec<(Slug, Box<Schedule>)>,
    sources: &Sources,
) -> Vec<(Box<Provider>, Option<Box<Schedule>>)> {
    let mut schedules: BTreeMap<_, _> = schedules.into_iter().collect();
    let providers = drafts.iter_mut().filter_map(|draft| draft.provider.take());
    let with_schedule = |mut provider: Box<Provider>| {
        if let Some(Headshot::File { name, digest, .. }) = &mut provider.headshot
            && let Some(SourceFile::Portrait { hash, .. }) = sources.get(&format!("headshots/{name}"))
        {
            *digest = *hash;
        }
        let schedule = schedules.remove(&provider.slug);
        (provider, schedule)
    };
    let providers = providers.map(with_schedule).collect();
    // Dropping the rest of the drafts is slow, so another thread does it.
    rayon::spawn(move || drop(drafts));
    providers
}
