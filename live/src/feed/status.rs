//! What is known about a feed: how old its data is, whether something is held, and what went wrong last.

use std::time::Duration;

use chrono::{DateTime, Utc};
use directory::calendar::{Freshness, FreshnessRule, Instant};
use tokio::time::Instant as Tick;

use super::source::real_now;

/// What is known about a feed.
#[derive(Debug, Clone)]
pub struct FeedStatus {
    pub(super) rule: FreshnessRule,
    pub(super) good: Option<Good>,
    /// Why it could not be read, since it last could; nothing while it can.
    pub last_error: Option<String>,
    /// Why what it says now is not applied, where it is held back.
    pub held: Option<String>,
    /// How many providers the applied data lists.
    pub listed: usize,
    /// How many failures there have been.
    pub failures: u64,
    /// How many times something was applied.
    pub applied: u64,
}

/// The last good reading, on both clocks, and what the source said about its own age.
#[derive(Debug, Clone, Copy)]
pub(super) struct Good {
    tick: Tick,
    at: DateTime<Utc>,
    as_of: Option<Instant>,
}

impl Good {
    /// A reading that was good just now.
    pub(super) fn now(as_of: Option<Instant>) -> Self {
        Self { tick: Tick::now(), at: real_now(), as_of }
    }

    /// When the data was true: the older of the reading and what the source says.
    fn as_of(&self) -> Instant {
        let read = Instant::floor(self.at);
        self.as_of.map_or(read, |as_of| as_of.min(read))
    }

    /// How old the data is, when the clocks show this.
    fn age(&self, tick: Tick, at: DateTime<Utc>) -> Duration {
        let since = |then: DateTime<Utc>| (at - then).to_std().unwrap_or_default();
        let read = tick.saturating_duration_since(self.tick).max(since(self.at));
        self.as_of.map_or(read, |as_of| read.max(since(as_of.into())))
    }
}

impl FeedStatus {
    pub(super) fn new(rule: FreshnessRule) -> Self {
        Self { rule, good: None, last_error: None, held: None, listed: 0, failures: 0, applied: 0 }
    }

    /// How true the feed's data is now. Without one good reading it is expired.
    #[must_use]
    pub fn freshness(&self) -> Freshness {
        self.freshness_at(Tick::now(), real_now())
    }

    fn freshness_at(&self, tick: Tick, at: DateTime<Utc>) -> Freshness {
        self.good.map_or(Freshness::Expired, |good| self.rule.judge(good.as_of(), good.age(tick, at)))
    }

    /// How old the data is; nothing while there is none.
    #[must_use]
    pub fn age(&self) -> Option<Duration> {
        self.good.map(|good| good.age(Tick::now(), real_now()))
    }

    /// When the data was known to be true.
    #[must_use]
    pub fn as_of(&self) -> Option<Instant> {
        self.good.map(|good| good.as_of())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::TimeDelta;

    /// A reading at noon, and the freshness after these seconds of each clock.
    fn freshness(as_of: Option<&str>, ticks: u64, wall: i64) -> Freshness {
        let tick = Tick::now();
        let at = "2026-06-04T12:00:00Z".parse().unwrap();
        let mut status = FeedStatus::new(FreshnessRule::default());
        status.good = Some(Good { tick, at, as_of: as_of.map(|text| text.parse().unwrap()) });
        status.freshness_at(tick + Duration::from_secs(ticks), at + TimeDelta::seconds(wall))
    }

    #[tokio::test]
    async fn a_reading_grows_old_by_the_clock_that_says_so() {
        let noon = "2026-06-04T12:00:00Z".parse().unwrap();
        assert_eq!(freshness(None, 300, 300), Freshness::Fresh);
        assert_eq!(freshness(None, 301, 301), Freshness::Stale { as_of: noon });
        assert_eq!(freshness(None, 1800, 1800), Freshness::Stale { as_of: noon });
        assert_eq!(freshness(None, 1801, 1801), Freshness::Expired);
        // The machine slept; the system's clock was set back.
        assert_eq!(freshness(None, 1, 1801), Freshness::Expired);
        assert_eq!(freshness(None, 1801, -7200), Freshness::Expired);
    }

    #[tokio::test]
    async fn a_publisher_that_says_how_old_its_data_is_is_believed_if_it_is_older() {
        let ten_to = "2026-06-04T11:50:00Z".parse().unwrap();
        assert_eq!(freshness(Some("2026-06-04T11:55:00Z"), 0, 0), Freshness::Fresh);
        assert_eq!(freshness(Some("2026-06-04T11:50:00Z"), 0, 0), Freshness::Stale { as_of: ten_to });
        assert_eq!(freshness(Some("2026-06-04T11:50:00Z"), 1200, 1200), Freshness::Stale { as_of: ten_to });
        assert_eq!(freshness(Some("2026-06-04T11:50:00Z"), 1201, 1201), Freshness::Expired);
        // A clock that is ahead makes nothing younger than its reading.
        assert_eq!(freshness(Some("2026-06-04T13:00:00Z"), 300, 300), Freshness::Fresh);
        let noon = "2026-06-04T12:00:00Z".parse().unwrap();
        assert_eq!(freshness(Some("2026-06-04T13:00:00Z"), 301, 301), Freshness::Stale { as_of: noon });
    }

    #[tokio::test]
    async fn a_feed_that_was_never_read_is_expired() {
        assert_eq!(FeedStatus::new(FreshnessRule::default()).freshness(), Freshness::Expired);
    }
}
