//! Values with the entity tags of their versions (RFC 9110, section 8.8.3).

use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::TimeNotice;

/// The strong entity tag of a version, with its quotes, as in the `ETag` header.
///
/// The content is opaque. To keep a tag over a restart, store its text, or serialize it with serde as a string.
///
/// ```
/// use family_api_client::EntityTag;
///
/// let etag: EntityTag = "\"5d41402a\"".parse()?;
/// assert_eq!(etag.to_string(), "\"5d41402a\"");
/// # Ok::<(), family_api_client::InvalidEntityTag>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct EntityTag(String);

/// The text is not exactly one strong entity tag with its quotes.
///
/// Weak tags (`W/"…"`) are refused, because `If-Match` never matches them. `*` and lists are refused, because they do
/// not identify one version, and a write without one version cannot be retried safely.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected an entity tag with its quotes, such as \"5d41402a\"")]
#[non_exhaustive]
pub struct InvalidEntityTag;

impl EntityTag {
    /// Returns the tag with its quotes, as in a header.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for EntityTag {
    type Err = InvalidEntityTag;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let opaque = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).ok_or(InvalidEntityTag)?;
        let is_tag = opaque.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'"');
        if is_tag { Ok(Self(text.to_owned())) } else { Err(InvalidEntityTag) }
    }
}

impl TryFrom<String> for EntityTag {
    type Error = InvalidEntityTag;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<EntityTag> for String {
    fn from(etag: EntityTag) -> Self {
        etag.0
    }
}

impl fmt::Display for EntityTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A record, or the answer to a read, together with the entity tag of its version. Dereferences to it.
///
/// Pass the tag of a record to [`Call::if_match`](crate::Call::if_match) to make the next write only if the record is
/// still at this version. Pass the tag of a read to [`Call::if_changed_since`](crate::Call::if_changed_since) to read
/// again only if the data has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Versioned<T> {
    record: T,
    etag: Option<EntityTag>,
    state: Option<String>,
    time_notices: Vec<TimeNotice>,
}

impl<T> Versioned<T> {
    pub(crate) fn new(record: T, etag: Option<EntityTag>) -> Self {
        Self { record, etag, state: None, time_notices: Vec::new() }
    }

    pub(crate) fn with_state(self, state: Option<String>) -> Self {
        Self { state, ..self }
    }

    pub(crate) fn with_time_notices(self, time_notices: Vec<TimeNotice>) -> Self {
        Self { time_notices, ..self }
    }

    /// Returns the tag of this version. `None` if the response has no strong tag, for example because a proxy removed
    /// it.
    #[must_use]
    pub fn etag(&self) -> Option<&EntityTag> {
        self.etag.as_ref()
    }

    /// Returns the state of the family's data before a read of a resource. A program that reads everything, and then asks
    /// for the [changes](crate::api::ReadApi::changes) since the state of its first read, misses none. `None` for any
    /// other call, or if the service has no changes.
    #[must_use]
    pub fn state(&self) -> Option<&str> {
        self.state.as_deref()
    }

    /// Returns what is special about the times that the call sent, such as a local time that the clock skips. Empty
    /// after a read.
    #[must_use]
    pub fn time_notices(&self) -> &[TimeNotice] {
        &self.time_notices
    }

    /// Returns the record without its tag.
    #[must_use]
    pub fn into_record(self) -> T {
        self.record
    }
}

impl<T> Deref for Versioned<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.record
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_single_strong_tag_with_quotes_is_parsed() {
        for text in [r#""a""#, r#""""#, r#""W/x,y*""#] {
            let etag: EntityTag = text.parse().unwrap();
            assert_eq!(etag.to_string(), text);
            let stored = serde_json::to_string(&etag).unwrap();
            assert_eq!(serde_json::from_str::<EntityTag>(&stored).unwrap(), etag);
        }
        for text in ["", "\"", "a", "*", r#"W/"a""#, r#""a","b""#, r#""a b""#, "\"a\n\"", "\"é\"", r#" "a""#] {
            assert_eq!(text.parse::<EntityTag>(), Err(InvalidEntityTag), "{text:?}");
            assert!(serde_json::from_value::<EntityTag>(text.into()).is_err(), "{text:?}");
        }
    }
}
