//! Who is at the other end of a connection.

use std::net::{IpAddr, Ipv6Addr};

use salvo::Request;

/// Of an IPv6 address, the half that names the network: the other half is for its owner to choose.
const NETWORK: u128 = !0 << 64;

/// Where a request comes from, as far as limits tell senders apart: an IPv4 address, or a network of IPv6 addresses.
///
/// Behind a proxy, all requests come from the proxy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Peer(IpAddr);

impl Peer {
    /// Who sent a request; `None` where it came over something without addresses.
    #[must_use]
    pub fn of(req: &Request) -> Option<Self> {
        req.remote_addr().ip().map(Self::from)
    }
}

impl From<IpAddr> for Peer {
    fn from(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V4(address) => address.into(),
            IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & NETWORK).into(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn peer(address: &str) -> Peer {
        Peer::from(address.parse::<IpAddr>().unwrap())
    }

    #[test]
    fn a_network_of_ipv6_is_one_peer_and_an_address_of_ipv4_another() {
        assert_eq!(peer("2001:db8:1:2::1"), peer("2001:db8:1:2:ffff:ffff:ffff:ffff"));
        assert_ne!(peer("2001:db8:1:2::1"), peer("2001:db8:1:3::1"));
        assert_eq!(peer("192.0.2.1"), peer("::ffff:192.0.2.1"));
        assert_ne!(peer("192.0.2.1"), peer("192.0.2.2"));
        assert_eq!(Peer::of(&Request::new()), None);
    }
}
