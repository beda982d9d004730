//! Entity tags of responses, and the conditions that contain them (RFC 9110, sections 8.8.3 and 13.1).

use std::fmt;

use serde::Serialize;
use sha2::digest::consts::U16;
use sha2::{Digest, Sha256};

use crate::json_error::JsonError;

/// A strong entity tag: different responses have different tags.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct EntityTag(String);

impl EntityTag {
    /// Returns the tag of a response, computed from its bytes.
    #[must_use]
    pub fn of(response: &[u8]) -> Self {
        // 128 of the 256 bits are enough to make guesses and collisions practically impossible.
        let (first_half, _) = Sha256::digest(response).split::<U16>();
        Self(format!("\"{:032x}\"", u128::from_be_bytes(first_half.into())))
    }

    /// Returns the tag of a record, computed from its JSON on the wire.
    ///
    /// # Errors
    /// [`JsonError`] if the record cannot be serialized as JSON.
    pub fn of_record<T: Serialize>(record: &T) -> Result<Self, JsonError> {
        Ok(Self::of(&serde_json::to_vec(record)?))
    }

    /// Returns the value of the `ETag` header, including the quotes.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for EntityTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The entity tags of a condition: an `If-Match` or `If-None-Match` header.
///
/// An invalid tag matches no response. A header without any valid tag is still a condition: it matches no response.
///
/// ```
/// use family_api_core::{EntityTag, EntityTags};
///
/// let tag = EntityTag::of(b"[]");
/// let header = format!("\"a,b\", W/{tag}");
/// let tags = EntityTags::from_headers([header.as_bytes()]).ok_or("a condition")?;
/// assert!(tags.matches_weak(&tag));
/// assert!(!tags.matches_strong(&tag));
/// assert_eq!(EntityTags::from_headers([]), None);
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntityTags {
    any: bool,
    strong: Vec<EntityTag>,
    weak: Vec<EntityTag>,
}

impl EntityTags {
    /// Parses the values of a header. Several headers count as one list. Returns `None` if there is no header.
    pub fn from_headers<'a>(lines: impl IntoIterator<Item = &'a [u8]>) -> Option<Self> {
        let mut lines = lines.into_iter().peekable();
        lines.peek()?;
        let mut tags = Self { any: false, strong: Vec::new(), weak: Vec::new() };
        lines.for_each(|line| tags.parse_line(line));
        Some(tags)
    }

    /// Returns a condition with a single tag, as in `If-Match: "…"`.
    #[must_use]
    pub fn single(tag: EntityTag) -> Self {
        Self { any: false, strong: vec![tag], weak: Vec::new() }
    }

    /// Returns whether a tag of the condition matches by weak comparison, as `If-None-Match` requires.
    #[must_use]
    pub fn matches_weak(&self, tag: &EntityTag) -> bool {
        self.matches_strong(tag) || self.weak.contains(tag)
    }

    /// Returns whether a tag of the condition matches by strong comparison, as `If-Match` requires.
    #[must_use]
    pub fn matches_strong(&self, tag: &EntityTag) -> bool {
        self.any || self.strong.contains(tag)
    }

    /// Parses a header value up to the first error in its list of tags.
    fn parse_line(&mut self, line: &[u8]) {
        let mut rest = line.trim_ascii();
        if rest == b"*" {
            self.any = true;
            return;
        }
        while !rest.is_empty() {
            let (is_weak, quoted) = rest.strip_prefix(b"W/").map_or((false, rest), |quoted| (true, quoted));
            let Some((tag, remainder)) = split_first(quoted) else {
                return;
            };
            if is_weak { &mut self.weak } else { &mut self.strong }.extend(tag);
            rest = remainder;
        }
    }
}

/// Splits a list into its first tag and the text after the comma. The tag is `None` if it is empty or not UTF-8.
fn split_first(list: &[u8]) -> Option<(Option<EntityTag>, &[u8])> {
    let Some(opened) = list.strip_prefix(b"\"") else {
        // An empty element of the list.
        return list.strip_prefix(b",").map(|rest| (None, rest.trim_ascii_start()));
    };
    let end = opened.iter().position(|byte| *byte == b'"')?;
    let tag = std::str::from_utf8(&list[..end + 2]).ok().map(|tag| EntityTag(tag.to_owned()));
    let remainder = opened[end + 1..].trim_ascii_start();
    match remainder.strip_prefix(b",") {
        Some(rest) => Some((tag, rest.trim_ascii_start())),
        None if remainder.is_empty() => Some((tag, remainder)),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags(lines: &[&str]) -> EntityTags {
        EntityTags::from_headers(lines.iter().map(|line| line.as_bytes())).unwrap()
    }

    fn tag(text: &str) -> EntityTag {
        EntityTag(text.to_owned())
    }

    #[test]
    fn different_responses_have_different_tags() {
        assert_eq!(EntityTag::of(b"[]"), EntityTag::of(b"[]"));
        assert_ne!(EntityTag::of(b"[]"), EntityTag::of(b"{}"));
        // This digest begins with zeros, which the tag must keep.
        assert_eq!(EntityTag::of(b"886").as_str(), "\"000f21ac06aceb9cdd0575e82d0d85fc\"");
    }

    #[test]
    fn a_tag_matches_at_any_position_of_a_list() {
        for lines in [
            &[r#""x""#][..],
            &[r#" "a" , "x" "#],
            &[r#""a","b,c","x""#],
            &[r#","a",,"x","#],
            &[r#""a""#, r#""x""#],
            &[r#"W/"a", "x""#],
            &["*"],
            &[r#""a""#, "*"],
        ] {
            assert!(tags(lines).matches_strong(&tag(r#""x""#)), "{lines:?}");
            assert!(tags(lines).matches_weak(&tag(r#""x""#)), "{lines:?}");
        }
    }

    #[test]
    fn a_weak_tag_matches_by_weak_comparison_only() {
        assert!(tags(&[r#"W/"x""#]).matches_weak(&tag(r#""x""#)));
        assert!(!tags(&[r#"W/"x""#]).matches_strong(&tag(r#""x""#)));
    }

    #[test]
    fn an_invalid_header_is_a_condition_that_matches_nothing() {
        for line in
            ["", "x", r#""x"#, r#"x""#, r#"w/"x""#, r#""y" "x""#, r#"W/ "x""#, r#""a"; "x""#, "* *", r#"*, "y""#]
        {
            assert!(!tags(&[line]).matches_weak(&tag(r#""x""#)), "{line:?}");
        }
        let not_text = EntityTags::from_headers([&b"\"\xff\", \"x\""[..]]).unwrap();
        assert!(not_text.matches_strong(&tag(r#""x""#)));
        assert_eq!(EntityTags::from_headers([]), None);
    }
}
