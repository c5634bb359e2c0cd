//! Accepts connections and serves them with hyper. It adds what `warp::serve` lacks: deadlines ([`phase`], [`timed`]),
//! limits on connections ([`registry`], [`shed`]) and control frames ([`frames`]), memory that counts until it is written
//! ([`connection`], [`outgoing`]), JSON errors for heads that hyper cannot parse ([`refusal`]), and a graceful stop.

mod bind;
mod connection;
mod frames;
mod mistake;
mod occasionally;
mod outgoing;
mod phase;
mod plain;
mod refusal;
mod registry;
mod shed;
mod timed;

use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::FutureExt;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::task::{JoinSet, unconstrained};
use tokio::time::Instant;

pub use bind::BindError;

use self::occasionally::Occasionally;
use self::registry::Registry;
use crate::http::Service;
use feed::Clock;

/// Not served yet, so that a used port is reported before other work.
#[derive(Debug)]
pub struct Listener {
    socket: TcpListener,
    address: SocketAddr,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drained {
    /// Cut, because they had not ended within the drain time.
    pub cut: usize,
}

/// Connections that may wait to be accepted. The system may allow fewer (`net.core.somaxconn`).
const BACKLOG: u32 = 4096;

/// Most failures are a lack of file descriptors.
const AFTER_FAILED_ACCEPT: Duration = Duration::from_millis(50);

/// After the stop signal, idle connections may send a last request.
const LAST_REQUESTS: Duration = Duration::from_secs(1);

impl Listener {
    /// Port 0 means any free port. Must be called inside the runtime.
    pub fn bind(address: SocketAddr, reuse_port: bool) -> Result<Self, BindError> {
        let listen = || {
            let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
            socket.set_reuseaddr(true)?;
            if reuse_port {
                socket.set_reuseport(true)?;
            }
            socket.bind(address)?;
            Self::new(socket.listen(BACKLOG)?)
        };
        listen().map_err(|source| BindError { address, source })
    }

    /// Takes over a socket that another program has bound. Must be called inside the runtime.
    pub fn passed(socket: std::net::TcpListener) -> io::Result<Self> {
        socket.set_nonblocking(true)?;
        Self::new(TcpListener::from_std(socket)?)
    }

    fn new(socket: TcpListener) -> io::Result<Self> {
        let address = socket.local_addr()?;
        Ok(Self { socket, address })
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// For a while, before what it will serve is there. Connections that remain are cut.
    pub async fn answer_until(&self, service: Service, end: impl Future<Output = ()>) {
        self.admit_until(&mut Door::new(service), end).await;
    }

    async fn admit_until(&self, door: &mut Door, end: impl Future<Output = ()>) {
        let mut failures = Occasionally::default();
        let mut end = pin!(end);
        loop {
            tokio::select! {
                biased;
                () = &mut end => break,
                Some(_) = door.connections.join_next() => {}
                accepted = self.socket.accept() => match accepted {
                    Ok((stream, peer)) => door.admit(stream, peer.ip()),
                    Err(error) => {
                        door.service.inner.vitals.accept_failed();
                        if let Some(failed) = failures.count(Instant::now()) {
                            tracing::warn!(failed, %error, "connections couldn't be accepted");
                        }
                        tokio::time::sleep(AFTER_FAILED_ACCEPT).await;
                    }
                },
            }
        }
    }

    /// The limits' drain time counts from the completion of `shutdown`; remaining connections are then cut.
    pub async fn serve(self, service: Service, shutdown: impl Future<Output = ()>) -> Drained {
        let (drain, vitals) = (service.inner.limits.drain, Arc::clone(&service.inner.vitals));
        let mut door = Door::new(service);
        self.admit_until(&mut door, shutdown).await;
        // One deadline for the whole stop: service managers are configured with its length.
        let deadline = Instant::now() + drain;
        vitals.stopping();
        // Set before the socket closes: once new connections fail, every response says `connection: close`.
        door.stopping.store(true, Ordering::Relaxed);
        // Clients in the queue of the socket are connected already, and would be cut when it closes.
        for _ in 0..BACKLOG {
            let Some(Ok((stream, peer))) = unconstrained(self.socket.accept()).now_or_never() else { break };
            door.admit(stream, peer.ip());
        }
        drop(self.socket);
        let Door { mut connections, graceful, .. } = door;
        // A client may be sending a request on an idle connection: it is answered, with `connection: close`.
        let last_requests = async { while connections.join_next().await.is_some() {} };
        let _ = tokio::time::timeout(LAST_REQUESTS.min(drain / 2), last_requests).await;
        let ended = async { while connections.join_next().await.is_some() {} };
        // `graceful.shutdown()` completes when the last connection's watcher is dropped.
        let _ = tokio::time::timeout_at(deadline, async { tokio::join!(graceful.shutdown(), ended) }).await;
        let cut = connections.len();
        connections.shutdown().await;
        Drained { cut }
    }
}

struct Door {
    service: Service,
    registry: Arc<Registry>,
    full: shed::Shedder,
    undated: shed::Shedder,
    stopping: Arc<AtomicBool>,
    graceful: GracefulShutdown,
    connections: JoinSet<()>,
}

impl Door {
    fn new(service: Service) -> Self {
        Self {
            registry: Registry::new(service.inner.limits, service.inner.proxies.clone()),
            full: shed::Shedder::new(
                "too many connections; try again in a moment",
                "connections were turned away: the limit is reached",
            ),
            undated: shed::Shedder::new(
                "this server's clock is wrong; try again later",
                "connections were turned away: this machine's clock shows a time before 1970 or after 9999: set it",
            ),
            stopping: Arc::new(AtomicBool::new(false)),
            graceful: GracefulShutdown::new(),
            connections: JoinSet::new(),
            service,
        }
    }

    fn admit(&mut self, stream: TcpStream, client: IpAddr) {
        // A response in several writes must not wait for the client's delayed acknowledgment.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "a connection ended before it was set up");
        }
        let vitals = &self.service.inner.vitals;
        if !Clock::has_http_date() {
            vitals.shed();
            return self.undated.refuse(stream);
        }
        let Some(place) = self.registry.admit(client) else {
            vitals.shed();
            return self.full.refuse(stream);
        };
        let (watcher, stopping) = (self.graceful.watcher(), Arc::clone(&self.stopping));
        let place = (place, vitals.connected());
        self.connections.spawn(connection::serve(stream, self.service.clone(), stopping, watcher, place));
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
