//! A minimal MCP client, which sends one message per request.

use salvo::http::Method;
use salvo::test::RequestBuilder;
use serde_json::{Value, json};

use crate::support::{App, TestResponse, bearer, validate};

pub(crate) const V1: &str = "/api/v1/mcp";
pub(crate) const READ_PATH: &str = "/api/mcp";

/// Mounts the endpoints.
pub(crate) fn mcp(app: &App) -> App {
    app.configured(family_api_salvo::FamilyRoutes::mcp)
}

/// Returns the version 2026-07-28 of a request, with its headers and `_meta`.
pub(crate) fn modern(key: &str, path: &str, method: &str, params: Value) -> RequestBuilder {
    modern_with_id(&json!(1), key, path, method, params)
}

/// Returns the version 2026-07-28 of a request with an id.
pub(crate) fn modern_with_id(id: &Value, key: &str, path: &str, method: &str, params: Value) -> RequestBuilder {
    let mut params = params;
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let name = params["name"].as_str().map(str::to_owned);
    let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
    let request = bearer(key, Method::POST, path)
        .add_header("mcp-protocol-version", "2026-07-28", true)
        .add_header("mcp-method", method, true)
        .add_header("accept", "application/json, text/event-stream", true);
    let request = match name {
        Some(name) => request.add_header("mcp-name", name, true),
        None => request,
    };
    request.raw_json(message.to_string())
}

/// Sends a request of 2026-07-28 and returns its result.
pub(crate) async fn result(app: &App, key: &str, path: &str, method: &str, params: Value) -> Value {
    let response = app.send(modern(key, path, method, params)).await;
    let answer = response.assert_ok().json();
    assert_eq!(answer["id"], 1, "{answer}");
    assert!(answer["result"].is_object(), "{answer}");
    answer["result"].clone()
}

/// Calls a tool and returns the response.
pub(crate) async fn call_raw(app: &App, key: &str, path: &str, tool: &str, arguments: Value) -> TestResponse {
    app.send(modern(key, path, "tools/call", json!({ "name": tool, "arguments": arguments }))).await
}

/// Calls a tool on `/api/v1/mcp` and returns its result.
pub(crate) async fn call(app: &App, key: &str, tool: &str, arguments: Value) -> Value {
    result(app, key, V1, "tools/call", json!({ "name": tool, "arguments": arguments })).await
}

/// Returns the names of the tools in a list.
pub(crate) fn names(list: &Value) -> Vec<&str> {
    list["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect()
}

/// Returns the text of a tool's result.
pub(crate) fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap()
}

/// Calls a tool, asserts that it succeeds, and validates the structured content against the output schema.
pub(crate) async fn succeed(app: &App, key: &str, tool: &str, arguments: Value) -> (Value, String) {
    let result = call(app, key, tool, arguments.clone()).await;
    assert_eq!(result["isError"], false, "{tool} {arguments}: {result}");
    let list = self::result(app, key, V1, "tools/list", json!({})).await;
    let tools = list["tools"].as_array().unwrap();
    let schema = &tools.iter().find(|definition| definition["name"] == tool).unwrap()["outputSchema"];
    validate(schema, schema, &result["structuredContent"]).unwrap_or_else(|error| panic!("{tool}: {error}"));
    (result["structuredContent"].clone(), text(&result).to_owned())
}

/// Calls a tool, asserts that it fails with a message for the model, and returns the message.
pub(crate) async fn fail(app: &App, key: &str, tool: &str, arguments: Value) -> String {
    let result = call(app, key, tool, arguments.clone()).await;
    assert_eq!(result["isError"], true, "{tool} {arguments}: {result}");
    assert_eq!(result.get("structuredContent"), None, "{result}");
    text(&result).to_owned()
}

/// Calls a tool that writes one record. Returns its outcome, with whether it is changed, and the text.
pub(crate) async fn change_one(app: &App, key: &str, tool: &str, arguments: Value) -> (Value, String) {
    let (found, text) = succeed(app, key, tool, arguments).await;
    let [outcome] = found["outcomes"].as_array().unwrap().as_slice() else { panic!("{tool}: {found}") };
    let is_changed = outcome["result"] != "unchanged";
    assert_eq!(found["changed"], usize::from(is_changed), "{tool}: {found}");
    let mut outcome = outcome.clone();
    outcome["changed"] = json!(is_changed);
    (outcome, text)
}
