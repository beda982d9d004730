//! Writes the rate limit headers of a token (draft-ietf-httpapi-ratelimit-headers-10).

use family_api_core::limit::RateLimitStatus;
use salvo::http::{HeaderMap, HeaderName, HeaderValue};

/// The number of requests (`q`) in a window of seconds (`w`).
pub(crate) const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
/// The remaining requests (`r`), and the seconds until the full quota is available again (`t`).
pub(crate) const LIMIT: HeaderName = HeaderName::from_static("ratelimit");

/// The name of the policy.
const NAME: &str = "key";

/// Inserts both headers.
pub(super) fn insert(status: &RateLimitStatus, headers: &mut HeaderMap) {
    let number = status.rate().number();
    let window = status.rate().window().as_secs();
    set(headers, POLICY, &format!("\"{NAME}\";q={number};w={window}"));
    let remaining = status.remaining();
    let reset = status.full_in().as_millis().div_ceil(1_000);
    set(headers, LIMIT, &format!("\"{NAME}\";r={remaining};t={reset}"));
}

fn set(headers: &mut HeaderMap, name: HeaderName, value: &str) {
    // Always a valid header value: it contains only visible ASCII.
    if let Ok(value) = HeaderValue::try_from(value) {
        headers.insert(name, value);
    }
}
