//! The rules by which a feed is read.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::{Deserializer, Error as _};

use super::file::FeedLimits;
use super::{FeedMode, FreshnessRule};
use crate::model::{Slug, VisitTypeId};

#[derive(Debug, Clone, PartialEq)]
pub struct FeedRules {
    pub mode: FeedMode,
    /// The configured meaning of Schedules, by id. It takes precedence over the feed.
    pub schedules: BTreeMap<String, ScheduleMeaning>,
    pub limits: FeedLimits,
    /// Whether a busy feed offers all hours of a provider whom no part lists. If not, the provider is withheld.
    pub unlisted_is_open: bool,
    pub freshness: FreshnessRule,
    /// The share of its providers and of its future entries that a reading may lose; 1 holds nothing.
    pub max_shrink: f64,
}

/// The configured meaning of a Schedule.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScheduleMeaning {
    #[serde(deserialize_with = "slug")]
    pub provider: Slug,
    /// The visit types of slots that name none; without them, those of the Schedule, or those that fit.
    #[serde(default, deserialize_with = "types")]
    pub types: Option<Vec<VisitTypeId>>,
}

fn slug<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Slug, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
}

fn types<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<VisitTypeId>>, D::Error> {
    let types = Vec::deserialize(deserializer)?;
    if types.is_empty() {
        return Err(D::Error::custom("name a type, or leave it out for all that fit"));
    }
    Ok(Some(types))
}

impl FeedRules {
    /// Rules without a map and with the defaults.
    #[must_use]
    pub fn new(mode: FeedMode) -> Self {
        Self {
            mode,
            schedules: BTreeMap::new(),
            limits: FeedLimits::default(),
            unlisted_is_open: true,
            freshness: FreshnessRule::default(),
            max_shrink: 0.5,
        }
    }
}
