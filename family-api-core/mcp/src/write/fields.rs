//! The fields of PATCH bodies as arguments of a tool.

use family_api_core::change::Editable;
use family_api_core::validation::Json;
use family_api_core::{EntityTag, JsonError, Precondition};
use serde::Serialize;
use serde_json::{Value, json};

use crate::arguments::{Members, shortened};
use crate::error::ToolError;

/// The members of a schema that a model does not need. The message of a fault names the limit that a value exceeds.
const OMITTED: [&str; 10] = [
    "description",
    "examples",
    "example",
    "default",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minimum",
    "maximum",
];

/// Returns the schema of a body with short descriptions instead of those of the HTTP API, and without limits: every
/// client sends all definitions to its model in every conversation.
pub(crate) fn short_schema(body: &Value, descriptions: &[(&str, &str)]) -> Value {
    let mut properties = body.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
    for (name, schema) in &mut properties {
        let description = descriptions.iter().find(|(field, _)| field == name);
        shorten(schema);
        if let Some(schema) = schema.as_object_mut() {
            schema.extend(description.map(|(_, text)| ("description".to_owned(), Value::from(*text))));
        }
    }
    json!({
        "type": "object",
        "properties": properties,
        "required": body.get("required").cloned().unwrap_or_else(|| json!([])),
        "additionalProperties": false,
    })
}

fn shorten(schema: &mut Value) {
    if let Some(members) = schema.as_object_mut() {
        members.retain(|member, _| !OMITTED.contains(&member.as_str()));
        members.get_mut("items").into_iter().for_each(shorten);
    }
}

/// Returns the schema of the PATCH body that changes fields. Another variant of the body of a task is a move, which is
/// a tool of its own.
pub(crate) fn update_schema<R: Editable>() -> Value {
    let schema = R::update_schema();
    schema.pointer("/oneOf/0").cloned().unwrap_or(schema)
}

/// Returns the names of the fields of a body.
pub(crate) fn names(body: &Value) -> Vec<String> {
    let properties = body.get("properties").and_then(Value::as_object);
    properties.into_iter().flatten().map(|(name, _)| name.clone()).collect()
}

/// The fields that an empty string removes in a PATCH.
const REMOVED_BY_EMPTY: [&str; 3] = ["assigneeId", "dueDate", "categoryId"];

/// Checks that no given field is removed by an empty string. Models send empty strings for arguments without a value.
///
/// # Errors
/// [`ToolError::Correctable`] with the fields that have an empty string.
pub(crate) fn check_values(given: &[(String, Json)]) -> Result<(), ToolError> {
    let is_empty = |(name, value): &&(String, Json)| {
        REMOVED_BY_EMPTY.contains(&name.as_str()) && value.as_str().is_some_and(|text| text.trim().is_empty())
    };
    let empty: Vec<_> = given.iter().filter(is_empty).collect();
    if empty.is_empty() {
        return Ok(());
    }
    let faults = empty.iter().map(|(name, _)| format!("{name}: expected a value, not an empty string"));
    Err(ToolError::of_arguments(faults, empty.len(), "Omit a field to keep its value. null removes the value."))
}

/// Returns the names of the fields that have a value. A value of `null` names no other record.
pub(crate) fn with_value(given: &[(String, Json)]) -> Vec<String> {
    given.iter().filter(|(_, value)| *value != Json::Null).map(|(name, _)| name.clone()).collect()
}

/// Checks the names of the given fields. `others` are the names of the arguments that are not fields.
///
/// # Errors
/// [`ToolError::Correctable`] if no field is given, or if a name is not a field of the body.
pub(crate) fn check_names(given: &[(String, Json)], names: &[String], others: &[&str]) -> Result<(), ToolError> {
    let hint = format!("The fields are: {}. The other arguments are {}.", names.join(", "), others.join(", "));
    if given.is_empty() {
        return Err(ToolError::Correctable(format!("Nothing was changed: give at least one field to change. {hint}")));
    }
    let unknown: Vec<_> = given.iter().filter(|(name, _)| !names.contains(name)).collect();
    if unknown.is_empty() {
        return Ok(());
    }
    let faults = unknown.iter().map(|(name, _)| format!("{} is not a field", shortened(name)));
    Err(ToolError::of_arguments(faults, unknown.len(), &hint))
}

/// Returns the fields of a new record that have a value. `null` counts as absent, because models send it for arguments
/// without a value.
pub(crate) fn without_nulls(mut given: Members) -> Members {
    given.retain(|(_, value)| *value != Json::Null);
    given
}

/// Returns the precondition of the argument `if_match`. The quotes of the tag may be omitted.
pub(crate) fn precondition(if_match: Option<&str>) -> Precondition {
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
pub(crate) fn etag<T: Serialize>(record: &T) -> Result<String, JsonError> {
    Ok(EntityTag::of_record(record)?.as_str().trim_matches('"').to_owned())
}

#[cfg(test)]
mod tests {
    use family_api_core::resource::{Event, Note, Task};

    use super::*;

    /// Returns the fields in which an empty string is the same change as `null`.
    fn removed_by_empty<R: Editable>() -> Vec<String> {
        let read = |name: &str, value: Json| R::parse_update(Json::Object(vec![(name.to_owned(), value)])).ok();
        let is_removed = |name: &String| {
            let with_empty = read(name, Json::String(String::new()));
            with_empty.is_some() && with_empty == read(name, Json::Null)
        };
        names(&update_schema::<R>()).into_iter().filter(is_removed).collect()
    }

    #[test]
    fn every_field_that_an_empty_string_removes_is_checked() {
        let mut removed = removed_by_empty::<Task>();
        removed.extend(removed_by_empty::<Note>());
        removed.extend(removed_by_empty::<Event>());
        removed.sort_unstable();
        removed.dedup();
        let mut expected = REMOVED_BY_EMPTY;
        expected.sort_unstable();
        assert_eq!(removed, expected);
    }

    #[test]
    fn only_an_empty_value_of_such_a_field_is_refused() {
        let given = |name: &str, value: Json| vec![(name.to_owned(), value)];
        assert!(check_values(&given("dueDate", Json::String(" ".to_owned()))).is_err());
        for (name, value) in [
            ("dueDate", Json::Null),
            ("dueDate", Json::String("2026-11-24".to_owned())),
            ("description", Json::String(String::new())),
        ] {
            assert!(check_values(&given(name, value)).is_ok(), "{name}");
        }
    }
}
