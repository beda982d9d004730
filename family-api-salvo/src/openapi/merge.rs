//! Merges the host's own fragments into the OpenAPI document.

use serde_json::Value;

/// Merges `fragment` into `document`. Objects are merged by member, arrays are concatenated, and other values of the
/// document are replaced.
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
