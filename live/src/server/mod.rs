//! Accepts connections, serves them with hyper, and stops gracefully.
//!
//! This module adds what `warp::serve` lacks:
//! - a deadline for each part of a request ([`phase`], [`timed`]);
//! - a limit on all connections and one for each client, with a 503 for further connections ([`registry`], [`shed`]);
//! - memory for responses that counts until they are written ([`outgoing`]);
//! - JSON errors for heads that hyper cannot parse ([`refusal`]);
//! - `TCP_NODELAY`, and a graceful stop with a deadline.

mod bind;
mod connection;
mod outgoing;
mod phase;
mod plain;
mod refusal;
mod registry;
mod shed;
mod timed;

use std::future::Future;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::Instant;

pub use bind::BindError;

use self::registry::Registry;
use crate::http::Service;

/// A bound address that is not served yet, so that a used port is reported before other work.
#[derive(Debug)]
pub struct Listener {
    socket: TcpListener,
    address: SocketAddr,
}

/// How the service stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drained {
    /// Connections that were cut, because they had not ended within the drain time.
    pub cut: usize,
}

/// The pause after a failed accept: most failures are a lack of file descriptors.
const AFTER_FAILED_ACCEPT: Duration = Duration::from_millis(50);

/// The time after the stop signal in which idle connections may send a last request.
const LAST_REQUESTS: Duration = Duration::from_secs(1);

impl Listener {
    /// Binds an address; port 0 means any free port.
    ///
    /// # Errors
    /// The address cannot be bound.
    pub async fn bind(address: SocketAddr) -> Result<Self, BindError> {
        let socket = TcpListener::bind(address).await.map_err(|error| BindError::new(address, error))?;
        let address = socket.local_addr().map_err(|error| BindError::new(address, error))?;
        Ok(Self { socket, address })
    }

    /// The bound address with its port.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `shutdown` completes. Then it accepts no more connections, waits for requests in flight, and cuts
    /// the connections that remain after the limits' drain time, counted from `shutdown`.
    pub async fn serve(self, service: Service, shutdown: impl Future<Output = ()>) -> Drained {
        let limits = *service.limits();
        let registry = Registry::new(limits, service.proxies().to_vec());
        let vitals = Arc::clone(service.vitals());
        let mut shedder = shed::Shedder::new();
        let stopping = Arc::new(AtomicBool::new(false));
        let graceful = GracefulShutdown::new();
        let mut connections = JoinSet::new();
        let mut shutdown = pin!(shutdown);
        loop {
            tokio::select! {
                biased;
                () = &mut shutdown => break,
                Some(_) = connections.join_next() => {}
                accepted = self.socket.accept() => match accepted {
                    Ok((stream, peer)) => {
                        set_no_delay(&stream);
                        if let Some(registered) = registry.admit(peer.ip()) {
                            let (watcher, stopping) = (graceful.watcher(), Arc::clone(&stopping));
                            let counted = (registered, vitals.connected());
                            connections
                                .spawn(connection::serve(stream, service.clone(), stopping, watcher, counted));
                        } else {
                            vitals.shed();
                            shedder.refuse(stream);
                        }
                    }
                    Err(error) => {
                        tracing::warn!(%error, "a connection could not be accepted");
                        tokio::time::sleep(AFTER_FAILED_ACCEPT).await;
                    }
                },
            }
        }
        // One deadline for the whole stop: service managers are configured with its length.
        let deadline = Instant::now() + limits.drain;
        vitals.stopping();
        // Set before the socket closes: once new connections fail, every response says `connection: close`.
        stopping.store(true, Ordering::Relaxed);
        drop(self.socket);
        // A client may be sending a request on an idle connection: it is answered, with `connection: close`.
        let last_requests = async { while connections.join_next().await.is_some() {} };
        let _ = tokio::time::timeout(LAST_REQUESTS.min(limits.drain / 2), last_requests).await;
        let ended = async { while connections.join_next().await.is_some() {} };
        // `graceful.shutdown()` completes when the last connection's watcher is dropped.
        let _ = tokio::time::timeout_at(deadline, async { tokio::join!(graceful.shutdown(), ended) }).await;
        let cut = connections.len();
        connections.shutdown().await;
        Drained { cut }
    }
}

/// Sets `TCP_NODELAY`: a response in several writes must not wait for the client's delayed acknowledgement.
fn set_no_delay(stream: &TcpStream) {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "a connection ended before it was prepared");
    }
}

#[cfg(test)]
mod h2_tests;
#[cfg(test)]
mod hostile_tests;
#[cfg(test)]
mod pressure_tests;
#[cfg(test)]
mod tests;
