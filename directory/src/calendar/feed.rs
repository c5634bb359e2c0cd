//! An outside feed, read: what its lines say, whom they mean, and how true they still are. Parsing only.
//!
//! A feed is one or more texts of one JSON object in each line: our own form
//! (`{"provider", "start", "end", "status", "types"?}`) or FHIR R4 resources, of which `Slot` and `Schedule` are
//! read and everything else is passed over. It becomes a calendar's data in two steps. [`FeedFile::read`] knows
//! lines and no directory, so that a file which has not changed is never read twice; [`FeedSet::of`] knows whom
//! the lines of all files mean, so that new content needs no new download.
//!
//! Invariants:
//! - All or nothing: one bad line, and there is no [`FeedFile`]. A line is bad when nobody could say what it
//!   means: no JSON, no time, an end that is not after the start, a length that nobody works.
//! - A free slot that is well-formed and not ours is skipped and counted: a provider who is not published, a
//!   visit type that the provider does not offer. A slot all of whose types are skipped is skipped too: it
//!   never becomes one for every type.
//! - Taken time that leads to no provider withholds those it may mean, or refuses the reading: see [`set`].
//! - Only the status `free` opens anything, and every other status is taken time: `entered-in-error`, too. Where an
//!   open feed lists a time of one Schedule as free and as taken, it is taken.
//! - A set is total. It has an entry for each provider of the directory, and one whom the feed does not list
//!   has nothing there: no start under [`FeedMode::Open`], nothing taken under [`FeedMode::Busy`].
//! - Everything has a bound ([`FeedLimits`]): bytes, lines, the length of a line, entries of one provider.

use super::hours::Busy;
use super::instant::Instant;
use crate::model::{Slug, VisitTypeId};

mod error;
mod file;
mod freshness;
mod line;
mod making;
mod manifest;
mod rules;
mod set;
mod skipped;
mod taken;
mod whom;

#[cfg(test)]
mod tests;

pub use error::{BadLine, FeedError};
pub use file::{FeedFile, FeedLimits};
pub use freshness::{Freshness, FreshnessRule};
pub use making::{FeedSet, Listed};
pub use manifest::{Manifest, ManifestError, ManifestFile};
pub use rules::{FeedRules, ScheduleMeaning};
pub use skipped::{SkipReason, Skipped, SkippedLine};
pub use whom::LedTo;

/// What a feed's entries mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FeedMode {
    /// They are the free slots, and there are no others: hours are not looked at.
    Open,
    /// They are time that is taken, to be subtracted from the hours.
    Busy,
}

/// A free slot that a feed lists: one start, at its start.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct OpenSlot {
    /// When the visit starts.
    pub start: Instant,
    /// The first second after it.
    pub end: Instant,
    /// The visit types that it is for, sorted; none: those that fit its length.
    pub types: Option<Vec<VisitTypeId>>,
}

/// One provider's whole set, replacing whatever that provider had before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderFeed {
    /// Whose it is: the slug of today.
    pub provider: Slug,
    /// The entries.
    pub entries: FeedEntries,
}

/// The entries of one provider, sorted, each once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FeedEntries {
    /// Free slots.
    Open(Vec<OpenSlot>),
    /// Time that is taken.
    Busy(Vec<Busy>),
}
