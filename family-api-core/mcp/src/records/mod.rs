//! The records in the answers of tools: as structured content, and as one line of text.
//!
//! The names of the fields are those of the HTTP reference. Absent values are omitted, so that answers stay short. In
//! the types of answers, a `///` comment is part of the schema that models read, and a `//` comment is only for readers
//! of the code.

mod event;
mod note;
mod task;

pub(crate) use event::{EventItem, When};
pub(crate) use note::NoteItem;
pub(crate) use task::{TaskItem, due_text};

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

/// Returns labels or tags for the structured content.
pub(crate) fn labels(all: &[String]) -> Vec<String> {
    all.iter().take(MAX_LABELS).map(|label| one_line(label, MAX_LABELS)).collect()
}

/// Returns the JSON schema of structured content. Subschemas are inlined and titles omitted, which makes it shorter.
pub(crate) fn schema<T: JsonSchema>() -> Value {
    let mut settings = SchemaSettings::draft2020_12().for_serialize();
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.remove("title");
    let mut schema = schema.to_value();
    shorten(&mut schema);
    schema
}

/// Removes what describes the types of Rust and not the JSON: the sizes of integers, and `null` for absent values,
/// which are omitted.
fn shorten(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            if let Some([kind, Value::String(null)]) = members.get("type").and_then(Value::as_array).map(Vec::as_slice)
                && null == "null"
            {
                members.insert("type".to_owned(), kind.clone());
            }
            if members.get("type").is_some_and(|kind| kind == "integer") {
                members.remove("format");
                members.remove("minimum");
            }
            members.values_mut().for_each(shorten);
        }
        Value::Array(elements) => elements.iter_mut().for_each(shorten),
        _ => {}
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

        let integer = json!({ "type": "integer" });
        let properties = json!({ "count": integer, "next": integer });
        assert_eq!(schema::<Part>(), json!({ "type": "object", "properties": properties, "required": ["count"] }));
    }
}
