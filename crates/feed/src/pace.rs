//! The time between two looks: with jitter, and shorter after a failure. Then the next look comes within the poll interval
//! and a third of `max-stale`, so that data still shown can be confirmed before it expires. A server may ask for a longer
//! pause, up to `max-stale`.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::Duration;

/// The share by which a regular wait may be shorter or longer.
const JITTER: f64 = 0.1;
/// The first wait after a failure, unless the poll interval is shorter.
const FIRST_RETRY: Duration = Duration::from_secs(5);
/// The least time limit of a look, for large feeds on slow lines.
const LEAST_LOOK_TIMEOUT: Duration = Duration::from_secs(20);

pub(crate) struct Pace {
    every: Duration,
    longest_retry: Duration,
    max_stale: Duration,
    failures: u32,
    /// How long the server asked not to be contacted.
    pause: Duration,
}

impl Pace {
    pub(crate) fn new(every: Duration, max_stale: Duration) -> Self {
        let longest_retry = every.min(max_stale / 3);
        Self { every, longest_retry, max_stale, failures: 0, pause: Duration::ZERO }
    }

    pub(crate) fn look_timeout(&self) -> Duration {
        self.longest_retry.max(LEAST_LOOK_TIMEOUT)
    }

    pub(crate) fn looked(&mut self, is_good: bool, pause: Option<Duration>) {
        self.failures = if is_good { 0 } else { self.failures.saturating_add(1) };
        self.pause = pause.unwrap_or_default().min(self.max_stale);
    }

    pub(crate) fn wait(&self) -> Duration {
        self.wait_at(chance()).max(self.pause)
    }

    fn wait_at(&self, chance: f64) -> Duration {
        if self.failures == 0 {
            return self.every.mul_f64(1.0 - JITTER + 2.0 * JITTER * chance);
        }
        let doubled = FIRST_RETRY.saturating_mul(1 << (self.failures - 1).min(16));
        // Half of it is random, so that replicas do not all retry at once.
        doubled.min(self.longest_retry).mul_f64(0.5 + 0.5 * chance)
    }
}

/// A random number from 0 to 1, from the seed of the standard library's hash maps.
pub fn chance() -> f64 {
    let number = RandomState::new().build_hasher().finish();
    f64::from(u32::try_from(number >> 32).unwrap_or_default()) / f64::from(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAX_STALE: Duration = Duration::from_mins(30);

    #[test]
    fn regular_waits_differ_by_a_tenth() {
        let pace = Pace::new(Duration::from_mins(1), MAX_STALE);
        assert_eq!(pace.wait_at(0.0).as_secs(), 54);
        assert_eq!(pace.wait_at(1.0).as_secs(), 66);
        let waits: Vec<_> = (0..20).map(|_| pace.wait()).collect();
        assert!(waits.iter().any(|wait| *wait != waits[0]), "{waits:?}");
    }

    #[test]
    fn after_failures_the_wait_is_never_longer_than_the_poll_interval() {
        let mut pace = Pace::new(Duration::from_mins(1), MAX_STALE);
        let mut waits = Vec::new();
        for _ in 0..40 {
            pace.looked(false, None);
            waits.push(pace.wait_at(1.0).as_secs());
        }
        assert_eq!(waits[..5], [5, 10, 20, 40, 60]);
        assert_eq!(waits[39], 60);
        assert_eq!(pace.wait_at(0.0).as_secs(), 30);
        pace.looked(true, None);
        assert_eq!(pace.wait_at(0.5).as_secs(), 60);
        let mut often = Pace::new(Duration::from_secs(1), MAX_STALE);
        often.looked(false, None);
        assert_eq!(often.wait_at(1.0).as_secs(), 1);
    }

    #[test]
    fn after_failures_the_wait_is_never_longer_than_a_third_of_max_stale() {
        for (every, max_stale, longest) in [(3600, 1800, 600), (60, 90, 30), (60, 1800, 60)] {
            let mut pace = Pace::new(Duration::from_secs(every), Duration::from_secs(max_stale));
            (0..40).for_each(|_| pace.looked(false, None));
            assert_eq!(pace.wait_at(1.0).as_secs(), longest);
        }
    }

    #[test]
    fn a_pause_that_the_server_asks_for_is_kept_once_and_up_to_max_stale() {
        let mut pace = Pace::new(Duration::from_mins(1), MAX_STALE);
        let minutes = |minutes| Some(Duration::from_mins(minutes));
        for (pause, wait) in [(minutes(10), minutes(10)), (minutes(600), Some(MAX_STALE))] {
            pace.looked(false, pause);
            assert_eq!(Some(pace.wait()), wait);
        }
        // A late file of a publisher asks, too.
        pace.looked(true, minutes(10));
        assert_eq!(Some(pace.wait()), minutes(10));
        pace.looked(true, minutes(0));
        assert!(pace.wait() < Duration::from_mins(2));
    }
}
