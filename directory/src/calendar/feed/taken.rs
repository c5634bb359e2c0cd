//! The time that an open feed lists as taken: a free slot at such a time is out of date.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::super::instant::Instant;
use super::file::{FeedFile, FileEntry};
use super::line::{SlotState, Whom};
use super::whom::{Leads, Meaning};
use crate::model::ProviderNumber;

/// The taken time of each plain provider and each Schedule.
#[derive(Debug, Default)]
pub(super) struct TakenTimes<'a>(HashMap<Owner<'a>, Times>);

#[derive(Debug, PartialEq, Eq, Hash)]
enum Owner<'a> {
    Provider(ProviderNumber),
    Schedule(&'a str),
}

#[derive(Debug, Default)]
struct Times {
    /// Taken stretches, sorted and without overlaps.
    taken: Vec<(Instant, Instant)>,
    /// Slots that were entered in error.
    withdrawn: HashSet<(Instant, Instant)>,
}

impl<'a> TakenTimes<'a> {
    pub(super) fn of(files: &'a [Arc<FeedFile>], meanings: &[Vec<Meaning>]) -> Self {
        let mut times: HashMap<Owner<'a>, Times> = HashMap::new();
        for (file, meanings) in files.iter().zip(meanings) {
            for entry in file.entries.iter().filter(|entry| entry.state != SlotState::Free) {
                let place = entry.whom as usize;
                let (Some(named), Some(meaning)) = (file.whoms.get(place), meanings.get(place)) else {
                    continue;
                };
                let Leads::One(number) = meaning.leads else { continue };
                let times = times.entry(Owner::of(&named.whom, number)).or_default();
                if entry.state == SlotState::Taken {
                    times.taken.push((entry.start, entry.end));
                } else {
                    times.withdrawn.insert((entry.start, entry.end));
                }
            }
        }
        times.values_mut().for_each(Times::merge);
        Self(times)
    }

    /// Whether a free slot overlaps taken time, or was entered in error.
    pub(super) fn has(&self, whom: &Whom<'_>, number: ProviderNumber, free: &FileEntry) -> bool {
        let Some(times) = self.0.get(&Owner::of(whom, number)) else { return false };
        let next = times.taken.partition_point(|(_, end)| *end <= free.start);
        let is_taken = times.taken.get(next).is_some_and(|(start, _)| *start < free.end);
        // A free slot was rounded inwards to whole seconds, and what takes it outwards.
        let mut same = [(0, 0), (1, 0), (0, 1), (1, 1)].into_iter();
        is_taken
            || same.any(|(before, after)| {
                times.withdrawn.contains(&(free.start.plus_seconds(-before), free.end.plus_seconds(after)))
            })
    }
}

impl<'a> Owner<'a> {
    fn of(whom: &'a Whom<'_>, number: ProviderNumber) -> Self {
        match whom {
            Whom::Provider(_) => Self::Provider(number),
            Whom::Schedule(id) => Self::Schedule(id),
        }
    }
}

impl Times {
    fn merge(&mut self) {
        self.taken.sort_unstable();
        self.taken.dedup_by(|next, last| {
            let overlaps = next.0 <= last.1;
            if overlaps {
                last.1 = last.1.max(next.1);
            }
            overlaps
        });
    }
}
