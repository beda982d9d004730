//! A family in which Ana and Ben have shared and private records.

use family_api_core::storage::{BulkLoad, Record};
use serde_json::{Value, json};

use crate::fixture::Fixture;

const AT: &str = "2026-11-20T10:15:30.123Z";

/// The word in the id and in the text of each record that only Ben sees.
pub(super) const SECRET: &str = "secret";

/// Returns the fixture with shared records of all kinds.
pub(super) async fn with_shared_records() -> Fixture {
    let fixture = Fixture::new().await;
    load(&fixture, shared()).await;
    fixture
}

/// Adds the records that only Ben sees.
pub(super) async fn add_bens_records(fixture: &Fixture) {
    load(fixture, bens()).await;
}

pub(super) async fn load(fixture: &Fixture, records: Vec<Value>) {
    let mut load = fixture.storage.memory.begin_load().await.unwrap();
    for record in records {
        load.insert(Record::from_json(record.to_string().as_bytes()).unwrap()).await.unwrap();
    }
    load.commit().await.unwrap();
}

fn shared() -> Vec<Value> {
    vec![
        task("ironing", &json!({ "assigneeId": "ana", "dueDate": "2026-11-19T10:00:00Z", "creatorId": "ben" })),
        task("cleaning", &json!({ "assigneeId": "ana", "dueDate": "2026-11-21T10:00:00Z" })),
        task("cooking", &json!({ "assigneeId": "ben", "labels": ["kitchen"] })),
        event("piano", &json!({ "recurrence": "FREQ=DAILY" })),
        event("dentist", &json!({})),
        list("groceries", &json!({})),
        item("milk", "groceries", &json!({ "addedById": "ben" })),
    ]
}

/// A private board with a task and a private task on the shared board, both assigned to Ana. A private list, and a
/// private item on the shared list.
fn bens() -> Vec<Value> {
    let mine = json!({ "isPrivate": true, "ownerUserId": "ben" });
    vec![
        merge(
            json!({ "type": "board", "id": "secret-board", "familyId": "f", "name": "secret board", "description": null,
                "emoji": null, "color": null, "order": 1, "createdAt": AT, "updatedAt": AT }),
            &mine,
        ),
        json!({ "type": "column", "id": "secret-column", "familyId": "f", "boardId": "secret-board",
            "name": "secret column", "emoji": null, "color": null, "order": 0, "createdAt": AT }),
        task("secret-on-board", &json!({ "columnId": "secret-column", "assigneeId": "ana", "dueDate": AT })),
        task("secret-task", &json!({ "isPrivate": true, "creatorId": "ben", "assigneeId": "ana", "dueDate": AT })),
        list("secret-list", &mine),
        item("secret-on-list", "secret-list", &json!({})),
        item("secret-item", "groceries", &json!({ "isPrivate": true, "addedById": "ben" })),
    ]
}

/// Returns the record with some of its fields replaced.
fn merge(mut record: Value, fields: &Value) -> Value {
    for (name, value) in fields.as_object().unwrap() {
        record[name] = value.clone();
    }
    record
}

pub(super) fn task(id: &str, fields: &Value) -> Value {
    let task = json!({ "type": "task", "id": id, "familyId": "f", "columnId": "column", "title": format!("{id} title"),
        "description": null, "priority": "LOW", "dueDate": null, "completedAt": null, "order": 0, "labels": [],
        "isPrivate": false, "assigneeId": null, "creatorId": "ana", "createdAt": AT, "updatedAt": AT });
    merge(task, fields)
}

pub(super) fn event(id: &str, fields: &Value) -> Value {
    let event = json!({ "type": "event", "id": id, "familyId": "f", "title": format!("{id} title"), "description": null,
        "emoji": null, "color": null, "startDate": AT, "endDate": AT, "allDay": false, "location": null,
        "recurrence": null, "assigneeId": null, "createdAt": AT, "updatedAt": AT });
    merge(event, fields)
}

fn list(id: &str, fields: &Value) -> Value {
    let list = json!({ "type": "shoppingList", "id": id, "familyId": "f", "name": format!("{id} name"), "emoji": null,
        "sortOrder": 0, "isPrivate": false, "ownerUserId": null, "createdAt": AT, "updatedAt": AT });
    merge(list, fields)
}

fn item(id: &str, list: &str, fields: &Value) -> Value {
    let item = json!({ "type": "shoppingItem", "id": id, "familyId": "f", "listId": list, "name": format!("{id} name"),
        "quantity": null, "category": null, "checked": false, "isPrivate": false, "addedById": null, "createdAt": AT });
    merge(item, fields)
}
