//! The body of every error response: an RFC 9457 problem (HTTP reference, "Errors").

use serde::{Deserialize, Serialize};

use crate::error_code::ErrorCode;
use crate::validation::{Faults, FieldFault};

/// The body of every error response, `application/problem+json`.
///
/// `code` is stable and meant for programs. `detail` is meant for people. Maximum size as JSON: 16 KiB.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Problem {
    /// Always `about:blank`. With this type, `title` is the name of the status (RFC 9457).
    #[serde(rename = "type")]
    pub kind: String,
    /// The name of the HTTP status.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// The kind of error, for programs.
    pub code: String,
    /// The error message, for people. It never contains a secret.
    pub detail: String,
    /// The first faults of the body, at most 50. Present only if `code` is `invalid_field`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(length(max = 50)))]
    pub errors: Vec<FieldFault>,
    /// Number of all faults of the body, including those not listed in `errors`. Present only if `code` is
    /// `invalid_field`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "u64", range(min = 1)))]
    pub error_count: Option<usize>,
    /// The `X-Request-Id` of the request.
    pub request_id: String,
}

impl Problem {
    /// The media type of a problem.
    pub const MEDIA_TYPE: &'static str = "application/problem+json";

    /// Creates a problem without field faults. The message becomes `detail`, which is sent to the client.
    #[must_use]
    pub fn new(code: ErrorCode, message: &str, request_id: &str) -> Self {
        Self {
            kind: "about:blank".to_owned(),
            title: code.title().to_owned(),
            status: code.status(),
            code: code.as_str().to_owned(),
            detail: sentence(message),
            errors: Vec::new(),
            error_count: None,
            request_id: request_id.to_owned(),
        }
    }

    /// Creates the problem of a body with invalid fields.
    #[must_use]
    pub fn of_faults(faults: &Faults, request_id: &str) -> Self {
        Self {
            errors: faults.listed().to_vec(),
            error_count: Some(faults.count()),
            ..Self::new(ErrorCode::InvalidField, &faults.to_string(), request_id)
        }
    }
}

/// Maximum length of `detail`, in characters. A message may quote the request, which may be long.
const MAX_DETAIL: usize = 256;

/// Formats an error message as a sentence, and truncates it if it is too long.
fn sentence(message: &str) -> String {
    let mut letters = message.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    let rest: String = letters.by_ref().take(MAX_DETAIL).collect();
    let end = if letters.next().is_some() { '…' } else { '.' };
    first.into_iter().chain(rest.chars()).chain([end]).collect()
}
