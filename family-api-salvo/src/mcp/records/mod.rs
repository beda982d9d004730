//! The records in the answers of tools: as structured content, and as one line of text.
//!
//! The names of the fields are those of the HTTP reference. Absent values are omitted, so that answers stay short.

mod changed;
mod event;
mod note;
mod task;

pub(super) use changed::{ChangedNote, ChangedTask};
pub(super) use event::EventItem;
pub(super) use note::NoteItem;
pub(super) use task::TaskItem;
use task::due_text;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

/// Maximum length of a title or name in a line of text, in characters.
const MAX_LINE: usize = 120;

/// Returns the JSON schema of structured content. Subschemas are inlined and titles omitted, which makes it shorter.
pub(super) fn schema<T: JsonSchema>() -> Value {
    let mut settings = SchemaSettings::draft2020_12().for_serialize();
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.remove("title");
    let mut schema = schema.to_value();
    shorten(&mut schema);
    schema
}

/// Removes what describes the types of Rust and not the JSON: the sizes of integers, and `null` for absent values, which
/// are omitted.
fn shorten(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            let kind = members.get("type").cloned().unwrap_or_default();
            if kind == "integer" {
                members.remove("format");
                members.remove("minimum");
            }
            if let Some([kind, Value::String(null)]) = kind.as_array().map(Vec::as_slice)
                && null == "null"
            {
                members.insert("type".to_owned(), kind.clone());
            }
            members.values_mut().for_each(shorten);
        }
        Value::Array(elements) => elements.iter_mut().for_each(shorten),
        _ => {}
    }
}
