//! The input of the checks.

use std::collections::{BTreeSet, HashSet};

use chrono::NaiveDate;

use super::super::catalog::Catalog;
use super::super::lints::Findings;
use super::super::provider::Draft;
use super::paths::{folder_meant, meant_path};
use crate::content::problems::Problems;
use crate::content::sources::Sources;
use crate::model::Directory;

pub(crate) struct Context<'a> {
    pub(super) sources: &'a Sources,
    pub(super) catalog: &'a Catalog,
    pub(super) drafts: &'a [Draft],
    pub(super) ids: BTreeSet<&'a str>,
    pub(super) findings: &'a Findings,
    pub(super) known: &'a Problems,
    /// The files that have a problem. Such a file may be unreadable, so it is not reported as missing.
    pub(super) reported: BTreeSet<&'a str>,
    /// Whether every provider's file was read whole. Only then can an entry be reported as unused.
    pub(super) all_providers_read: bool,
}

impl<'a> Context<'a> {
    pub(crate) fn new(
        sources: &'a Sources,
        catalog: &'a Catalog,
        drafts: &'a [Draft],
        findings: &'a Findings,
        known: &'a Problems,
    ) -> Self {
        let reported: BTreeSet<&str> = known.paths().collect();
        let all_providers_read = all_providers_read(sources, drafts, &reported);
        let ids = drafts.iter().filter_map(|draft| Some(draft.id.as_ref()?.value.as_str())).collect();
        Self { sources, catalog, drafts, ids, findings, known, reported, all_providers_read }
    }
}

pub(crate) struct DirectoryContext<'a> {
    pub(crate) directory: &'a Directory,
    pub(crate) catalog: &'a Catalog,
    pub(crate) sources: &'a Sources,
    pub(crate) today: NaiveDate,
}

fn all_providers_read(sources: &Sources, drafts: &[Draft], reported: &BTreeSet<&str>) -> bool {
    let files = sources.below("providers").filter(|(_, source)| source.is_text());
    let is_outside_folders = |path: &str| folder_meant(path, sources, &["providers"]).is_some();
    // A set, because every file can have a warning.
    let read: HashSet<&str> = drafts.iter().map(|draft| draft.slug.as_str()).collect();
    let is_unread = |path: &&str| {
        let name = path.strip_prefix("providers/");
        name.is_some_and(|name| name.strip_suffix(".toml").is_none_or(|slug| !read.contains(slug)))
    };
    files.count() == drafts.len()
        && !sources.iter().any(|(path, _)| is_outside_folders(path))
        && drafts.iter().all(|draft| draft.is_whole)
        && sources.below("providers").all(|(path, _)| meant_path(path, sources).is_none())
        && !reported.iter().any(is_unread)
}
