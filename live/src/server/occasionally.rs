//! Logs what happens often at most once a second.

use std::time::Duration;

use tokio::time::Instant;

const INTERVAL: Duration = Duration::from_secs(1);

#[derive(Debug, Default)]
pub(super) struct Occasionally {
    events: u64,
    last_line: Option<Instant>,
}

impl Occasionally {
    /// Returns the number since the last line if a line is due.
    pub(super) fn count(&mut self, now: Instant) -> Option<u64> {
        self.events += 1;
        if self.last_line.is_some_and(|last_line| now - last_line < INTERVAL) {
            return None;
        }
        self.last_line = Some(now);
        Some(std::mem::take(&mut self.events))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_due_at_most_once_a_second_with_the_number_of_events() {
        let (mut log, began) = (Occasionally::default(), Instant::now());
        let lines = (0..10_000).filter_map(|millis| log.count(began + Duration::from_millis(millis)));
        let lines: Vec<_> = lines.collect();
        assert_eq!(lines, [1, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000]);
        assert_eq!(log.count(began + Duration::from_mins(1)), Some(1000));
    }
}
