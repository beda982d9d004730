//! Web origins, and the one that a request was sent to.

use std::fmt;
#[cfg(feature = "mcp")]
use std::net::IpAddr;
use std::str::FromStr;

use salvo::Request;
use salvo::http::HeaderMap;
use salvo::http::header::{HOST, HeaderName};
use salvo::http::uri::{Authority, Scheme};

/// A web origin, `scheme://host[:port]` (RFC 6454).
///
/// The scheme is `http` or `https`. Origins are normalized: the host is in lower case, and a default port is omitted.
///
/// ```
/// use family_api_salvo::Origin;
///
/// let origin: Origin = "HTTPS://Family.Example:443".parse()?;
/// assert_eq!(origin.to_string(), "https://family.example");
/// # Ok::<(), family_api_salvo::InvalidOrigin>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Origin {
    scheme: Scheme,
    host: String,
    port: u16,
}

/// The text is not an origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected an address such as https://family.example or http://localhost:8080, without a path")]
pub struct InvalidOrigin;

impl Origin {
    /// Returns whether the scheme is `https`.
    #[must_use]
    pub fn is_https(&self) -> bool {
        self.scheme == Scheme::HTTPS
    }

    /// Returns whether the host is `localhost` or a loopback address, so that no DNS server resolves it.
    #[cfg(feature = "mcp")]
    pub(crate) fn is_loopback(&self) -> bool {
        let address = self.host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(&self.host);
        self.host == "localhost" || address.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
    }
}

impl FromStr for Origin {
    type Err = InvalidOrigin;

    fn from_str(text: &str) -> Result<Self, InvalidOrigin> {
        let (scheme, authority) = text.split_once("://").ok_or(InvalidOrigin)?;
        Self::new(scheme, authority)
    }
}

impl Origin {
    fn new(scheme: &str, authority: &str) -> Result<Self, InvalidOrigin> {
        let scheme = parse_scheme(scheme).ok_or(InvalidOrigin)?;
        let (host, port) = split_authority(authority).ok_or(InvalidOrigin)?;
        let port = match port {
            None => default_port(&scheme),
            Some(digits) => digits.parse().map_err(|_| InvalidOrigin)?,
        };
        Ok(Self { scheme, host: host.to_ascii_lowercase(), port })
    }
}

/// Parses `http` or `https`, in upper or lower case.
pub(crate) fn parse_scheme(text: &str) -> Option<Scheme> {
    [Scheme::HTTP, Scheme::HTTPS].into_iter().find(|scheme| scheme.as_str().eq_ignore_ascii_case(text))
}

fn default_port(scheme: &Scheme) -> u16 {
    if *scheme == Scheme::HTTPS { 443 } else { 80 }
}

/// Splits `host[:port]` into the host and the digits of the port, of which there may be none or too many. Returns
/// `None` for any other text, such as one with user information.
pub(crate) fn split_authority(text: &str) -> Option<(&str, Option<&str>)> {
    let is_plain = |host: &str| host.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-'));
    let (host, port) = match text.split_once(':') {
        // Almost every request has such a host, and `Authority` takes ten times as long.
        Some((host, port)) if is_plain(host) => (host, Some(port)),
        None if is_plain(text) => (text, None),
        _ => {
            let authority: Authority = text.parse().ok()?;
            match text.strip_prefix(authority.host())? {
                "" => (text, None),
                after_host => (text.strip_suffix(after_host)?, Some(after_host.strip_prefix(':')?)),
            }
        }
    };
    let is_valid = !host.is_empty() && port.is_none_or(|port| port.bytes().all(|byte| byte.is_ascii_digit()));
    is_valid.then_some((host, port))
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme, self.host)?;
        if self.port == default_port(&self.scheme) { Ok(()) } else { write!(f, ":{}", self.port) }
    }
}

/// Returns the origin that the request was sent to, or `None` if `Host` is repeated or unreadable. Behind a proxy that
/// terminates TLS, the scheme is right only with [`TrustedProxies`](crate::TrustedProxies).
pub(crate) fn target_origin(req: &Request) -> Option<Origin> {
    let authority = match single_header(req.headers(), HOST) {
        SingleHeader::One(host) => host,
        SingleHeader::Absent => req.uri().authority()?.as_str(),
        SingleHeader::Invalid => return None,
    };
    Origin::new(req.scheme().as_str(), authority).ok()
}

/// A header that must occur at most once.
pub(crate) enum SingleHeader<'a> {
    Absent,
    One(&'a str),
    Invalid,
}

pub(crate) fn single_header(headers: &HeaderMap, name: HeaderName) -> SingleHeader<'_> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => SingleHeader::Absent,
        (Some(value), None) => value.to_str().map_or(SingleHeader::Invalid, SingleHeader::One),
        (Some(_), Some(_)) => SingleHeader::Invalid,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parsing_normalizes_an_origin() {
        for (text, normalized) in [
            ("http://localhost:8080", "http://localhost:8080"),
            ("http://Example.org:80", "http://example.org"),
            ("https://example.org:443", "https://example.org"),
            ("https://example.org:80", "https://example.org:80"),
            ("http://[::1]:8080", "http://[::1]:8080"),
        ] {
            assert_eq!(text.parse::<Origin>().map(|origin| origin.to_string()).as_deref(), Ok(normalized));
        }
    }

    #[cfg(feature = "mcp")]
    #[test]
    fn loopback_is_localhost_or_a_loopback_address() {
        for (text, is_loopback) in [
            ("http://localhost:8080", true),
            ("https://LOCALHOST", true),
            ("http://127.0.0.1:8080", true),
            ("http://127.9.9.9", true),
            ("http://[::1]:8080", true),
            ("http://localhost.evil.example", false),
            ("http://127.0.0.1.evil.example", false),
            ("http://192.168.1.2", false),
            ("http://0.0.0.0", false),
            ("http://[::2]", false),
            ("http://family.example", false),
        ] {
            assert_eq!(text.parse::<Origin>().unwrap().is_loopback(), is_loopback, "{text}");
        }
    }

    #[test]
    fn invalid_origins_are_refused() {
        for bad in [
            "",
            "null",
            "example.org",
            "ftp://example.org",
            "http://",
            "http://:80",
            "http://example.org/",
            "http://example.org/path",
            "http://example.org?",
            "http://user@example.org",
            "http://example.org:",
            "http://example.org:65536",
            "http://example.org:+80",
            "http://a, http://b",
        ] {
            assert_eq!(bad.parse::<Origin>(), Err(InvalidOrigin), "{bad:?}");
        }
    }
}
