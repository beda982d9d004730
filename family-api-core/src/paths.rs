//! The paths of the API: templates for the router and the OpenAPI document, and functions that fill them in.

use crate::id::{GrantId, KeyId, NoteId, TaskId};
use crate::resource::ResourceKind;
use crate::surface::Surface;

/// The prefix of routes that require a token and a user whose personal API is switched on.
pub const V1: &str = "/api/v1";
/// The prefix of routes that require a token.
pub const MCP: &str = "/api/mcp";

/// The path of the profile for requests with a token.
pub const V1_ME: &str = "/api/v1/me";
/// The path of a resource below `/api/v1`, for requests with a token.
pub const V1_READ: &str = "/api/v1/read/{resource}";
/// The path of a task for requests with a token.
pub const V1_TASK: &str = "/api/v1/tasks/{id}";
/// The path of a note for requests with a token.
pub const V1_NOTE: &str = "/api/v1/notes/{id}";
/// The path of a resource below `/api/mcp`, for requests with a token.
pub const MCP_READ: &str = "/api/mcp/read/{resource}";
/// The path of the MCP endpoint with all tools that the token may call.
pub const V1_ENDPOINT: &str = "/api/v1/mcp";
/// The path of the MCP endpoint with the read tools only.
pub const MCP_ENDPOINT: &str = "/api/mcp";
/// The path of the profile for requests in a session.
pub const ME: &str = "/api/users/me";
/// The path of the integration keys for requests in a session.
pub const KEYS: &str = "/api/users/me/mcp-tokens";
/// The path of an integration key for requests in a session.
pub const KEY: &str = "/api/users/me/mcp-tokens/{id}";
/// The path of the connections for requests in a session.
pub const CONNECTIONS: &str = "/api/users/me/connections";
/// The path of a connection for requests in a session.
pub const CONNECTION: &str = "/api/users/me/connections/{id}";
/// The path of a task for requests in a session.
pub const TASK: &str = "/api/tasks/{id}";
/// The path of a note for requests in a session.
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

/// Returns the path of a surface's MCP endpoint.
#[must_use]
pub const fn mcp(surface: Surface) -> &'static str {
    match surface {
        Surface::V1 => V1_ENDPOINT,
        Surface::ReadPath => MCP_ENDPOINT,
    }
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

/// Returns the path of a connection.
#[must_use]
pub fn connection(id: &GrantId) -> String {
    format!("{CONNECTIONS}/{id}")
}
