//! Two families in the import format.

use std::fmt::{Display, Write as _};

use family_api_testing::line;
use serde_json::Value;

pub(crate) const PASSWORD: &str = "correct-horse";

const AT: &str = "2026-11-20T09:00:00.000Z";

/// Returns a text with these lines.
pub(crate) fn text<L: Display>(lines: impl IntoIterator<Item = L>) -> String {
    let mut text = String::new();
    for line in lines {
        writeln!(text, "{line}").unwrap();
    }
    text
}

/// Returns the records of both families, parents before children.
pub(crate) fn records() -> Vec<Value> {
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
    line!("family", id, {})
}

pub(crate) fn user(id: &str, family: Option<&str>, password: Option<&str>) -> Value {
    line!("user", id, { "familyId": family, "email": format!("{id}@family.example"), "password": password })
}

pub(crate) fn key(id: &str, user: &str, token_hash: &str) -> Value {
    line!("key", id, { "userId": user, "tokenHash": token_hash })
}

pub(crate) fn feed(id: &str, user: &str, secret_hash: &str) -> Value {
    line!("calendarFeed", id, { "userId": user, "secretHash": secret_hash })
}

pub(crate) fn category(id: &str, family: &str, parent: Option<&str>) -> Value {
    line!("noteCategory", id, { "familyId": family, "parentId": parent })
}

pub(crate) fn board(id: &str, family: &str) -> Value {
    line!("board", id, { "familyId": family })
}

pub(crate) fn column(id: &str, board: &str) -> Value {
    line!("column", id, { "familyId": "rivera", "boardId": board })
}

pub(crate) fn task(id: &str, column: &str) -> Value {
    line!("task", id, {
        "familyId": "rivera", "columnId": column, "priority": "HIGH", "labels": ["kids"], "assigneeId": "ana",
        "creatorId": "ben",
    })
}

pub(crate) fn event(id: &str, family: &str) -> Value {
    line!("event", id, { "familyId": family, "startDate": AT, "endDate": "2026-11-20T10:00:00.000Z" })
}

pub(crate) fn list(id: &str, family: &str) -> Value {
    line!("shoppingList", id, { "familyId": family })
}

pub(crate) fn item(id: &str, list: &str) -> Value {
    line!("shoppingItem", id, { "familyId": "rivera", "listId": list, "addedById": "ana" })
}

pub(crate) fn note(id: &str, family: &str) -> Value {
    line!("note", id, { "familyId": family, "authorId": "ana" })
}
