//! Two families, a user without a family, and keys with different scopes and states.
//!
//! The token of the key `ann-rw` is `token-of-ann-rw`.

use std::sync::Arc;

use family_api_core::key::KeyDigest;
use family_api_testing::line;
use serde_json::Value;

use crate::storages::{LoadStorage, StorageKind, StorageLocation, load};

const EARLIER: &str = "2026-11-01T08:00:00.000Z";

/// Returns the token of a fixture key.
pub(crate) fn token(key: &str) -> String {
    format!("token-of-{key}")
}

/// Creates a storage with the fixture. Keep the returned location until the end of the test.
pub(crate) async fn seeded(kind: StorageKind) -> (Arc<dyn LoadStorage>, StorageLocation) {
    let (storage, location) = kind.fresh().await;
    load(&*storage, records()).await;
    (storage, location)
}

fn records() -> Vec<Value> {
    const ALL: &str = "mcp.read v1.read v1.tasks.write v1.notes.write";
    const FULL: &str = "mcp.read v1.read v1.tasks.write v1.notes.write v1.tasks.manage v1.notes.manage v1.events.write \
                        v1.shopping.write v1.boards.manage";
    let mut records = vec![
        family("berg"),
        family("tal"),
        user("ann", Some("berg"), true),
        user("bob", Some("berg"), false),
        user("cid", None, true),
        user("eve", Some("tal"), true),
        key("ann-full", "ann", FULL, None, None),
        key("ann-rw", "ann", ALL, None, None),
        key("ann-read", "ann", "mcp.read v1.read", None, None),
        key("ann-mcp", "ann", "mcp.read", None, None),
        key("ann-tasks", "ann", "v1.tasks.write", None, None),
        key("ann-none", "ann", "", None, None),
        key("ann-revoked", "ann", ALL, None, Some(EARLIER)),
        key("ann-expired", "ann", ALL, Some("2026-11-20T10:15:30.123Z"), None),
        key("bob-rw", "bob", ALL, None, None),
        key("cid-rw", "cid", ALL, None, None),
        key("eve-full", "eve", FULL, None, None),
        key("eve-rw", "eve", ALL, None, None),
        feed("feed-ann", "ann"),
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
        line!("noteCategory", &id("category"), { "familyId": family, "name": "Home" }),
        line!("board", &id("board"), { "familyId": family, "name": "Fixture", "ownerUserId": owner }),
        line!("column", &id("column"), { "familyId": family, "boardId": id("board"), "name": "To do" }),
        line!("task", &id("task"), {
            "familyId": family, "columnId": id("column"), "title": "Sweep", "labels": ["out"], "creatorId": owner,
        }),
        line!("note", &id("note"), {
            "familyId": family, "title": "Wifi", "content": "on the fridge", "authorId": owner,
            "categoryId": id("category"),
        }),
        line!("event", &id("event"), {
            "familyId": family, "title": "Dentist", "startDate": "2026-11-24T09:00:00.000Z",
            "endDate": "2026-11-24T10:00:00.000Z", "assigneeId": owner,
        }),
        line!("shoppingList", &id("list"), { "familyId": family, "name": "Market", "ownerUserId": owner }),
        line!("shoppingItem", &id("item"), {
            "familyId": family, "listId": id("list"), "name": "Milk", "checked": true, "addedById": owner,
        }),
    ]
}

fn family(id: &str) -> Value {
    line!("family", id, {})
}

fn user(id: &str, family: Option<&str>, personal_api_enabled: bool) -> Value {
    line!("user", id, {
        "familyId": family, "displayCurrency": "NOK", "timeZone": "Europe/Oslo",
        "personalApiEnabled": personal_api_enabled,
    })
}

/// Returns a feed whose secret no test knows.
fn feed(id: &str, user: &str) -> Value {
    let digest = KeyDigest::of(id).as_bytes().map(|byte| format!("{byte:02x}")).concat();
    line!("calendarFeed", id, {
        "userId": user, "hint": "famcal_…", "secretHash": digest, "shows": "events", "detail": "full",
        "language": "en", "expiresAt": null,
    })
}

/// Returns a key with scopes, which are separated by spaces.
pub(crate) fn key(id: &str, user: &str, scopes: &str, expires_at: Option<&str>, revoked_at: Option<&str>) -> Value {
    let scopes: Vec<&str> = scopes.split_whitespace().collect();
    let digest = KeyDigest::of(&token(id)).as_bytes().map(|byte| format!("{byte:02x}")).concat();
    line!("key", id, {
        "userId": user, "hint": "…", "tokenHash": digest, "scopes": scopes, "expiresAt": expires_at,
        "revokedAt": revoked_at,
    })
}
