//! A validator for the part of JSON Schema that the OpenAPI document uses.

use serde_json::Value;

/// Validates a value against a schema of the OpenAPI document. The error says why the value does not match.
pub(crate) fn validate(document: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    if let Some(reference) = schema["$ref"].as_str() {
        let target = document.pointer(reference.trim_start_matches('#')).ok_or_else(|| reference.to_owned())?;
        validate(document, target, value)?;
    }
    for part in elements(&schema["allOf"]) {
        validate(document, part, value)?;
    }
    for choice in ["anyOf", "oneOf"] {
        let parts = elements(&schema[choice]);
        if !parts.is_empty() && !parts.iter().any(|part| validate(document, part, value).is_ok()) {
            return Err(format!("no schema in {choice} matches {value}"));
        }
    }
    let allowed = elements(&schema["enum"]);
    let constant = schema.get("const").is_none_or(|constant| constant == value);
    if !constant || !(allowed.is_empty() || allowed.contains(value)) || !has_type(&schema["type"], value) {
        return Err(format!("{value} does not match {schema}"));
    }
    validate_members(document, schema, value)?;
    let items = schema.get("items");
    elements(value).iter().try_for_each(|element| items.map_or(Ok(()), |items| validate(document, items, element)))
}

fn validate_members(document: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    let Some(object) = value.as_object() else { return Ok(()) };
    for name in elements(&schema["required"]) {
        object.get(name.as_str().unwrap_or_default()).ok_or_else(|| format!("{name} is missing in {value}"))?;
    }
    let Some(properties) = schema["properties"].as_object() else { return Ok(()) };
    // An object may have only documented members. A schema with `allOf` narrows `Problem` and lists only some members.
    let is_narrowing = schema.get("allOf").is_some();
    for (name, member) in object {
        match properties.get(name) {
            Some(schema) => validate(document, schema, member).map_err(|error| format!("{name}: {error}"))?,
            None if is_narrowing => {}
            None => return Err(format!("{name} is not documented")),
        }
    }
    Ok(())
}

fn elements(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn has_type(types: &Value, value: &Value) -> bool {
    let is = |name: &Value| match name.as_str().unwrap_or_default() {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("unknown type {other}"),
    };
    match types {
        Value::Null => true,
        Value::Array(types) => types.iter().any(is),
        one => is(one),
    }
}
