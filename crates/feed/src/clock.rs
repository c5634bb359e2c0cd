//! The current time. Only this module reads the system's clock.

use std::sync::LazyLock;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use chrono::{DateTime, Utc};
use directory::calendar::{Instant, Moment};
use tokio::time::Instant as Tick;

/// The start of 2020. An earlier time means that the clock was never set: such a clock often starts in 1970.
const OLDEST: i64 = 1_577_836_800;

#[derive(Debug, Clone, Copy)]
pub struct Clock {
    frozen: Option<DateTime<Utc>>,
}

impl Clock {
    pub fn system() -> Self {
        Self { frozen: None }
    }

    /// A clock that always returns the same instant, for `--now` and for tests.
    pub fn frozen(at: DateTime<Utc>) -> Self {
        Self { frozen: Some(at) }
    }

    /// The current instant, in the years of an [`Instant`], which every format can write. `Utc::now` would panic while the
    /// system's clock is before 1970.
    pub fn now(self) -> DateTime<Utc> {
        self.frozen.unwrap_or_else(|| clamped(system_now()))
    }

    /// Whether HTTP can write the time of the system's clock: hyper panics over one before 1970 or after 9999.
    pub fn has_http_date() -> bool {
        is_http_date(system_now())
    }

    /// Why the time cannot be right; `None` if it may be. A frozen clock may show any time.
    pub fn fault(self) -> Option<String> {
        if self.frozen.is_some() { None } else { fault_at(self.now()) }
    }
}

#[expect(clippy::disallowed_methods, reason = "all other code takes its time from this clock")]
fn system_now() -> SystemTime {
    SystemTime::now()
}

fn is_http_date(now: SystemTime) -> bool {
    (UNIX_EPOCH..DateTime::from(Instant::MAX).into()).contains(&now)
}

fn clamped(now: SystemTime) -> DateTime<Utc> {
    let [first, last] = [Instant::MIN, Instant::MAX].map(DateTime::from);
    now.clamp(first.into(), last.into()).into()
}

fn fault_at(now: DateTime<Utc>) -> Option<String> {
    let is_right = (OLDEST..Instant::MAX.unix()).contains(&now.timestamp());
    let now = (!is_right).then(|| now.format("%Y-%m-%d"))?;
    Some(format!(
        "this machine's clock shows {now}, so openings would be wrong: set the clock (timedatectl set-ntp true)"
    ))
}

/// The time of the system's clock, also under `--now`: for the ages of feeds.
pub fn real_now() -> DateTime<Utc> {
    Clock::system().now()
}

/// The present moment by both clocks.
pub fn moment() -> Moment {
    static START: LazyLock<Tick> = LazyLock::new(Tick::now);
    // Data that is older than this process has a moment, too.
    const BEFORE: Duration = Duration::from_hours(10 * 365 * 24);
    let start = *START;
    Moment { tick: BEFORE + Tick::now().saturating_duration_since(start), wall: real_now() }
}

#[cfg(test)]
mod tests {
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
        // A hundred thousand years fit into a time of the system.
        let far = Duration::from_hours(100_000 * 8766);
        for (at, date) in [(UNIX_EPOCH - far, "0000-01-01"), (UNIX_EPOCH + far, "9999-12-31")] {
            assert!(fault_at(clamped(at)).unwrap().contains(&format!("clock shows {date}")));
            assert!(!is_http_date(at));
        }
        assert!(is_http_date(UNIX_EPOCH) && !is_http_date(UNIX_EPOCH - Duration::from_nanos(1)));
        assert_eq!(Clock::system().fault(), None, "the clock of the machine that tests");
        assert_eq!(Clock::frozen(SystemTime::UNIX_EPOCH.into()).fault(), None);
    }

    #[test]
    fn a_frozen_clock_does_not_move() {
        let instant = DateTime::from_timestamp(1_800_000_000, 0).unwrap();
        assert_eq!(Clock::frozen(instant).now(), instant);
    }
}
