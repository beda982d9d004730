//! The fields of PATCH bodies as arguments of a tool.

use family_api_core::change::Editable;
use family_api_core::storage::StorageError;
use family_api_core::validation::Json;
use family_api_core::{EntityTag, Error, Precondition};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::arguments::{Members, shortened};
use crate::error::ToolError;
use crate::names;

/// The members of a schema that a model does not need. The message of a fault names the limit that a value exceeds.
const OMITTED: [&str; 11] = [
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
    "pattern",
];

/// Returns the schema of a body with short descriptions instead of those of the HTTP API, and without limits: every
/// client sends all definitions to its model in every conversation.
pub(crate) fn short_schema(body: &Value, descriptions: &[(&str, &str)]) -> Value {
    let property = |(field, schema): (String, Value)| {
        let (argument, mut schema) = (names::argument(&field), schema);
        let description = descriptions.iter().find(|(described, _)| *described == argument);
        shorten(&mut schema);
        if let Some(schema) = schema.as_object_mut() {
            schema.extend(description.map(|(_, text)| ("description".to_owned(), Value::from(*text))));
        }
        (argument.to_owned(), schema)
    };
    let properties = body.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
    let properties: Map<String, Value> = properties.into_iter().map(property).collect();
    let required = body.get("required").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    json!({
        "type": "object",
        "properties": properties,
        "required": required.iter().filter_map(Value::as_str).map(names::argument).collect::<Vec<_>>(),
        "additionalProperties": false,
    })
}

/// Removes what a model does not need. A type that can be `null` becomes its other type, because some clients accept no
/// list of types. An absent field has the same meaning in a new record, and [`CLEAR`] in a change.
fn shorten(schema: &mut Value) {
    if let Some(members) = schema.as_object_mut() {
        members.retain(|member, _| !OMITTED.contains(&member.as_str()));
        if let Some(type_name) = type_or_null(members) {
            members.insert("type".to_owned(), type_name);
        }
        members.get_mut("items").into_iter().for_each(shorten);
    }
}

/// Returns the type of a value that can also be `null`.
fn type_or_null(schema: &Map<String, Value>) -> Option<Value> {
    match schema.get("type")?.as_array()?.as_slice() {
        [type_name, Value::String(null)] if null == "null" => Some(type_name.clone()),
        _ => None,
    }
}

/// The argument that lists the fields without a value after a change.
pub(crate) const CLEAR: &str = "clear";

/// Returns the arguments for the fields of a body that can have no value.
pub(crate) fn clearable(body: &Value) -> Vec<String> {
    let properties = body.get("properties").and_then(Value::as_object);
    let can_be_null = |schema: &Value| schema.as_object().and_then(type_or_null).is_some();
    let clearable = properties.into_iter().flatten().filter(|(_, schema)| can_be_null(schema));
    clearable.map(|(field, _)| names::argument(field).to_owned()).collect()
}

/// Returns the schema of the argument [`CLEAR`].
pub(crate) fn clear_schema(clearable: &[String]) -> Value {
    json!({ "type": "array", "items": { "type": "string", "enum": clearable } })
}

/// Takes the argument [`CLEAR`] out of the given ones, and sets each field that it lists to `null`.
///
/// # Errors
/// [`ToolError::Correctable`] if it is not a list of such fields, or if one of them has a value too.
pub(crate) fn with_cleared(given: Members, clearable: &[String]) -> Result<Members, ToolError> {
    let (clear, mut fields): (Members, Members) = given.into_iter().partition(|(name, _)| name == CLEAR);
    let mut faults = Vec::new();
    for (_, value) in clear {
        let listed = match value {
            Json::Null => continue,
            Json::Array(listed) => listed,
            other => vec![other],
        };
        for name in listed {
            match name.as_str().filter(|name| clearable.iter().any(|other| other == name)) {
                Some(name) if fields.iter().any(|(field, value)| field == name && *value != Json::Null) => {
                    faults.push(format!("{name}: is given, and also in {CLEAR}"));
                }
                Some(name) => {
                    fields.retain(|(field, _)| field != name);
                    fields.push((name.to_owned(), Json::Null));
                }
                None => faults.push(format!("{CLEAR}: expected a list of {}", clearable.join(", "))),
            }
        }
    }
    if faults.is_empty() {
        return Ok(fields);
    }
    let count = faults.len();
    Err(ToolError::of_arguments(faults.into_iter(), count, ""))
}

/// Returns the schema of the PATCH body that changes fields. Another variant of the body of a task is a move, which has
/// no field that is not among them.
pub(crate) fn update_schema<R: Editable>() -> Value {
    let schema = R::update_schema();
    schema.pointer("/oneOf/0").cloned().unwrap_or(schema)
}

/// Returns the arguments for the fields of a body.
pub(crate) fn names(body: &Value) -> Vec<String> {
    let properties = body.get("properties").and_then(Value::as_object);
    let fields = properties.into_iter().flatten().map(|(field, _)| field.as_str());
    fields.map(|field| names::argument(field).to_owned()).collect()
}

/// The arguments for the fields that an empty string removes in a PATCH.
const REMOVED_BY_EMPTY: [&str; 3] = ["assignee", "dueDate", "category"];

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
    Err(ToolError::of_arguments(faults, empty.len(), "Omit a field to keep its value. clear removes the value."))
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
    let fault = |(name, _): &&(String, Json)| match names::other_argument(name) {
        Some(argument) => format!("{} is not a field, use {argument}", shortened(name)),
        None => format!("{} is not a field", shortened(name)),
    };
    let faults = unknown.iter().map(fault);
    Err(ToolError::of_arguments(faults, unknown.len(), &hint))
}

/// Returns the fields of a new record that have a value. `null` counts as absent, because models send it for arguments
/// without a value.
pub(crate) fn without_nulls(mut given: Members) -> Members {
    given.retain(|(_, value)| *value != Json::Null);
    given
}

/// Returns the precondition of the argument `ifMatch`. The quotes of the tag may be omitted.
pub(crate) fn precondition(if_match: Option<&str>) -> Precondition {
    match if_match {
        None => Precondition::None,
        Some(tag) if tag.contains('"') || tag == "*" => Precondition::if_match([tag.as_bytes()]),
        Some(tag) => Precondition::if_match([format!("\"{tag}\"").as_bytes()]),
    }
}

/// Returns the entity tag of a record without its quotes, as a value for `ifMatch`.
///
/// # Errors
/// [`ToolError::Fault`] if the record cannot be serialized.
pub(crate) fn etag<T: Serialize>(record: &T) -> Result<String, ToolError> {
    let tag = EntityTag::of_record(record).map_err(StorageError::from).map_err(Error::from)?;
    Ok(unquoted(&tag))
}

/// Returns an entity tag without its quotes.
pub(crate) fn unquoted(tag: &EntityTag) -> String {
    tag.as_str().trim_matches('"').to_owned()
}

#[cfg(test)]
mod tests {
    use family_api_core::resource::{Event, Note, Task};

    use super::*;

    /// Returns the fields in which an empty string is the same change as `null`.
    fn removed_by_empty<R: Editable>() -> Vec<String> {
        let read = |name: &str, value: Json| {
            let field = names::field(R::KIND, name).to_owned();
            R::parse_update(Json::Object(vec![(field, value)])).ok()
        };
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
    fn cleared_fields_become_null() {
        let clearable = clearable(&update_schema::<Task>());
        assert_eq!(clearable, ["assignee", "description", "dueDate", "recurrence"]);
        let read = |text: &str| match Json::parse(text.as_bytes()).unwrap() {
            Json::Object(members) => with_cleared(members, &clearable),
            _ => panic!("{text}"),
        };
        assert_eq!(
            read(r#"{"title":"x","clear":["dueDate"],"dueDate":null}"#).unwrap(),
            [("title".to_owned(), Json::String("x".to_owned())), ("dueDate".to_owned(), Json::Null)]
        );
        assert_eq!(read(r#"{"clear":null}"#).unwrap(), []);
        for (text, part) in [
            (r#"{"clear":["title"]}"#, "clear: expected a list of assignee, description, dueDate, recurrence"),
            (r#"{"clear":7}"#, "clear: expected a list of"),
            (r#"{"clear":["dueDate"],"dueDate":"2026-11-24"}"#, "dueDate: is given, and also in clear"),
        ] {
            assert!(read(text).unwrap_err().to_string().contains(part), "{text}");
        }
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
