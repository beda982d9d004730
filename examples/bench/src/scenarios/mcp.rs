//! The requests to the MCP endpoint, in the version 2026-07-28 of the protocol.

use serde_json::{Value, json};

use super::clients::repeat;
use crate::dataset::{self, MEASURED_FAMILY};
use crate::http::Request;
use crate::load::{MakeClient, Step};

const ENDPOINT: &str = "/api/v1/mcp";
const VERSION: &str = "2026-07-28";

/// The number of tasks in an answer of `list_tasks`.
const TASKS: usize = 20;

/// Returns the key of a member of the measured family.
pub(super) fn key() -> String {
    dataset::token(MEASURED_FAMILY, 0)
}

/// Describes the server and its capabilities.
pub(crate) fn discover() -> Request {
    request(&key(), "server/discover", None, json!({}))
}

/// Lists all tools with their schemas.
pub(crate) fn tools_list() -> Request {
    request(&key(), "tools/list", None, json!({}))
}

/// Lists 20 tasks.
pub(crate) fn list_tasks(token: &str) -> Request {
    let params = json!({ "name": "list_tasks", "arguments": { "limit": TASKS } });
    request(token, "tools/call", Some("list_tasks"), params)
}

pub(super) fn discovery() -> MakeClient {
    repeat(Step::new(discover(), 200))
}

pub(super) fn tool_definitions() -> MakeClient {
    repeat(Step::new(tools_list(), 200))
}

/// Reads 20 tasks of the measured family.
pub(super) fn listed_tasks(token: &str) -> MakeClient {
    repeat(Step::new(list_tasks(token), 200))
}

fn request(token: &str, method: &str, name: Option<&str>, mut params: Value) -> Request {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": VERSION,
        "io.modelcontextprotocol/clientInfo": { "name": "family-api-bench", "version": env!("CARGO_PKG_VERSION") },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let request = Request::new("POST", ENDPOINT).token(token);
    let request = request.header("accept", "application/json, text/event-stream");
    let request = request.header("mcp-protocol-version", VERSION).header("mcp-method", method);
    let request = name.into_iter().fold(request, |request, name| request.header("mcp-name", name));
    request.json(&json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }))
}
