//! The interface of a feed's sources.

use std::future::Future;
use std::sync::Arc;

use crate::event::{Event, SourceError};
use crate::nats_health::NatsHealth;

/// Where a feed comes from.
///
/// [`Source::next`] waits until the next look is due, and returns its result. The caller calls it again without end.
pub trait Source: Send + 'static {
    /// Its name in the log: a path, or an address without secrets.
    fn name(&self) -> String;

    /// Waits for the next look, and returns its result.
    fn next(&mut self) -> impl Future<Output = Result<Event, SourceError>> + Send;

    /// What operators see of a bucket, if it is one.
    fn nats_health(&self) -> Option<Arc<NatsHealth>> {
        None
    }
}
