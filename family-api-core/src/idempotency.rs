//! Keys that make the creation of a record safe to repeat (HTTP reference, "Repeating a creation").

use std::fmt;
use std::str::FromStr;

#[cfg(feature = "service")]
use serde::Serialize;
#[cfg(feature = "service")]
use sha2::{Digest, Sha256};

#[cfg(feature = "service")]
use crate::change::Editable;

/// Maximum length of an idempotency key, in bytes.
const MAX_LENGTH: usize = 255;

/// The value of an `Idempotency-Key` header: 1–255 visible ASCII characters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IdempotencyKey(String);

/// The value is not an idempotency key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected 1 to 255 visible ASCII characters")]
pub struct InvalidIdempotencyKey;

impl IdempotencyKey {
    /// Returns the key as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for IdempotencyKey {
    type Err = InvalidIdempotencyKey;

    fn from_str(text: &str) -> Result<Self, InvalidIdempotencyKey> {
        let is_key = (1..=MAX_LENGTH).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
        if is_key { Ok(Self(text.to_owned())) } else { Err(InvalidIdempotencyKey) }
    }
}

impl fmt::Display for IdempotencyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A creation that can be repeated safely.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotentRequest {
    /// The key, which is scoped to the user.
    pub key: IdempotencyKey,
    /// SHA-256 of the kind, and of the container and the fields of the new record as the client gave them. A field that
    /// is left out is not the same as its default or null.
    pub digest: [u8; 32],
}

#[cfg(feature = "service")]
impl IdempotentRequest {
    /// Returns the request to create a record with these fields. They must be the same if the client repeats the
    /// request.
    #[must_use]
    pub fn of<R: Editable>(key: &IdempotencyKey, fields: &impl Serialize) -> Self {
        // The fields of a struct are always serialized in the same order.
        let fields = serde_json::to_vec(fields).unwrap_or_default();
        let digest = Sha256::new().chain_update(R::KIND.as_str()).chain_update([0]).chain_update(fields).finalize();
        Self { key: key.clone(), digest: digest.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_visible_ascii_of_limited_length() {
        for good in ["a", "!~", &"x".repeat(255)] {
            assert_eq!(good.parse::<IdempotencyKey>().unwrap().as_str(), good);
        }
        for bad in ["", " ", "a b", "é", "a\0", "a\u{7f}", &"x".repeat(256)] {
            assert_eq!(bad.parse::<IdempotencyKey>(), Err(InvalidIdempotencyKey), "{bad:?}");
        }
    }

    #[cfg(feature = "service")]
    mod digests {
        use crate::change::Editable;
        use crate::idempotency::IdempotentRequest;
        use crate::resource::{Board, Column, Event, Note, ShoppingItem, ShoppingList, Task};
        use crate::validation::Json;

        fn digest<R: Editable>(container: Option<&str>, body: &str) -> [u8; 32] {
            let new = R::parse_new(container, Json::parse(body.as_bytes()).unwrap()).unwrap();
            IdempotentRequest::of::<R>(&"k".parse().unwrap(), &new).digest
        }

        #[test]
        fn the_form_of_a_body_does_not_change_the_digest() {
            let task = digest::<Task>(None, r#"{"title":"Café","order":0,"labels":["a"],"dueDate":null}"#);
            let same = r#" { "dueDate": "", "labels": ["\u0061"], "order": -0, "title": " Caf\u00e9\n" } "#;
            assert_eq!(digest::<Task>(None, same), task);
        }

        #[test]
        fn each_value_changes_the_digest() {
            let bodies = [
                r#"{"title":"T"}"#,
                r#"{"title":"t"}"#,
                // Composed and decomposed characters are different texts.
                "{\"title\":\"\u{e9}\"}",
                "{\"title\":\"e\u{301}\"}",
                r#"{"title":"T","order":0}"#,
                r#"{"title":"T","labels":["a","b"]}"#,
                r#"{"title":"T","labels":["b","a"]}"#,
                r#"{"title":"T","dueDate":null}"#,
                r#"{"title":"T","dueDate":"2026-12-24"}"#,
                r#"{"title":"T","dueDate":"2026-12-24T00:00:00Z"}"#,
            ];
            let digests: std::collections::BTreeSet<_> = bodies.map(|body| digest::<Task>(None, body)).into();
            assert_eq!(digests.len(), bodies.len());
        }

        #[test]
        fn the_kind_and_the_container_change_the_digest() {
            let (title, name) = (r#"{"title":"T"}"#, r#"{"name":"N"}"#);
            assert_ne!(digest::<Task>(None, title), digest::<Note>(None, title));
            assert_ne!(digest::<Board>(None, name), digest::<ShoppingList>(None, name));
            assert_ne!(digest::<ShoppingItem>(Some("a"), name), digest::<ShoppingItem>(Some("b"), name));
            assert_ne!(digest::<Column>(Some("a"), name), digest::<Column>(Some("b"), name));
            assert_ne!(digest::<Column>(Some("a"), name), digest::<ShoppingItem>(Some("a"), name));
            let event = r#"{"title":"T","startDate":"2026-12-24","endDate":"2026-12-24"}"#;
            let all_day = event.replace('}', r#","allDay":true}"#);
            assert_ne!(digest::<Event>(None, event), digest::<Event>(None, &all_day));
        }
    }
}
