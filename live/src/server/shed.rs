//! Whoever connects when every place is taken is told so at once, instead of being left to wait.

use std::sync::Arc;
use std::time::Duration;

use directory::api::{EXPOSED_HEADERS, Fault, FaultKind};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;

/// How many are told at once; those beyond are only closed.
const TOLD_AT_ONCE: usize = 256;
/// For how long one of them is listened to.
const PATIENCE: Duration = Duration::from_millis(500);

/// Where those wait who are being told.
pub(super) struct Doorstep {
    places: Arc<Semaphore>,
    message: Arc<[u8]>,
}

impl Doorstep {
    pub(super) fn new() -> Self {
        let fault = Fault::of_transport(FaultKind::Overloaded, "too many connections; try again in a moment");
        Self { places: Arc::new(Semaphore::new(TOLD_AT_ONCE)), message: message(&fault).into() }
    }

    /// Answers 503 and closes.
    pub(super) fn turn_away(&self, mut stream: TcpStream) {
        tracing::warn!("a connection was turned away: every place is taken");
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

/// A whole response, in bytes: no hyper connection is spent on it.
fn message(fault: &Fault) -> Vec<u8> {
    let body = fault.body();
    let retry_after = fault.kind().retry_after().unwrap_or(1);
    let mut message = format!(
        "HTTP/1.1 {} Service Unavailable\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\
         cache-control: no-store\r\nretry-after: {retry_after}\r\naccess-control-allow-origin: *\r\n\
         access-control-expose-headers: {EXPOSED_HEADERS}\r\nx-content-type-options: nosniff\r\nconnection: close\r\n\r\n",
        fault.kind().status(),
        body.len(),
    )
    .into_bytes();
    message.extend_from_slice(&body);
    message
}
