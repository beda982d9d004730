//! A validator for the part of JSON Schema that the document uses.

use serde_json::Value;

/// Checks a value against a schema of the document. The error says why it does not match.
pub(crate) fn fits(document: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    if let Some(reference) = schema["$ref"].as_str() {
        let target = document.pointer(reference.trim_start_matches('#')).ok_or_else(|| reference.to_owned())?;
        fits(document, target, value)?;
    }
    for part in list(&schema["allOf"]) {
        fits(document, part, value)?;
    }
    for choice in ["anyOf", "oneOf"] {
        let parts = list(&schema[choice]);
        if !parts.is_empty() && !parts.iter().any(|part| fits(document, part, value).is_ok()) {
            return Err(format!("{choice} has nothing for {value}"));
        }
    }
    let allowed = list(&schema["enum"]);
    let constant = schema.get("const").is_none_or(|constant| constant == value);
    if !constant || !(allowed.is_empty() || allowed.contains(value)) || !has_type(&schema["type"], value) {
        return Err(format!("{value} is not {schema}"));
    }
    members(document, schema, value)?;
    let items = schema.get("items");
    list(value).iter().try_for_each(|element| items.map_or(Ok(()), |items| fits(document, items, element)))
}

fn members(document: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    let Some(object) = value.as_object() else { return Ok(()) };
    for name in list(&schema["required"]) {
        object.get(name.as_str().unwrap_or_default()).ok_or_else(|| format!("{name} is missing in {value}"))?;
    }
    let Some(properties) = schema["properties"].as_object() else { return Ok(()) };
    // Records may only have documented members. A schema that narrows `Problem` lists only some members.
    let narrows = schema.get("allOf").is_some();
    for (name, member) in object {
        match properties.get(name) {
            Some(schema) => fits(document, schema, member).map_err(|fault| format!("{name}: {fault}"))?,
            None if narrows => {}
            None => return Err(format!("{name} is not documented")),
        }
    }
    Ok(())
}

fn list(value: &Value) -> &[Value] {
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
        other => panic!("no type {other}"),
    };
    match types {
        Value::Null => true,
        Value::Array(types) => types.iter().any(is),
        one => is(one),
    }
}
