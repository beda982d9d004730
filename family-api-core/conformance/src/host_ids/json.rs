//! Translates the ids in JSON, and computes the entity tags of the records in it.

use family_api_core::resource::{
    Board, Column, Event, Note, NoteCategory, RecordKind, ShoppingItem, ShoppingList, Task,
};
use family_api_core::{EntityTag, for_each_kind};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::kind::Kind;

/// The fields of a record that contain other records.
const LISTS: [&str; 3] = ["columns", "tasks", "items"];

/// Replaces each id. `own` is what the `id` of the object, or of the objects of a list, identifies.
pub(super) fn replace_ids(value: &mut Value, own: Option<Kind>, replace: &mut impl FnMut(Kind, &str) -> String) {
    match value {
        Value::Array(elements) => elements.iter_mut().for_each(|element| replace_ids(element, own, replace)),
        Value::Object(fields) => {
            for (name, value) in fields {
                match (Kind::of_field(name, own), &mut *value) {
                    (Some(kind), Value::String(id)) => *id = replace(kind, id),
                    (Some(kind), Value::Array(ids)) => {
                        let ids = ids.iter_mut();
                        ids.for_each(|id| *id = json!(replace(kind, id.as_str().unwrap_or_default())));
                    }
                    _ => replace_ids(value, Kind::of_objects_in(name), replace),
                }
            }
        }
        _ => {}
    }
}

/// Calls `visit` with the entity tags of each record in two values that differ only in their ids.
pub(super) fn for_each_tag(
    named: &Value,
    of_host: &Value,
    own: Option<Kind>,
    visit: &mut impl FnMut(EntityTag, EntityTag),
) {
    match (named, of_host) {
        (Value::Array(named), Value::Array(of_host)) => {
            named.iter().zip(of_host).for_each(|(named, of_host)| for_each_tag(named, of_host, own, visit));
        }
        (Value::Object(fields), Value::Object(_)) => {
            if let Some(Kind::Record(kind)) = own {
                visit(tag(kind, named), tag(kind, of_host));
            }
            for (name, value) in fields {
                for_each_tag(value, &of_host[name], Kind::of_objects_in(name), visit);
            }
        }
        _ => {}
    }
}

/// Returns the entity tag of a record, without the records that it contains.
fn tag(kind: RecordKind, record: &Value) -> EntityTag {
    let mut record = record.clone();
    for list in LISTS {
        if let Some(records) = record.get_mut(list) {
            *records = json!([]);
        }
    }
    macro_rules! tag_by_kind {
        ($($method:ident: $Record:ident,)*) => {
            match kind {
                $(RecordKind::$Record => tag_as::<$Record>(record),)*
            }
        };
    }
    for_each_kind!(tag_by_kind)
}

fn tag_as<R: Serialize + DeserializeOwned>(record: Value) -> EntityTag {
    EntityTag::of_record(&serde_json::from_value::<R>(record).unwrap()).unwrap()
}
