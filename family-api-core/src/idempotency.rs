//! Creations that are safe to repeat (HTTP reference, "Repeating a creation").

pub use family_api_types::idempotency::*;

use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::change::Editable;

/// A creation that can be repeated safely.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotentRequest {
    /// The key, which is scoped to the user.
    pub key: IdempotencyKey,
    /// SHA-256 of the kind, and of the container and the fields of the new record as the client gave them. A field that
    /// is left out is not the same as its default or null.
    pub digest: [u8; 32],
}

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
