//! Reads the conditional headers of a request (RFC 9110, section 13).

use family_api_core::{EntityTags, Precondition};
use salvo::Request;
use salvo::http::HeaderValue;
use salvo::http::header::{HeaderName, IF_MATCH, IF_NONE_MATCH};

/// Returns the tags of `If-None-Match`, or `None` if the header is absent.
pub(crate) fn if_none_match(req: &Request) -> Option<EntityTags> {
    EntityTags::from_headers(header_values(req, &IF_NONE_MATCH))
}

/// Returns the precondition of `If-Match`.
pub(crate) fn if_match(req: &Request) -> Precondition {
    Precondition::if_match(header_values(req, &IF_MATCH))
}

fn header_values<'a>(req: &'a Request, name: &HeaderName) -> impl Iterator<Item = &'a [u8]> {
    req.headers().get_all(name).iter().map(HeaderValue::as_bytes)
}
