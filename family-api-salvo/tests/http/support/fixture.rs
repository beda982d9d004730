//! Two families, a user without a family, and tokens of every kind.

use family_api_core::key::KeyDigest;
use family_api_core::storage::{Load, Record};
use serde_json::{Value, json};

const THEN: &str = "2026-11-01T08:00:00.000Z";

/// Returns the plaintext of a fixture key.
pub(crate) fn token(key: &str) -> String {
    format!("token-of-{key}")
}

pub(crate) async fn seed(storage: &dyn Load) {
    let mut load = storage.begin_load().await.unwrap();
    for record in records() {
        let record = Record::from_json(&serde_json::to_vec(&record).unwrap()).unwrap();
        load.insert(record).await.unwrap();
    }
    load.commit().await.unwrap();
}

fn records() -> Vec<Value> {
    const ALL: &[&str] = &["mcp.read", "v1.read", "v1.tasks.write", "v1.notes.write"];
    let mut records = vec![
        family("berg"),
        family("tal"),
        user("ann", Some("berg"), true),
        user("bob", Some("berg"), false),
        user("cid", None, true),
        user("eve", Some("tal"), true),
        key("ann-rw", "ann", ALL, None, None),
        key("ann-read", "ann", &["mcp.read", "v1.read"], None, None),
        key("ann-mcp", "ann", &["mcp.read"], None, None),
        key("ann-tasks", "ann", &["v1.tasks.write"], None, None),
        key("ann-none", "ann", &[], None, None),
        key("ann-revoked", "ann", ALL, None, Some(THEN)),
        key("ann-expired", "ann", ALL, Some("2026-11-20T10:15:30.123Z"), None),
        key("bob-rw", "bob", ALL, None, None),
        key("cid-rw", "cid", ALL, None, None),
        key("eve-rw", "eve", ALL, None, None),
    ];
    records.extend(["berg", "tal"].into_iter().flat_map(family_records));
    records
}

/// A board with a column and a task, a note with a category, an event and a shopping list. Ids end with the family's
/// id.
fn family_records(family: &str) -> Vec<Value> {
    let id = |kind: &str| format!("{kind}-{family}");
    let owner = if family == "berg" { "ann" } else { "eve" };
    vec![
        json!({ "type": "noteCategory", "id": id("category"), "familyId": family, "name": "Home", "emoji": null,
            "color": null, "parentId": null }),
        json!({ "type": "board", "id": id("board"), "familyId": family, "name": "Fixture", "description": null,
            "emoji": null, "color": null, "order": 0, "isPrivate": false, "ownerUserId": owner, "createdAt": THEN,
            "updatedAt": THEN }),
        json!({ "type": "column", "id": id("column"), "boardId": id("board"), "name": "To do", "emoji": null,
            "color": null, "order": 0, "createdAt": THEN }),
        json!({ "type": "task", "id": id("task"), "columnId": id("column"), "title": "Sweep", "description": null,
            "priority": "LOW", "dueDate": null, "completedAt": null, "order": 0, "labels": ["out"],
            "isPrivate": false, "assigneeId": null, "creatorId": owner, "createdAt": THEN, "updatedAt": THEN }),
        json!({ "type": "note", "id": id("note"), "familyId": family, "title": "Wifi", "content": "on the fridge",
            "emoji": null, "color": null, "pinned": false, "tags": [], "authorId": owner,
            "categoryId": id("category"), "createdAt": THEN, "updatedAt": THEN }),
        json!({ "type": "event", "id": id("event"), "familyId": family, "title": "Dentist", "description": null,
            "emoji": null, "color": null, "startDate": "2026-11-24T09:00:00.000Z",
            "endDate": "2026-11-24T10:00:00.000Z", "allDay": false, "location": null, "recurrence": null,
            "assigneeId": owner, "createdAt": THEN, "updatedAt": THEN }),
        json!({ "type": "shoppingList", "id": id("list"), "familyId": family, "name": "Market", "emoji": null,
            "sortOrder": 0, "isPrivate": false, "ownerUserId": owner, "createdAt": THEN, "updatedAt": THEN }),
    ]
}

fn family(id: &str) -> Value {
    json!({ "type": "family", "id": id, "name": id, "createdAt": THEN, "updatedAt": THEN })
}

fn user(id: &str, family: Option<&str>, personal_api_enabled: bool) -> Value {
    json!({ "type": "user", "id": id, "familyId": family, "name": id, "email": format!("{id}@example.org"),
        "image": null, "color": null, "emoji": null, "displayCurrency": "NOK", "timeZone": "Europe/Oslo",
        "personalApiEnabled": personal_api_enabled, "llmModel": null, "llmKeyConfigured": false,
        "createdAt": THEN, "updatedAt": THEN })
}

fn key(id: &str, user: &str, scopes: &[&str], expires_at: Option<&str>, revoked_at: Option<&str>) -> Value {
    let digest = KeyDigest::of(&token(id)).as_bytes().map(|byte| format!("{byte:02x}")).concat();
    json!({ "type": "key", "id": id, "userId": user, "name": null, "hint": "…", "tokenHash": digest,
        "scopes": scopes, "createdAt": THEN, "expiresAt": expires_at, "revokedAt": revoked_at })
}
