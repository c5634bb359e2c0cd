//! The state of a feed: the age of its data, what is held, and the last error.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use directory::calendar::{Freshness, FreshnessRule, Instant, Skipped};
use directory::model::Slug;
use tokio::time::Instant as Tick;

use crate::event::{Confirmation, SiteRead, real_now};
use crate::judgement::Judgement;
use crate::providers::FeedProviders;

#[derive(Debug, Clone)]
pub struct FeedStatus {
    pub(crate) rule: FreshnessRule,
    /// The last successful look at each part that is used.
    pub(crate) parts: Arc<BTreeMap<Arc<str>, LastRead>>,
    pub(crate) providers: Arc<FeedProviders>,
    /// The keys whose data is older than that of their sites.
    pub(crate) late_keys: Arc<[LateRead]>,
    /// Why the last look at the feed, or at a part of it, failed.
    pub last_error: Option<String>,
    /// Why the data that was saved before the start cannot be used. The first reading was then compared with nothing.
    pub memory_error: Option<String>,
    /// Why the data in use cannot be saved for the next start.
    pub memory_write_error: Option<String>,
    /// Why the last reading is held, if it is.
    pub held: Option<String>,
    /// What an operator names to accept what is held, or the loss of a file that is no longer listed.
    pub token: Option<String>,
    /// The number of providers that the data in use lists.
    pub listed: usize,
    /// The entries that are not used.
    pub skipped: Arc<Skipped>,
    /// The number of looks that failed, and of readings that were refused or held.
    pub failures: u64,
    /// The number of readings that were applied.
    pub applied: u64,
}

/// The result of accepting what is held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Accepted {
    /// It is applied; the text says what that does to the providers' open times.
    Applied(String),
    NothingHeld,
    /// Something else is held than what the operator names.
    Other {
        /// What to name.
        token: String,
        /// Why it is held.
        what: String,
    },
    /// It cannot be applied, for this reason.
    Refused(String),
}

impl Accepted {
    pub(crate) fn word(&self) -> &str {
        match self {
            Self::Applied(effect) => effect,
            Self::NothingHeld => "nothing was held",
            Self::Other { .. } => "something else was held",
            Self::Refused(why) => why,
        }
    }
}

/// When a part was last read successfully, by both clocks, and the source's own time of its data.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LastRead {
    tick: Tick,
    at: DateTime<Utc>,
    as_of: Option<Instant>,
    /// Whether the data cannot be used, whatever its age.
    is_unusable: bool,
}

/// A key whose data is older than that of its site.
#[derive(Debug, Clone)]
pub(crate) struct LateRead {
    pub(crate) read: LastRead,
    /// The providers to whom it belongs or may belong.
    pub(crate) providers: Vec<Slug>,
}

impl LastRead {
    pub(crate) fn now(as_of: Option<Instant>) -> Self {
        Self { tick: Tick::now(), at: real_now(), as_of, is_unusable: false }
    }

    /// The confirmation of a site of a feed of keys. A site of another mode, or one that was never confirmed, cannot be
    /// used.
    pub(crate) fn of_site(site: &SiteRead) -> Self {
        let usable = site.confirmed.filter(|_| !site.is_of_another_mode);
        usable.map_or_else(Self::never, Self::confirmed)
    }

    /// Data that a writer has confirmed.
    pub(crate) fn confirmed(Confirmation { as_of, stored_at, heard }: Confirmation) -> Self {
        Self { tick: heard, at: stored_at, as_of: Some(as_of), is_unusable: false }
    }

    /// Data that was never read.
    pub(crate) fn never() -> Self {
        Self { at: DateTime::UNIX_EPOCH, is_unusable: true, ..Self::now(None) }
    }

    /// A part that was read before a restart. If that is in the future, a clock was wrong, and its age is unknown.
    pub(crate) fn restored(at: DateTime<Utc>, as_of: Option<Instant>) -> Self {
        if at > real_now() {
            return Self::never();
        }
        Self { tick: Tick::now(), at, as_of, is_unusable: false }
    }

    /// When the part was read, by the system's clock.
    pub(crate) fn read_at(&self) -> DateTime<Utc> {
        self.at
    }

    /// The source's own time of its data.
    pub(crate) fn source_time(&self) -> Option<Instant> {
        self.as_of
    }

    /// The time of the data: that of the reading, or the source's own if that is earlier.
    fn as_of(&self) -> Instant {
        let read = Instant::floor(self.at);
        self.as_of.map_or(read, |as_of| as_of.min(read))
    }

    /// The age of the data at this time of the two clocks.
    fn age(&self, tick: Tick, at: DateTime<Utc>) -> Duration {
        let since = |then: DateTime<Utc>| (at - then).to_std().unwrap_or_default();
        let read = tick.saturating_duration_since(self.tick).max(since(self.at));
        self.as_of.map_or(read, |as_of| read.max(since(as_of.into())))
    }
}

impl FeedStatus {
    pub(crate) fn new(rule: FreshnessRule) -> Self {
        Self {
            rule,
            parts: Arc::default(),
            providers: Arc::default(),
            late_keys: Arc::default(),
            last_error: None,
            memory_error: None,
            memory_write_error: None,
            held: None,
            token: None,
            listed: 0,
            skipped: Arc::default(),
            failures: 0,
            applied: 0,
        }
    }

    /// The freshness now, and the providers without open times. A feed that was never read is expired.
    #[must_use]
    pub fn judgement(&self) -> Judgement {
        let (tick, at) = (Tick::now(), real_now());
        let (freshness, expired) = self.judge_at(tick, at);
        if freshness == Freshness::Expired {
            return Judgement { freshness, unknown: Arc::default(), withheld: Arc::default() };
        }
        let mut unknown = self.providers.unknown(&expired);
        let is_late = |late: &&LateRead| self.judge(&late.read, tick, at) == Freshness::Expired;
        let mut late = self.late_keys.iter().filter(is_late).flat_map(|late| &late.providers).peekable();
        if late.peek().is_some() {
            let all: BTreeSet<&Slug> = unknown.iter().chain(late).collect();
            unknown = all.into_iter().cloned().collect();
        }
        Judgement { freshness, unknown, withheld: self.providers.withheld_slugs() }
    }

    fn judge(&self, read: &LastRead, tick: Tick, at: DateTime<Utc>) -> Freshness {
        if read.is_unusable {
            return Freshness::Expired;
        }
        self.rule.judge(read.as_of(), read.age(tick, at))
    }

    /// The freshness of the oldest data that is not expired, and the parts that are. A part that lists a provider and
    /// was not confirmed is expired.
    fn judge_at(&self, tick: Tick, at: DateTime<Utc>) -> (Freshness, BTreeSet<&str>) {
        let listing = self.providers.parts().map(|part| &**part);
        let mut expired: BTreeSet<&str> = listing.filter(|part| !self.parts.contains_key(*part)).collect();
        let mut oldest: Option<Instant> = None;
        let mut is_stale = |as_of: Instant| oldest = Some(oldest.map_or(as_of, |oldest| oldest.min(as_of)));
        for (name, read) in &*self.parts {
            match self.judge(read, tick, at) {
                Freshness::Fresh => {}
                Freshness::Stale { as_of } => is_stale(as_of),
                Freshness::Expired => _ = expired.insert(&**name),
            }
        }
        for late in &*self.late_keys {
            if let Freshness::Stale { as_of } = self.judge(&late.read, tick, at) {
                is_stale(as_of);
            }
        }
        let freshness = match oldest {
            _ if self.parts_with_entries().all(|part| expired.contains(part)) => Freshness::Expired,
            Some(as_of) => Freshness::Stale { as_of },
            None => Freshness::Fresh,
        };
        (freshness, expired)
    }

    /// The parts that list a provider, or all parts if none does. A part of Schedules alone must not keep a feed fresh.
    fn parts_with_entries(&self) -> impl Iterator<Item = &str> {
        let is_one = self.parts.keys().any(|part| self.providers.is_listing(part));
        let parts = self.parts.keys().map(|part| &**part);
        parts.filter(move |part| !is_one || self.providers.is_listing(part))
    }

    /// The age of the oldest part.
    #[must_use]
    pub fn age(&self) -> Option<Duration> {
        let (tick, at) = (Tick::now(), real_now());
        self.parts.values().map(|read| read.age(tick, at)).max()
    }

    /// The time of the oldest part's data.
    #[must_use]
    pub fn as_of(&self) -> Option<Instant> {
        self.parts.values().map(LastRead::as_of).min()
    }

    /// The age of each part, by its name.
    #[must_use]
    pub fn parts(&self) -> Vec<(Arc<str>, Duration)> {
        let (tick, at) = (Tick::now(), real_now());
        self.parts.iter().map(|(name, read)| (Arc::clone(name), read.age(tick, at))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::TimeDelta;

    fn read_at(tick: Tick, at: DateTime<Utc>) -> LastRead {
        LastRead { tick, at, as_of: None, is_unusable: false }
    }

    /// The freshness of a reading of noon after these seconds of each clock.
    fn freshness(as_of: Option<&str>, ticks: u64, wall: i64) -> Freshness {
        let tick = Tick::now();
        let at = "2026-06-04T12:00:00Z".parse().unwrap();
        let mut status = FeedStatus::new(FreshnessRule::default());
        let as_of = as_of.map(|text| text.parse().unwrap());
        let read = LastRead { tick, at, as_of, is_unusable: false };
        status.parts = Arc::new([("slots".into(), read)].into());
        status.judge_at(tick + Duration::from_secs(ticks), at + TimeDelta::seconds(wall)).0
    }

    #[tokio::test]
    async fn a_part_that_lists_no_provider_does_not_keep_the_feed_fresh() {
        let (tick, at) = (Tick::now(), "2026-06-04T12:00:00Z".parse().unwrap());
        let read = |minutes: i64| read_at(tick, at - TimeDelta::minutes(minutes));
        let mut status = FeedStatus::new(FreshnessRule::default());
        status.parts = Arc::new([("slots".into(), read(31)), ("schedules".into(), read(0))].into());
        assert_eq!(status.judge_at(tick, at).0, Freshness::Fresh);
        let listed = [("jane-doe".parse().unwrap(), vec!["slots".into()])].into();
        status.providers = Arc::new(FeedProviders::of(listed, BTreeSet::new(), BTreeSet::new()));
        assert_eq!(status.judge_at(tick, at).0, Freshness::Expired);
    }

    #[tokio::test]
    async fn each_part_has_its_own_age() {
        let (tick, at) = (Tick::now(), "2026-06-04T12:00:00Z".parse().unwrap());
        let read = |minutes: i64| read_at(tick, at - TimeDelta::minutes(minutes));
        let slug = |text: &str| text.parse::<Slug>().unwrap();
        let mut status = FeedStatus::new(FreshnessRule::default());
        let mut judged = |old: i64, new: i64| {
            status.parts = Arc::new([("a".into(), read(old)), ("b".into(), read(new))].into());
            let (freshness, expired) = status.judge_at(tick, at);
            (freshness, expired.into_iter().collect::<String>())
        };
        let at_minute =
            |minute: &str| Freshness::Stale { as_of: format!("2026-06-04T11:{minute}:00Z").parse().unwrap() };
        assert_eq!(judged(5, 0), (Freshness::Fresh, String::new()));
        assert_eq!(judged(6, 0), (at_minute("54"), String::new()));
        assert_eq!(judged(30, 7), (at_minute("30"), String::new()));
        assert_eq!(judged(31, 7), (at_minute("53"), "a".to_owned()));
        assert_eq!(judged(31, 5), (Freshness::Fresh, "a".to_owned()));
        assert_eq!(judged(31, 31), (Freshness::Expired, "ab".to_owned()));

        let old = real_now() - TimeDelta::minutes(31);
        let now = real_now();
        let good = |at| read_at(tick, at);
        status.parts = Arc::new([("a".into(), good(old)), ("b".into(), good(now))].into());
        let listed = [
            (slug("ann"), vec!["a".into()]),
            (slug("both"), vec!["a".into(), "b".into()]),
            (slug("cem"), vec!["b".into()]),
        ];
        let unlisted = BTreeSet::from([slug("dan")]);
        status.providers = Arc::new(FeedProviders::of(listed.into(), unlisted, BTreeSet::new()));
        let judgement = status.judgement();
        let expired: Vec<_> = judgement.unknown.iter().map(Slug::as_str).collect();
        assert_eq!((judgement.freshness, expired), (Freshness::Fresh, vec!["ann", "both", "dan"]));
    }

    #[tokio::test]
    async fn the_clock_that_gives_the_greater_age_counts() {
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
    async fn a_transaction_time_before_the_reading_counts() {
        let ten_to = "2026-06-04T11:50:00Z".parse().unwrap();
        assert_eq!(freshness(Some("2026-06-04T11:55:00Z"), 0, 0), Freshness::Fresh);
        assert_eq!(freshness(Some("2026-06-04T11:50:00Z"), 0, 0), Freshness::Stale { as_of: ten_to });
        assert_eq!(freshness(Some("2026-06-04T11:50:00Z"), 1200, 1200), Freshness::Stale { as_of: ten_to });
        assert_eq!(freshness(Some("2026-06-04T11:50:00Z"), 1201, 1201), Freshness::Expired);
        // A transactionTime ahead of the clock does not count.
        assert_eq!(freshness(Some("2026-06-04T13:00:00Z"), 300, 300), Freshness::Fresh);
        let noon = "2026-06-04T12:00:00Z".parse().unwrap();
        assert_eq!(freshness(Some("2026-06-04T13:00:00Z"), 301, 301), Freshness::Stale { as_of: noon });
    }

    #[tokio::test]
    async fn a_feed_that_was_never_read_is_expired() {
        assert_eq!(FeedStatus::new(FreshnessRule::default()).judgement().freshness, Freshness::Expired);
    }
}
