//! The options of a service.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use crate::config::{Access, Limits, Proxy};
use crate::vitals::Vitals;

#[derive(Debug, Clone)]
pub struct Options {
    pub(crate) limits: Limits,
    pub(crate) proxies: Vec<Proxy>,
    pub(crate) access: Access,
    pub(crate) site: Option<PathBuf>,
    pub(crate) vitals: Arc<Vitals>,
    pub(crate) access_log: bool,
    /// The service's address, for `nameplate dev` only.
    pub(crate) dev: Option<SocketAddr>,
}

impl Options {
    /// The API without a site, with the default limits.
    #[must_use]
    pub fn new(access: Access) -> Self {
        let (limits, vitals) = (Limits::default(), Arc::default());
        let proxies = Vec::new();
        Self { limits, proxies, access, site: None, vitals, access_log: false, dev: None }
    }

    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Does not limit the connections of these proxies.
    #[must_use]
    pub fn behind(mut self, proxies: Vec<Proxy>) -> Self {
        self.proxies = proxies;
        self
    }

    #[must_use]
    pub fn with_vitals(mut self, vitals: Arc<Vitals>) -> Self {
        self.vitals = vitals;
        self
    }

    /// Logs each request if `is_on`.
    #[must_use]
    pub fn with_access_log(mut self, is_on: bool) -> Self {
        self.access_log = is_on;
        self
    }

    /// Serves pages as `nameplate dev` does: they reload themselves, list the mistakes of refused content, and name this
    /// address in their samples. The MCP endpoint accepts this address as its host.
    #[must_use]
    pub fn for_development(mut self, address: SocketAddr) -> Self {
        self.dev = Some(address);
        self.access = self.access.with_hosts([host_of(address), "localhost".to_owned()]);
        self
    }

    /// Also serves the files of a built site.
    #[must_use]
    pub fn with_site(mut self, folder: PathBuf) -> Self {
        self.site = Some(folder);
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
