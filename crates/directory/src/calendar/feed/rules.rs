//! The rules by which a feed's entries are read.

use std::collections::BTreeMap;

use super::FeedMode;
use super::file::FeedLimits;
use crate::model::{Slug, VisitTypeId};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedRules {
    pub mode: FeedMode,
    /// The configured meaning of Schedules, by id. It takes precedence over the feed.
    pub schedules: BTreeMap<String, ScheduleMeaning>,
    pub limits: FeedLimits,
    /// Whether a busy feed of keys offers all hours of a provider without a key. If not, the provider is withheld.
    pub unlisted_is_open: bool,
}

/// The configured meaning of a Schedule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScheduleMeaning {
    pub provider: Slug,
    /// The visit types of slots that name none; without them, those of the Schedule, or those that fit.
    pub types: Option<Vec<VisitTypeId>>,
}

impl FeedRules {
    /// Rules without a map and with the default limits.
    #[must_use]
    pub fn new(mode: FeedMode) -> Self {
        Self { mode, schedules: BTreeMap::new(), limits: FeedLimits::default(), unlisted_is_open: false }
    }
}
