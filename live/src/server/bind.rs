//! The error of an address that cannot be bound, as one sentence.

use std::io;
use std::net::SocketAddr;

/// An address that cannot be bound.
#[derive(Debug, thiserror::Error)]
#[error("cannot listen on {address}: {}", reason(source))]
pub struct BindError {
    address: SocketAddr,
    source: io::Error,
}

impl BindError {
    pub(super) fn new(address: SocketAddr, source: io::Error) -> Self {
        Self { address, source }
    }

    /// Whether another process can end it, or the start of the network.
    #[must_use]
    pub fn may_pass(&self) -> bool {
        matches!(self.source.kind(), io::ErrorKind::AddrInUse | io::ErrorKind::AddrNotAvailable)
    }
}

fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::AddrInUse => "another program is already using this port".to_owned(),
        io::ErrorKind::PermissionDenied => {
            "this user may not use that port (ports below 1024 are reserved)".to_owned()
        }
        io::ErrorKind::AddrNotAvailable => "this machine doesn't have that address".to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use crate::Listener;

    #[tokio::test]
    async fn the_error_of_a_used_port_says_so() {
        let first = Listener::bind(([127, 0, 0, 1], 0).into(), false).unwrap();
        let error = Listener::bind(first.address(), false).unwrap_err();
        let expected =
            format!("cannot listen on {}: another program is already using this port", first.address());
        assert_eq!(error.to_string(), expected);
    }

    #[tokio::test]
    async fn the_error_of_another_machines_address_says_so() {
        let error = Listener::bind("192.0.2.1:0".parse().unwrap(), false).unwrap_err();
        assert_eq!(error.to_string(), "cannot listen on 192.0.2.1:0: this machine doesn't have that address");
    }
}
