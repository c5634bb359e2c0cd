//! What time it is: the only place that asks the system.

use chrono::{DateTime, Utc};

/// Tells the time to whoever answers as of now.
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

    /// A clock that always shows the same instant, for `--now` and for tests.
    #[must_use]
    pub fn frozen(at: DateTime<Utc>) -> Self {
        Self { frozen: Some(at) }
    }

    /// The instant that the clock shows.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "this is the clock that everybody else is given")]
    pub fn now(self) -> DateTime<Utc> {
        self.frozen.unwrap_or_else(Utc::now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frozen_clock_stands() {
        let instant = DateTime::from_timestamp(1_800_000_000, 0).unwrap();
        assert_eq!(Clock::frozen(instant).now(), instant);
    }
}
