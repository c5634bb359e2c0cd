//! Which networks a feed may lead into. The publisher writes the manifest and the redirects. They could name services that
//! only this machine or its network should reach, such as the operators' `/metrics`. So an address that is not public is
//! requested only if the configured address, which the operator chose, is of the same network. The first resolution of the
//! configured name counts, because the name's owner can change it later.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Arc, OnceLock};

use reqwest::Url;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Network {
    Public,
    Private,
    Link,
    Loopback,
}

pub(crate) struct Reach {
    /// The host of the configured address.
    host: String,
    /// Its networks, once they are known.
    networks: OnceLock<Vec<Network>>,
}

impl Reach {
    pub(crate) fn of(url: &Url) -> Arc<Self> {
        let host = url.host_str().unwrap_or_default().to_owned();
        let networks = OnceLock::new();
        if let Some(address) = literal(url) {
            _ = networks.set(vec![Network::of(address)]);
        }
        Arc::new(Self { host, networks })
    }

    /// Refuses a URL whose host is an IP address of another network. Names are judged when they are resolved.
    pub(super) fn admits(&self, url: &Url) -> Result<(), String> {
        literal(url).map_or(Ok(()), |address| self.check(url.host_str().unwrap_or_default(), address))
    }

    fn check(&self, host: &str, address: IpAddr) -> Result<(), String> {
        let network = Network::of(address);
        if network == Network::Public || self.networks.get().is_some_and(|known| known.contains(&network)) {
            return Ok(());
        }
        Err(format!(
            "{host} is {address}, {}, and the feed's configured address isn't: let the publisher name public \
             addresses, or configure the feed by an address of that network",
            network.words()
        ))
    }

    fn admitted(&self, name: &str, found: Vec<SocketAddr>) -> Result<Vec<SocketAddr>, String> {
        if name == self.host {
            self.networks.get_or_init(|| found.iter().map(|address| Network::of(address.ip())).collect());
        }
        let mut refused = None;
        let mut admitted = found;
        admitted.retain(|address| match self.check(name, address.ip()) {
            Ok(()) => true,
            Err(why) => {
                refused = Some(why);
                false
            }
        });
        match refused {
            Some(why) if admitted.is_empty() => Err(why),
            _ => Ok(admitted),
        }
    }
}

impl Network {
    fn of(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V4(address) => Self::of_v4(address),
            IpAddr::V6(address) => match address.segments() {
                // NAT64 has the address in its last four bytes, 6to4 behind its first two.
                [0x64, 0xff9b, 0, 0, 0, 0, high, low] | [0x2002, high, low, ..] => {
                    Self::of_v4(Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low)))
                }
                _ if address.is_loopback() || address.is_unspecified() => Self::Loopback,
                _ if address.is_unicast_link_local() || address.is_multicast() => Self::Link,
                // Protocols and benchmarks (2001::/23), and documentation.
                [0x2001, 0..=0x1ff | 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => Self::Private,
                // All that is routed in the Internet: the block of global unicast addresses that IANA allocates from.
                [0x2000..=0x3fff, ..] => Self::Public,
                _ => Self::Private,
            },
        }
    }

    /// By IANA's registry of special-purpose addresses, as [`Network::of`].
    fn of_v4(address: Ipv4Addr) -> Self {
        match address.octets() {
            [0 | 127, ..] => Self::Loopback,
            // What a provider shares among its customers (RFC 6598), protocols, relays of 6to4, and benchmarks.
            [100, 64..=127, ..] | [192, 0, 0, _] | [192, 88, 99, _] | [198, 18..=19, ..] => Self::Private,
            _ if address.is_private() || address.is_documentation() => Self::Private,
            _ if address.is_link_local() || address.is_multicast() || address.is_broadcast() => Self::Link,
            // Reserved.
            [240..=255, ..] => Self::Private,
            _ => Self::Public,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Public => "a public address",
            Self::Private => "an address of a private or reserved network",
            Self::Link => "an address of the local link",
            Self::Loopback => "an address of this machine",
        }
    }
}

fn literal(url: &Url) -> Option<IpAddr> {
    url.host_str()?.trim_start_matches('[').trim_end_matches(']').parse().ok()
}

/// Resolves names, and leaves out the addresses that may not be requested.
pub(super) struct GuardedNames(pub(super) Arc<Reach>);

impl Resolve for GuardedNames {
    fn resolve(&self, name: Name) -> Resolving {
        let reach = Arc::clone(&self.0);
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            let admitted = reach.admitted(name.as_str(), found)?;
            Ok(Box::new(admitted.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        text.parse().unwrap()
    }

    fn at(addresses: &[&str]) -> Vec<SocketAddr> {
        addresses.iter().map(|address| SocketAddr::new(address.parse().unwrap(), 0)).collect()
    }

    const INNER: [&str; 7] = [
        "127.0.0.1",
        "[::ffff:127.0.0.1]",
        "[64:ff9b::7f00:1]",
        "10.1.2.3",
        "[fd00::1]",
        "169.254.169.254",
        "[fe80::1]",
    ];

    /// The first and the last address of each block of IANA's registries of special-purpose addresses that is not reachable
    /// from everywhere, with the addresses before and after the block where those are public.
    #[test]
    fn no_special_block_of_ianas_registries_is_public() {
        use Network::{Link, Loopback, Private, Public};
        for (network, addresses) in [
            (Loopback, "0.0.0.0 0.255.255.255 127.0.0.0 127.255.255.255 :: ::1"),
            (Loopback, "::ffff:127.0.0.1 64:ff9b::7f00:1 2002:7f00:1::1"),
            (Private, "10.0.0.0 10.255.255.255 172.16.0.0 172.31.255.255 192.168.0.0 192.168.255.255"),
            (Public, "1.0.0.0 9.255.255.255 11.0.0.0 172.15.255.255 172.32.0.0 192.167.255.255 192.169.0.0"),
            (Private, "100.64.0.0 100.127.255.255"),
            (Public, "100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0"),
            (Link, "169.254.0.0 169.254.255.255 224.0.0.0 239.255.255.255 255.255.255.255"),
            (Public, "169.253.255.255 169.255.0.0 223.255.255.255"),
            (Private, "192.0.0.0 192.0.0.255 192.0.2.0 192.0.2.255 192.88.99.0 192.88.99.255"),
            (Public, "191.255.255.255 192.0.1.0 192.0.1.255 192.0.3.0 192.88.98.255 192.88.100.0"),
            (Private, "198.18.0.0 198.19.255.255 198.51.100.0 198.51.100.255 203.0.113.0 203.0.113.255"),
            (Public, "198.17.255.255 198.20.0.0 198.51.99.255 198.51.101.0 203.0.112.255 203.0.114.0"),
            (Private, "240.0.0.0 255.255.255.254"),
            (Private, "::127.0.0.1 64:ff9b:1:: 64:ff9b:1:ffff:ffff:ffff:ffff:ffff 100:: 100:0:0:1::"),
            (Private, "2001:: 2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff 2001:2:: 2001:10:: 2001:db8::"),
            (Public, "2000:: 2001:200:: 2001:db7:ffff:: 2001:db9:: 2003:: 2606:4700::1111 3ffe:ffff::"),
            (Private, "3fff:: 3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff 4000:: 5f00:: fc00:: fdff:ffff::"),
            (Private, "64:ff9b::a00:1 2002:a00:1::1 2002:c612:1::1 64:ff9b::c612:1 fec0::1"),
            (Public, "3fff:1000:: 64:ff9b::101:101 2002:101:101::1 ::ffff:1.1.1.1"),
            (Link, "fe80:: febf:ffff:: ff00:: ff0e::1 2002:a9fe:a9fe::1"),
        ] {
            for address in addresses.split(' ') {
                assert_eq!(Network::of(address.parse().unwrap()), network, "{address}");
            }
        }
    }

    #[test]
    fn a_public_feed_leads_to_public_addresses_only() {
        let reach = Reach::of(&url("https://slots.example/$bulk-publish"));
        assert_eq!(reach.admitted("slots.example", at(&["1.1.1.1"])), Ok(at(&["1.1.1.1"])));
        for address in INNER {
            let refused = reach.admits(&url(&format!("http://{address}:9090/metrics"))).unwrap_err();
            assert!(refused.contains("the feed's configured address isn't"), "{refused}");
            let bare = address.trim_matches(['[', ']']);
            // The second is the configured name, whose owner has changed what it leads to.
            for name in ["elsewhere.example", "slots.example"] {
                assert!(reach.admitted(name, at(&[bare])).is_err(), "{name} {bare}");
                let mixed = reach.admitted(name, at(&[bare, "2606:4700::7"]));
                assert_eq!(mixed, Ok(at(&["2606:4700::7"])), "{name} {bare}");
            }
        }
        for address in ["1.1.1.1", "172.32.0.1", "100.128.0.1", "[2606:4700::1]", "files.example"] {
            assert_eq!(reach.admits(&url(&format!("https://{address}/a.ndjson"))), Ok(()), "{address}");
        }
    }

    #[test]
    fn a_feed_of_a_network_leads_into_that_network() {
        let by_address = Reach::of(&url("http://10.0.0.5/feed"));
        let by_name = Reach::of(&url("http://slots.internal/feed"));
        assert!(by_name.admits(&url("http://10.0.0.6/a")).is_err(), "before the name was resolved");
        assert!(by_name.admitted("slots.internal", at(&["10.0.0.5"])).is_ok());
        for reach in [by_address, by_name] {
            assert_eq!(reach.admits(&url("http://192.168.7.1/a")), Ok(()));
            assert!(reach.admitted("files.internal", at(&["10.9.9.9"])).is_ok());
            for other in ["http://127.0.0.1:9090/metrics", "http://169.254.169.254/latest"] {
                assert!(reach.admits(&url(other)).is_err(), "{other}");
            }
        }
    }
}
