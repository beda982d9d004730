//! The one shape of every failure: an RFC 9457 problem (contract, section 2).

use serde::{Deserialize, Serialize};

use crate::change::FieldFault;
use crate::error::Error;

/// The body of every failure, `application/problem+json`.
///
/// `code` is the stable, machine-readable part; `detail` is for people.
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
    /// Every fault of the body; on 422 only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FieldFault>,
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
        Self {
            kind: "about:blank".to_owned(),
            title: code.title().to_owned(),
            status: code.status(),
            code: code.as_str().to_owned(),
            detail: sentence(&error.to_string()),
            errors: match error {
                Error::InvalidField(faults) => faults.clone(),
                _ => Vec::new(),
            },
            request_id: request_id.to_owned(),
        }
    }
}

/// An error's message as a sentence for people.
fn sentence(message: &str) -> String {
    let mut letters = message.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).chain(['.']).collect()
}
