//! How fresh a feed's data is.
//!
//! Data is fresh up to `fresh-for`, then stale up to `max-stale`, then expired: it is shown no longer. Both bounds are
//! inclusive ages of the data; `max-stale` does not start where `fresh-for` ends.

use std::time::Duration;

use super::super::instant::Instant;

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

/// The ages that bound freshness.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FreshnessRule {
    /// The greatest age of fresh data.
    pub fresh_for: Duration,
    /// The greatest age of data that is shown.
    pub max_stale: Duration,
}

impl Default for FreshnessRule {
    fn default() -> Self {
        Self { fresh_for: Duration::from_mins(5), max_stale: Duration::from_mins(30) }
    }
}

impl FreshnessRule {
    /// The freshness of data that was true at `as_of` and has this age. Callers measure the age with the real clock:
    /// feeds grow old also under a fixed `--now`.
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
