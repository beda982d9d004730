//! Tells what is left of a token's requests (draft-ietf-httpapi-ratelimit-headers-10).

use family_api_core::limit::RateLimitStatus;
use salvo::http::{HeaderMap, HeaderName, HeaderValue};

/// How many requests there are, in which time.
pub(crate) const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
/// How many are left, and when all are there again.
pub(crate) const LIMIT: HeaderName = HeaderName::from_static("ratelimit");

/// What the policy is called.
const NAME: &str = "key";

/// Writes both fields.
pub(super) fn insert(status: &RateLimitStatus, headers: &mut HeaderMap) {
    let (number, window) = (status.rate().number(), status.rate().window().as_secs());
    set(headers, POLICY, &format!("\"{NAME}\";q={number};w={window}"));
    let (left, wait) = (status.remaining(), status.full_in().as_millis().div_ceil(1_000));
    set(headers, LIMIT, &format!("\"{NAME}\";r={left};t={wait}"));
}

fn set(headers: &mut HeaderMap, name: HeaderName, value: &str) {
    // Digits and letters: a header's value whatever the numbers are.
    if let Ok(value) = HeaderValue::try_from(value) {
        headers.insert(name, value);
    }
}
