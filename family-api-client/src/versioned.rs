//! Records with the entity tags of their versions (RFC 9110, section 8.8.3).

use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

/// The strong entity tag of a version, with its quotes, as in the `ETag` header.
///
/// The content is opaque. To store a tag, store its text. Later, parse the text.
///
/// ```
/// use family_api_client::EntityTag;
///
/// let etag: EntityTag = "\"5d41402a\"".parse()?;
/// assert_eq!(etag.as_str(), "\"5d41402a\"");
/// # Ok::<(), family_api_client::InvalidEntityTag>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
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

impl fmt::Display for EntityTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A record together with the entity tag of its version. Dereferences to the record.
///
/// Pass the tag to [`Call::if_match`](crate::Call::if_match) to make the next write only if the record is still at this
/// version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Versioned<T> {
    record: T,
    etag: Option<EntityTag>,
}

impl<T> Versioned<T> {
    pub(crate) fn new(record: T, etag: Option<EntityTag>) -> Self {
        Self { record, etag }
    }

    /// Returns the tag of this version. `None` if the response has no strong tag, for example because a proxy removed
    /// it.
    #[must_use]
    pub fn etag(&self) -> Option<&EntityTag> {
        self.etag.as_ref()
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
            assert_eq!(text.parse::<EntityTag>().unwrap().to_string(), text);
        }
        for text in ["", "\"", "a", "*", r#"W/"a""#, r#""a","b""#, r#""a b""#, "\"a\n\"", "\"é\"", r#" "a""#] {
            assert_eq!(text.parse::<EntityTag>(), Err(InvalidEntityTag), "{text:?}");
        }
    }
}
