//! The rules by which a feed is read, and how fresh its data is by them.
//! Data is fresh up to `fresh-for`, then stale up to `max-stale`, then expired: it is shown no longer. Both bounds are
//! inclusive ages of the data; `max-stale` does not start where `fresh-for` ends.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Deserialize;
use serde::de::{Deserializer, Error as _};

use super::super::instant::Instant;
use super::FeedMode;
use super::file::FeedLimits;
use crate::model::{Slug, VisitTypeId};

#[derive(Debug, Clone, Default, PartialEq)]
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
    pub fn new(mode: FeedMode) -> Self {
        Self { mode, unlisted_is_open: true, max_shrink: 0.5, ..Self::default() }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freshness {
    Fresh,
    /// Late: shown with the moment at which it was true.
    Stale {
        as_of: Instant,
    },
    /// Too old to be shown, or never read.
    Expired,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FreshnessRule {
    pub fresh_for: Duration,
    pub max_stale: Duration,
}

impl Default for FreshnessRule {
    fn default() -> Self {
        Self { fresh_for: Duration::from_mins(5), max_stale: Duration::from_mins(30) }
    }
}

impl FreshnessRule {
    /// Callers measure the age with the real clock: feeds grow old also under a fixed `--now`.
    pub fn judge(self, as_of: Instant, age: Duration) -> Freshness {
        if age > self.max_stale {
            Freshness::Expired
        } else if age > self.fresh_for {
            Freshness::Stale { as_of }
        } else {
            Freshness::Fresh
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_bounds_are_inclusive() {
        let as_of = "2026-06-04T14:00:00Z".parse().unwrap();
        let judge = |age| FreshnessRule::default().judge(as_of, age);
        let tick = Duration::from_nanos(1);
        assert_eq!(judge(Duration::ZERO), Freshness::Fresh);
        assert_eq!(judge(Duration::from_mins(5)), Freshness::Fresh);
        assert_eq!(judge(Duration::from_mins(5) + tick), Freshness::Stale { as_of });
        assert_eq!(judge(Duration::from_mins(30)), Freshness::Stale { as_of });
        assert_eq!(judge(Duration::from_mins(30) + tick), Freshness::Expired);
        assert_eq!(judge(Duration::MAX), Freshness::Expired);
    }

    #[test]
    fn equal_bounds_leave_no_stale_age() {
        let rule = FreshnessRule { fresh_for: Duration::from_mins(1), max_stale: Duration::from_mins(1) };
        let as_of = Instant::MIN;
        assert_eq!(rule.judge(as_of, Duration::from_mins(1)), Freshness::Fresh);
        assert_eq!(rule.judge(as_of, Duration::from_secs(61)), Freshness::Expired);
    }
}
