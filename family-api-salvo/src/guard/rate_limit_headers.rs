//! Writes the rate limit headers of a token (draft-ietf-httpapi-ratelimit-headers-10).

use family_api_core::limit::RateLimitStatus;
use salvo::http::{HeaderMap, HeaderName, HeaderValue};

/// The header with the number of requests (`q`) allowed in a window of seconds (`w`).
const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
/// The header with the remaining requests (`r`), and the seconds until the full quota is available again (`t`).
const LIMIT: HeaderName = HeaderName::from_static("ratelimit");

/// The name of the policy in both headers.
const POLICY_NAME: &str = "key";

/// Inserts `RateLimit-Policy` and `RateLimit`.
pub(super) fn insert(status: &RateLimitStatus, headers: &mut HeaderMap) {
    let number = status.rate().capacity();
    let window = status.rate().window().as_secs();
    set(headers, POLICY, &format!("\"{POLICY_NAME}\";q={number};w={window}"));
    let remaining = status.remaining();
    let reset = status.full_in().as_millis().div_ceil(1_000);
    set(headers, LIMIT, &format!("\"{POLICY_NAME}\";r={remaining};t={reset}"));
}

fn set(headers: &mut HeaderMap, name: HeaderName, value: &str) {
    // Always a valid header value: it contains only visible ASCII.
    if let Ok(value) = HeaderValue::try_from(value) {
        headers.insert(name, value);
    }
}
