//! Resolves a feed's files to one set per provider.
//!
//! An entry can resolve to no provider. A free slot is then skipped and counted. Busy time belongs to an unknown
//! provider, so every provider to whom it can belong is *withheld*: none of its times is offered. The rules:
//! - a Schedule that several people share: the time is busy for each of them who is a provider; if it also names people
//!   who are not, the next rules apply to these;
//! - a slug or Schedule that resolved to providers in an earlier accepted reading, and that each one since has named:
//!   these are withheld;
//! - a clinician whom the directory does not have: the directory's providers whom the feed does not describe are withheld,
//!   because one of them may be meant (usually there is none);
//! - a file without any line: the providers whom no other file lists are withheld;
//! - otherwise it may be any provider's: the reading is refused.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::busy_times::BusyTimes;
use super::error::{BadLine, FeedError, MAX_LINES};
use super::file::FeedFile;
use super::line::{FeedSchedule, Owner};
use super::resolve::{LedTo, Meaning, Resolver};
use super::set_builder::{FeedSet, SetBuilder};
use super::{FeedMode, FeedRules};
use crate::model::Directory;

impl FeedSet {
    /// Resolves the entries of all files of a feed. `before` is from the last accepted reading.
    /// Refuses files that describe one Schedule differently, a provider with more entries than the limit, and busy
    /// time that resolves to no provider at all.
    pub fn resolve(
        files: &[Arc<FeedFile>],
        rules: &FeedRules,
        directory: &Directory,
        before: &LedTo,
    ) -> Result<Self, FeedError> {
        let schedules = schedules_of(files)?;
        let resolver = if names_many_unknown(files, rules, directory) {
            Resolver::without_suggestions(directory, rules)
        } else {
            Resolver::new(directory, rules)
        };
        let mut builder = SetBuilder::new(directory, rules, &resolver, before);
        for (id, schedule) in &schedules {
            let resolution = resolver.schedule(id, Some(schedule)).resolution;
            builder.describe(&resolution);
            builder.remember(&Owner::Schedule((*id).to_owned().into()), &resolution);
        }
        let meanings: Vec<Vec<Meaning>> = files
            .iter()
            .map(|file| {
                let described = |owner: &Owner<'_>| match owner {
                    Owner::Provider(_) => None,
                    Owner::Schedule(id) => schedules.get(&**id).copied(),
                };
                let meaning = |owner| resolver.meaning(owner, described(owner));
                file.owners.iter().map(|named| meaning(&named.owner)).collect()
            })
            .collect();
        let busy_times = match rules.mode {
            FeedMode::Open => BusyTimes::collect(files, &meanings),
            FeedMode::Busy => BusyTimes::default(),
        };
        for (file, meanings) in files.iter().zip(&meanings) {
            for meaning in meanings {
                builder.describe(&meaning.resolution);
            }
            builder.add(file, meanings, &busy_times)?;
        }
        builder.find_undescribed();
        builder.withhold_for_empty_files(files);
        for (file, meanings) in files.iter().zip(&meanings) {
            builder.add_unused(file, meanings);
        }
        builder.done()
    }
}

/// Whether there are more unknown slugs than error messages are kept for. A similar slug is then suggested for none.
fn names_many_unknown(files: &[Arc<FeedFile>], rules: &FeedRules, directory: &Directory) -> bool {
    let owners = files.iter().flat_map(|file| &file.owners);
    let is_unknown = |owner: &Owner<'_>| match owner {
        Owner::Provider(slug) => !directory.remembers(slug),
        Owner::Schedule(id) => {
            let configured = rules.schedules.get(&**id);
            configured.is_some_and(|schedule| !directory.remembers(schedule.provider.as_str()))
        }
    };
    owners.filter(|named| is_unknown(&named.owner)).nth(MAX_LINES).is_some()
}

/// The Schedules of all files. Publishers split files by state and repeat what belongs to several.
pub(super) fn schedules_of(files: &[Arc<FeedFile>]) -> Result<BTreeMap<&str, &FeedSchedule>, FeedError> {
    let mut schedules: BTreeMap<&str, &FeedSchedule> = BTreeMap::new();
    let mut bad = Vec::new();
    for file in files {
        for (id, schedule) in &file.schedules {
            if schedules.insert(id, schedule).is_some_and(|before| before != schedule) {
                let what = format!("the Schedule {id} is described in another way in another file");
                bad.push(BadLine::whole(
                    &file.name,
                    &what,
                    "describe each Schedule in the same way everywhere",
                ));
            }
        }
    }
    let count = bad.len();
    if bad.is_empty() { Ok(schedules) } else { Err(FeedError::new(bad, count)) }
}
