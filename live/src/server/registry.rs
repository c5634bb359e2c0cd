//! Limits open connections, of all clients and of each. At the limit of all, those *unused* longest (no request is in
//! flight) are closed to admit new ones, so clients that keep idle connections cannot shut out the others.

use std::collections::{BTreeMap, HashMap};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::phase::ConnectionPhase;
use crate::config::{Limits, Proxy};

/// Connections that are new or between two requests stay open.
pub(super) const UNUSED: Duration = Duration::from_secs(1);
/// Closing several is cheaper than one at a time, because the search visits all connections.
const EVICTED_SHARE: usize = 64;
/// After a search that found no unused connection.
const SEARCH_AGAIN: Duration = Duration::from_millis(50);

#[derive(Debug)]
pub(super) struct Registry {
    limits: Limits,
    proxies: Vec<Proxy>,
    open: Mutex<Open>,
}

#[derive(Debug, Default)]
struct Open {
    next: u64,
    connections: BTreeMap<u64, Arc<ConnectionPhase>>,
    by_client: HashMap<IpAddr, usize>,
    /// Set when no connection was unused.
    none_unused_until: Option<Instant>,
}

/// Counts as open until this is dropped, or until it is evicted.
#[derive(Debug)]
pub(super) struct Registered {
    registry: Arc<Registry>,
    number: u64,
    /// `None` for a proxy.
    client: Option<IpAddr>,
    pub(super) phase: Arc<ConnectionPhase>,
}

impl Registry {
    pub(super) fn new(limits: Limits, proxies: Vec<Proxy>) -> Arc<Self> {
        Arc::new(Self { limits, proxies, open: Mutex::default() })
    }

    /// `None` if a limit is reached.
    pub(super) fn admit(self: &Arc<Self>, address: IpAddr) -> Option<Registered> {
        // A socket for both IP versions reports IPv4 peers as mapped addresses.
        let address = address.to_canonical();
        // Connections from the same machine are a proxy's, also if it is not configured.
        let is_proxy = address.is_loopback() || Proxy::is_any(&self.proxies, address);
        let client = (!is_proxy).then(|| client_of(address));
        let mut open = self.open();
        let of_client = client.and_then(|client| open.by_client.get(&client).copied()).unwrap_or_default();
        if of_client >= self.limits.per_client {
            return None;
        }
        if open.connections.len() >= self.limits.connections
            && open.none_unused_until.is_none_or(|until| until <= Instant::now())
        {
            open.evict(self.limits.connections.div_ceil(EVICTED_SHARE));
        }
        if open.connections.len() >= self.limits.connections {
            return None;
        }
        let (number, phase) = (open.next, ConnectionPhase::new(self.limits));
        open.next += 1;
        open.connections.insert(number, Arc::clone(&phase));
        if let Some(client) = client {
            *open.by_client.entry(client).or_default() += 1;
        }
        drop(open);
        Some(Registered { registry: Arc::clone(self), number, client, phase })
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Open {
    /// Those that have been unused longest.
    fn evict(&mut self, count: usize) {
        let now = Instant::now();
        let since = |phase: &ConnectionPhase| phase.unused_since().filter(|since| now - *since >= UNUSED);
        let mut unused: Vec<(Instant, u64)> =
            self.connections.iter().filter_map(|(number, phase)| Some((since(phase)?, *number))).collect();
        // A refused connection must not cost a pass over all others.
        self.none_unused_until = unused.is_empty().then_some(now + SEARCH_AGAIN);
        unused.sort_unstable();
        for (_, number) in unused.into_iter().take(count) {
            // A request may have begun since the search.
            if self.connections.get(&number).is_some_and(|phase| phase.evict()) {
                self.connections.remove(&number);
            }
        }
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        let mut open = self.registry.open();
        open.connections.remove(&self.number);
        if let Some(client) = self.client
            && let Some(count) = open.by_client.get_mut(&client)
        {
            *count -= 1;
            if *count == 0 {
                open.by_client.remove(&client);
            }
        }
    }
}

/// An IPv6 client usually has a /64 of its own.
fn client_of(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & (!0 << 64)).into(),
        address @ IpAddr::V4(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proxy(text: &str) -> Result<Proxy, String> {
        text.to_owned().try_into()
    }

    fn registry() -> Arc<Registry> {
        let limits = Limits { connections: 4, per_client: 2, ..Limits::default() };
        Registry::new(limits, ["10.0.0.0/8", "2001:db8:ffff::1"].map(proxy).map(Result::unwrap).to_vec())
    }

    #[tokio::test]
    async fn one_client_has_a_limited_number_of_connections() {
        let registry = registry();
        let address = |text: &str| text.parse::<IpAddr>().unwrap();
        let first = registry.admit(address("192.0.2.1")).unwrap();
        let second = registry.admit(address("::ffff:192.0.2.1")).unwrap();
        assert!(registry.admit(address("192.0.2.1")).is_none(), "the mapped address is the same client");
        assert!(registry.admit(address("192.0.2.2")).is_some());
        drop(first);
        assert!(registry.admit(address("192.0.2.1")).is_some());
        drop(second);
        assert!(registry.open().by_client.is_empty());
    }

    #[tokio::test]
    async fn by_default_one_client_takes_a_sixteenth_of_the_places() {
        let limits = Limits::default();
        let registry = Registry::new(limits, Vec::new());
        let admit = |text: &str| registry.admit(text.parse().unwrap());
        let places: Vec<_> = (0..1_000).map_while(|_| admit("192.0.2.1")).collect();
        assert_eq!((places.len(), limits.connections), (256, 16 * 256));
        assert!(admit("192.0.2.2").is_some());
    }

    #[tokio::test]
    async fn an_ipv6_client_is_a_network_of_64_bits_and_a_proxy_has_no_limit() {
        let registry = registry();
        let mut places = Vec::new();
        for text in ["2001:db8::1", "2001:db8::ffff:2"] {
            places.push(registry.admit(text.parse().unwrap()).unwrap());
        }
        assert!(registry.admit("2001:db8::3".parse().unwrap()).is_none());
        assert!(registry.admit("2001:db8:0:1::3".parse().unwrap()).is_some());
        places.clear();
        for text in ["10.1.2.3", "10.1.2.3", "10.1.2.3", "10.1.2.3"] {
            places.push(registry.admit(text.parse().unwrap()).unwrap());
        }
        assert!(registry.admit("10.1.2.3".parse().unwrap()).is_none(), "the limit of all connections");
        places.clear();
        for text in ["127.0.0.1", "::ffff:127.0.0.1", "::ffff:127.0.0.1", "::ffff:127.0.0.1"] {
            places.push(registry.admit(text.parse().unwrap()).unwrap());
        }
        places.clear();
        for text in ["::1", "::1", "::1", "::1"] {
            places.push(registry.admit(text.parse().unwrap()).unwrap());
        }
        assert!(proxy("10.0.0.0/33").is_err() && proxy("proxy.example").is_err());
    }
}
