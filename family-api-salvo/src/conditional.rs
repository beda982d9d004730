//! The conditions of a request (RFC 9110, section 13): what its sender has already, and what it means to change.

use family_api_core::{EntityTags, Precondition};
use salvo::Request;
use salvo::http::HeaderValue;
use salvo::http::header::{HeaderName, IF_MATCH, IF_NONE_MATCH};

/// The tags that `If-None-Match` names; `None` where there is none.
pub(crate) fn known(req: &Request) -> Option<EntityTags> {
    EntityTags::from_headers(lines(req, &IF_NONE_MATCH))
}

/// What `If-Match` asks for.
pub(crate) fn precondition(req: &Request) -> Precondition {
    Precondition::if_match(lines(req, &IF_MATCH))
}

fn lines<'a>(req: &'a Request, name: &HeaderName) -> impl Iterator<Item = &'a [u8]> {
    req.headers().get_all(name).iter().map(HeaderValue::as_bytes)
}
