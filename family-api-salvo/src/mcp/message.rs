//! Checks JSON-RPC messages before `rmcp` parses them (HTTP reference, "MCP endpoints").

use family_api_core::validation::Json;
use serde_json::{Value, json};

/// Maximum length of a message id, in bytes. Every answer repeats the id.
const MAX_ID: usize = 256;

/// The member of `_meta` that names the protocol version of a request.
const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";

/// The reason why a message is not accepted, as a JSON-RPC error.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct InvalidMessage {
    code: i32,
    text: String,
}

impl InvalidMessage {
    /// The message is not a JSON-RPC message.
    pub(super) fn request(text: impl Into<String>) -> Self {
        Self { code: -32600, text: text.into() }
    }

    /// The parameters of the method are invalid.
    fn params(text: &str) -> Self {
        Self { code: -32602, text: text.to_owned() }
    }

    /// Returns the JSON-RPC error. It has no id, because the id of the message may be invalid.
    pub(super) fn body(&self) -> Value {
        json!({ "jsonrpc": "2.0", "id": null, "error": { "code": self.code, "message": self.text } })
    }
}

/// Checks the members that every version of the protocol requires. `rmcp` would answer some of these faults with 404 or
/// 415, which mean something else to a client.
pub(super) fn check(message: &Json) -> Result<(), InvalidMessage> {
    let invalid = InvalidMessage::request;
    if matches!(message, Json::Array(_)) {
        return Err(invalid("batches are not supported: send each message in a request of its own"));
    }
    let Json::Object(_) = message else {
        return Err(invalid("expected a JSON-RPC message: an object"));
    };
    if member(message, "jsonrpc").and_then(Json::as_str) != Some("2.0") {
        return Err(invalid("expected the member `jsonrpc` with the value \"2.0\""));
    }
    check_id(member(message, "id"))?;
    match member(message, "method") {
        Some(Json::String(method)) => check_params(method, member(message, "params")),
        None if member(message, "result").is_some() || member(message, "error").is_some() => {
            Err(invalid("this server sends no requests, so it accepts no responses"))
        }
        _ => Err(invalid("expected the member `method`, a string")),
    }
}

fn check_id(id: Option<&Json>) -> Result<(), InvalidMessage> {
    match id {
        None | Some(Json::Integer(_)) => Ok(()),
        Some(Json::String(id)) if id.len() <= MAX_ID => Ok(()),
        Some(_) => Err(InvalidMessage::request("expected `id` to be an integer or a string of at most 256 bytes")),
    }
}

fn check_params(method: &str, params: Option<&Json>) -> Result<(), InvalidMessage> {
    let invalid = InvalidMessage::params;
    let params = match params {
        None => &Json::Null,
        Some(params @ Json::Object(_)) => params,
        Some(_) => return Err(invalid("expected `params` to be an object")),
    };
    match (method, member(params, "_meta")) {
        (_, None | Some(Json::Object(_))) => {}
        _ => return Err(invalid("expected `_meta` to be an object")),
    }
    let has_version = member(params, "protocolVersion").and_then(Json::as_str).is_some();
    // Since 2026-07-28, each request names its version in `_meta`. `initialize` is then an unknown method.
    let is_stateless = member(params, "_meta").and_then(|meta| member(meta, PROTOCOL_VERSION)).is_some();
    match method {
        "initialize" if !has_version && !is_stateless => Err(invalid("expected `params.protocolVersion`, a string")),
        "tools/call" if member(params, "name").and_then(Json::as_str).is_none() => {
            Err(invalid("expected `params.name`, the name of a tool"))
        }
        "tools/call" => match member(params, "arguments") {
            None | Some(Json::Null | Json::Object(_)) => Ok(()),
            Some(_) => Err(invalid("expected `params.arguments` to be an object")),
        },
        _ => Ok(()),
    }
}

fn member<'a>(object: &'a Json, name: &str) -> Option<&'a Json> {
    match object {
        Json::Object(members) => members.iter().find(|(member, _)| member == name).map(|(_, value)| value),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(message: &str) -> i32 {
        check(&Json::parse(message.as_bytes()).unwrap()).map_or_else(|invalid| invalid.code, |()| 0)
    }

    #[test]
    fn valid_messages_are_accepted() {
        for message in [
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
            r#"{"jsonrpc":"2.0","id":"a","method":"tools/list","params":{}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":null}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#,
        ] {
            assert_eq!(code(message), 0, "{message}");
        }
    }

    #[test]
    fn initialize_of_a_stateless_request_is_left_to_rmcp() {
        let meta = format!(r#"{{"{PROTOCOL_VERSION}":"2026-07-28"}}"#);
        let message =
            |meta: &str| format!(r#"{{"jsonrpc":"2.0","id":1,"method":"initialize","params":{{"_meta":{meta}}}}}"#);
        assert_eq!((code(&message(&meta)), code(&message("{}"))), (0, -32602));
    }

    #[test]
    fn invalid_messages_name_the_fault() {
        let long = format!(r#"{{"jsonrpc":"2.0","id":"{}","method":"ping"}}"#, "x".repeat(257));
        for message in [
            "[]",
            r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#,
            "1",
            "null",
            "{}",
            r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":99999999999999999999,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":[1],"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":7}"#,
            r#"{"jsonrpc":"2.0","id":1}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
            long.as_str(),
        ] {
            assert_eq!(code(message), -32600, "{message}");
        }
        for message in [
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":1}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":[]}}"#,
        ] {
            assert_eq!(code(message), -32602, "{message}");
        }
    }
}
