//! The service's limits, the proxies before it, and the hosts and origins that its MCP endpoint accepts.

use std::net::IpAddr;
use std::time::Duration;

use ipnet::IpNet;
use serde::Deserialize;

use feed::{between, time_from};

/// hyper's maximum for a head, and of a body before it waits for the client. It is larger than the limits, so that a head
/// slightly too large gets the 414 or 431 that names the limit.
pub(crate) const HEAD_BUFFER: usize = 80 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Limits {
    /// At the limit, unused connections are closed for new ones; if there are none, new ones get 503.
    #[serde(deserialize_with = "between::<1, 1_000_000, _>")]
    pub connections: usize,
    /// A client is an IPv4 address or an IPv6 network of 64 bits.
    #[serde(deserialize_with = "between::<1, 1_000_000, _>")]
    pub per_client: usize,
    /// Heads and bodies of requests, and responses that are not written yet, of all clients.
    #[serde(deserialize_with = "between::<{ 1 << 20 }, { 1 << 40 }, _>")]
    pub held_bytes: usize,
    /// From accepting the connection, or from a request's first byte, to the end of the head.
    #[serde(deserialize_with = "time_from::<100, _>")]
    pub head: Duration,
    /// From the end of the head to the end of the request's body.
    #[serde(deserialize_with = "time_from::<100, _>")]
    pub body: Duration,
    /// From the end of the head until the client has read the whole response.
    #[serde(deserialize_with = "time_from::<100, _>")]
    pub answer: Duration,
    /// The longest time in which a client reads no byte of a response.
    #[serde(deserialize_with = "time_from::<100, _>")]
    pub stalled: Duration,
    /// It must exceed a CDN's keep-alive time: otherwise the CDN sends requests on connections that have just been closed.
    #[serde(deserialize_with = "time_from::<100, _>")]
    pub idle: Duration,
    /// The time that requests in flight have to end after the stop signal.
    #[serde(deserialize_with = "time_from::<100, _>")]
    pub drain: Duration,
    /// With its query.
    #[serde(deserialize_with = "between::<256, { 64 << 10 }, _>")]
    pub target_bytes: usize,
    /// Of all header fields together.
    #[serde(deserialize_with = "between::<1024, { 64 << 10 }, _>")]
    pub field_bytes: usize,
    #[serde(deserialize_with = "between::<1024, { 16 << 20 }, _>")]
    pub body_bytes: usize,
}

/// Or a network of them such as `10.0.0.0/8`. Its connections are for many clients, so their number is not limited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Proxy(IpNet);

impl TryFrom<String> for Proxy {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let net = text.parse::<IpNet>().ok().or_else(|| text.parse::<IpAddr>().ok().map(IpNet::from));
        net.map(Self).ok_or_else(|| format!("\"{text}\" is neither an address nor a network like 10.0.0.0/8"))
    }
}

impl Proxy {
    pub(crate) fn is_any(proxies: &[Self], address: IpAddr) -> bool {
        let address = address.to_canonical();
        proxies.iter().any(|proxy| proxy.0.contains(&address))
    }
}

/// The origins whose web pages may call the MCP endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origins {
    Any,
    /// Such as `https://host` or `https://host:port`.
    Listed(Vec<String>),
}

/// What the MCP endpoint accepts. Any web page can make a browser send requests to a server on the reader's own machine, and
/// its domain can resolve to that machine (DNS rebinding). So each request must name an accepted Host, and by default
/// requests to a loopback name must come from loopback pages. Configured values apply on every address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    /// Bound to loopback: loopback names are accepted, the content's hosts are not.
    pub(crate) loopback_only: bool,
    pub(crate) hosts: Vec<String>,
    /// `None`: all pages for a public host, loopback pages for a loopback host.
    pub(crate) origins: Option<Origins>,
}

impl Access {
    /// Accepts the hosts of the content's URLs.
    pub fn public() -> Self {
        Self { loopback_only: false, hosts: Vec::new(), origins: None }
    }

    pub fn loopback() -> Self {
        Self { loopback_only: true, ..Self::public() }
    }

    /// Without ports.
    #[must_use]
    pub fn with_hosts(mut self, hosts: impl IntoIterator<Item = String>) -> Self {
        self.hosts.extend(hosts);
        self
    }

    /// For loopback hosts, loopback pages are accepted as well.
    #[must_use]
    pub fn with_origins(mut self, origins: Origins) -> Self {
        self.origins = Some(origins);
        self
    }
}
