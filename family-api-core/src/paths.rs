//! The paths of the API: templates for the router and the OpenAPI document, and functions that fill them in.

use crate::Surface;
use crate::id::{KeyId, NoteId, TaskId};
use crate::resource::ResourceKind;

/// The prefix of routes that require a token, and the personal API switched on.
pub const V1: &str = "/api/v1";
/// The prefix of routes that require a token.
pub const MCP: &str = "/api/mcp";

/// The profile, with a token.
pub const V1_ME: &str = "/api/v1/me";
/// One of the five resources, with a token.
pub const V1_READ: &str = "/api/v1/read/{resource}";
/// A task, with a token.
pub const V1_TASK: &str = "/api/v1/tasks/{id}";
/// A note, with a token.
pub const V1_NOTE: &str = "/api/v1/notes/{id}";
/// One of the five resources on the read path, with a token.
pub const MCP_READ: &str = "/api/mcp/read/{resource}";
/// The profile, in a session.
pub const ME: &str = "/api/users/me";
/// The integration keys, in a session.
pub const KEYS: &str = "/api/users/me/mcp-tokens";
/// An integration key, in a session.
pub const KEY: &str = "/api/users/me/mcp-tokens/{id}";
/// A task, in a session.
pub const TASK: &str = "/api/tasks/{id}";
/// A note, in a session.
pub const NOTE: &str = "/api/notes/{id}";
/// Sign-in to the standalone server (HTTP reference, "Sign-in of the standalone server").
pub const LOGIN: &str = "/login";
/// Sign-out of the standalone server.
pub const LOGOUT: &str = "/logout";
/// The OpenAPI document.
pub const OPENAPI: &str = "/openapi.json";

/// Returns the path of a resource for requests with a token.
#[must_use]
pub fn read(surface: Surface, resource: ResourceKind) -> String {
    let base = match surface {
        Surface::V1 => V1,
        Surface::ReadPath => MCP,
    };
    format!("{base}/read/{}", resource.as_str())
}

/// Returns the path of a task for requests with a token.
#[must_use]
pub fn v1_task(id: &TaskId) -> String {
    format!("/api/v1/tasks/{id}")
}

/// Returns the path of a note for requests with a token.
#[must_use]
pub fn v1_note(id: &NoteId) -> String {
    format!("/api/v1/notes/{id}")
}

/// Returns the path of a task for requests in a session.
#[must_use]
pub fn task(id: &TaskId) -> String {
    format!("/api/tasks/{id}")
}

/// Returns the path of a note for requests in a session.
#[must_use]
pub fn note(id: &NoteId) -> String {
    format!("/api/notes/{id}")
}

/// Returns the path of an integration key.
#[must_use]
pub fn key(id: &KeyId) -> String {
    format!("{KEYS}/{id}")
}
