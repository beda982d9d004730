//! Networks of trusted proxies.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use ipnet::{IpNet, Ipv4Net};

/// The number of leading bits that all IPv4 addresses in the form `::ffff:a.b.c.d` share.
const MAPPED_PREFIX: u8 = 96;

/// An address of a proxy, or a network in which every address is a proxy (CIDR, RFC 4632).
///
/// A network of all addresses, such as `0.0.0.0/0`, is refused: every client could then choose its own address.
///
/// ```
/// use family_api_salvo::ProxyNetwork;
///
/// let network: ProxyNetwork = "10.0.0.0/8".parse()?;
/// assert!(network.contains("10.1.2.3".parse()?));
/// assert!("0.0.0.0/0".parse::<ProxyNetwork>().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ProxyNetwork(IpNet);

impl ProxyNetwork {
    /// Returns whether an address belongs to the network. An IPv4 address in the form `::ffff:a.b.c.d` counts as IPv4.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.contains(&address.to_canonical())
    }
}

/// The text is not a network of proxies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected an address or a network such as 127.0.0.1, 10.0.0.0/8 or fd00::/8, not all addresses")]
pub struct InvalidNetwork;

impl FromStr for ProxyNetwork {
    type Err = InvalidNetwork;

    fn from_str(text: &str) -> Result<Self, InvalidNetwork> {
        let network = text.parse::<IpNet>().or_else(|_| text.parse::<IpAddr>().map(IpNet::from));
        let network = canonical(network.map_err(|_| InvalidNetwork)?);
        if network.prefix_len() == 0 { Err(InvalidNetwork) } else { Ok(Self(network.trunc())) }
    }
}

impl fmt::Display for ProxyNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Converts a network of IPv4 addresses in the form `::ffff:a.b.c.d` into a network of IPv4 addresses.
fn canonical(network: IpNet) -> IpNet {
    let IpNet::V6(mapped) = network else { return network };
    let prefix = mapped.prefix_len().checked_sub(MAPPED_PREFIX);
    let converted = mapped.addr().to_ipv4_mapped().zip(prefix).map(|(address, prefix)| Ipv4Net::new(address, prefix));
    converted.and_then(Result::ok).map_or(network, IpNet::V4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn network_is_an_address_or_a_prefix() {
        for (text, inside, outside) in [
            ("127.0.0.1", "127.0.0.1", "127.0.0.2"),
            ("10.0.0.0/8", "10.255.255.255", "11.0.0.0"),
            ("10.1.2.3/8", "10.0.0.1", "11.1.2.3"),
            ("::1", "::1", "::2"),
            ("fd00::/8", "fdff::1", "fe00::1"),
            ("127.0.0.1", "::ffff:127.0.0.1", "::127.0.0.1"),
            ("::ffff:10.0.0.0/104", "10.9.9.9", "11.0.0.0"),
            ("::ffff:10.0.0.1", "10.0.0.1", "10.0.0.2"),
            ("10.0.0.0/8", "10.0.0.1", "fd00::1"),
        ] {
            let network: ProxyNetwork = text.parse().unwrap();
            assert!(network.contains(inside.parse().unwrap()), "{text} {inside}");
            assert!(!network.contains(outside.parse().unwrap()), "{text} {outside}");
        }
    }

    #[test]
    fn other_texts_and_networks_of_all_addresses_are_refused() {
        for text in [
            "",
            "localhost",
            "10.0.0.0/33",
            "::/129",
            "10.0.0.0/",
            "10.0.0.0/8/8",
            "10.0.0",
            "010.0.0.1",
            "10.0.0.1:80",
            "[::1]",
            "fe80::1%eth0",
            " 10.0.0.1",
            "10.0.0.1,10.0.0.2",
            "0.0.0.0/0",
            "10.0.0.0/0",
            "::/0",
            "::ffff:0.0.0.0/96",
        ] {
            assert_eq!(text.parse::<ProxyNetwork>(), Err(InvalidNetwork), "{text:?}");
        }
    }
}
