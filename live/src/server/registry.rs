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
use crate::config::{Limits, Proxies};

/// A connection that is younger or was just used does not make way.
const RESTED: Duration = Duration::from_secs(1);
/// One in so many connections makes way at once, because looking for them takes a pass over all.
const SHARE: usize = 64;

#[derive(Debug)]
pub(super) struct Registry {
    limits: Limits,
    proxies: Proxies,
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
    pub(super) fn new(limits: Limits, proxies: Proxies) -> Arc<Self> {
        Arc::new(Self { limits, proxies, open: Mutex::default() })
    }

    /// Takes a place for a connection; `None` if all are taken, or too many by this client.
    pub(super) fn admit(self: &Arc<Self>, address: IpAddr) -> Option<Place> {
        let client = Some(client_of(address)).filter(|_| !self.proxies.contains(address));
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
