//! Every path of the API: the templates that the router and the OpenAPI document use, and typed builders.

use crate::Surface;
use crate::id::{KeyId, NoteId, TaskId};
use crate::resource::ResourceKind;

/// Everything below needs a token and the personal API switched on.
pub const V1: &str = "/api/v1";
/// Everything below needs a token.
pub const MCP: &str = "/api/mcp";

/// The profile, behind a token.
pub const V1_ME: &str = "/api/v1/me";
/// One of the five resources, behind a token.
pub const V1_READ: &str = "/api/v1/read/{resource}";
/// A task, behind a token.
pub const V1_TASK: &str = "/api/v1/tasks/{id}";
/// A note, behind a token.
pub const V1_NOTE: &str = "/api/v1/notes/{id}";
/// One of the five resources on the read path, behind a token.
pub const MCP_READ: &str = "/api/mcp/read/{resource}";
/// The profile, behind a session.
pub const ME: &str = "/api/users/me";
/// The integration keys, behind a session.
pub const KEYS: &str = "/api/users/me/mcp-tokens";
/// An integration key, behind a session.
pub const KEY: &str = "/api/users/me/mcp-tokens/{id}";
/// A task, behind a session.
pub const TASK: &str = "/api/tasks/{id}";
/// A note, behind a session.
pub const NOTE: &str = "/api/notes/{id}";
/// Signing in to the standalone server (HTTP reference, "Sign-in of the standalone server").
pub const LOGIN: &str = "/login";
/// Signing out of the standalone server.
pub const LOGOUT: &str = "/logout";
/// The OpenAPI document.
pub const OPENAPI: &str = "/openapi.json";

/// The path of a resource behind a token.
#[must_use]
pub fn read(surface: Surface, resource: ResourceKind) -> String {
    let base = match surface {
        Surface::V1 => V1,
        Surface::ReadPath => MCP,
    };
    format!("{base}/read/{}", resource.as_str())
}

/// The path of a task behind a token.
#[must_use]
pub fn v1_task(id: &TaskId) -> String {
    format!("/api/v1/tasks/{id}")
}

/// The path of a note behind a token.
#[must_use]
pub fn v1_note(id: &NoteId) -> String {
    format!("/api/v1/notes/{id}")
}

/// The path of a task behind a session.
#[must_use]
pub fn task(id: &TaskId) -> String {
    format!("/api/tasks/{id}")
}

/// The path of a note behind a session.
#[must_use]
pub fn note(id: &NoteId) -> String {
    format!("/api/notes/{id}")
}

/// The path of an integration key.
#[must_use]
pub fn key(id: &KeyId) -> String {
    format!("{KEYS}/{id}")
}
