//! A family in which Ana and Ben have shared and private records.

use family_api_core::FamilyApi;
use family_api_testing::{line, with};
use serde_json::{Value, json};

use crate::fixture::Fixture;

const AT: &str = "2026-11-20T10:15:30.123Z";

/// The word in the id and in the text of each record that only Ben sees.
pub(super) const SECRET: &str = "secret";

/// Creates the fixture with shared records of all kinds, and its API.
pub(super) async fn with_shared_records() -> (Fixture, FamilyApi) {
    let (fixture, api) = Fixture::with_api().await;
    fixture.load(shared()).await;
    (fixture, api)
}

/// Adds the records that only Ben sees.
pub(super) async fn add_bens_records(fixture: &Fixture) {
    fixture.load(bens()).await;
}

fn shared() -> Vec<Value> {
    vec![
        task("ironing", json!({ "assigneeId": "ana", "dueDate": "2026-11-19T10:00:00Z", "creatorId": "ben" })),
        task("cleaning", json!({ "assigneeId": "ana", "dueDate": "2026-11-21T10:00:00Z" })),
        task("cooking", json!({ "assigneeId": "ben", "labels": ["kitchen"] })),
        event("piano", json!({ "recurrence": "FREQ=DAILY" })),
        event("dentist", json!({})),
        list("groceries", json!({})),
        item("milk", "groceries", json!({ "addedById": "ben" })),
    ]
}

/// A private board with a task and a private task on the shared board, both assigned to Ana. A private list, and a
/// private item on the shared list.
fn bens() -> Vec<Value> {
    let mine = json!({ "isPrivate": true, "ownerUserId": "ben" });
    vec![
        with(line!("board", "secret-board", { "familyId": "f", "name": "secret board", "order": 1 }), mine.clone()),
        line!("column", "secret-column", { "familyId": "f", "boardId": "secret-board", "name": "secret column" }),
        task("secret-on-board", json!({ "columnId": "secret-column", "assigneeId": "ana", "dueDate": AT })),
        task("secret-task", json!({ "isPrivate": true, "creatorId": "ben", "assigneeId": "ana", "dueDate": AT })),
        list("secret-list", mine),
        item("secret-on-list", "secret-list", json!({})),
        item("secret-item", "groceries", json!({ "isPrivate": true, "addedById": "ben" })),
    ]
}

pub(super) fn task(id: &str, fields: Value) -> Value {
    let task = line!("task", id, {
        "familyId": "f", "columnId": "column", "title": format!("{id} title"), "creatorId": "ana",
    });
    with(task, fields)
}

pub(super) fn event(id: &str, fields: Value) -> Value {
    let event = line!("event", id, { "familyId": "f", "title": format!("{id} title"), "startDate": AT, "endDate": AT });
    with(event, fields)
}

pub(super) fn list(id: &str, fields: Value) -> Value {
    let list = line!("shoppingList", id, { "familyId": "f", "name": format!("{id} name") });
    with(list, fields)
}

fn item(id: &str, list: &str, fields: Value) -> Value {
    let item = line!("shoppingItem", id, { "familyId": "f", "listId": list, "name": format!("{id} name") });
    with(item, fields)
}
