//! Lines of the import format.

use serde_json::{Value, json};

/// When the records were created and last changed.
const CREATED_AT: &str = "2026-11-01T08:00:00.000Z";

/// Returns a line of a kind, with an id and these fields, as in `json!`. The other required fields have default values:
/// the name is the id, and lists are empty. The ids of parents have no default, and neither has the `tokenHash` of a key.
///
/// ```
/// # use family_api_testing::line;
/// let line = line!("column", "todo", { "familyId": "rivera", "boardId": "home", "order": 2 });
/// assert_eq!((&line["type"], &line["name"], &line["order"]), (&"column".into(), &"todo".into(), &2.into()));
/// ```
#[macro_export]
macro_rules! line {
    ($kind:expr, $id:expr, $fields:tt) => {
        $crate::with($crate::required_fields($kind, $id), $crate::json!($fields))
    };
}

/// Returns a line with default values of the required fields. See [`line!`](crate::line!).
///
/// # Panics
/// If there are no records of this kind.
#[must_use]
pub fn required_fields(kind: &str, id: &str) -> Value {
    let required = match kind {
        "family" | "noteCategory" => json!({ "name": id }),
        "user" => json!({ "name": id, "email": format!("{id}@example.org"), "displayCurrency": "EUR",
            "timeZone": "Europe/Madrid", "personalApiEnabled": true, "llmKeyConfigured": false }),
        "calendarFeed" => json!({ "name": id, "hint": "famcal_…abcd", "shows": "events", "detail": "full",
            "language": "en", "expiresAt": null }),
        "key" => json!({ "hint": "host_…abcd", "scopes": ["mcp.read"], "expiresAt": null, "revokedAt": null }),
        "board" => json!({ "name": id, "order": 0, "isPrivate": false }),
        "column" => json!({ "name": id, "order": 0 }),
        "task" => json!({ "title": id, "priority": "LOW", "order": 0, "labels": [], "isPrivate": false }),
        "event" => json!({ "title": id, "startDate": CREATED_AT, "endDate": CREATED_AT, "allDay": false }),
        "shoppingList" => json!({ "name": id, "sortOrder": 0, "isPrivate": false }),
        "shoppingItem" => json!({ "name": id, "checked": false, "isPrivate": false }),
        "note" => json!({ "title": id, "content": "", "pinned": false, "tags": [] }),
        _ => panic!("there are no records of the kind {kind}"),
    };
    let times = match kind {
        "noteCategory" => json!({}),
        "key" | "column" | "shoppingItem" => json!({ "createdAt": CREATED_AT }),
        _ => json!({ "createdAt": CREATED_AT, "updatedAt": CREATED_AT }),
    };
    with(with(json!({ "type": kind, "id": id }), required), times)
}

/// Returns the line with other values of these fields.
///
/// # Panics
/// If the line or `fields` is not an object.
#[must_use]
pub fn with(mut line: Value, fields: Value) -> Value {
    let Value::Object(fields) = fields else { panic!("{fields} is not an object") };
    line.as_object_mut().unwrap().extend(fields);
    line
}
