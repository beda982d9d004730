//! The results of `initialize` and `server/discover`.

use serde_json::{Value, json};

use crate::mcp::version;

/// Returns the result of `initialize`.
pub(super) fn initialize(instructions: &str, version: &str) -> Value {
    json!({
        "protocolVersion": version,
        "capabilities": capabilities(),
        "serverInfo": server(),
        "instructions": instructions,
    })
}

/// Returns the result of `server/discover`.
pub(super) fn discover(instructions: &str) -> Value {
    json!({
        "resultType": "complete",
        "supportedVersions": version::SUPPORTED,
        "capabilities": capabilities(),
        "instructions": instructions,
        "ttlMs": 0,
        "cacheScope": "private",
        "_meta": { "io.modelcontextprotocol/serverInfo": server() },
    })
}

fn capabilities() -> Value {
    json!({ "tools": {} })
}

fn server() -> Value {
    json!({ "name": "family-api", "title": "Family API", "version": env!("CARGO_PKG_VERSION") })
}
