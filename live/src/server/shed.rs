//! Refuses connections above the limit with 503 at once.
//!
//! Their requests are not read, so the response has no request id and no generation (see docs/API.md). The log has at
//! most one line a second about them.

use std::sync::Arc;
use std::time::Duration;

use directory::api::{Fault, FaultKind};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::time::Instant;

use super::plain;

/// The maximum number of 503 responses sent at once; further connections are closed without one.
const MAX_RESPONSES: usize = 256;
const RESPONSE_TIME: Duration = Duration::from_millis(500);
const LOG_INTERVAL: Duration = Duration::from_secs(1);

pub(super) struct Shedder {
    permits: Arc<Semaphore>,
    message: Arc<[u8]>,
    log: ShedLog,
}

#[derive(Debug, Default)]
struct ShedLog {
    refused: u64,
    last_line: Option<Instant>,
}

impl ShedLog {
    /// Counts a refusal. Returns the number since the last line if a line is due.
    fn count(&mut self, now: Instant) -> Option<u64> {
        self.refused += 1;
        if self.last_line.is_some_and(|last_line| now - last_line < LOG_INTERVAL) {
            return None;
        }
        self.last_line = Some(now);
        Some(std::mem::take(&mut self.refused))
    }
}

impl Shedder {
    pub(super) fn new() -> Self {
        let fault = Fault::of_transport(FaultKind::Overloaded, "too many connections; try again in a moment");
        let permits = Arc::new(Semaphore::new(MAX_RESPONSES));
        Self { permits, message: plain::response(&fault, "").into(), log: ShedLog::default() }
    }

    pub(super) fn refuse(&mut self, mut stream: TcpStream) {
        if let Some(refused) = self.log.count(Instant::now()) {
            tracing::warn!(refused, "connections were turned away: every place is taken");
        }
        let Ok(permit) = Arc::clone(&self.permits).try_acquire_owned() else {
            return;
        };
        let message = Arc::clone(&self.message);
        tokio::spawn(async move {
            let responding = async {
                stream.write_all(&message).await?;
                stream.shutdown().await?;
                // Closing with unread bytes would reset the connection before the client reads the response.
                let mut sink = [0; 1024];
                while stream.read(&mut sink).await? > 0 {}
                std::io::Result::Ok(())
            };
            let _ = tokio::time::timeout(RESPONSE_TIME, responding).await;
            drop(permit);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_are_logged_at_most_once_a_second_with_their_number() {
        let (mut log, began) = (ShedLog::default(), Instant::now());
        let lines = (0..10_000).filter_map(|millis| log.count(began + Duration::from_millis(millis)));
        let lines: Vec<_> = lines.collect();
        assert_eq!(lines, [1, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000]);
        assert_eq!(log.count(began + Duration::from_mins(1)), Some(1000));
    }
}
