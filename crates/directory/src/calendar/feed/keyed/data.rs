//! The value of a key in little memory.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::super::instant::Instant;
use super::super::FeedMode;
use super::super::line::{FeedSchedule, SlotState};
use super::super::type_names::TypeNames;
use super::value::KeyValue;

/// A site, as a position in the set's list of sites.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct SiteNumber(pub(super) u32);

/// A key's value. In a busy feed free slots are left out.
#[derive(Debug)]
pub(super) struct KeyData {
    /// The key.
    pub(super) name: Arc<str>,
    pub(super) site: SiteNumber,
    pub(super) entries: Box<[KeyEntry]>,
    type_lists: Box<[TypeNames]>,
    pub(super) schedule: Option<Box<FeedSchedule>>,
    pub(super) others: BTreeMap<String, usize>,
    /// The number of entries that count in the mode.
    pub(super) counted: usize,
    /// The end of the last entry of any status.
    pub(super) until: Instant,
}

/// An entry in 16 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct KeyEntry {
    pub(super) start: Instant,
    /// The length in seconds, at most a leap year, and the state in the two lowest bits.
    length: u32,
    /// The position of its types plus one; zero without types.
    types: u16,
    /// At most 65,535: for messages.
    pub(super) line: u16,
}

impl KeyEntry {
    pub(super) fn end(&self) -> Instant {
        self.start.plus_seconds(i64::from(self.length >> 2))
    }

    pub(super) fn state(&self) -> SlotState {
        match self.length & 3 {
            0 => SlotState::Free,
            1 => SlotState::Busy,
            _ => SlotState::EnteredInError,
        }
    }

    /// Whether it counts in a mode: free slots in an open feed, all others in a busy one.
    pub(super) fn counts(&self, mode: FeedMode) -> bool {
        (self.state() == SlotState::Free) == (mode == FeedMode::Open)
    }
}

impl KeyData {
    /// A value of this site.
    pub(super) fn pack(value: &KeyValue, site: SiteNumber, mode: FeedMode) -> Self {
        let file = value.file();
        let entry = |entry: &super::super::file::FileEntry| {
            let state = match entry.state {
                SlotState::Free => 0,
                SlotState::Busy => 1,
                SlotState::EnteredInError => 2,
            };
            let seconds = u32::try_from(entry.end.unix() - entry.start.unix()).unwrap_or(u32::MAX >> 2);
            KeyEntry {
                start: entry.start,
                length: seconds << 2 | state,
                types: entry.types.map_or(0, |at| u16::try_from(at.get()).unwrap_or(u16::MAX)),
                line: u16::try_from(entry.line).unwrap_or(u16::MAX),
            }
        };
        let all = file.entries.iter().map(entry);
        let entries: Box<[KeyEntry]> = match mode {
            FeedMode::Open => all.collect(),
            FeedMode::Busy => all.filter(|entry| entry.counts(mode)).collect(),
        };
        Self {
            name: Arc::clone(value.key().name()),
            site,
            counted: entries.iter().filter(|entry| entry.counts(mode)).count(),
            entries,
            type_lists: match mode {
                FeedMode::Open => file.type_lists.clone().into(),
                FeedMode::Busy => Box::default(),
            },
            schedule: file.schedules.values().next().map(|schedule| Box::new(schedule.clone())),
            others: file.others.clone(),
            until: file.entries.iter().map(|entry| entry.end).max().unwrap_or(Instant::MIN),
        }
    }

    pub(super) fn types_of(&self, entry: &KeyEntry) -> Option<&TypeNames> {
        let at = usize::from(entry.types.checked_sub(1)?);
        self.type_lists.get(at)
    }

    /// Whether another value means the same.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.entries == other.entries
            && self.type_lists == other.type_lists
            && self.schedule == other.schedule
            && self.others == other.others
            && self.until == other.until
    }

    /// The bytes that it uses, without the allocator's overhead.
    pub(super) fn bytes(&self) -> usize {
        let lists: usize = self.type_lists.iter().map(TypeNames::bytes).sum();
        let schedule = self.schedule.as_ref().map_or(0, |schedule| size_of_val(&**schedule));
        size_of::<Self>() + self.name.len() + 16 + size_of_val(&*self.entries) + lists + schedule
    }
}
