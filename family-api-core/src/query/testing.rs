//! Records for the tests of queries. They are JSON, because most fields do not matter.

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::resource::{Board, Note, ShoppingList, Task};

/// A Friday.
pub(super) const NOW: &str = "2026-11-20T10:15:30.000Z";

fn parse<T: DeserializeOwned>(json: Value) -> T {
    serde_json::from_value(json).unwrap()
}

/// Returns an open task of the column `todo`.
pub(super) fn task(id: &str) -> Task {
    parse(json!({
        "id": id, "columnId": "todo", "title": id, "priority": "LOW", "completed": false, "order": 0, "labels": [],
        "isPrivate": false, "createdAt": NOW, "updatedAt": NOW,
    }))
}

/// Returns the board `home` with the columns `todo` and `doing`, and the board `garden` with the column `beds`.
pub(super) fn boards(todo: Vec<Task>, beds: Vec<Task>) -> Vec<Board> {
    let board = |id: &str, columns: Value| {
        parse(json!({
            "id": id, "name": format!("Board {id}"), "order": 0, "isPrivate": false, "createdAt": NOW, "updatedAt": NOW,
            "columns": columns,
        }))
    };
    let column = |id: &str, board: &str, tasks: Vec<Task>| {
        json!({
            "id": id, "boardId": board, "name": format!("Column {id}"), "order": 0, "createdAt": NOW, "tasks": tasks,
        })
    };
    let home = json!([column("todo", "home", todo), column("doing", "home", Vec::new())]);
    vec![board("home", home), board("garden", json!([column("beds", "garden", beds)]))]
}

pub(super) fn note(id: &str, content: &str, tags: &[&str]) -> Note {
    parse(json!({
        "id": id, "title": id, "content": content, "pinned": false, "tags": tags, "createdAt": NOW, "updatedAt": NOW,
    }))
}

/// Returns a list with items. Each item is a name and whether it is checked.
pub(super) fn list(id: &str, items: &[(&str, bool)]) -> ShoppingList {
    let item = |(name, checked): &(&str, bool)| json!({ "id": name, "listId": id, "name": name, "checked": checked, "isPrivate": false, "createdAt": NOW });
    parse(json!({
        "id": id, "name": id, "sortOrder": 0, "isPrivate": false, "createdAt": NOW, "updatedAt": NOW,
        "items": items.iter().map(item).collect::<Vec<_>>(),
    }))
}
