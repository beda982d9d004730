//! Removes the components of the OpenAPI document that nothing refers to.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// The name of a component, after the name of its section, such as `schemas`.
type Name = (String, String);

/// Removes the components to which neither an operation refers nor a component that stays. The components that the host
/// has added stay, and what they refer to.
pub(super) fn remove_unreferenced(document: &mut Value, fragments: &[Value]) {
    let Some(components) = document.get_mut("components").map(Value::take) else { return };
    let own = fragments.iter().filter_map(|fragment| fragment.get("components")?.as_object());
    let mut found: Vec<Name> = own.flat_map(names).collect();
    find_references(document, &mut found);
    let mut kept = BTreeSet::new();
    while let Some(name) = found.pop() {
        if let Some(component) = components.get(&name.0).and_then(|section| section.get(&name.1))
            && kept.insert(name)
        {
            find_references(component, &mut found);
        }
    }
    document["components"] = retain(components, &kept);
}

fn names(components: &Map<String, Value>) -> impl Iterator<Item = Name> {
    components.iter().flat_map(|(section, members)| {
        members.as_object().into_iter().flat_map(Map::keys).map(|name| (section.clone(), name.clone()))
    })
}

/// Removes the other components, and the sections that are then empty.
fn retain(mut components: Value, kept: &BTreeSet<Name>) -> Value {
    if let Some(sections) = components.as_object_mut() {
        for (section, members) in sections.iter_mut() {
            if let Some(members) = members.as_object_mut() {
                members.retain(|name, _| kept.contains(&(section.clone(), name.clone())));
            }
        }
        sections.retain(|_, members| members.as_object().is_none_or(|members| !members.is_empty()));
    }
    components
}

/// Finds each `#/components/…` in a value, and the security schemes that an operation names.
fn find_references(value: &Value, found: &mut Vec<Name>) {
    match value {
        Value::String(text) => found.extend(component(text)),
        Value::Array(elements) => elements.iter().for_each(|element| find_references(element, found)),
        Value::Object(members) => {
            for (name, member) in members {
                if name == "security" {
                    let schemes = member.as_array().into_iter().flatten().filter_map(Value::as_object);
                    found.extend(schemes.flat_map(Map::keys).map(|name| ("securitySchemes".to_owned(), name.clone())));
                }
                find_references(member, found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn component(reference: &str) -> Option<Name> {
    let mut parts = reference.strip_prefix("#/components/")?.split('/');
    Some((parts.next()?.to_owned(), parts.next()?.to_owned()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_an_operation_or_the_host_needs_stays() {
        let reference = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
        let mut document = json!({
            "paths": { "/": { "get": { "security": [{ "key": [] }], "responses": { "200": reference("Used") } } } },
            "components": {
                "schemas": {
                    "Used": { "items": { "$ref": "#/components/schemas/Inner/properties/name" } },
                    "Inner": reference("Used"),
                    "Unused": reference("Cycle"),
                    "Cycle": reference("Unused"),
                    "Host": reference("OfHost"),
                    "OfHost": {},
                },
                "securitySchemes": { "key": {}, "session": {} },
                "headers": { "Unused": {} },
            },
        });
        remove_unreferenced(&mut document, &[json!({ "components": { "schemas": { "Host": {} } } })]);
        let sections = document["components"].as_object().unwrap();
        let left: Vec<_> = names(sections).map(|(section, name)| format!("{section}/{name}")).collect();
        assert_eq!(left, ["schemas/Host", "schemas/Inner", "schemas/OfHost", "schemas/Used", "securitySchemes/key"]);
        assert!(!sections.contains_key("headers"));
    }
}
