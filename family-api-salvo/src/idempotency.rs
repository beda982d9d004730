//! Reads the key that makes a creation safe to repeat (HTTP reference, "Repeating a creation").

use family_api_core::Error;
use family_api_core::idempotency::IdempotencyKey;
use salvo::Request;
use salvo::http::{HeaderName, HeaderValue};

/// The header that contains the key.
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// Returns the key of the request, or `None` if the header is absent.
///
/// # Errors
/// [`Error::InvalidIdempotencyKey`] if the key is invalid or the header occurs twice.
pub(crate) fn idempotency_key(req: &Request) -> Result<Option<IdempotencyKey>, Error> {
    let mut values = req.headers().get_all(IDEMPOTENCY_KEY).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => parse(value).map(Some),
        (Some(_), Some(_)) => Err(Error::InvalidIdempotencyKey),
    }
}

fn parse(value: &HeaderValue) -> Result<IdempotencyKey, Error> {
    value.to_str().ok().and_then(|text| text.parse().ok()).ok_or(Error::InvalidIdempotencyKey)
}
