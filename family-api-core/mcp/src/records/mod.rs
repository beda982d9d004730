//! The records in the answers of tools: as structured content, and as one line of text.
//!
//! The names of the fields are those of the HTTP reference, and another record is named as an argument names it. Both
//! parts contain the same facts. Absent values are omitted, so that answers stay short. In
//! the types of answers, a `///` comment is part of the schema that models read, and a `//` comment is only for readers
//! of the code.

mod event;
mod note;
mod task;

pub(crate) use event::{EventItem, Span, When};
pub(crate) use note::NoteItem;
pub(crate) use task::{TaskItem, due_text, due_words};

use family_api_core::id::UserId;
use family_api_core::resource::Person;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

use crate::answer::one_line;

/// Maximum length of a title or name in a line of text, in characters.
pub(crate) const MAX_LINE: usize = 120;

/// Maximum length of a title in the structured content, in characters. A PATCH accepts no longer titles, but an import
/// does. A text that is cut ends with `…`.
const MAX_TITLE: usize = 500;

/// Maximum length of a name in the structured content, in characters.
const MAX_NAME: usize = 200;

/// Maximum number of labels or tags, and the maximum length of each, in characters.
const MAX_LABELS: usize = 50;

/// Returns a title for the structured content.
pub(crate) fn title(text: &str) -> String {
    one_line(text, MAX_TITLE)
}

/// Returns a name for the structured content.
pub(crate) fn name(text: &str) -> String {
    one_line(text, MAX_NAME)
}

/// Returns the name of a person for the structured content, or the id of one who left the family.
pub(crate) fn person(person: Option<Person>, id: Option<UserId>) -> Option<String> {
    person.map(|person| name(&person.name)).or_else(|| id.map(Into::into))
}

/// Returns the mark of a record that only the caller sees, for a line of text.
pub(crate) const fn private_mark(is_private: bool) -> &'static str {
    if is_private { " private" } else { "" }
}

/// Returns labels or tags for the structured content.
pub(crate) fn labels(all: &[String]) -> Vec<String> {
    all.iter().take(MAX_LABELS).map(|label| one_line(label, MAX_LABELS)).collect()
}

/// Returns the JSON schema of structured content: the members and their types, but not those of records in lists, nor
/// which of them can be absent. A client that sends it to its model sends it in every conversation.
pub(crate) fn schema<T: JsonSchema>() -> Value {
    let mut settings = SchemaSettings::draft2020_12().for_serialize();
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.remove("title");
    schema.remove("required");
    let mut schema = schema.to_value();
    schema.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten().for_each(|(_, property)| {
        shorten(property);
        property.get_mut("items").into_iter().for_each(only_type);
        if property["type"] == "object" {
            only_type(property);
        }
    });
    schema
}

/// Removes everything but the type.
fn only_type(schema: &mut Value) {
    if let Some(members) = schema.as_object_mut() {
        members.retain(|member, _| member == "type");
    }
}

/// Removes what describes the types of Rust and not the JSON: the sizes of integers, and `null` for absent values,
/// which are omitted.
fn shorten(schema: &mut Value) {
    let Some(members) = schema.as_object_mut() else { return };
    if let Some([kind, Value::String(null)]) = members.get("type").and_then(Value::as_array).map(Vec::as_slice)
        && null == "null"
    {
        members.insert("type".to_owned(), kind.clone());
    }
    if members.get("type").is_some_and(|kind| kind == "integer") {
        members.remove("format");
        members.remove("minimum");
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn schema_describes_the_json_and_not_the_types_of_rust() {
        #[derive(serde::Serialize, JsonSchema)]
        struct Part {
            count: u32,
            #[serde(skip_serializing_if = "Option::is_none")]
            next: Option<usize>,
        }
        #[derive(serde::Serialize, JsonSchema)]
        struct Whole {
            first: Part,
            rest: Vec<Part>,
            labels: Vec<String>,
        }

        let integer = json!({ "type": "integer" });
        let properties = json!({ "count": integer, "next": integer });
        assert_eq!(schema::<Part>(), json!({ "type": "object", "properties": properties }));
        let list = |of: &str| json!({ "type": "array", "items": { "type": of } });
        let properties = json!({ "first": { "type": "object" }, "rest": list("object"), "labels": list("string") });
        assert_eq!(schema::<Whole>(), json!({ "type": "object", "properties": properties }));
    }
}
