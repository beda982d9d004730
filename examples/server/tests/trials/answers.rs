//! Answers that refuse a request.

use crate::client::Response;

/// Returns whether the server refused the token: with 401, or with 429 after too many failed attempts.
pub(crate) fn is_token_refusal(answer: &Response) -> bool {
    answer.status == 401 || (answer.status == 429 && is_retry_later(answer))
}

/// Returns whether this is a complete 429 or 503: with `Retry-After` in seconds and a problem document.
pub(crate) fn is_retry_later(answer: &Response) -> bool {
    let has_retry_after = answer.header("retry-after").is_some_and(|seconds| seconds.parse::<u32>().is_ok());
    let has_problem = answer.header("content-type") == Some("application/problem+json");
    [429, 503].contains(&answer.status) && has_retry_after && has_problem
}
