//! The log of Hosts and Origins that were refused: one line for each, so that an operator sees what a setting lacks,
//! and a bounded number of lines, since the values come from outside.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::access::Refusal;

/// Different values in one period; further ones are not logged.
const MOST: usize = 32;
/// After this a value is logged again.
const PERIOD: Duration = Duration::from_hours(1);

/// The values of the current period.
#[derive(Debug, Default)]
pub(super) struct Refused {
    period: Mutex<Option<Period>>,
}

#[derive(Debug)]
struct Period {
    began: Instant,
    messages: BTreeSet<String>,
}

impl Refused {
    /// Logs a refusal, unless the period has had the same one or has had enough.
    pub(super) fn log(&self, refusal: &Refusal) {
        let message = refusal.message();
        let number = self.note(&message, Instant::now());
        if number.is_some() {
            tracing::warn!("an MCP request was refused: {message}");
        }
        if number == Some(MOST) {
            tracing::warn!("further refusals of other Hosts and Origins are not logged for an hour");
        }
    }

    /// Which of the period's values this is, if it is a new one.
    fn note(&self, message: &str, now: Instant) -> Option<usize> {
        let mut period = self.period.lock().unwrap_or_else(PoisonError::into_inner);
        if period.as_ref().is_none_or(|period| now - period.began >= PERIOD) {
            *period = Some(Period { began: now, messages: BTreeSet::new() });
        }
        let messages = &mut period.as_mut()?.messages;
        if messages.len() >= MOST || !messages.insert(message.to_owned()) {
            return None;
        }
        Some(messages.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_is_logged_once_a_period_and_a_flood_of_values_is_not() {
        let (refused, began) = (Refused::default(), Instant::now());
        assert_eq!(refused.note("a", began), Some(1));
        assert_eq!(refused.note("a", began), None);
        let logged = (0..10_000).filter(|number| refused.note(&number.to_string(), began).is_some()).count();
        assert_eq!(logged, MOST - 1);
        assert_eq!(refused.note("a", began + PERIOD), Some(1));
    }
}
