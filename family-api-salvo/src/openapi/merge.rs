//! Merging a host's own fragment into the document.

use serde_json::Value;

/// Lays `fragment` over `document`: objects member by member, arrays one behind the other, anything else replaced.
pub(super) fn merge(document: &mut Value, fragment: &Value) {
    match (document, fragment) {
        (Value::Object(document), Value::Object(fragment)) => {
            for (name, value) in fragment {
                merge(document.entry(name).or_insert(Value::Null), value);
            }
        }
        (Value::Array(document), Value::Array(fragment)) => document.extend(fragment.iter().cloned()),
        (document, fragment) => *document = fragment.clone(),
    }
}
