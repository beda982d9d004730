//! The schemas of request bodies (HTTP reference, "Writes"). They must match what core's change types accept.

use family_api_core::key::KeyMode;
use family_api_core::resource::Priority;
use serde_json::{Value, json};

/// A request body and its name in the document's schemas.
pub(crate) struct RequestBody {
    pub(crate) name: &'static str,
    pub(crate) schema: fn() -> Value,
}

impl RequestBody {
    pub(crate) const TASK_UPDATE: Self = Self { name: "TaskUpdate", schema: task_update };
    pub(crate) const NOTE_UPDATE: Self = Self { name: "NoteUpdate", schema: note_update };
    pub(crate) const PROFILE_UPDATE: Self = Self { name: "ProfileUpdate", schema: profile_update };
    pub(crate) const KEY_DRAFT: Self = Self { name: "KeyDraft", schema: key_draft };
}

fn object(description: &str, required: &[&str], properties: &Value) -> Value {
    json!({
        "type": "object",
        "description": description,
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn task_update() -> Value {
    json!({ "oneOf": [task_change(), task_move()] })
}

fn task_change() -> Value {
    object(
        "Changes the fields that are present. Other fields keep their values.",
        &[],
        &json!({
            "title": {
                "type": "string", "pattern": "\\S",
                "description": "1 to 500 characters after trimming; stored trimmed.",
            },
            "description": { "type": ["string", "null"], "maxLength": 20_000 },
            "priority": { "type": "string", "enum": Priority::ALL.map(Priority::as_str) },
            "completed": { "type": "boolean" },
            "columnId": reference("A column on a board that is visible to the caller. Without `order`, the task moves to the end of the column."),
            "order": order(),
            "assigneeId": nullable_reference("A member of the family. An empty string counts as null."),
            "dueDate": {
                "type": ["string", "null"], "examples": ["2026-11-20T10:15:30Z", "2026-11-20"],
                "description": "An instant, or a day, which means its start in the profile's time zone. An empty string counts as null.",
            },
            "labels": tags(),
            "isPrivate": { "type": "boolean", "description": "If true, only the task's creator can see the task." },
        }),
    )
}

fn task_move() -> Value {
    object(
        "Moves the task to this position in a column. The tasks from there on move down.",
        &["type", "columnId", "order"],
        &json!({
            "type": { "const": "move-task" },
            "columnId": reference("A column on a board that is visible to the caller."),
            "order": order(),
        }),
    )
}

fn note_update() -> Value {
    object(
        "Changes the fields that are present. Other fields keep their values.",
        &[],
        &json!({
            "title": { "type": "string", "maxLength": 500 },
            "content": { "type": "string", "maxLength": 200_000 },
            "pinned": { "type": "boolean" },
            "categoryId": nullable_reference("A category of the family. An empty string counts as null."),
            "emoji": { "type": "string", "minLength": 1, "maxLength": 32 },
            "color": { "type": "string", "pattern": "^#[0-9A-Fa-f]{6}$" },
            "tags": tags(),
        }),
    )
}

fn profile_update() -> Value {
    let enabled = json!({ "type": "boolean", "description": "Whether this user's keys can be used for `/api/v1`." });
    object("Changes the fields that are present.", &[], &json!({ "personalApiEnabled": enabled }))
}

fn key_draft() -> Value {
    object(
        "The integration key to create.",
        &["mode"],
        &json!({
            "mode": { "type": "string", "enum": KeyMode::ALL.map(KeyMode::as_str) },
            "name": {
                "type": ["string", "null"], "pattern": "\\S",
                "description": "1 to 100 characters after trimming, without control characters.",
            },
            "expiresAt": {
                "type": ["string", "null"], "format": "date-time",
                "description": "In the future, at most 10 years from now.",
            },
        }),
    )
}

/// Any string is valid here: a reference to a missing record is 404, not an invalid field.
fn reference(description: &str) -> Value {
    json!({ "type": "string", "description": description })
}

fn nullable_reference(description: &str) -> Value {
    json!({ "type": ["string", "null"], "description": description })
}

fn order() -> Value {
    json!({ "type": "integer", "minimum": 0, "maximum": 1_000_000 })
}

fn tags() -> Value {
    json!({ "type": "array", "maxItems": 50, "items": { "type": "string", "minLength": 1, "maxLength": 50 } })
}
