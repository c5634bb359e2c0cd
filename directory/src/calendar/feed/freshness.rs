//! How true a feed's data is at a moment.
//!
//! Fresh up to `fresh-for`; then stale up to `max-stale`: the last good data, with the moment it was true at;
//! then expired, and nothing is said any more. Both bounds are inclusive, and both count from the same moment:
//! `max-stale` is an age, not a time after `fresh-for`.

use std::time::Duration;

use super::super::instant::Instant;

/// How true a feed's data is at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freshness {
    /// As true as it can be.
    Fresh,
    /// The last good data.
    Stale {
        /// When it was known to be true.
        as_of: Instant,
    },
    /// Too old to be told, or never there at all.
    Expired,
}

/// The ages at which a feed's data is called something else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FreshnessRule {
    /// The greatest age of fresh data.
    pub fresh_for: Duration,
    /// The greatest age of data that is told at all.
    pub max_stale: Duration,
}

impl Default for FreshnessRule {
    fn default() -> Self {
        Self { fresh_for: Duration::from_mins(5), max_stale: Duration::from_mins(30) }
    }
}

impl FreshnessRule {
    /// Judges data that was true at a moment and is so old now. The age is the caller's to measure, with the
    /// real clock: a service whose `--now` stands still has feeds that grow old.
    #[must_use]
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
    fn each_bound_belongs_to_the_better_side() {
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
    fn nothing_is_stale_where_both_bounds_are_one() {
        let rule = FreshnessRule { fresh_for: Duration::from_mins(1), max_stale: Duration::from_mins(1) };
        let as_of = Instant::MIN;
        assert_eq!(rule.judge(as_of, Duration::from_mins(1)), Freshness::Fresh);
        assert_eq!(rule.judge(as_of, Duration::from_secs(61)), Freshness::Expired);
    }
}
