use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use crate::config::{Access, Limits, Proxy};
use crate::vitals::Vitals;

#[derive(Debug, Clone)]
pub struct Options {
    pub limits: Limits,
    /// Their connections are not limited.
    pub proxies: Vec<Proxy>,
    pub access: Access,
    /// A built site, whose files are served, too.
    pub site: Option<PathBuf>,
    pub vitals: Arc<Vitals>,
    pub access_log: bool,
    /// [`Options::for_development`] sets it.
    pub dev: Option<SocketAddr>,
}

impl Options {
    pub fn new(access: Access, limits: Limits) -> Self {
        let (proxies, vitals) = (Vec::new(), Arc::default());
        Self { limits, proxies, access, site: None, vitals, access_log: false, dev: None }
    }

    /// As `nameplate dev` serves pages. The MCP endpoint accepts this address as its host.
    #[must_use]
    pub fn for_development(mut self, address: SocketAddr) -> Self {
        self.dev = Some(address);
        self.access = self.access.with_hosts([host_of(address), "localhost".to_owned()]);
        self
    }
}

fn host_of(address: SocketAddr) -> String {
    match address {
        SocketAddr::V4(address) => address.ip().to_string(),
        SocketAddr::V6(address) => format!("[{}]", address.ip()),
    }
}
