//! An entry of an owner in little memory, and the values that a line writes: status, times and visit types.

use std::borrow::Cow;
use std::fmt;

use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize};

use super::super::instant::{Instant, InstantError};
use super::FeedMode;
use crate::model::{Directory, VisitTypeId};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) enum SlotState {
    Free,
    /// `busy`, `busy-unavailable` or `busy-tentative`.
    Busy,
    /// `entered-in-error`: busy time in a busy feed; in an open feed it cancels the same free slot.
    EnteredInError,
}

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

    pub(super) fn types_in<'a>(&self, lists: &'a [TypeNames]) -> Option<&'a TypeNames> {
        lists.get(self.types.checked_sub(1)? as usize)
    }

    /// Whether it counts in a mode: free slots in an open feed, all others in a busy one.
    pub(super) fn counts(&self, mode: FeedMode) -> bool {
        (self.state == SlotState::Free) == (mode == FeedMode::Open)
    }
}

/// How the system of a clinic's own visit types ends, behind its `api-url`.
const OWN: &str = "/v1/appointment-types";

/// Visit types by their ids: some without a system, some in systems that may be the reader's own. Sorted, each once.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct TypeNames {
    pub(super) plain: Vec<VisitTypeId>,
    of_systems: Vec<(Box<str>, VisitTypeId)>,
}

impl TypeNames {
    pub(super) fn plain(mut types: Vec<VisitTypeId>) -> Self {
        types.sort_unstable();
        types.dedup();
        Self { plain: types, of_systems: Vec::new() }
    }

    /// The types of codings: systems and codes. `None` if no coding can name a type.
    pub(super) fn parse<'a>(codings: impl Iterator<Item = (Option<&'a str>, &'a str)>) -> Option<Self> {
        let mut names = Self::default();
        for (system, code) in codings {
            let Ok(id) = code.parse() else { continue };
            match system {
                None => names.plain.push(id),
                Some(system) if system.ends_with(OWN) => names.of_systems.push((system.into(), id)),
                Some(_) => {}
            }
        }
        names.of_systems.sort_unstable();
        names.of_systems.dedup();
        let names = Self { of_systems: names.of_systems, ..Self::plain(names.plain) };
        (names != Self::default()).then_some(names)
    }

    /// The types that they are in a directory; `None` if they name none of its own.
    pub(super) fn in_directory(&self, directory: &Directory) -> Option<Cow<'_, [VisitTypeId]>> {
        let api = &directory.organization().api_url;
        let is_own = |system: &str| system.strip_suffix(OWN) == Some(api);
        let mut own =
            self.of_systems.iter().filter(|(system, _)| is_own(system)).map(|(_, id)| *id).peekable();
        if own.peek().is_some() {
            return Some(Cow::Owned(Self::plain(self.plain.iter().copied().chain(own).collect()).plain));
        }
        (!self.plain.is_empty()).then_some(Cow::Borrowed(&*self.plain))
    }

    pub(super) fn codings(&self) -> impl Iterator<Item = (Option<&str>, VisitTypeId)> {
        let plain = self.plain.iter().map(|id| (None, *id));
        plain.chain(self.of_systems.iter().map(|(system, id)| (Some(&**system), *id)))
    }
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Status {
    Free,
    Busy,
    BusyUnavailable,
    BusyTentative,
    EnteredInError,
}

/// A time, rounded down and up to whole seconds.
#[derive(Clone, Copy)]
pub(super) struct RoundedTime {
    pub(super) floor: Instant,
    pub(super) ceil: Instant,
}

impl<'de> Deserialize<'de> for RoundedTime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(RoundedTimeVisitor)
    }
}

struct RoundedTimeVisitor;

impl Visitor<'_> for RoundedTimeVisitor {
    type Value = RoundedTime;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a time such as \"2026-06-04T14:00:00Z\"")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<RoundedTime, E> {
        let read = || -> Result<RoundedTime, InstantError> {
            Ok(RoundedTime { floor: Instant::parse_floor(text)?, ceil: Instant::parse_ceil(text)? })
        };
        read().map_err(E::custom)
    }
}
