//! Refuses connections with 503 at once: those above the limit, and all while the clock shows no date of HTTP. Requests are
//! not read, so the response has no request id and no generation (see docs/API.md).

use std::sync::Arc;
use std::time::Duration;

use directory::api::{Fault, FaultKind};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::time::Instant;

use super::occasionally::Occasionally;
use super::plain;

/// At once; further connections are closed without a response.
const MAX_RESPONSES: usize = 256;
const RESPONSE_TIME: Duration = Duration::from_millis(500);

pub(super) struct Shedder {
    permits: Arc<Semaphore>,
    message: Arc<[u8]>,
    why: &'static str,
    log: Occasionally,
}

impl Shedder {
    /// Clients read `message`; the log says `why`.
    pub(super) fn new(message: &'static str, why: &'static str) -> Self {
        let fault = Fault::of_transport(FaultKind::Overloaded, message);
        let permits = Arc::new(Semaphore::new(MAX_RESPONSES));
        Self { permits, message: plain::response(&fault, "").into(), why, log: Occasionally::default() }
    }

    pub(super) fn refuse(&mut self, mut stream: TcpStream) {
        if let Some(refused) = self.log.count(Instant::now()) {
            tracing::warn!(refused, "{}", self.why);
        }
        let Ok(permit) = Arc::clone(&self.permits).try_acquire_owned() else { return };
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
