//! The fields of PATCH bodies as arguments of a tool.

use family_api_core::change::Json;
use family_api_core::{EntityTag, JsonError, Precondition};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::mcp::instant::with_seconds;

/// Returns the properties of the schema of a PATCH body.
pub(super) fn properties(body: &Value) -> Map<String, Value> {
    body.get("properties").and_then(Value::as_object).cloned().unwrap_or_default()
}

/// Returns the body of a PATCH from the arguments that are fields. Times may omit the seconds, as in answers.
pub(super) fn body(fields: Vec<(String, Json)>) -> Json {
    let value = |name: &str, value: Json| match value {
        Json::String(text) if name == "dueDate" => Json::String(with_seconds(&text)),
        other => other,
    };
    Json::Object(fields.into_iter().map(|(name, field)| (value(&name, field), name)).map(|(v, n)| (n, v)).collect())
}

/// Returns the precondition of the argument `if_match`. The quotes of the tag may be omitted.
pub(super) fn precondition(if_match: Option<&str>) -> Precondition {
    match if_match {
        None => Precondition::None,
        Some(tag) if tag.contains('"') || tag == "*" => Precondition::if_match([tag.as_bytes()]),
        Some(tag) => Precondition::if_match([format!("\"{tag}\"").as_bytes()]),
    }
}

/// Returns the entity tag of a record without its quotes, as a value for `if_match`.
///
/// # Errors
/// [`JsonError`] if the record cannot be serialized.
pub(super) fn etag<T: Serialize>(record: &T) -> Result<String, JsonError> {
    Ok(EntityTag::of_record(record)?.as_str().trim_matches('"').to_owned())
}
