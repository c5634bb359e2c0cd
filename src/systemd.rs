//! systemd: the socket that it passes to the service, and the service's messages to it. Without it, there are neither.

use std::net::TcpListener;
use std::time::Duration;

use listenfd::ListenFd;
use sd_notify::NotifyState;
use tokio::runtime::Handle;

use crate::outcome::Refusal;

/// The socket of a `.socket` unit: it stays open while the service restarts, so no connection is refused in the meantime.
pub(crate) fn passed_socket() -> Result<Option<TcpListener>, Refusal> {
    let passed = ListenFd::from_env().take_tcp_listener(0);
    passed.map_err(|error| {
        Refusal::new(format!(
            "the socket that systemd passes can't be used: {error}; write one ListenStream with an address and a port"
        ))
    })
}

/// Reports that requests are answered from now on, and that the service lives as long as its threads do.
pub(crate) fn ready(threads: &Handle) {
    notify(&[NotifyState::Ready]);
    // Every half of the limit, as systemd recommends.
    if let Some(limit) = sd_notify::watchdog_enabled() {
        threads.spawn(async move {
            let mut ticks = tokio::time::interval((limit / 2).max(Duration::from_millis(1)));
            loop {
                ticks.tick().await;
                notify(&[NotifyState::Watchdog]);
            }
        });
    }
}

pub(crate) fn stopping() {
    notify(&[NotifyState::Stopping]);
}

fn notify(states: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(states) {
        tracing::warn!(%error, "systemd can't be notified");
    }
}
