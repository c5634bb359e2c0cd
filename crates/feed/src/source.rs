//! The interface of a feed's sources.

use std::future::{Future, ready};
use std::sync::Arc;

use directory::calendar::Event;

use crate::event::SourceError;
use crate::nats_health::NatsHealth;

/// Where a feed comes from. It says what has changed and judges nothing.
///
/// The caller calls [`Source::due`] and [`Source::next`] in turn, without end. The first news is everything that the source has;
/// after an error it may tell everything again.
pub trait Source: Send + 'static {
    /// Its name in the log: a path, or an address without secrets.
    fn name(&self) -> String;

    /// Waits until a look is due, and says whether the next one begins now: an earlier one may still run.
    fn due(&mut self) -> impl Future<Output = bool> + Send {
        ready(true)
    }

    /// Looks, or waits for the next news.
    fn next(&mut self) -> impl Future<Output = Result<Vec<Event>, SourceError>> + Send;

    /// What operators see of a bucket, if it is one.
    fn nats_health(&self) -> Option<Arc<NatsHealth>> {
        None
    }
}
