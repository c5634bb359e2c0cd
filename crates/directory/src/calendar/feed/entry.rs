//! An entry of an owner, in little memory.

use serde::{Deserialize, Serialize};

use super::super::instant::Instant;
use super::FeedMode;
use super::line::SlotState;
use super::type_names::TypeNames;

/// An entry in 24 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "SavedEntry", into = "SavedEntry")]
pub(super) struct Entry {
    pub(super) start: Instant,
    /// In seconds, at most a leap year.
    pub(super) length: u32,
    pub(super) state: SlotState,
    /// The position of its types plus one; zero without types.
    pub(super) types: u32,
    pub(super) line: u32,
}

type SavedEntry = (i64, u32, SlotState, u32, u32);

impl From<Entry> for SavedEntry {
    fn from(Entry { start, length, state, types, line }: Entry) -> Self {
        (start.unix(), length, state, types, line)
    }
}

impl From<SavedEntry> for Entry {
    fn from((start, length, state, types, line): SavedEntry) -> Self {
        Self { start: Instant::from_unix(start), length, state, types, line }
    }
}

impl Entry {
    pub(super) fn new((start, end): (Instant, Instant), state: SlotState, types: u32, line: u32) -> Self {
        let length = u32::try_from(end.unix() - start.unix()).unwrap_or(u32::MAX);
        Self { start, length, state, types, line }
    }

    pub(super) fn end(&self) -> Instant {
        self.start.plus_seconds(i64::from(self.length))
    }

    /// Its time and its state, by which entries are sorted.
    pub(super) fn key(&self) -> (Instant, u32, SlotState) {
        (self.start, self.length, self.state)
    }

    /// Its types among the lists of its text.
    pub(super) fn types_in<'a>(&self, lists: &'a [TypeNames]) -> Option<&'a TypeNames> {
        lists.get(self.types.checked_sub(1)? as usize)
    }

    /// Whether it counts in a mode: free slots in an open feed, all others in a busy one.
    pub(super) fn counts(&self, mode: FeedMode) -> bool {
        (self.state == SlotState::Free) == (mode == FeedMode::Open)
    }
}
