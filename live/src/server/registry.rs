//! The open connections: how many there are, how many of one client, and which of them rest.
//!
//! When all places are taken, the connections that have rested longest make way for a new one. So clients that keep idle
//! connections cannot shut out the others.

use std::collections::{BTreeMap, HashMap};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::phase::ConnectionPhase;
use crate::config::{Limits, Proxy};

/// A connection that is younger or was just used does not make way.
pub(super) const RESTED: Duration = Duration::from_secs(1);
/// One in so many connections makes way at once, because looking for them takes a pass over all.
const SHARE: usize = 64;

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
}

/// A place that is taken until this is dropped.
#[derive(Debug)]
pub(super) struct Place {
    registry: Arc<Registry>,
    number: u64,
    client: Option<IpAddr>,
    pub(super) phase: Arc<ConnectionPhase>,
}

impl Registry {
    pub(super) fn new(limits: Limits, proxies: Vec<Proxy>) -> Arc<Self> {
        Arc::new(Self { limits, proxies, open: Mutex::default() })
    }

    /// Takes a place for a connection; `None` if all are taken, or too many by this client.
    pub(super) fn admit(self: &Arc<Self>, address: IpAddr) -> Option<Place> {
        // A proxy on the same machine needs no name.
        let is_proxy = address.is_loopback() || Proxy::is_any(&self.proxies, address);
        let client = (!is_proxy).then(|| client_of(address));
        let mut open = self.open();
        let places = client.and_then(|client| open.by_client.get(&client).copied()).unwrap_or_default();
        if places >= self.limits.per_client {
            return None;
        }
        if open.connections.len() >= self.limits.connections {
            open.make_room(self.limits.connections.div_ceil(SHARE));
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
        Some(Place { registry: Arc::clone(self), number, client, phase })
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Open {
    /// Ends up to `count` connections, those that have rested longest.
    fn make_room(&mut self, count: usize) {
        let now = Instant::now();
        let rested = |phase: &ConnectionPhase| phase.resting_since().filter(|since| now - *since >= RESTED);
        let mut resting: Vec<(Instant, u64)> =
            self.connections.iter().filter_map(|(number, phase)| Some((rested(phase)?, *number))).collect();
        resting.sort_unstable();
        for (_, number) in resting.into_iter().take(count) {
            if self.connections.get(&number).is_some_and(|phase| phase.evict()) {
                self.connections.remove(&number);
            }
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.registry.open();
        open.connections.remove(&self.number);
        if let Some(client) = self.client
            && let Some(places) = open.by_client.get_mut(&client)
        {
            *places -= 1;
            if *places == 0 {
                open.by_client.remove(&client);
            }
        }
    }
}

/// The address by which connections are counted: an IPv6 client usually has a /64 of its own.
fn client_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & (!0 << 64)).into(),
        address @ IpAddr::V4(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn registry() -> Arc<Registry> {
        let limits = Limits { connections: 4, per_client: 2, ..Limits::default() };
        Registry::new(limits, ["10.0.0.0/8", "2001:db8:ffff::1"].map(|text| text.parse().unwrap()).to_vec())
    }

    #[tokio::test]
    async fn one_client_has_a_limited_number_of_places() {
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
    async fn an_ipv6_client_is_a_network_of_64_bits_and_a_proxy_has_no_limit_of_its_own() {
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
        for text in ["127.0.0.1", "::1", "::1", "::1"] {
            places.push(registry.admit(text.parse().unwrap()).unwrap());
        }
        assert!("10.0.0.0/33".parse::<Proxy>().is_err() && "proxy.example".parse::<Proxy>().is_err());
    }
}
