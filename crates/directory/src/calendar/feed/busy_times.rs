//! The busy time that an open feed lists. A free slot of the same owner at such a time is not offered.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::super::instant::Instant;
use super::file::{FeedFile, FileEntry};
use super::line::{Owner, SlotState};
use super::resolve::{Meaning, Resolution};
use crate::model::ProviderNumber;

/// The busy time of each provider of plain lines and of each Schedule.
#[derive(Debug, Default)]
pub(super) struct BusyTimes<'a>(HashMap<BusyKey<'a>, Times>);

#[derive(Debug, PartialEq, Eq, Hash)]
enum BusyKey<'a> {
    Provider(ProviderNumber),
    Schedule(&'a str),
}

/// The busy time of one provider or Schedule.
#[derive(Debug, Default)]
pub(super) struct Times {
    /// Sorted, without overlaps.
    busy: Vec<(Instant, Instant)>,
    /// The periods of entries that were entered in error.
    in_error: HashSet<(Instant, Instant)>,
}

impl<'a> BusyTimes<'a> {
    pub(super) fn collect(files: &'a [Arc<FeedFile>], meanings: &[Vec<Meaning>]) -> Self {
        let mut times: HashMap<BusyKey<'a>, Times> = HashMap::new();
        for (file, meanings) in files.iter().zip(meanings) {
            for entry in file.entries.iter().filter(|entry| entry.state != SlotState::Free) {
                let owner = entry.owner as usize;
                let (Some(named), Some(meaning)) = (file.owners.get(owner), meanings.get(owner)) else {
                    continue;
                };
                let Resolution::One(number) = meaning.resolution else { continue };
                let times = times.entry(BusyKey::new(&named.owner, number)).or_default();
                times.add(entry.state, entry.start, entry.end);
            }
        }
        times.values_mut().for_each(Times::merge);
        Self(times)
    }

    /// Whether a free slot overlaps busy time or was entered in error.
    pub(super) fn has(&self, owner: &Owner<'_>, number: ProviderNumber, free: &FileEntry) -> bool {
        let times = self.0.get(&BusyKey::new(owner, number));
        times.is_some_and(|times| times.has(free.start, free.end))
    }
}

impl<'a> BusyKey<'a> {
    fn new(owner: &'a Owner<'_>, number: ProviderNumber) -> Self {
        match owner {
            Owner::Provider(_) => Self::Provider(number),
            Owner::Schedule(id) => Self::Schedule(id),
        }
    }
}

impl Times {
    /// Adds an entry that is not free. The caller [merges](Self::merge) once all are added.
    pub(super) fn add(&mut self, state: SlotState, start: Instant, end: Instant) {
        match state {
            SlotState::Free => {}
            SlotState::Busy => self.busy.push((start, end)),
            SlotState::EnteredInError => _ = self.in_error.insert((start, end)),
        }
    }

    /// Whether a free slot overlaps busy time or was entered in error.
    pub(super) fn has(&self, start: Instant, end: Instant) -> bool {
        let next = self.busy.partition_point(|(_, busy_end)| *busy_end <= start);
        let is_busy = self.busy.get(next).is_some_and(|(busy_start, _)| *busy_start < end);
        // Free slots were rounded inwards and other entries outwards. So the start and the end of the same period can
        // each differ by one second.
        let mut same = [(0, 0), (1, 0), (0, 1), (1, 1)].into_iter();
        is_busy
            || same.any(|(before, after)| {
                self.in_error.contains(&(start.plus_seconds(-before), end.plus_seconds(after)))
            })
    }

    pub(super) fn merge(&mut self) {
        self.busy.sort_unstable();
        self.busy.dedup_by(|next, last| {
            let overlaps = next.0 <= last.1;
            if overlaps {
                last.1 = last.1.max(next.1);
            }
            overlaps
        });
    }
}
