//! Logs refused Hosts and Origins, for operators to see which value is missing from which setting. Clients choose the
//! values, so each is logged once in a period, and their number is bounded.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::access::AccessDenied;

const MAX_VALUES: usize = 32;
const PERIOD: Duration = Duration::from_hours(1);

#[derive(Debug, Default)]
pub(crate) struct RefusalLog {
    period: Mutex<Option<Period>>,
}

#[derive(Debug)]
struct Period {
    began: Instant,
    messages: BTreeSet<String>,
}

impl RefusalLog {
    pub(crate) fn log(&self, refusal: &AccessDenied) {
        let message = refusal.message();
        let number = self.add(&message, Instant::now());
        if number.is_some() {
            tracing::warn!("a request was refused: {message}");
        }
        if number == Some(MAX_VALUES) {
            tracing::warn!("further refusals of other Hosts and Origins aren't logged for an hour");
        }
    }

    /// The values in the period with this one; `None` if it is not to be logged.
    fn add(&self, message: &str, now: Instant) -> Option<usize> {
        let mut period = self.period.lock().unwrap_or_else(PoisonError::into_inner);
        if period.as_ref().is_none_or(|period| now - period.began >= PERIOD) {
            *period = Some(Period { began: now, messages: BTreeSet::new() });
        }
        let messages = &mut period.as_mut()?.messages;
        if messages.len() >= MAX_VALUES || !messages.insert(message.to_owned()) {
            return None;
        }
        Some(messages.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_logged_once_a_period_and_the_number_of_values_is_bounded() {
        let (log, began) = (RefusalLog::default(), Instant::now());
        assert_eq!(log.add("a", began), Some(1));
        assert_eq!(log.add("a", began), None);
        let logged = (0..10_000).filter(|number| log.add(&number.to_string(), began).is_some()).count();
        assert_eq!(logged, MAX_VALUES - 1);
        assert_eq!(log.add("a", began + PERIOD), Some(1));
    }
}
