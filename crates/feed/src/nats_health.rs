//! What operators see of a bucket: for `/readyz` and the metrics.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::{DateTime, Utc};
use directory::calendar::{AsOf, Freshness, FreshnessRule};

use crate::clock::{moment, real_now};

pub const BOUNDS: [u64; 13] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000];
/// The most changes that are timed at once; beyond that the oldest is dropped.
const MAX_AWAITED: usize = 64;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Phase {
    /// It has no consumer.
    #[default]
    Connecting,
    Snapshot,
    Following,
    /// The bucket was recreated, or lost messages.
    Reset,
}

impl Phase {
    pub const ALL: [Self; 4] = [Self::Connecting, Self::Snapshot, Self::Following, Self::Reset];

    pub fn word(self) -> &'static str {
        match self {
            Self::Connecting => "connecting",
            Self::Snapshot => "snapshot",
            Self::Following => "following",
            Self::Reset => "reset",
        }
    }
}

/// The state of a bucket, written by its source and read by operators.
#[derive(Debug, Default)]
pub struct NatsHealth {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    view: NatsView,
    /// When the changes that are not applied yet were stored.
    awaited: VecDeque<DateTime<Utc>>,
}

#[derive(Debug, Clone, Default)]
pub struct NatsView {
    pub phase: Phase,
    pub server: Option<String>,
    pub created: Option<String>,
    /// The number of the bucket's last message, as last reported.
    pub bucket_at: u64,
    /// The number of the last message that was taken.
    pub ours_at: u64,
    pub sites: Arc<BTreeMap<Arc<str>, SiteRead>>,
    /// The keys that are refused, with the reasons.
    pub refused: Arc<BTreeMap<String, Arc<str>>>,
    pub rewatches: u64,
    pub resets: u64,
    pub last_error: Option<String>,
    /// The time from the server's time stamp to the application: the number of changes within each bound, and beyond.
    pub applied: [u64; BOUNDS.len() + 1],
    pub applied_micros: u64,
}

/// The state of a site: the keys of one writer, whose data has one age.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SiteRead {
    /// The last confirmation that was accepted; `None`: there was none, and the site counts as expired.
    pub confirmed: Option<AsOf>,
    /// Whether the writer's mode differs from the feed's: then the site counts as expired.
    pub is_of_another_mode: bool,
    /// Whether the keys differ from those that the writer confirmed: then the site is not confirmed and ages.
    pub is_diverged: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SiteCounts {
    pub fresh: usize,
    pub stale: usize,
    pub expired: usize,
    pub diverged: usize,
    /// The oldest site that was ever confirmed, or else one that never was, and its age.
    pub oldest: Option<(Arc<str>, Option<Duration>)>,
}

impl NatsHealth {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn view(&self) -> NatsView {
        self.inner().view.clone()
    }

    pub fn note(&self, write: impl FnOnce(&mut NatsView)) {
        write(&mut self.inner().view);
    }

    /// Records that changes were handed to the driver. The server stored the oldest of them at this time.
    pub fn handed_over(&self, stored_at: DateTime<Utc>) {
        let mut inner = self.inner();
        if inner.awaited.len() == MAX_AWAITED {
            inner.awaited.pop_front();
        }
        inner.awaited.push_back(stored_at);
    }

    pub fn applied(&self) {
        let now = real_now();
        let mut inner = self.inner();
        let Inner { view, awaited } = &mut *inner;
        for stored_at in awaited.drain(..) {
            let took = (now - stored_at).to_std().unwrap_or_default();
            let index = BOUNDS.iter().position(|&bound| took <= Duration::from_millis(bound));
            view.applied[index.unwrap_or(BOUNDS.len())] += 1;
            view.applied_micros += u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        }
    }
}

impl NatsView {
    pub fn sites_by(&self, rule: FreshnessRule) -> SiteCounts {
        let now = moment();
        let mut counts = SiteCounts::default();
        for (name, site) in &*self.sites {
            let age = site.confirmed.map(|confirmed| confirmed.age(now));
            let freshness = match (site.confirmed, age) {
                (Some(confirmed), Some(age)) if !site.is_of_another_mode => {
                    rule.judge(confirmed.instant(), age)
                }
                _ => Freshness::Expired,
            };
            match freshness {
                Freshness::Fresh => counts.fresh += 1,
                Freshness::Stale { .. } => counts.stale += 1,
                Freshness::Expired => counts.expired += 1,
            }
            counts.diverged += usize::from(site.is_diverged);
            let is_older = counts.oldest.as_ref().is_none_or(|(_, oldest)| *oldest < age);
            if is_older {
                counts.oldest = Some((Arc::clone(name), age));
            }
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;

    fn site(minutes: i64) -> SiteRead {
        let at = real_now() - TimeDelta::minutes(minutes);
        let as_of = directory::calendar::Instant::floor(at);
        SiteRead { confirmed: Some(AsOf::read(Some(as_of), moment())), ..SiteRead::default() }
    }

    #[tokio::test]
    async fn sites_are_counted_by_their_age_and_the_oldest_is_named() {
        let never = SiteRead { confirmed: None, ..site(0) };
        let other = SiteRead { is_of_another_mode: true, is_diverged: true, ..site(0) };
        let sites = [("a", site(0)), ("b", site(10)), ("c", site(40)), ("d", never), ("e", other)];
        let sites = sites.map(|(name, site)| (Arc::from(name), site)).into();
        let view = NatsView { sites: Arc::new(sites), ..NatsView::default() };
        let counts = view.sites_by(FreshnessRule::default());
        assert_eq!((counts.fresh, counts.stale, counts.expired, counts.diverged), (1, 1, 3, 1));
        assert_eq!(&*counts.oldest.unwrap().0, "c");
    }

    #[test]
    fn a_change_is_measured_from_the_servers_time_stamp() {
        let health = NatsHealth::default();
        health.handed_over(real_now() - TimeDelta::milliseconds(700));
        health.handed_over(real_now() + TimeDelta::seconds(5));
        health.applied();
        health.applied();
        let view = health.view();
        assert_eq!((view.applied[0], view.applied.iter().sum::<u64>()), (1, 2));
        assert!(view.applied[9] == 1 && view.applied_micros >= 700_000, "{view:?}");
    }
}
