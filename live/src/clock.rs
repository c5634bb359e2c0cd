//! The current time. Only this module reads the system's clock.

use chrono::{DateTime, Utc};

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

    /// The current instant.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "all other code takes its time from this clock")]
    pub fn now(self) -> DateTime<Utc> {
        self.frozen.unwrap_or_else(Utc::now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frozen_clock_does_not_move() {
        let instant = DateTime::from_timestamp(1_800_000_000, 0).unwrap();
        assert_eq!(Clock::frozen(instant).now(), instant);
    }
}
