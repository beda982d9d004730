//! The one shape of every failure: an RFC 9457 problem (HTTP reference, "Errors").

use serde::{Deserialize, Serialize};

use crate::change::{Faults, FieldFault};
use crate::error::Error;

/// The body of every failure, `application/problem+json`.
///
/// `code` is the stable, machine-readable part; `detail` is for people. As JSON it has at most 16 KiB.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Problem {
    /// Always `about:blank`: `title` is the status's name.
    #[serde(rename = "type")]
    pub kind: String,
    /// The name of the HTTP status.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// What went wrong, for programs.
    pub code: String,
    /// What went wrong, for people; never a secret.
    pub detail: String,
    /// The first faults of the body, at most 50; on 422 only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(length(max = 50)))]
    pub errors: Vec<FieldFault>,
    /// How many faults the body has, listed in `errors` or not; on 422 only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "u64", range(min = 1)))]
    pub error_count: Option<usize>,
    /// The request's `X-Request-Id`.
    pub request_id: String,
}

impl Problem {
    /// The media type of a problem.
    pub const MEDIA_TYPE: &'static str = "application/problem+json";

    /// Says of an error what its caller may know.
    #[must_use]
    pub fn new(error: &Error, request_id: &str) -> Self {
        let code = error.code();
        let faults = match error {
            Error::InvalidField(faults) => Some(faults),
            _ => None,
        };
        Self {
            kind: "about:blank".to_owned(),
            title: code.title().to_owned(),
            status: code.status(),
            code: code.as_str().to_owned(),
            detail: sentence(&error.to_string()),
            errors: faults.map(|faults| faults.listed().to_vec()).unwrap_or_default(),
            error_count: faults.map(Faults::count),
            request_id: request_id.to_owned(),
        }
    }
}

/// The longest `detail`, in characters: a message may repeat what a request says.
const MAX_DETAIL: usize = 256;

/// An error's message as a sentence for people, cut off if it is too long.
fn sentence(message: &str) -> String {
    let mut letters = message.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    let rest: String = letters.by_ref().take(MAX_DETAIL).collect();
    let end = if letters.next().is_some() { '…' } else { '.' };
    first.into_iter().chain(rest.chars()).chain([end]).collect()
}
