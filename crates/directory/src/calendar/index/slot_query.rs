//! A query of the index, and one start of its result.

use super::super::instant::Instant;
use super::eligibility::Wanted;
use crate::bits::Mask;
use crate::model::StateCode;

#[derive(Debug, Clone, Copy)]
pub(crate) struct SlotQuery<'a> {
    pub(crate) state: StateCode,
    pub(crate) wanted: Wanted,
    /// The number of the (state, visit types) pair; see [`Eligibility`](super::eligibility::Eligibility).
    pub(crate) pair: usize,
    pub(crate) now: Instant,
    /// The earliest start, if it is later than now.
    pub(crate) from: Option<Instant>,
    /// The first second that is too late.
    pub(crate) until: i64,
    /// At least one.
    pub(crate) limit: usize,
    pub(crate) one_per_provider: bool,
    /// True without `one_per_provider` and without provider filters. Only then do the counts of the
    /// [chunks](super::chunk) equal the number of slots that the query finds.
    pub(crate) is_counted: bool,
    /// Providers whose part of the feed is too old to be shown.
    pub(crate) expired: Option<&'a Mask>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RankedStart {
    pub(crate) at: i64,
    pub(crate) rank: u32,
}
