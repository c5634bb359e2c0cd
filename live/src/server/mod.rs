//! Sockets: who may connect, for how long, and how to stop.
//!
//! The accept loop is ours, around hyper's connections. What `warp::serve` leaves open is closed here:
//! every part of a request has a deadline ([`timed`]), connections have a cap and whoever comes on top is
//! told so ([`shed`]), a head that hyper cannot parse is answered in JSON ([`refusal`]), small answers are not held
//! back, and a stop waits for the work in flight, but not for ever.

mod bind;
mod connection;
mod plain;
mod pulse;
mod refusal;
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
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::Instant;

pub use bind::BindError;

use crate::service::Service;

/// A bound address, not yet served: whoever starts the service learns of a taken port before anything else.
#[derive(Debug)]
pub struct Listener {
    socket: TcpListener,
    address: SocketAddr,
}

/// How the service stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drained {
    /// Connections that had not ended when the time to drain was over, and were cut.
    pub cut: usize,
}

/// After a failed accept (too many open files, mostly) there is nothing to do but to let some time pass.
const AFTER_FAILED_ACCEPT: Duration = Duration::from_millis(50);

/// For how long resting connections may still ask after the signal to stop.
const LAST_REQUESTS: Duration = Duration::from_secs(1);

impl Listener {
    /// Takes an address; port 0 is any free one.
    ///
    /// # Errors
    /// The address cannot be taken. The error is one plain sentence.
    pub async fn bind(address: SocketAddr) -> Result<Self, BindError> {
        let socket = TcpListener::bind(address).await.map_err(|error| BindError::new(address, error))?;
        let address = socket.local_addr().map_err(|error| BindError::new(address, error))?;
        Ok(Self { socket, address })
    }

    /// The address that was taken, with its port.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `shutdown` is over; then accepts nobody any more, lets the work in flight end, and cuts
    /// what has not ended when the limits' drain time, counted from `shutdown`, is over.
    pub async fn serve(self, service: Service, shutdown: impl Future<Output = ()>) -> Drained {
        let limits = *service.limits();
        let places = Arc::new(Semaphore::new(limits.connections));
        let vitals = Arc::clone(service.vitals());
        let mut doorstep = shed::Doorstep::new();
        let ending = Arc::new(AtomicBool::new(false));
        let graceful = GracefulShutdown::new();
        let mut connections = JoinSet::new();
        let mut shutdown = pin!(shutdown);
        loop {
            tokio::select! {
                biased;
                () = &mut shutdown => break,
                Some(_) = connections.join_next() => {}
                accepted = self.socket.accept() => match accepted {
                    Ok((stream, _)) => {
                        prepare(&stream);
                        if let Ok(place) = Arc::clone(&places).try_acquire_owned() {
                            let (watcher, ending) = (graceful.watcher(), Arc::clone(&ending));
                            let place = (place, vitals.connected());
                            connections
                                .spawn(connection::serve(stream, service.clone(), ending, watcher, place));
                        } else {
                            vitals.shed();
                            doorstep.turn_away(stream);
                        }
                    }
                    Err(error) => {
                        tracing::warn!(%error, "a connection could not be accepted");
                        tokio::time::sleep(AFTER_FAILED_ACCEPT).await;
                    }
                },
            }
        }
        // One deadline for all that follows: service managers are told how long a stop takes.
        let deadline = Instant::now() + limits.drain;
        vitals.stopping();
        // Before the door shuts: who sees that it is shut is told on the connection that it has, too.
        ending.store(true, Ordering::Relaxed);
        drop(self.socket);
        // Whoever rests on a connection may be sending a request on it just now: it is answered, and told that it
        // was the last.
        let last_requests = async { while connections.join_next().await.is_some() {} };
        let _ = tokio::time::timeout(LAST_REQUESTS.min(limits.drain / 2), last_requests).await;
        let ended = async { while connections.join_next().await.is_some() {} };
        // Dropping the signal's receiver end with the last connection is what ends the graceful part.
        let _ = tokio::time::timeout_at(deadline, async { tokio::join!(graceful.shutdown(), ended) }).await;
        let cut = connections.len();
        connections.shutdown().await;
        Drained { cut }
    }
}

/// An answer in more than one write must not wait for the client's delayed acknowledgement.
fn prepare(stream: &TcpStream) {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "a connection ended before it was prepared");
    }
}

#[cfg(test)]
mod h2_tests;
#[cfg(test)]
mod hostile_tests;
#[cfg(test)]
mod tests;
