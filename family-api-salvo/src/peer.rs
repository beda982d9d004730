//! The network address of a client, by which rate limits count requests.

use std::net::{IpAddr, Ipv6Addr};

use salvo::Request;

/// Selects the /64 network of an IPv6 address. A client can choose the other 64 bits freely.
const NETWORK_MASK: u128 = !0 << 64;

/// The address by which rate limits count requests: an IPv4 address, or a /64 network of IPv6 addresses.
///
/// Behind a proxy, the peer of all requests is the proxy, unless [`TrustedProxies`](crate::TrustedProxies) takes the
/// client's address from the proxy's headers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Peer(IpAddr);

impl Peer {
    /// Returns the sender of a request, or `None` if the connection has no IP address.
    #[must_use]
    pub fn of(req: &Request) -> Option<Self> {
        req.remote_addr().ip().map(Self::from)
    }
}

impl From<IpAddr> for Peer {
    fn from(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V4(address) => address.into(),
            IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & NETWORK_MASK).into(),
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
    fn peer_is_an_ipv4_address_or_an_ipv6_network() {
        assert_eq!(peer("2001:db8:1:2::1"), peer("2001:db8:1:2:ffff:ffff:ffff:ffff"));
        assert_ne!(peer("2001:db8:1:2::1"), peer("2001:db8:1:3::1"));
        assert_eq!(peer("192.0.2.1"), peer("::ffff:192.0.2.1"));
        assert_ne!(peer("192.0.2.1"), peer("192.0.2.2"));
        assert_eq!(Peer::of(&Request::new()), None);
    }
}
