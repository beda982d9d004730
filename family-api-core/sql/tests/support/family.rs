//! Test data: two small families. The file is compiled for each SQL storage.

use family_api_core::calendar::Zone;
use family_api_core::change::Editable;
use family_api_core::storage::{
    Author, BulkLoad, LoadError, Member, Operation, Record, RecordWrite, StorageError, Writable, WriteStorage, Written,
};
use family_api_testing::with;
use serde_json::{Value, json};

pub(crate) use crate::fixture::Fixture;

pub(crate) const AT: &str = "2026-11-20T10:15:30.123Z";

/// The value of `recurrence`, which cannot be any text.
pub(crate) const RECURRENCE: &str = "FREQ=WEEKLY;BYDAY=MO\nEXDATE;TZID=\"Europe/Kyiv\":20261123T183000";

/// The value of `recurrence` of a task.
pub(crate) const TASK_RECURRENCE: &str = "DTSTART;TZID=Europe/Kyiv:20261123T090000\nRRULE:FREQ=WEEKLY";

impl Fixture {
    /// Creates a database with one record of each kind in each of two families. `text` is in every free text field.
    pub(crate) async fn of(text: &str) -> Self {
        let fixture = Self::empty().await;
        fixture.load(records("one", text).into_iter().chain(records("two", text))).await.unwrap();
        fixture
    }

    pub(crate) async fn load(&self, records: impl IntoIterator<Item = Value>) -> Result<(), LoadError> {
        let mut load = self.storage.begin_load().await?;
        for record in records {
            load.insert(record_of(&record)).await?;
        }
        load.commit().await
    }

    pub(crate) async fn count(&self, sql: &'static str) -> i64 {
        sqlx::query_scalar(sql).fetch_one(&mut self.connect_host().await).await.unwrap()
    }
}

pub(crate) fn record_of(json: &Value) -> Record {
    Record::from_json(json.to_string().as_bytes()).unwrap()
}

/// Returns the record of this kind of the family `one`, with changes.
pub(crate) fn record_with(kind: &str, changes: &Value) -> Value {
    let record = records("one", "x").into_iter().find(|record| record["type"] == kind).unwrap();
    with(record, changes.clone())
}

/// Returns the member of a family, such as `user-one` of the family `one`.
pub(crate) fn member(family: &str) -> Member {
    Member { user: format!("user-{family}").parse().unwrap(), family: family.parse().unwrap() }
}

/// Writes a record at [`AT`], in the time zone UTC.
pub(crate) async fn write<R: Writable>(
    storage: &impl WriteStorage,
    author: impl Into<Author>,
    operation: Operation<R>,
) -> Result<Written<R>, StorageError> {
    R::write(storage, &author.into(), &RecordWrite::new(operation, Zone::utc(), AT.parse().unwrap())).await
}

pub(crate) fn update<R: Editable>(id: &str, update: R::Update) -> Operation<R> {
    Operation::update(id.parse().unwrap(), update)
}

pub(crate) fn delete<R: Editable>(id: &str) -> Operation<R> {
    Operation::delete(id.parse().unwrap())
}

/// Returns one record of each kind, parents first. Each id consists of the kind and the family.
pub(crate) fn records(family: &str, text: &str) -> Vec<Value> {
    let id = |kind: &str| format!("{kind}-{family}");
    let user = id("user");
    vec![
        json!({ "type": "family", "id": family, "name": text, "createdAt": AT, "updatedAt": AT }),
        json!({ "type": "user", "id": user, "familyId": family, "name": text, "email": format!("{family}@example.org"),
            "image": text, "color": text, "emoji": text, "displayCurrency": "EUR", "timeZone": "Europe/Kyiv",
            "personalApiEnabled": false, "llmModel": text, "llmKeyConfigured": true, "createdAt": AT,
            "updatedAt": AT }),
        json!({ "type": "key", "id": id("key"), "userId": user, "name": text, "hint": text,
            "tokenHash": if family == "one" { "11" } else { "22" }.repeat(32),
            "scopes": ["mcp.read", "v1.notes.write", "x.y"], "createdAt": AT, "expiresAt": null, "revokedAt": null }),
        json!({ "type": "calendarFeed", "id": id("calendarFeed"), "userId": user, "name": "Feed", "hint": text,
            "secretHash": if family == "one" { "11" } else { "22" }.repeat(32), "shows": "both", "detail": "full",
            "personIds": [user, "gone"], "boardIds": ["gone"], "language": "en", "sequence": 3, "createdAt": AT,
            "updatedAt": AT, "expiresAt": null }),
        json!({ "type": "noteCategory", "id": id("noteCategory"), "familyId": family, "name": text, "emoji": text,
            "color": null, "parentId": null }),
        json!({ "type": "board", "id": id("board"), "familyId": family, "name": text, "description": text,
            "emoji": null, "color": text, "order": -3, "isPrivate": true, "ownerUserId": user, "createdAt": AT,
            "updatedAt": AT }),
        json!({ "type": "column", "id": id("column"), "familyId": family, "boardId": id("board"), "name": text,
            "emoji": text, "color": null, "order": 9_007_199_254_740_991_i64, "createdAt": AT }),
        json!({ "type": "task", "id": id("task"), "familyId": family, "columnId": id("column"), "title": text,
            "description": text, "priority": "URGENT", "dueDate": AT,
            "recurrence": TASK_RECURRENCE, "completedAt": AT, "lastCompletedAt": AT, "order": 0, "labels": [text, text], "isPrivate": true, "assigneeId": user, "creatorId": user, "createdAt": AT,
            "updatedAt": AT, "sequence": 3 }),
        json!({ "type": "event", "id": id("event"), "familyId": family, "title": text, "description": text,
            "emoji": text, "color": text, "startDate": AT, "endDate": AT, "allDay": true,
            "timeZone": "Europe/Kyiv", "location": text, "recurrence": RECURRENCE, "overrides": [
                { "recurrenceId": "2026-11-27", "startDate": AT, "endDate": AT, "title": text, "description": null,
                    "emoji": text, "color": text, "location": text, "assigneeId": user, "participantIds": [user] },
                { "recurrenceId": "2026-12-04", "startDate": AT, "endDate": AT },
            ], "assigneeId": user, "participantIds": [user, "gone"], "createdAt": AT, "updatedAt": AT,
            "sequence": 4 }),
        json!({ "type": "shoppingList", "id": id("shoppingList"), "familyId": family, "name": text, "emoji": text,
            "sortOrder": 1, "isPrivate": false, "ownerUserId": null, "createdAt": AT, "updatedAt": AT }),
        json!({ "type": "shoppingItem", "id": id("shoppingItem"), "familyId": family, "listId": id("shoppingList"),
            "name": text, "quantity": text, "category": text, "checked": true, "isPrivate": false, "addedById": user,
            "createdAt": AT }),
        json!({ "type": "note", "id": id("note"), "familyId": family, "title": text, "content": text, "emoji": text,
            "color": text, "pinned": true, "tags": [text, ""], "authorId": user, "categoryId": id("noteCategory"),
            "createdAt": AT, "updatedAt": AT }),
    ]
}
