//! What an outside feed says, once its lines are understood: one provider's whole set at a time.
//!
//! A set replaces whatever the provider had before, so that a change that got lost is made good by the next
//! one. How true the data is travels beside it: see [`Freshness`].

use super::hours::Busy;
use super::instant::Instant;
use crate::model::{Slug, VisitTypeId};

/// What a feed's entries mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FeedMode {
    /// It lists the free slots, and is the authority: hours of the content are not used.
    Open,
    /// It lists the time that is taken, which is subtracted from the hours of the content.
    Busy,
}

/// A free slot that a feed lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenSlot {
    /// When a visit can start, and the only such moment of the slot.
    pub start: Instant,
    /// The first second after the slot.
    pub end: Instant,
    /// The visit types that it is for; none means those of the provider that fit its length.
    pub types: Option<Vec<VisitTypeId>>,
}

/// One provider's whole set, replacing whatever that provider had before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderFeed {
    /// Whose set it is.
    pub provider: Slug,
    /// The set.
    pub entries: FeedEntries,
}

/// A provider's free slots, or the time that is taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FeedEntries {
    /// Every free slot.
    Open(Vec<OpenSlot>),
    /// All the time that is taken.
    Busy(Vec<Busy>),
}

/// How true a feed's data is at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freshness {
    /// It was read a short while ago.
    Fresh,
    /// It is the last good data, and late.
    Stale {
        /// When it was last known to be true.
        as_of: Instant,
    },
    /// It is too old to be shown.
    Expired,
}
