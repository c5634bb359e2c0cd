//! How the entries of a feed are to be understood.

use std::collections::BTreeMap;

use super::FeedMode;
use super::file::FeedLimits;
use crate::model::{Slug, VisitTypeId};

/// How the entries of a feed are to be understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedRules {
    /// What they mean.
    pub mode: FeedMode,
    /// What the ids of Schedules mean, where the feed does not say or should not be asked.
    pub schedules: BTreeMap<String, ScheduleMeaning>,
    /// How many there may be.
    pub limits: FeedLimits,
}

/// What the configuration says of a Schedule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScheduleMeaning {
    /// Whose it is.
    pub provider: Slug,
    /// The visit types of slots that name none; none: what the Schedule says, or those that fit.
    pub types: Option<Vec<VisitTypeId>>,
}

impl FeedRules {
    /// Rules without a map and with the default limits.
    #[must_use]
    pub fn new(mode: FeedMode) -> Self {
        Self { mode, schedules: BTreeMap::new(), limits: FeedLimits::default() }
    }
}
