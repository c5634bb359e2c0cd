//! When to look again: regularly but never in step with others, and ever more rarely while looking fails.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::Duration;

/// How much a regular wait may differ from what was asked for: a tenth, either way.
const JITTER: f64 = 0.1;
/// The first wait after a failure, unless looking is more frequent than that anyway.
const FIRST_RETRY: Duration = Duration::from_secs(5);
/// The longest wait after failures, unless looking is rarer than that anyway. It is well below the time after
/// which a feed is expired.
const LONGEST_RETRY: Duration = Duration::from_mins(5);

/// The waits of one source.
#[derive(Debug)]
pub(super) struct Pace {
    every: Duration,
    failures: u32,
}

impl Pace {
    pub(super) fn new(every: Duration) -> Self {
        Self { every, failures: 0 }
    }

    /// Looking worked.
    pub(super) fn succeeded(&mut self) {
        self.failures = 0;
    }

    /// Looking failed.
    pub(super) fn failed(&mut self) {
        self.failures = self.failures.saturating_add(1);
    }

    /// How long to wait before looking again.
    pub(super) fn wait(&self) -> Duration {
        self.wait_at(chance())
    }

    /// The wait for a number from 0 to 1 that chance has given.
    fn wait_at(&self, chance: f64) -> Duration {
        if self.failures == 0 {
            return self.every.mul_f64(1.0 - JITTER + 2.0 * JITTER * chance);
        }
        let first = self.every.min(FIRST_RETRY);
        let longest = self.every.max(LONGEST_RETRY);
        let doubled = first.saturating_mul(1 << (self.failures - 1).min(16));
        // Half of it is chance, so that a thousand replicas do not come back as one.
        doubled.min(longest).mul_f64(0.5 + 0.5 * chance)
    }
}

/// A number from 0 to 1. The standard library's only chance is what it protects its hash maps with; it is
/// enough to be out of step.
fn chance() -> f64 {
    let number = RandomState::new().build_hasher().finish();
    f64::from(u32::try_from(number >> 32).unwrap_or_default()) / f64::from(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regular_waits_differ_by_a_tenth() {
        let pace = Pace::new(Duration::from_mins(1));
        assert_eq!(pace.wait_at(0.0).as_secs(), 54);
        assert_eq!(pace.wait_at(1.0).as_secs(), 66);
        let waits: Vec<_> = (0..20).map(|_| pace.wait()).collect();
        assert!(waits.iter().any(|wait| *wait != waits[0]), "{waits:?}");
    }

    #[test]
    fn failures_double_the_wait_up_to_a_bound_and_success_ends_them() {
        let mut pace = Pace::new(Duration::from_mins(1));
        let mut waits = Vec::new();
        for _ in 0..40 {
            pace.failed();
            waits.push(pace.wait_at(1.0).as_secs());
        }
        assert_eq!(waits[..8], [5, 10, 20, 40, 80, 160, 300, 300]);
        assert_eq!(waits[39], 300);
        assert_eq!(pace.wait_at(0.0).as_secs(), 150);
        pace.succeeded();
        assert_eq!(pace.wait_at(0.5).as_secs(), 60);
    }

    #[test]
    fn who_looks_often_retries_as_often_and_who_looks_rarely_never_more_rarely() {
        let mut often = Pace::new(Duration::from_secs(1));
        often.failed();
        assert_eq!(often.wait_at(1.0).as_secs(), 1);
        let mut rarely = Pace::new(Duration::from_hours(1));
        (0..40).for_each(|_| rarely.failed());
        assert_eq!(rarely.wait_at(1.0).as_secs(), 3600);
    }
}
