//! The current time. Only this module reads the system's clock.

use std::time::SystemTime;

use chrono::{DateTime, Utc};

/// The start of 2020. An earlier time means that the clock was never set: such a clock often starts in 1970.
const OLDEST: i64 = 1_577_836_800;

/// A source of the current time.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    frozen: Option<DateTime<Utc>>,
}

impl Clock {
    /// The system's clock.
    #[must_use]
    pub fn system() -> Self {
        Self { frozen: None }
    }

    /// A clock that always returns the same instant, for `--now` and for tests.
    #[must_use]
    pub fn frozen(at: DateTime<Utc>) -> Self {
        Self { frozen: Some(at) }
    }

    /// The current instant. `Utc::now` would panic while the system's clock is before 1970.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "all other code takes its time from this clock")]
    pub fn now(self) -> DateTime<Utc> {
        self.frozen.unwrap_or_else(|| SystemTime::now().into())
    }

    /// Why the time cannot be right; `None` if it may be. A frozen clock may show any time.
    #[must_use]
    pub fn fault(self) -> Option<String> {
        if self.frozen.is_some() { None } else { fault_at(self.now()) }
    }
}

fn fault_at(now: DateTime<Utc>) -> Option<String> {
    let now = (now.timestamp() < OLDEST).then(|| now.format("%Y-%m-%d"))?;
    Some(format!(
        "this machine's clock shows {now}, so open times would be wrong: set the clock (timedatectl set-ntp true)"
    ))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_clock_that_was_never_set_is_a_fault_and_no_panic() {
        for (seconds, date) in [(1, "1969-12-31"), (90_000, "1969-12-30")] {
            let before = SystemTime::UNIX_EPOCH - Duration::from_secs(seconds);
            assert!(fault_at(before.into()).unwrap().contains(&format!("clock shows {date}")));
        }
        assert!(fault_at(SystemTime::UNIX_EPOCH.into()).is_some());
        assert!(fault_at(DateTime::from_timestamp(OLDEST - 1, 0).unwrap()).is_some());
        assert_eq!(fault_at(DateTime::from_timestamp(OLDEST, 0).unwrap()), None);
        assert_eq!(Clock::system().fault(), None, "the clock of the machine that tests");
        assert_eq!(Clock::frozen(SystemTime::UNIX_EPOCH.into()).fault(), None);
    }

    #[test]
    fn a_frozen_clock_does_not_move() {
        let instant = DateTime::from_timestamp(1_800_000_000, 0).unwrap();
        assert_eq!(Clock::frozen(instant).now(), instant);
    }
}
