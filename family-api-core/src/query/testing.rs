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
        "id": id, "columnId": "todo", "title": id, "description": null, "priority": "LOW", "dueDate": null,
        "completed": false, "completedAt": null, "order": 0, "labels": [], "isPrivate": false, "assigneeId": null,
        "assignee": null, "creatorId": null, "creator": null, "createdAt": NOW, "updatedAt": NOW,
    }))
}

/// Returns the board `home` with the columns `todo` and `doing`, and the board `garden` with the column `beds`.
pub(super) fn boards(todo: Vec<Task>, beds: Vec<Task>) -> Vec<Board> {
    let board = |id: &str, columns: Value| {
        parse(json!({
            "id": id, "name": format!("Board {id}"), "description": null, "emoji": null, "color": null, "order": 0,
            "isPrivate": false, "ownerUserId": null, "createdAt": NOW, "updatedAt": NOW, "columns": columns,
        }))
    };
    let column = |id: &str, board: &str, tasks: Vec<Task>| {
        json!({
            "id": id, "boardId": board, "name": format!("Column {id}"), "emoji": null, "color": null, "order": 0,
            "createdAt": NOW, "tasks": tasks,
        })
    };
    let home = json!([column("todo", "home", todo), column("doing", "home", Vec::new())]);
    vec![board("home", home), board("garden", json!([column("beds", "garden", beds)]))]
}

pub(super) fn note(id: &str, content: &str, tags: &[&str]) -> Note {
    parse(json!({
        "id": id, "title": id, "content": content, "emoji": null, "color": null, "pinned": false, "tags": tags,
        "authorId": null, "author": null, "categoryId": null, "category": null, "createdAt": NOW, "updatedAt": NOW,
    }))
}

/// Returns a list with items. Each item is a name and whether it is checked.
pub(super) fn list(id: &str, items: &[(&str, bool)]) -> ShoppingList {
    let item = |(name, checked): &(&str, bool)| {
        json!({
            "id": name, "listId": id, "name": name, "quantity": null, "category": null, "checked": checked,
            "isPrivate": false, "addedById": null, "addedBy": null, "createdAt": NOW,
        })
    };
    parse(json!({
        "id": id, "name": id, "emoji": null, "sortOrder": 0, "isPrivate": false, "ownerUserId": null,
        "createdAt": NOW, "updatedAt": NOW, "items": items.iter().map(item).collect::<Vec<_>>(),
    }))
}
