//! How the service is to behave, as typed values that cannot contradict each other.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::vitals::Vitals;

/// What one client may take, in time and in memory. The defaults suit the open internet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Connections served at once; one more is told that the service is overloaded.
    pub connections: usize,
    /// From the connection, or from a request's first byte, to the end of its head.
    pub head: Duration,
    /// From the head to the end of a request's body.
    pub body: Duration,
    /// From the head until the client has taken the whole answer.
    pub answer: Duration,
    /// For how long a client may refuse to take even one more byte.
    pub stalled: Duration,
    /// For how long a connection may rest between requests; above a CDN's keep-alive, or the CDN meets
    /// connections that have just been closed.
    pub idle: Duration,
    /// How long work in flight has to end after the signal to stop.
    pub drain: Duration,
    /// Bytes of a path with its query.
    pub target_bytes: usize,
    /// Bytes of all header fields together.
    pub field_bytes: usize,
    /// Bytes of a request's body.
    pub body_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 4096,
            head: Duration::from_secs(10),
            body: Duration::from_secs(10),
            answer: Duration::from_mins(2),
            stalled: Duration::from_secs(30),
            idle: Duration::from_secs(80),
            drain: Duration::from_secs(10),
            target_bytes: 8 * 1024,
            field_bytes: 16 * 1024,
            body_bytes: 256 * 1024,
        }
    }
}

/// Which web pages may talk to the MCP endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origins {
    /// Those of any origin.
    Any,
    /// Those of these origins (`https://host` or `https://host:port`) only.
    Listed(Vec<String>),
}

/// Under which names the MCP endpoint answers, and to whose pages.
///
/// A page from anywhere can make a browser send requests to a server on the reader's own machine, and can have its
/// own name resolve to that machine (DNS rebinding). So a request is answered only if its Host is known, and by
/// default a page may ask by a loopback name only if it comes from loopback itself. What an operator configures
/// counts on every address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    /// Bound to loopback: loopback's names are known, and those of the content are not.
    pub(crate) loopback_only: bool,
    /// Known besides.
    pub(crate) hosts: Vec<String>,
    /// `None`: any page by a public name, loopback's own pages by a loopback name.
    pub(crate) origins: Option<Origins>,
}

impl Access {
    /// For a service on a public address: it answers to the hosts of the addresses in the content.
    #[must_use]
    pub fn public() -> Self {
        Self { loopback_only: false, hosts: Vec::new(), origins: None }
    }

    /// For a service that is bound to a loopback address.
    #[must_use]
    pub fn loopback() -> Self {
        Self { loopback_only: true, ..Self::public() }
    }

    /// Answers to these hosts too, given without a port.
    #[must_use]
    pub fn with_hosts(mut self, hosts: impl IntoIterator<Item = String>) -> Self {
        self.hosts.extend(hosts);
        self
    }

    /// Answers to pages of these origins, and by a loopback name to loopback's own pages.
    #[must_use]
    pub fn with_origins(mut self, origins: Origins) -> Self {
        self.origins = Some(origins);
        self
    }
}

/// Everything that an operator can choose about a [`Service`](crate::Service).
#[derive(Debug, Clone)]
pub struct Options {
    pub(crate) limits: Limits,
    pub(crate) access: Access,
    pub(crate) site: Option<PathBuf>,
    pub(crate) vitals: Arc<Vitals>,
    pub(crate) access_log: bool,
    /// The address of this service, where the person who writes the content looks at it.
    pub(crate) dev: Option<SocketAddr>,
}

impl Options {
    /// The API alone, with the default limits.
    #[must_use]
    pub fn new(access: Access) -> Self {
        let (limits, vitals) = (Limits::default(), Arc::default());
        Self { limits, access, site: None, vitals, access_log: false, dev: None }
    }

    /// With other limits.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Counts what happens here.
    #[must_use]
    pub fn with_vitals(mut self, vitals: Arc<Vitals>) -> Self {
        self.vitals = vitals;
        self
    }

    /// Logs each request, if told to.
    #[must_use]
    pub fn with_access_log(mut self, is_on: bool) -> Self {
        self.access_log = is_on;
        self
    }

    /// Serves the pages to the person who writes the content, as `nameplate dev` does: they reload themselves, show why
    /// new content is refused, and name this address in their samples. The MCP endpoint answers under it.
    #[must_use]
    pub fn for_development(mut self, address: SocketAddr) -> Self {
        self.dev = Some(address);
        self.access = self.access.with_hosts([host_of(address), "localhost".to_owned()]);
        self
    }

    /// Serves the files of a built site, too.
    #[must_use]
    pub fn with_site(mut self, folder: PathBuf) -> Self {
        self.site = Some(folder);
        self
    }
}

/// The host of an address as a Host field has it.
fn host_of(address: SocketAddr) -> String {
    match address {
        SocketAddr::V4(address) => address.ip().to_string(),
        SocketAddr::V6(address) => format!("[{}]", address.ip()),
    }
}
