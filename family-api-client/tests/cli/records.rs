//! A family in the import format, with a title that contains control characters.

use family_api_testing::line;
use serde_json::Value;

pub(crate) const EMAIL: &str = "ana@family.example";
/// A title that would color the text, set the window title and hide the text after it.
pub(crate) const HOSTILE: &str = "Red \u{1b}[31m \u{1b}]0;owned\u{7} \u{9b}8m \u{202e}hidden";

const AT: &str = "2026-11-20T09:00:00.000Z";

pub(crate) fn records() -> Vec<Value> {
    vec![
        line!("family", "rivera", { "name": "Rivera" }),
        line!("user", "ana", { "familyId": "rivera", "name": "Ana", "email": EMAIL, "emoji": "🌸" }),
        line!("board", "home", { "familyId": "rivera", "name": "Home", "emoji": "🏡" }),
        column("todo", "To do", 0),
        column("doing", "In progress", 1),
        task("dentist", "Book the dentist", 0, None),
        task("hostile", HOSTILE, 1, None),
        task("laundry", "Wash the 毛布", 2, Some(AT)),
        event("piano", "Piano lesson", ["2026-11-20T23:30:00.000Z"; 2], false),
        event("fair", "Fair", ["2026-11-20T23:45:00.000Z", "2026-11-22T23:00:00.000Z"], true),
        event("market", "Christmas market", ["2026-12-05T15:00:00.000Z"; 2], false),
        line!("shoppingList", "groceries", { "familyId": "rivera", "name": "Groceries" }),
        line!("shoppingItem", "milk", {
            "familyId": "rivera", "listId": "groceries", "name": "Milk", "quantity": "2 l", "checked": true,
            "addedById": "ana",
        }),
        line!("note", "wifi", {
            "familyId": "rivera", "title": "Wi-Fi", "content": "On the\nfridge", "pinned": true, "tags": ["guests"],
            "authorId": "ana",
        }),
    ]
}

fn column(id: &str, name: &str, order: i64) -> Value {
    line!("column", id, { "familyId": "rivera", "boardId": "home", "name": name, "order": order })
}

fn task(id: &str, title: &str, order: i64, completed_at: Option<&str>) -> Value {
    line!("task", id, {
        "familyId": "rivera", "columnId": "todo", "title": title, "priority": "HIGH", "dueDate": AT,
        "completedAt": completed_at, "order": order, "assigneeId": "ana", "creatorId": "ana",
    })
}

fn event(id: &str, title: &str, [from, to]: [&str; 2], all_day: bool) -> Value {
    line!("event", id, {
        "familyId": "rivera", "title": title, "startDate": from, "endDate": to, "allDay": all_day, "location": "Town",
        "assigneeId": "ana",
    })
}
