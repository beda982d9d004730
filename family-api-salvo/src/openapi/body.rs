//! The schemas of request bodies, which core derives from the declarations that also parse the bodies.

use family_api_core::change::{NoteUpdate, ProfileChange, TaskUpdate};
use family_api_core::key::KeyDraft;
use serde_json::Value;
#[cfg(feature = "mcp")]
use serde_json::json;

/// The schema of a request body, and its name in the OpenAPI document.
pub(crate) struct RequestBody {
    pub(crate) name: &'static str,
    pub(crate) schema: fn() -> Value,
}

impl RequestBody {
    pub(crate) const TASK_UPDATE: Self = Self { name: "TaskUpdate", schema: TaskUpdate::schema };
    pub(crate) const NOTE_UPDATE: Self = Self { name: "NoteUpdate", schema: NoteUpdate::schema };
    pub(crate) const PROFILE_UPDATE: Self = Self { name: "ProfileUpdate", schema: ProfileChange::schema };
    #[cfg(feature = "mcp")]
    pub(crate) const MCP_MESSAGE: Self = Self { name: "McpMessage", schema: mcp_message };
    pub(crate) const KEY_DRAFT: Self = Self { name: "KeyDraft", schema: KeyDraft::schema };
}

#[cfg(feature = "mcp")]
fn mcp_message() -> Value {
    json!({
        "type": "object",
        "description": "A message of the Model Context Protocol: a JSON-RPC 2.0 request or notification.",
        "properties": {
            "jsonrpc": { "const": "2.0" },
            "id": { "type": ["string", "integer"], "maxLength": 256 },
            "method": { "type": "string" },
            "params": { "type": "object" },
        },
        "required": ["jsonrpc", "method"],
    })
}
