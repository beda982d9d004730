//! The addresses to which the server may connect on behalf of a client.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The IPv4 networks that are not part of the public Internet (IANA special-purpose address registry, RFC 6890).
const SPECIAL_V4: [(Ipv4Addr, u32); 16] = [
    (Ipv4Addr::UNSPECIFIED, 8),
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    (Ipv4Addr::new(192, 0, 0, 0), 24),
    (Ipv4Addr::new(192, 0, 2, 0), 24),
    (Ipv4Addr::new(192, 88, 99, 0), 24),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    (Ipv4Addr::new(198, 51, 100, 0), 24),
    (Ipv4Addr::new(203, 0, 113, 0), 24),
    // Multicast.
    (Ipv4Addr::new(224, 0, 0, 0), 4),
    // Reserved, and the broadcast address.
    (Ipv4Addr::new(240, 0, 0, 0), 4),
    // Direct delegation of AS112, which answers reverse lookups of private addresses.
    (Ipv4Addr::new(192, 175, 48, 0), 24),
];

/// The IPv6 network with the addresses that a translator (NAT64) maps to IPv4 (RFC 6052). The last four bytes are the
/// IPv4 address. In an IPv6-only network, the names of IPv4 sites resolve to these addresses.
const TRANSLATED_V4: (Ipv6Addr, u32) = (Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, 0, 0), 96);

/// The only IPv6 network with global unicast addresses. It excludes loopback, link-local, unique local, multicast and
/// IPv4-mapped addresses.
const GLOBAL_V6: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);

/// The IPv6 networks within [`GLOBAL_V6`] that are not part of the public Internet.
const SPECIAL_V6: [(Ipv6Addr, u32); 5] = [
    // Protocol assignments: Teredo, benchmarking, ORCHID.
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32),
    // 6to4, which contains any IPv4 address.
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16),
    (Ipv6Addr::new(0x2620, 0x4f, 0x8000, 0, 0, 0, 0, 0), 48),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),
];

/// Returns whether an address is a unicast address of the public Internet.
pub(super) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => !SPECIAL_V4.iter().any(|network| contains_v4(*network, address)),
        IpAddr::V6(address) if contains_v6(TRANSLATED_V4, address) => {
            let [.., a, b, c, d] = address.octets();
            is_public(Ipv4Addr::new(a, b, c, d).into())
        }
        IpAddr::V6(address) => {
            contains_v6(GLOBAL_V6, address) && !SPECIAL_V6.iter().any(|network| contains_v6(*network, address))
        }
    }
}

fn contains_v4((network, length): (Ipv4Addr, u32), address: Ipv4Addr) -> bool {
    (network.to_bits() ^ address.to_bits()).leading_zeros() >= length
}

fn contains_v6((network, length): (Ipv6Addr, u32), address: Ipv6Addr) -> bool {
    (network.to_bits() ^ address.to_bits()).leading_zeros() >= length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_and_last_address_of_special_networks_are_not_public() {
        let addresses = "\
            0.0.0.0 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.1 127.255.255.255 \
            169.254.0.0 169.254.169.254 169.254.255.255 172.16.0.0 172.31.255.255 192.0.0.0 192.0.0.255 \
            192.0.2.0 192.0.2.255 192.88.99.0 192.88.99.255 192.168.0.0 192.168.255.255 192.175.48.1 198.18.0.0 \
            198.19.255.255 198.51.100.0 198.51.100.255 203.0.113.0 203.0.113.255 224.0.0.0 239.255.255.255 \
            240.0.0.0 255.255.255.255 \
            :: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 64:ff9b:: 64:ff9b::127.0.0.1 \
            64:ff9b::169.254.169.254 64:ff9b::0:1:8.8.8.8 64:ff9b:1::1 100:: 100::1 \
            1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 2001:: 2001::1 2001:2::1 2001:10::1 2001:20::1 \
            2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff 2001:db8:: 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff 2002:: \
            2002:7f00:1:: 2002:808:808::1 2620:4f:8000::1 3fff:: 3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff 4000:: \
            5f00::1 fc00::1 fd12:3456:789a::1 fe80::1 fec0::1 ff00:: ff02::1 \
            ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff";
        for address in addresses.split(' ') {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn neighbours_of_special_networks_are_public() {
        let addresses = "\
            1.0.0.0 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255 \
            169.255.0.0 172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0 192.0.3.0 192.88.98.255 192.88.100.0 \
            192.167.255.255 192.169.0.0 192.175.47.255 192.175.49.0 198.17.255.255 198.20.0.0 198.51.99.255 \
            198.51.101.0 203.0.112.255 203.0.114.0 223.255.255.255 \
            64:ff9b::8.8.8.8 2000:: 2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff 2001:200:: \
            2001:db7:ffff:ffff:ffff:ffff:ffff:ffff 2001:db9:: 2001:4860:4860::8888 2003:: \
            2620:4f:7fff:ffff:ffff:ffff:ffff:ffff 2620:4f:8001:: 2606:4700::1111 \
            3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff 3fff:1000::";
        for address in addresses.split(' ') {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
    }

    /// Compares with the properties of the standard library, over one address of every /16 network.
    #[test]
    fn no_special_ipv4_address_of_the_standard_library_is_public() {
        for network in 0..=u16::MAX {
            let address = Ipv4Addr::from_bits(u32::from(network) << 16 | 1);
            let is_special = address.is_private()
                || address.is_loopback()
                || address.is_link_local()
                || address.is_multicast()
                || address.is_unspecified()
                || address.is_broadcast();
            assert!(!(is_special && is_public(address.into())), "{address}");
            assert!(!is_public(address.to_ipv6_mapped().into()), "{address}");
            assert!(!is_public(address.to_ipv6_compatible().into()), "{address}");
        }
    }
}
