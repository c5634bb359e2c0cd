//! From a feed's files to what each provider of a directory has, and to whom it cannot be told.
//!
//! What leads to no provider fails closed. A free slot is skipped and counted. Taken time is of some provider all the
//! same, and that provider must not be offered at that time:
//! - where several people share a Schedule, it is taken from each of them who is a provider;
//! - where the slug or Schedule led to providers in the last accepted reading, these are withheld;
//! - where the feed describes a clinician whom the directory does not have, the directory's providers whom the feed
//!   does not describe are withheld: one of them may be meant. There is mostly none;
//! - where a file has no line at all, the providers whom no other file lists are withheld;
//! - else it may be any provider's, and there is no set: the reading is refused.

use std::collections::HashMap;
use std::sync::Arc;

use super::error::{BadLine, FeedError};
use super::file::FeedFile;
use super::line::Schedule;
use super::making::{FeedSet, Making};
use super::taken::TakenTimes;
use super::whom::{LedTo, Meaning, Ways};
use super::{FeedMode, FeedRules};
use crate::model::Directory;

impl FeedSet {
    /// Finds out whom the entries of all the files of a feed mean; `before` is what the last accepted reading found.
    ///
    /// # Errors
    /// Two files describe one Schedule in two ways, a provider has more entries than the limit, or taken time leads
    /// to no provider at all.
    pub fn of(
        files: &[Arc<FeedFile>],
        rules: &FeedRules,
        directory: &Directory,
        before: &LedTo,
    ) -> Result<Self, FeedError> {
        let schedules = schedules_of(files)?;
        let ways = Ways::of(directory, rules);
        let mut making = Making::new(directory, rules, before);
        for (id, schedule) in &schedules {
            making.describe(&ways.schedule(id, Some(schedule)).leads);
        }
        let meanings: Vec<Vec<Meaning>> = files
            .iter()
            .map(|file| file.whoms.iter().map(|named| ways.meaning(&named.whom, &schedules)).collect())
            .collect();
        let taken = match rules.mode {
            FeedMode::Open => TakenTimes::of(files, &meanings),
            FeedMode::Busy => TakenTimes::default(),
        };
        for (file, meanings) in files.iter().zip(&meanings) {
            for meaning in meanings {
                making.describe(&meaning.leads);
            }
            making.add(file, meanings, &taken)?;
        }
        making.find_undescribed();
        for (file, meanings) in files.iter().zip(&meanings) {
            making.add_unused(file, meanings);
        }
        making.done(files)
    }
}

/// The Schedules of all files: publishers split files by state and repeat what belongs to several.
fn schedules_of(files: &[Arc<FeedFile>]) -> Result<HashMap<&str, &Schedule>, FeedError> {
    let mut schedules: HashMap<&str, &Schedule> = HashMap::new();
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
