//! How long to wait after a failure, and when to try another server.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use feed::chance;

/// The time limit of a request: at first, and at most.
const REQUEST: Duration = Duration::from_millis(700);
const MOST_REQUEST: Duration = Duration::from_secs(5);
const LEAST: Duration = Duration::from_millis(100);
const SPREAD: Duration = Duration::from_millis(200);
const MOST: Duration = Duration::from_secs(5);
/// The failures before the waits become longer.
const QUICK: u32 = 10;
/// Another server is tried after this number of failures.
const SERVER: u32 = 4;

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Backoff {
    failures: u32,
}

impl Backoff {
    pub(super) fn succeeded(&mut self) {
        self.failures = 0;
    }

    /// Counts a failure; true if another server is to be tried.
    pub(super) fn failed(&mut self) -> bool {
        self.failures = self.failures.saturating_add(1);
        self.failures.is_multiple_of(SERVER)
    }

    /// The time for a request: longer when requests have failed, for servers that are slow.
    pub(super) fn request(self) -> Duration {
        (REQUEST * (1 + self.failures / SERVER)).min(MOST_REQUEST)
    }

    pub(super) fn wait(self) -> Duration {
        self.wait_at(chance())
    }

    fn wait_at(self, chance: f64) -> Duration {
        if self.failures == 0 {
            return Duration::ZERO;
        }
        let doublings = self.failures.saturating_sub(QUICK).min(8);
        ((LEAST + SPREAD.mul_f64(chance)) * (1 << doublings)).min(MOST)
    }
}

/// Eight random hexadecimal digits for the name of a consumer.
pub(super) fn random_suffix() -> String {
    format!("{:08x}", RandomState::new().hash_one(()) >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_are_short_ten_times_and_then_double() {
        let mut backoff = Backoff::default();
        assert_eq!(backoff.wait_at(1.0), Duration::ZERO);
        let (mut waits, mut servers, mut requests) = (Vec::new(), Vec::new(), Vec::new());
        for failure in 1..=40 {
            if backoff.failed() {
                servers.push(failure);
            }
            waits.push(backoff.wait_at(1.0).as_millis());
            requests.push(backoff.request().as_millis());
        }
        assert_eq!(waits[..10], [300; 10]);
        assert_eq!(waits[10..16], [600, 1_200, 2_400, 4_800, 5_000, 5_000]);
        assert_eq!(servers[..3], [4, 8, 12]);
        assert_eq!((requests[0], requests[3], requests[39]), (700, 1_400, 5_000));
        assert_eq!(backoff.wait_at(0.0), Duration::from_secs(5));
        backoff.succeeded();
        assert_eq!(backoff.wait(), Duration::ZERO);
    }
}
