//! Checks JSON-RPC messages before `rmcp` parses them (HTTP reference, "MCP endpoints").

use family_api_core::validation::Json;
use rmcp::model::{ClientJsonRpcMessage, ClientRequest};
use serde_json::{Value, json};

/// Maximum length of a message id, in bytes. Every answer repeats the id.
pub(super) const MAX_ID: usize = 256;

/// The methods that the server answers.
const METHODS: [&str; 5] = ["initialize", "ping", "server/discover", "tools/list", "tools/call"];

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

    /// Returns the JSON-RPC error. `id` is the [id of the request](request_id).
    pub(super) fn body(&self, id: Option<Value>) -> Value {
        let mut body = json!({ "jsonrpc": "2.0", "error": { "code": self.code, "message": self.text } });
        if let Some(id) = id {
            body["id"] = id;
        }
        body
    }
}

/// Returns the id that the answer repeats, or `None` if the message has no valid id. The id of a response names a
/// request of the server, so the answer does not repeat it.
pub(super) fn request_id(message: &Json) -> Option<Value> {
    if member(message, "result").is_some() || member(message, "error").is_some() {
        return None;
    }
    match member(message, "id") {
        Some(Json::Integer(id)) => Some((*id).into()),
        Some(Json::String(id)) if id.len() <= MAX_ID => Some(id.as_str().into()),
        _ => None,
    }
}

/// Checks that the parameters have the types that `rmcp` expects. It would answer that the method does not exist.
pub(super) fn check_types(message: &Json, body: &[u8]) -> Result<(), InvalidMessage> {
    // If the body is no message of the protocol at all, `rmcp` says why.
    let Ok(ClientJsonRpcMessage::Request(parsed)) = serde_json::from_slice(body) else {
        return Ok(());
    };
    let ClientRequest::CustomRequest(request) = parsed.request else {
        return Ok(());
    };
    let params = member(message, "params").unwrap_or(&Json::Null);
    let is_unknown = request.method == "initialize" && is_stateless(params);
    if is_unknown || !METHODS.contains(&request.method.as_str()) {
        return Ok(());
    }
    Err(InvalidMessage::params("a member of `params` is missing or of a wrong type: see the schema of the method"))
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
    match method {
        "initialize" if !has_version && !is_stateless(params) => {
            Err(invalid("expected `params.protocolVersion`, a string"))
        }
        "tools/list" => match member(params, "cursor") {
            None | Some(Json::Null | Json::String(_)) => Ok(()),
            Some(_) => Err(invalid("expected `params.cursor` to be a string")),
        },
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

/// Since 2026-07-28, each request names its version in `_meta`. `initialize` is then an unknown method.
fn is_stateless(params: &Json) -> bool {
    member(params, "_meta").and_then(|meta| member(meta, PROTOCOL_VERSION)).is_some()
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
        let parsed = Json::parse(message.as_bytes()).unwrap();
        let checked = check(&parsed).and_then(|()| check_types(&parsed, message.as_bytes()));
        checked.map_or_else(|invalid| invalid.code, |()| 0)
    }

    #[test]
    fn valid_messages_are_accepted() {
        for message in [
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
            r#"{"jsonrpc":"2.0","id":"a","method":"tools/list","params":{}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":null}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":1}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"unknown/method","params":{"name":1}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}"#,
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
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":[],"clientInfo":{"name":"a","version":"1"}}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"a"}}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":1}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","inputResponses":3}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","requestState":3}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":[]}}"#,
        ] {
            assert_eq!(code(message), -32602, "{message}");
        }
    }

    #[test]
    fn error_repeats_a_valid_id_of_a_request() {
        let long = format!(r#"{{"id":"{}"}}"#, "x".repeat(257));
        for (message, id) in [
            (r#"{"id":7}"#, Some(json!(7))),
            (r#"{"id":"a","method":"ping"}"#, Some(json!("a"))),
            (r#"{"id":null}"#, None),
            (r#"{"id":1.5}"#, None),
            (r#"{"id":1,"result":{}}"#, None),
            (r#"{"id":1,"error":{}}"#, None),
            (r#"[{"id":1}]"#, None),
            ("{}", None),
            (&long, None),
        ] {
            let found = request_id(&Json::parse(message.as_bytes()).unwrap());
            assert_eq!(InvalidMessage::request("x").body(found).get("id"), id.as_ref(), "{message}");
        }
    }
}
