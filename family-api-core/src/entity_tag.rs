//! Versions of what was answered, and the conditions that name them (RFC 9110, sections 8.8.3 and 13.1).

use std::fmt;

use serde::Serialize;
use sha2::digest::consts::U16;
use sha2::{Digest, Sha256};

use crate::storage::StorageError;

/// A strong entity tag: another one wherever the answer is another.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct EntityTag(String);

impl EntityTag {
    /// The tag of an answer, taken from its bytes.
    #[must_use]
    pub fn of(answer: &[u8]) -> Self {
        // Half of the digest: nobody guesses it, and none comes twice by accident.
        let (shown, _) = Sha256::digest(answer).split::<U16>();
        Self(format!("\"{:032x}\"", u128::from_be_bytes(shown.into())))
    }

    /// The tag of a record as it goes over the wire.
    ///
    /// # Errors
    /// [`StorageError::Corrupt`] where it cannot be written as JSON.
    pub fn of_record<T: Serialize>(record: &T) -> Result<Self, StorageError> {
        serde_json::to_vec(record).map(|json| Self::of(&json)).map_err(StorageError::corrupt)
    }

    /// The tag as the `ETag` header has it, quotes included.
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

/// The entity tags that a condition names: an `If-Match` or an `If-None-Match`.
///
/// What cannot be read names nothing, so a condition that is damaged fails; it is never taken for none.
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
    /// Reads the lines of a header; several are one list. `None` where there is none: no condition was made.
    pub fn from_headers<'a>(lines: impl IntoIterator<Item = &'a [u8]>) -> Option<Self> {
        let mut lines = lines.into_iter().peekable();
        lines.peek()?;
        let mut tags = Self { any: false, strong: Vec::new(), weak: Vec::new() };
        lines.for_each(|line| tags.read(line));
        Some(tags)
    }

    /// The one tag, as `If-Match: "…"` names it.
    #[must_use]
    pub fn only(tag: EntityTag) -> Self {
        Self { any: false, strong: vec![tag], weak: Vec::new() }
    }

    /// Whether they name the tag, be it as a weak one: what `If-None-Match` asks.
    #[must_use]
    pub fn matches_weak(&self, tag: &EntityTag) -> bool {
        self.matches_strong(tag) || self.weak.contains(tag)
    }

    /// Whether they name the tag as a strong one: what `If-Match` asks.
    #[must_use]
    pub fn matches_strong(&self, tag: &EntityTag) -> bool {
        self.any || self.strong.contains(tag)
    }

    /// Reads a line as far as it is a list of tags.
    fn read(&mut self, line: &[u8]) {
        let mut rest = line.trim_ascii();
        if rest == b"*" {
            self.any = true;
            return;
        }
        while !rest.is_empty() {
            let (is_weak, quoted) = rest.strip_prefix(b"W/").map_or((false, rest), |quoted| (true, quoted));
            let Some((tag, behind)) = first(quoted) else {
                return;
            };
            if is_weak { &mut self.weak } else { &mut self.strong }.extend(tag);
            rest = behind;
        }
    }
}

/// The tag that a list begins with, and what stands behind its comma; a tag that is none of ours is `None`.
fn first(list: &[u8]) -> Option<(Option<EntityTag>, &[u8])> {
    let Some(opened) = list.strip_prefix(b"\"") else {
        // An empty element of the list.
        return list.strip_prefix(b",").map(|rest| (None, rest.trim_ascii_start()));
    };
    let end = opened.iter().position(|byte| *byte == b'"')?;
    let tag = std::str::from_utf8(&list[..end + 2]).ok().map(|tag| EntityTag(tag.to_owned()));
    let behind = opened[end + 1..].trim_ascii_start();
    match behind.strip_prefix(b",") {
        Some(rest) => Some((tag, rest.trim_ascii_start())),
        None if behind.is_empty() => Some((tag, behind)),
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
    fn a_tag_is_strong_and_its_answers_own() {
        assert_eq!(EntityTag::of(b"[]"), EntityTag::of(b"[]"));
        assert_ne!(EntityTag::of(b"[]"), EntityTag::of(b"{}"));
        // Its digest begins with zeros.
        assert_eq!(EntityTag::of(b"886").as_str(), "\"000f21ac06aceb9cdd0575e82d0d85fc\"");
    }

    #[test]
    fn every_tag_of_a_list_counts_whatever_is_in_it() {
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
    fn a_weak_tag_says_that_nothing_is_new_and_not_that_nothing_was_changed() {
        assert!(tags(&[r#"W/"x""#]).matches_weak(&tag(r#""x""#)));
        assert!(!tags(&[r#"W/"x""#]).matches_strong(&tag(r#""x""#)));
    }

    #[test]
    fn what_cannot_be_read_names_nothing_and_is_a_condition_all_the_same() {
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
