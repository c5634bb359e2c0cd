//! Whoever connects when every place is taken is told so at once, instead of being left to wait.
//!
//! Their request is not read, so the answer carries neither a request id nor the generation (docs/API.md says so);
//! and the log has one line a second of it, or a flood would write the log, too.

use std::sync::Arc;
use std::time::Duration;

use directory::api::{Fault, FaultKind};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::time::Instant;

use super::plain;

/// How many are told at once; those beyond are only closed.
const TOLD_AT_ONCE: usize = 256;
/// For how long one of them is listened to.
const PATIENCE: Duration = Duration::from_millis(500);
/// From one line in the log to the next.
const BETWEEN_LINES: Duration = Duration::from_secs(1);

/// Where those wait who are being told.
pub(super) struct Doorstep {
    places: Arc<Semaphore>,
    message: Arc<[u8]>,
    unsaid: Unsaid,
}

/// How many were refused of whom the log does not know yet.
#[derive(Debug, Default)]
struct Unsaid {
    refused: u64,
    said_at: Option<Instant>,
}

impl Unsaid {
    /// Counts one more, and says how many there are if it is time for a line.
    fn one_more(&mut self, now: Instant) -> Option<u64> {
        self.refused += 1;
        if self.said_at.is_some_and(|said_at| now - said_at < BETWEEN_LINES) {
            return None;
        }
        self.said_at = Some(now);
        Some(std::mem::take(&mut self.refused))
    }
}

impl Doorstep {
    pub(super) fn new() -> Self {
        let fault = Fault::of_transport(FaultKind::Overloaded, "too many connections; try again in a moment");
        let places = Arc::new(Semaphore::new(TOLD_AT_ONCE));
        Self { places, message: plain::response(&fault, "").into(), unsaid: Unsaid::default() }
    }

    /// Answers 503 and closes.
    pub(super) fn turn_away(&mut self, mut stream: TcpStream) {
        if let Some(refused) = self.unsaid.one_more(Instant::now()) {
            tracing::warn!(refused, "connections were turned away: every place is taken");
        }
        let Ok(place) = Arc::clone(&self.places).try_acquire_owned() else {
            return;
        };
        let message = Arc::clone(&self.message);
        tokio::spawn(async move {
            let told = async {
                stream.write_all(&message).await?;
                stream.shutdown().await?;
                // Closing with unread bytes would take the answer back.
                let mut sink = [0; 1024];
                while stream.read(&mut sink).await? > 0 {}
                std::io::Result::Ok(())
            };
            let _ = tokio::time::timeout(PATIENCE, told).await;
            drop(place);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_is_one_line_a_second_that_counts_it() {
        let (mut unsaid, began) = (Unsaid::default(), Instant::now());
        let lines = (0..10_000).filter_map(|millis| unsaid.one_more(began + Duration::from_millis(millis)));
        let lines: Vec<_> = lines.collect();
        // The first is told at once, and each line has those since the last.
        assert_eq!(lines, [1, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000]);
        assert_eq!(unsaid.one_more(began + Duration::from_mins(1)), Some(1000));
    }
}
