//! Reads the headers that make a request conditional (RFC 9110, section 13) or safe to repeat (HTTP reference,
//! "Repeating a creation").

use family_api_core::idempotency::IdempotencyKey;
use family_api_core::{EntityTags, Error, Precondition};
use salvo::Request;
use salvo::http::HeaderValue;
use salvo::http::header::{HeaderName, IF_MATCH, IF_NONE_MATCH};

/// The header that contains the key of a creation.
pub(crate) const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

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

/// Returns the key of a creation, or `None` if the header is absent.
///
/// # Errors
/// [`Error::InvalidIdempotencyKey`] if the key is invalid or the header occurs twice.
pub(crate) fn idempotency_key(req: &Request) -> Result<Option<IdempotencyKey>, Error> {
    let mut values = req.headers().get_all(IDEMPOTENCY_KEY).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => parse_key(value).map(Some),
        (Some(_), Some(_)) => Err(Error::InvalidIdempotencyKey),
    }
}

fn parse_key(value: &HeaderValue) -> Result<IdempotencyKey, Error> {
    value.to_str().ok().and_then(|text| text.parse().ok()).ok_or(Error::InvalidIdempotencyKey)
}
