//! Two families, a user without a family, and keys with different scopes and states.
//!
//! The token of the key `ann-rw` is `token-of-ann-rw`.

use family_api_core::key::KeyDigest;
use family_api_core::storage::{BulkLoad, Record};
use serde_json::{Value, json};

const EARLIER: &str = "2026-11-01T08:00:00.000Z";

/// Returns the token of a fixture key.
pub(crate) fn token(key: &str) -> String {
    format!("token-of-{key}")
}

pub(crate) async fn seed(storage: &dyn BulkLoad) {
    let mut load = storage.begin_load().await.unwrap();
    for record in records() {
        let record = Record::from_json(&serde_json::to_vec(&record).unwrap()).unwrap();
        load.insert(record).await.unwrap();
    }
    load.commit().await.unwrap();
}

fn records() -> Vec<Value> {
    const ALL: &[&str] = &["mcp.read", "v1.read", "v1.tasks.write", "v1.notes.write"];
    const FULL: &[&str] = &[
        "mcp.read",
        "v1.read",
        "v1.tasks.write",
        "v1.notes.write",
        "v1.tasks.manage",
        "v1.notes.manage",
        "v1.events.write",
        "v1.shopping.write",
    ];
    let mut records = vec![
        family("berg"),
        family("tal"),
        user("ann", Some("berg"), true),
        user("bob", Some("berg"), false),
        user("cid", None, true),
        user("eve", Some("tal"), true),
        key("ann-full", "ann", FULL, None, None),
        key("ann-rw", "ann", ALL, None, None),
        key("ann-read", "ann", &["mcp.read", "v1.read"], None, None),
        key("ann-mcp", "ann", &["mcp.read"], None, None),
        key("ann-tasks", "ann", &["v1.tasks.write"], None, None),
        key("ann-none", "ann", &[], None, None),
        key("ann-revoked", "ann", ALL, None, Some(EARLIER)),
        key("ann-expired", "ann", ALL, Some("2026-11-20T10:15:30.123Z"), None),
        key("bob-rw", "bob", ALL, None, None),
        key("cid-rw", "cid", ALL, None, None),
        key("eve-full", "eve", FULL, None, None),
        key("eve-rw", "eve", ALL, None, None),
    ];
    records.extend(["berg", "tal"].into_iter().flat_map(family_records));
    records
}

/// Returns a board with a column and a task, a note with a category, an event and a shopping list with a checked item. Their ids end
/// with the family's id, for example `task-berg`.
fn family_records(family: &str) -> Vec<Value> {
    let id = |kind: &str| format!("{kind}-{family}");
    let owner = if family == "berg" { "ann" } else { "eve" };
    vec![
        json!({ "type": "noteCategory", "id": id("category"), "familyId": family, "name": "Home", "emoji": null,
            "color": null, "parentId": null }),
        json!({ "type": "board", "id": id("board"), "familyId": family, "name": "Fixture", "description": null,
            "emoji": null, "color": null, "order": 0, "isPrivate": false, "ownerUserId": owner, "createdAt": EARLIER,
            "updatedAt": EARLIER }),
        json!({ "type": "column", "id": id("column"), "familyId": family, "boardId": id("board"), "name": "To do",
            "emoji": null, "color": null, "order": 0, "createdAt": EARLIER }),
        json!({ "type": "task", "id": id("task"), "familyId": family, "columnId": id("column"), "title": "Sweep",
            "description": null, "priority": "LOW", "dueDate": null, "completedAt": null, "order": 0, "labels": ["out"],
            "isPrivate": false, "assigneeId": null, "creatorId": owner, "createdAt": EARLIER, "updatedAt": EARLIER }),
        json!({ "type": "note", "id": id("note"), "familyId": family, "title": "Wifi", "content": "on the fridge",
            "emoji": null, "color": null, "pinned": false, "tags": [], "authorId": owner,
            "categoryId": id("category"), "createdAt": EARLIER, "updatedAt": EARLIER }),
        json!({ "type": "event", "id": id("event"), "familyId": family, "title": "Dentist", "description": null,
            "emoji": null, "color": null, "startDate": "2026-11-24T09:00:00.000Z",
            "endDate": "2026-11-24T10:00:00.000Z", "allDay": false, "location": null, "recurrence": null,
            "assigneeId": owner, "createdAt": EARLIER, "updatedAt": EARLIER }),
        json!({ "type": "shoppingList", "id": id("list"), "familyId": family, "name": "Market", "emoji": null,
            "sortOrder": 0, "isPrivate": false, "ownerUserId": owner, "createdAt": EARLIER, "updatedAt": EARLIER }),
        json!({ "type": "shoppingItem", "id": id("item"), "familyId": family, "listId": id("list"), "name": "Milk",
            "quantity": null, "category": null, "checked": true, "isPrivate": false, "addedById": owner,
            "createdAt": EARLIER }),
    ]
}

fn family(id: &str) -> Value {
    json!({ "type": "family", "id": id, "name": id, "createdAt": EARLIER, "updatedAt": EARLIER })
}

fn user(id: &str, family: Option<&str>, personal_api_enabled: bool) -> Value {
    json!({ "type": "user", "id": id, "familyId": family, "name": id, "email": format!("{id}@example.org"),
        "image": null, "color": null, "emoji": null, "displayCurrency": "NOK", "timeZone": "Europe/Oslo",
        "personalApiEnabled": personal_api_enabled, "llmModel": null, "llmKeyConfigured": false,
        "createdAt": EARLIER, "updatedAt": EARLIER })
}

fn key(id: &str, user: &str, scopes: &[&str], expires_at: Option<&str>, revoked_at: Option<&str>) -> Value {
    let digest = KeyDigest::of(&token(id)).as_bytes().map(|byte| format!("{byte:02x}")).concat();
    json!({ "type": "key", "id": id, "userId": user, "name": null, "hint": "…", "tokenHash": digest,
        "scopes": scopes, "createdAt": EARLIER, "expiresAt": expires_at, "revokedAt": revoked_at })
}
