use std::io;
use std::net::{Ipv4Addr, SocketAddr};

#[derive(Debug, thiserror::Error)]
#[error("can't listen on {address}: {}", reason(source))]
pub struct BindError {
    pub(super) address: SocketAddr,
    pub(super) source: io::Error,
}

impl BindError {
    /// What to name instead, in the form of the flag: the next port, if another program has this one.
    pub fn other(&self) -> String {
        let Self { address, source } = self;
        let next = address.port().saturating_add(1);
        match source.kind() {
            io::ErrorKind::AddrInUse if address.ip() == Ipv4Addr::LOCALHOST => next.to_string(),
            io::ErrorKind::AddrInUse => SocketAddr::new(address.ip(), next).to_string(),
            _ => "ADDR:PORT".to_owned(),
        }
    }

    /// Another process can end it, or the start of the network.
    pub fn may_pass(&self) -> bool {
        matches!(self.source.kind(), io::ErrorKind::AddrInUse | io::ErrorKind::AddrNotAvailable)
    }
}

fn reason(error: &io::Error) -> String {
    let known = match error.kind() {
        io::ErrorKind::AddrInUse => "another program is already using this port",
        io::ErrorKind::PermissionDenied => "this user may not use that port (ports below 1024 are reserved)",
        io::ErrorKind::AddrNotAvailable => "this machine doesn't have that address",
        _ => return error.to_string(),
    };
    known.to_owned()
}

#[cfg(test)]
mod tests {
    use crate::Listener;

    #[tokio::test]
    async fn the_error_of_a_used_port_says_so() {
        let first = Listener::bind(([127, 0, 0, 1], 0).into(), false).unwrap();
        let error = Listener::bind(first.address(), false).unwrap_err();
        let expected =
            format!("can't listen on {}: another program is already using this port", first.address());
        assert_eq!(error.to_string(), expected);
    }

    #[tokio::test]
    async fn the_error_of_another_machines_address_says_so() {
        let error = Listener::bind("192.0.2.1:0".parse().unwrap(), false).unwrap_err();
        assert_eq!(error.to_string(), "can't listen on 192.0.2.1:0: this machine doesn't have that address");
    }
}
