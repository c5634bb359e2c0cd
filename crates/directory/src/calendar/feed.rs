//! Reads an outside feed: parses its lines, resolves them to providers, and judges how fresh they are. Fetching is the
//! caller's. A text has one JSON object per line: our own form (`{"provider", "start", "end", "status", "types"?}`) or
//! FHIR R4 resources, of which `Slot` and `Schedule` are read and all others are skipped. [`FeedFile::read`] reads
//! lines without a directory, so an unchanged text is never read twice; the [`engine`] finds whom they mean and decides
//! what is believed, so new content needs no new download.
//! Invariants:
//! - All or nothing: with one bad line there is no [`FeedFile`]. A line is bad if its meaning is unclear: not JSON, no
//!   valid time, an end that is not after the start, an impossible length, a Bundle or a misspelled resource.
//! - A well-formed free slot that cannot be offered is skipped and counted: its provider is not published, or the provider
//!   does not offer its types. A slot all of whose types are skipped is skipped too; it never becomes a slot for all types.
//! - Only the status `free` opens anything; every other status is busy time, `entered-in-error` too. Where an open feed
//!   lists a time of one Schedule as free and as busy, it is busy.
//! - Everything is bounded by [`FeedLimits`]: bytes, lines, the length of a line, entries per provider.

use serde::Deserialize;

use super::hours::Busy;
use super::instant::Instant;
use crate::model::{Slug, VisitTypeId, words};

mod engine;
mod entry;
mod error;
mod file;
mod ics;
mod line;
mod manifest;
mod resolve;
mod rules;
mod skipped;
mod split;

#[cfg(test)]
mod tests;

pub use engine::{
    Ages, AsOf, BadText, Change, Engine, Event, FeedSet, Judgment, Late, Memory, Moment, ORDER, PartId,
    Report, is_site, not_a_site, some_of,
};
pub use error::{BadLine, FeedError};
pub use file::{FeedFile, FeedLimits};
pub use ics::{IcsError, IcsReading, read_calendar};
pub use manifest::ExportManifest;
pub use rules::{FeedRules, Freshness, FreshnessRule, ScheduleMeaning};
pub use skipped::{SkipReason, Skipped, SkippedLine};
pub use split::owned_texts;

words! {
    /// What a feed lists. The words are those of settings, messages and states on disk.
    #[derive(Default, Deserialize)]
    #[serde(rename_all = "lowercase")]
    FeedMode {
        /// All free slots of the clinic; the content's hours are not used.
        Open = "open",
        /// Busy time, subtracted from the content's hours.
        #[default]
        Busy = "busy",
    }
}

/// A free slot of a feed: one start, at its beginning.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct OpenSlot {
    pub start: Instant,
    /// The first second after it.
    pub end: Instant,
    /// Its visit types, sorted; without them, those that fit its length.
    pub types: Option<Vec<VisitTypeId>>,
}

/// All entries of one provider; they replace its former entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderFeed {
    /// The provider's current slug.
    pub provider: Slug,
    pub entries: FeedEntries,
}

/// The entries of one provider, sorted, each once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FeedEntries {
    Open(Vec<OpenSlot>),
    Busy(Vec<Busy>),
}

impl FeedEntries {
    pub fn len(&self) -> usize {
        match self {
            Self::Open(slots) => slots.len(),
            Self::Busy(busy) => busy.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
