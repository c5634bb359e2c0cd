//! The options of a service.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use crate::config::{Access, Limits, Proxy};
use crate::vitals::Vitals;

#[derive(Debug, Clone)]
pub struct Options {
    pub limits: Limits,
    /// The connections of these are not limited.
    pub proxies: Vec<Proxy>,
    pub access: Access,
    /// The folder of a built site, whose files are served, too.
    pub site: Option<PathBuf>,
    pub vitals: Arc<Vitals>,
    /// Whether each request is logged.
    pub access_log: bool,
    /// The service's address, for `nameplate dev` only: [`Options::for_development`] sets it.
    pub dev: Option<SocketAddr>,
}

impl Options {
    /// The API without a site.
    #[must_use]
    pub fn new(access: Access, limits: Limits) -> Self {
        let (proxies, vitals) = (Vec::new(), Arc::default());
        Self { limits, proxies, access, site: None, vitals, access_log: false, dev: None }
    }

    /// Serves pages as `nameplate dev` does: they reload themselves, list the mistakes of refused content, and name this
    /// address in their samples. The MCP endpoint accepts this address as its host.
    #[must_use]
    pub fn for_development(mut self, address: SocketAddr) -> Self {
        self.dev = Some(address);
        self.access = self.access.with_hosts([host_of(address), "localhost".to_owned()]);
        self
    }
}

/// The host of an address, as in a Host field.
fn host_of(address: SocketAddr) -> String {
    match address {
        SocketAddr::V4(address) => address.ip().to_string(),
        SocketAddr::V6(address) => format!("[{}]", address.ip()),
    }
}
