//! Merges the host's own fragment into the document.

use serde_json::Value;

/// Merges `fragment` into `document`. Merges objects by member, concatenates arrays and replaces other values.
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
