//! A family in the import format, with a title that contains control characters.

use serde_json::{Value, json};

pub(crate) const EMAIL: &str = "ana@family.example";
/// A title that would color the text, set the window title and hide the text after it.
pub(crate) const HOSTILE: &str = "Red \u{1b}[31m \u{1b}]0;owned\u{7} \u{9b}8m \u{202e}hidden";

const AT: &str = "2026-11-20T09:00:00.000Z";

pub(crate) fn records() -> Vec<Value> {
    vec![
        json!({ "type": "family", "id": "rivera", "name": "Rivera", "createdAt": AT, "updatedAt": AT }),
        json!({
            "type": "user", "id": "ana", "familyId": "rivera", "name": "Ana", "email": EMAIL, "image": null,
            "color": null, "emoji": "🌸", "displayCurrency": "EUR", "timeZone": "Europe/Madrid",
            "personalApiEnabled": true, "llmModel": null, "llmKeyConfigured": false, "createdAt": AT, "updatedAt": AT,
        }),
        json!({
            "type": "board", "id": "home", "familyId": "rivera", "name": "Home", "description": null, "emoji": "🏡",
            "color": null, "order": 0, "isPrivate": false, "ownerUserId": null, "createdAt": AT, "updatedAt": AT,
        }),
        column("todo", "To do", 0),
        column("doing", "In progress", 1),
        task("dentist", "Book the dentist", 0, None),
        task("hostile", HOSTILE, 1, None),
        task("laundry", "Wash the 毛布", 2, Some(AT)),
        event("piano", "Piano lesson", ["2026-11-20T23:30:00.000Z"; 2], false),
        event("fair", "Fair", ["2026-11-20T23:45:00.000Z", "2026-11-22T23:00:00.000Z"], true),
        event("market", "Christmas market", ["2026-12-05T15:00:00.000Z"; 2], false),
        json!({
            "type": "shoppingList", "id": "groceries", "familyId": "rivera", "name": "Groceries", "emoji": null,
            "sortOrder": 0, "isPrivate": false, "ownerUserId": null, "createdAt": AT, "updatedAt": AT,
        }),
        json!({
            "type": "shoppingItem", "id": "milk", "familyId": "rivera", "listId": "groceries", "name": "Milk",
            "quantity": "2 l", "category": null, "checked": true, "isPrivate": false, "addedById": "ana",
            "createdAt": AT,
        }),
        json!({
            "type": "note", "id": "wifi", "familyId": "rivera", "title": "Wi-Fi", "content": "On the\nfridge",
            "emoji": null, "color": null, "pinned": true, "tags": ["guests"], "authorId": "ana", "categoryId": null,
            "createdAt": AT, "updatedAt": AT,
        }),
    ]
}

fn column(id: &str, name: &str, order: i64) -> Value {
    json!({
        "type": "column", "id": id, "familyId": "rivera", "boardId": "home", "name": name, "emoji": null,
        "color": null, "order": order, "createdAt": AT,
    })
}

fn task(id: &str, title: &str, order: i64, completed_at: Option<&str>) -> Value {
    json!({
        "type": "task", "id": id, "familyId": "rivera", "columnId": "todo", "title": title, "description": null,
        "priority": "HIGH", "dueDate": AT, "completedAt": completed_at, "order": order, "labels": [],
        "isPrivate": false, "assigneeId": "ana", "creatorId": "ana", "createdAt": AT, "updatedAt": AT,
    })
}

fn event(id: &str, title: &str, [from, to]: [&str; 2], all_day: bool) -> Value {
    json!({
        "type": "event", "id": id, "familyId": "rivera", "title": title, "description": null, "emoji": null,
        "color": null, "startDate": from, "endDate": to, "allDay": all_day, "location": "Town", "recurrence": null,
        "assigneeId": "ana", "createdAt": AT, "updatedAt": AT,
    })
}
