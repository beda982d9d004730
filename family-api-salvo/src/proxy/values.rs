//! The values in the headers of proxies: addresses, schemes and hosts.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use salvo::http::HeaderValue;

use crate::guard::is_host;

/// Parses the address of a hop: IPv4 or IPv6, with an optional port (RFC 7239, section 6).
///
/// IPv6 can have a zone, and can be without brackets if it has no port. Returns `None` for `unknown`, for obfuscated
/// identifiers such as `_hidden`, and for everything else.
pub(super) fn parse_address(text: &str) -> Option<IpAddr> {
    if let Some(bracketed) = text.strip_prefix('[') {
        let (address, port) = bracketed.split_once(']')?;
        let is_valid = port.is_empty() || port.strip_prefix(':').is_some_and(is_port);
        return parse_ipv6(address).filter(|_| is_valid);
    }
    match text.split_once(':') {
        Some((address, port)) if !port.contains(':') => parse_ipv4(address).filter(|_| is_port(port)),
        Some(_) => parse_ipv6(text),
        None => parse_ipv4(text),
    }
}

/// Returns a host with an optional port. `None` for every other text.
pub(super) fn parse_host(text: &str) -> Option<HeaderValue> {
    HeaderValue::from_str(text).ok().filter(is_host)
}

fn parse_ipv4(text: &str) -> Option<IpAddr> {
    text.parse::<Ipv4Addr>().ok().map(IpAddr::V4)
}

/// Parses an IPv6 address without its zone, which has a meaning only on the machine that sent it.
fn parse_ipv6(text: &str) -> Option<IpAddr> {
    let address = match text.split_once('%') {
        Some((_, "")) => return None,
        Some((address, _)) => address,
        None => text,
    };
    address.parse::<Ipv6Addr>().ok().map(|address| IpAddr::V6(address).to_canonical())
}

/// Returns whether a text is a port, or an obfuscated port such as `_a`.
fn is_port(text: &str) -> bool {
    let is_identifier = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    match text.strip_prefix('_') {
        Some(obfuscated) => !obfuscated.is_empty() && obfuscated.bytes().all(is_identifier),
        None => text.bytes().all(|byte| byte.is_ascii_digit()) && text.parse::<u16>().is_ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn address_can_have_a_port_brackets_or_a_zone() {
        for (text, address) in [
            ("192.0.2.1", "192.0.2.1"),
            ("192.0.2.1:8080", "192.0.2.1"),
            ("192.0.2.1:_secret", "192.0.2.1"),
            ("2001:db8::1", "2001:db8::1"),
            ("::", "::"),
            ("1::", "1::"),
            ("[2001:db8::1]", "2001:db8::1"),
            ("[2001:db8::1]:443", "2001:db8::1"),
            ("[2001:db8::1]:_a", "2001:db8::1"),
            ("2001:db8::1:443", "2001:db8::1:443"),
            ("fe80::1%eth0", "fe80::1"),
            ("[fe80::1%25eth0]:443", "fe80::1"),
            ("::ffff:192.0.2.1", "192.0.2.1"),
            ("[::ffff:192.0.2.1]:80", "192.0.2.1"),
        ] {
            assert_eq!(parse_address(text), Some(address.parse().unwrap()), "{text}");
        }
    }

    #[test]
    fn other_texts_are_not_an_address() {
        for text in [
            "",
            "unknown",
            "_hidden",
            "_hidden:80",
            "localhost",
            "family.example",
            "192.0.2",
            "192.0.2.256",
            "192.0.2.01",
            "192.0.2.1 ",
            "192.0.2.1.",
            "192.0.2.1:",
            "192.0.2.1:+80",
            "192.0.2.1:65536",
            "192.0.2.1:_",
            "192.0.2.1:80:80",
            "192.0.2.1%eth0",
            "192.0.2.1/32",
            "[192.0.2.1]",
            "[2001:db8::1",
            "2001:db8::1]",
            "[2001:db8::1]443",
            "[2001:db8::1]:",
            "[[2001:db8::1]]",
            "fe80::1%",
            "[]",
            "[]:80",
            ":80",
            ":",
            "-1",
            "0x7f000001",
            "2130706433",
            "\"192.0.2.1\"",
            "192.0.2.1\0",
            "１.2.3.4",
        ] {
            assert_eq!(parse_address(text), None, "{text:?}");
        }
    }
}
