//! Writes with ids of the host.

use std::any::Any;

use family_api_core::change::{Editable, EventUpdate, New};
use family_api_core::id::Id;
use family_api_core::resource::{Event, RecordKind};
use family_api_core::storage::{Operation, RecordWrite, Written};
use family_api_core::validation::Json;
use serde::Serialize;
use serde_json::{Value, json};

use super::kind::{ContainsIds, Kind};
use super::names::Names;
use super::results::map;

/// Returns the write with ids of the host. The digest of a request with an idempotency key remains: a storage only
/// compares it.
pub(super) fn to_host<R: Editable>(write: &RecordWrite<R>, names: &Names<'_>) -> RecordWrite<R> {
    let id = |id: &R::Id| names.host_id(Kind::Record(R::KIND), id.text()).parse().unwrap();
    let operation = match &write.operation {
        Operation::Create { id: record, new, idempotency } => {
            Operation::Create { id: id(record), new: new_to_host::<R>(new, names), idempotency: idempotency.clone() }
        }
        Operation::Update { id: record, update, precondition, new_id } => Operation::Update {
            id: id(record),
            update: update_to_host::<R>(update, names),
            precondition: names.precondition(precondition),
            new_id: new_id.as_ref().map(id),
        },
        Operation::Delete { id: record, precondition } => {
            Operation::Delete { id: id(record), precondition: names.precondition(precondition) }
        }
        Operation::Restore { id: record } => Operation::Restore { id: id(record) },
    };
    RecordWrite { operation, ..write.clone() }
}

/// The occurrence of an event is in the path of the request, not in its body.
fn update_to_host<R: Editable>(update: &R::Update, names: &Names<'_>) -> R::Update {
    let mut body = body(update, names);
    let part = body.as_object_mut().and_then(|fields| fields.remove("overrides"));
    let Some(part) = part else {
        return R::parse_update(Json::of(&body)).unwrap();
    };
    let start = part["start"].as_str().unwrap().parse().unwrap();
    let scope = part["scope"].as_str().unwrap().parse().unwrap();
    let update = match part["action"].as_str().unwrap() {
        "skip" => EventUpdate::skip_occurrence(start, scope),
        "restore" => EventUpdate::restore_occurrence(start),
        _ => Event::parse_update(Json::of(&body)).unwrap().of_occurrence(start, scope).unwrap(),
    };
    *(Box::new(update) as Box<dyn Any>).downcast().unwrap()
}

/// The container of a new item or column is in the path of the request, not in its body.
fn new_to_host<R: Editable>(new: &New<R::Update>, names: &Names<'_>) -> New<R::Update> {
    let mut body = body(new, names);
    let container = match R::KIND {
        RecordKind::ShoppingItem => Some("listId"),
        RecordKind::Column => Some("boardId"),
        _ => None,
    };
    let container = container.and_then(|field| body.as_object_mut()?.remove(field));
    R::parse_new(container.as_ref().and_then(Value::as_str), Json::of(&body)).unwrap()
}

/// Returns the body of a request, with ids of the host.
fn body(fields: &impl Serialize, names: &Names<'_>) -> Value {
    let mut body = json!(fields);
    names.to_host_ids(&mut body, None);
    body
}

/// Returns the result of a write with names. A created record has the name that the case proposed as its id, unless the
/// record existed before.
pub(super) fn to_names<R: Editable + ContainsIds>(
    write: &RecordWrite<R>,
    written: Written<R>,
    names: &Names<'_>,
) -> Written<R> {
    if let (Some(id), Written::Created(record) | Written::Split { new: record, .. } | Written::Existing(record)) =
        (write.operation.new_id(), &written)
    {
        names.assign(Kind::Record(R::KIND), id.text(), record.id().text());
    }
    map(written, |record| names.with_names(&record))
}
