//! Two families in the import format.

use serde_json::{Value, json};

pub(crate) const PASSWORD: &str = "correct-horse";

const AT: &str = "2026-11-20T09:00:00.000Z";

/// Returns the lines of both families, parents before children.
pub(crate) fn lines() -> Vec<String> {
    records().iter().map(Value::to_string).collect()
}

fn records() -> Vec<Value> {
    vec![
        family("rivera"),
        family("okafor"),
        user("ana", Some("rivera"), Some(PASSWORD)),
        user("ben", Some("rivera"), None),
        user("chidi", Some("okafor"), Some(PASSWORD)),
        user("dora", None, Some(PASSWORD)),
        board("home", "rivera"),
        column("todo", "home"),
        task("dentist", "todo"),
        event("piano", "rivera"),
        list("groceries", "rivera"),
        item("milk", "groceries"),
        note("wifi", "rivera"),
        note("cabin", "okafor"),
    ]
}

pub(crate) fn family(id: &str) -> Value {
    json!({ "type": "family", "id": id, "name": id, "createdAt": AT, "updatedAt": AT })
}

pub(crate) fn user(id: &str, family: Option<&str>, password: Option<&str>) -> Value {
    json!({
        "type": "user", "id": id, "familyId": family, "name": id, "email": format!("{id}@family.example"),
        "image": null, "color": null, "emoji": null, "displayCurrency": "EUR", "timeZone": "Europe/Madrid",
        "personalApiEnabled": true, "llmModel": null, "llmKeyConfigured": false, "password": password,
        "createdAt": AT, "updatedAt": AT,
    })
}

pub(crate) fn key(id: &str, user: &str, token_hash: &str) -> Value {
    json!({
        "type": "key", "id": id, "userId": user, "name": null, "hint": "host_…abcd", "tokenHash": token_hash,
        "scopes": ["mcp.read"], "createdAt": AT, "expiresAt": null, "revokedAt": null,
    })
}

pub(crate) fn category(id: &str, family: &str, parent: Option<&str>) -> Value {
    json!({
        "type": "noteCategory", "id": id, "familyId": family, "name": id, "emoji": null, "color": null,
        "parentId": parent,
    })
}

pub(crate) fn board(id: &str, family: &str) -> Value {
    json!({
        "type": "board", "id": id, "familyId": family, "name": id, "description": null, "emoji": null, "color": null,
        "order": 0, "isPrivate": false, "ownerUserId": null, "createdAt": AT, "updatedAt": AT,
    })
}

pub(crate) fn column(id: &str, board: &str) -> Value {
    json!({
        "type": "column", "id": id, "familyId": "rivera", "boardId": board, "name": id, "emoji": null, "color": null,
        "order": 0, "createdAt": AT,
    })
}

pub(crate) fn task(id: &str, column: &str) -> Value {
    json!({
        "type": "task", "id": id, "familyId": "rivera", "columnId": column, "title": id, "description": null,
        "priority": "HIGH", "dueDate": null, "completedAt": null, "order": 0, "labels": ["kids"], "isPrivate": false,
        "assigneeId": "ana", "creatorId": "ben", "createdAt": AT, "updatedAt": AT,
    })
}

pub(crate) fn event(id: &str, family: &str) -> Value {
    json!({
        "type": "event", "id": id, "familyId": family, "title": id, "description": null, "emoji": null, "color": null,
        "startDate": AT, "endDate": "2026-11-20T10:00:00.000Z", "allDay": false, "location": null, "recurrence": null,
        "assigneeId": null, "createdAt": AT, "updatedAt": AT,
    })
}

pub(crate) fn list(id: &str, family: &str) -> Value {
    json!({
        "type": "shoppingList", "id": id, "familyId": family, "name": id, "emoji": null, "sortOrder": 0,
        "isPrivate": false, "ownerUserId": null, "createdAt": AT, "updatedAt": AT,
    })
}

pub(crate) fn item(id: &str, list: &str) -> Value {
    json!({
        "type": "shoppingItem", "id": id, "familyId": "rivera", "listId": list, "name": id, "quantity": null,
        "category": null, "checked": false, "isPrivate": false, "addedById": "ana", "createdAt": AT,
    })
}

pub(crate) fn note(id: &str, family: &str) -> Value {
    json!({
        "type": "note", "id": id, "familyId": family, "title": id, "content": "", "emoji": null, "color": null,
        "pinned": false, "tags": [], "authorId": "ana", "categoryId": null, "createdAt": AT, "updatedAt": AT,
    })
}
