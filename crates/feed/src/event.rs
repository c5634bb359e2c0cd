//! What a source reports, and the moment.

use std::sync::LazyLock;
use std::time::Duration;

use chrono::{DateTime, Utc};
use directory::calendar::{FeedError, Moment};
use tokio::time::Instant as Tick;

/// Why a look at a source failed: nothing of it is known to be true now.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    #[error("{0}")]
    Unreadable(String),
    #[error("{0}")]
    Manifest(String),
    #[error(transparent)]
    Lines(#[from] FeedError),
}

/// The time of the system's clock, also under `--now`: for the ages of feeds.
#[must_use]
pub fn real_now() -> DateTime<Utc> {
    crate::clock::Clock::system().now()
}

/// The present moment by both clocks.
#[must_use]
pub fn moment() -> Moment {
    static START: LazyLock<Tick> = LazyLock::new(Tick::now);
    // Data that is older than this process has a moment, too.
    const BEFORE: Duration = Duration::from_hours(10 * 365 * 24);
    let start = *START;
    Moment { tick: BEFORE + Tick::now().saturating_duration_since(start), wall: real_now() }
}
