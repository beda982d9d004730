//! What trusted proxies state about a request.

use std::net::IpAddr;

use salvo::Request;
use salvo::http::header::{FORWARDED, HOST};
use salvo::http::uri::Scheme;
use salvo::http::{HeaderMap, HeaderName, HeaderValue};

use crate::origin::parse_scheme;
use crate::proxy::forwarded::{self, Element};
use crate::proxy::values::{parse_address, parse_host};

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");
const FORWARDED_HOST: HeaderName = HeaderName::from_static("x-forwarded-host");

/// Maximum number of hops that are read. A longer list ends at a trusted proxy, whose address is then the client's.
const MAX_HOPS: usize = 32;

/// Maximum size of a hop, in bytes. A longer hop is malformed. A name of a host has at most 253 bytes.
const MAX_HOP_SIZE: usize = 512;

/// The client, scheme and host of a request, as trusted proxies state them.
#[derive(Debug, PartialEq)]
pub(super) struct Claim {
    /// The sender of the request. It is the last proxy that is known if this proxy does not name the sender.
    pub(super) client: IpAddr,
    pub(super) scheme: Option<Scheme>,
    pub(super) host: Option<HeaderValue>,
}

impl Claim {
    /// Reads the headers of a request that a trusted proxy has sent. Returns `None` if they state nothing.
    ///
    /// If both kinds of header are present, they must state the same. Otherwise one of them can come from the client,
    /// because a proxy that writes one kind passes the other kind on.
    pub(super) fn of(headers: &HeaderMap, proxy: IpAddr, is_trusted: impl Fn(IpAddr) -> bool) -> Option<Self> {
        let standard = headers.contains_key(FORWARDED).then(|| Self::of_standard(headers, proxy, &is_trusted));
        let has_customary =
            [FORWARDED_FOR, FORWARDED_PROTO, FORWARDED_HOST].iter().any(|name| headers.contains_key(name));
        let customary = has_customary.then(|| Self::of_customary(headers, proxy, &is_trusted));
        match (standard, customary) {
            (Some(standard), Some(customary)) => (standard == customary).then_some(standard),
            (standard, customary) => standard.or(customary),
        }
    }

    /// Reads `Forwarded`.
    fn of_standard(headers: &HeaderMap, proxy: IpAddr, is_trusted: impl Fn(IpAddr) -> bool) -> Self {
        let lines = headers.get_all(FORWARDED).iter().rev();
        let elements = lines.flat_map(|line| forwarded::elements(line.as_bytes()));
        Self::follow(elements.map(|element| Element::parse(text(element)?)), proxy, is_trusted)
    }

    /// Reads `X-Forwarded-For`, `X-Forwarded-Proto` and `X-Forwarded-Host`.
    fn of_customary(headers: &HeaderMap, proxy: IpAddr, is_trusted: impl Fn(IpAddr) -> bool) -> Self {
        let lines = headers.get_all(FORWARDED_FOR).iter().rev();
        let addresses = lines.flat_map(|line| line.as_bytes().rsplit(|byte| *byte == b','));
        let hops = addresses.map(|hop| Some(Element { client: parse_address(text(hop)?), ..Element::default() }));
        Self {
            scheme: single(headers, &FORWARDED_PROTO).and_then(parse_scheme),
            host: single(headers, &FORWARDED_HOST).and_then(parse_host),
            ..Self::follow(hops, proxy, is_trusted)
        }
    }

    /// Follows the hops from the nearest proxy on, as long as the hop is a trusted proxy that names its sender.
    fn follow(hops: impl Iterator<Item = Option<Element>>, proxy: IpAddr, is_trusted: impl Fn(IpAddr) -> bool) -> Self {
        let mut claim = Self { client: proxy, scheme: None, host: None };
        for hop in hops.take(MAX_HOPS) {
            let Some(Element { client, scheme, host }) = hop else { break };
            claim = Self { client: client.unwrap_or(claim.client), scheme, host };
            if client.is_none_or(|client| !is_trusted(client)) {
                break;
            }
        }
        claim
    }

    /// Writes the facts into the request, in the places where a request without a proxy has them.
    pub(super) fn apply(self, req: &mut Request) {
        if req.remote_addr().ip() != Some(self.client) {
            // The port of the client is not known.
            *req.remote_addr_mut() = std::net::SocketAddr::new(self.client, 0).into();
        }
        if let Some(scheme) = self.scheme {
            *req.scheme_mut() = scheme;
        }
        if let Some(host) = self.host {
            req.headers_mut().insert(HOST, host);
        }
    }
}

/// Returns the text of a hop without the blanks around it. `None` if it is too long or not UTF-8.
fn text(hop: &[u8]) -> Option<&str> {
    (hop.len() <= MAX_HOP_SIZE).then(|| str::from_utf8(hop.trim_ascii()).ok())?
}

/// Returns the value of a header that must occur exactly once. A list of values is not a scheme and not a host.
fn single<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?;
    if values.next().is_none() { text(value.as_bytes()) } else { None }
}
