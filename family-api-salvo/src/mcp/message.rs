//! Reads the JSON-RPC messages of clients (HTTP reference, "MCP endpoints").

use family_api_core::validation::Json;

use crate::mcp::response::{MessageId, ProtocolError};

/// Maximum length of a message id, in bytes. Every answer repeats the id.
const MAX_ID: usize = 256;

/// The message if a parameter that no other message names has a fault.
const INVALID_PARAMS: &str = "a member of `params` is missing or of a wrong type: see the schema of the method";

/// The members of an object.
type Members = Vec<(String, Json)>;

/// A message of a client: a request or a notification.
#[derive(Debug)]
pub(super) struct Message {
    /// `None` for a notification.
    pub(super) id: Option<MessageId>,
    /// The name of the method, which `method` does not have if it is unknown.
    pub(super) method_name: String,
    pub(super) method: Method,
    pub(super) meta: Meta,
}

/// A method with its parameters.
#[derive(Debug)]
pub(super) enum Method {
    Initialize {
        version: String,
    },
    Discover,
    Ping,
    ListTools {
        has_cursor: bool,
    },
    CallTool {
        tool: String,
        arguments: Json,
    },
    /// A method that the server does not have.
    Unknown,
}

/// The member `_meta` of the parameters. Since 2026-07-28, it says how each request is answered.
#[derive(Debug, Default)]
pub(super) struct Meta {
    /// The version of the protocol.
    pub(super) version: Option<String>,
    has_capabilities: bool,
}

/// A message that is not accepted, with the id that the error repeats.
#[derive(Debug)]
pub(super) struct InvalidMessage {
    pub(super) id: Option<MessageId>,
    pub(super) error: ProtocolError,
}

impl Message {
    /// Reads a message. An error repeats the id of a request if it is valid. The id of a response names a request of
    /// the server, so no error repeats it.
    pub(super) fn read(body: Json) -> Result<Self, InvalidMessage> {
        let mut members = match body {
            Json::Object(members) => members,
            Json::Array(_) => {
                let error = ProtocolError::invalid_request(
                    "batches are not supported: send each message in a request of its own",
                );
                return Err(InvalidMessage { id: None, error });
            }
            _ => {
                let error = ProtocolError::invalid_request("expected a JSON-RPC message: an object");
                return Err(InvalidMessage { id: None, error });
            }
        };
        let is_response = members.iter().any(|(name, _)| name == "result" || name == "error");
        let id = read_id(take(&mut members, "id"));
        let repeated = if is_response { None } else { id.as_ref().ok().cloned().flatten() };
        Self::read_members(members, id, is_response).map_err(|error| InvalidMessage { id: repeated, error })
    }

    fn read_members(
        mut members: Members,
        id: Result<Option<MessageId>, ProtocolError>,
        is_response: bool,
    ) -> Result<Self, ProtocolError> {
        if take(&mut members, "jsonrpc").as_ref().and_then(Json::as_str) != Some("2.0") {
            return Err(ProtocolError::invalid_request("expected the member `jsonrpc` with the value \"2.0\""));
        }
        let id = id?;
        let method_name = match take(&mut members, "method") {
            Some(Json::String(_)) if is_response => {
                return Err(ProtocolError::invalid_request("a message with `method` has neither `result` nor `error`"));
            }
            Some(Json::String(name)) => name,
            None if is_response => {
                return Err(ProtocolError::invalid_request(
                    "this server sends no requests, so it accepts no responses",
                ));
            }
            _ => return Err(ProtocolError::invalid_request("expected the member `method`, a string")),
        };
        let mut params = match take(&mut members, "params") {
            None => None,
            Some(Json::Object(params)) => Some(params),
            Some(_) => return Err(ProtocolError::invalid_params("expected `params` to be an object")),
        };
        let meta = match params.as_mut().and_then(|params| take(params, "_meta")) {
            None => Meta::default(),
            Some(Json::Object(meta)) => Meta::read(meta),
            Some(_) => return Err(ProtocolError::invalid_params("expected `_meta` to be an object")),
        };
        let method = Method::read(&method_name, params, &meta)?;
        Ok(Self { id, method_name, method, meta })
    }
}

impl Method {
    fn read(name: &str, params: Option<Members>, meta: &Meta) -> Result<Self, ProtocolError> {
        match (name, params) {
            ("initialize", params) => match Self::read_initialize(params.unwrap_or_default()) {
                // Since 2026-07-28, there is no such method.
                Err(_) if meta.version.is_some() => Ok(Self::Unknown),
                initialize => initialize,
            },
            ("ping", _) => Ok(Self::Ping),
            ("server/discover", Some(_)) => Ok(Self::Discover),
            ("server/discover", None) => Err(ProtocolError::invalid_params(INVALID_PARAMS)),
            ("tools/list", params) => match params.and_then(|mut params| take(&mut params, "cursor")) {
                None | Some(Json::Null) => Ok(Self::ListTools { has_cursor: false }),
                Some(Json::String(_)) => Ok(Self::ListTools { has_cursor: true }),
                Some(_) => Err(ProtocolError::invalid_params("expected `params.cursor` to be a string")),
            },
            ("tools/call", params) => Self::read_call(params.unwrap_or_default()),
            _ => Ok(Self::Unknown),
        }
    }

    fn read_initialize(mut params: Members) -> Result<Self, ProtocolError> {
        let Some(Json::String(version)) = take(&mut params, "protocolVersion") else {
            return Err(ProtocolError::invalid_params("expected `params.protocolVersion`, a string"));
        };
        let has_capabilities = matches!(take(&mut params, "capabilities"), Some(Json::Object(_)));
        let is_named = match take(&mut params, "clientInfo") {
            Some(Json::Object(mut client)) => {
                ["name", "version"].iter().all(|name| matches!(take(&mut client, name), Some(Json::String(_))))
            }
            _ => false,
        };
        if has_capabilities && is_named {
            Ok(Self::Initialize { version })
        } else {
            Err(ProtocolError::invalid_params(INVALID_PARAMS))
        }
    }

    fn read_call(mut params: Members) -> Result<Self, ProtocolError> {
        let Some(Json::String(tool)) = take(&mut params, "name") else {
            return Err(ProtocolError::invalid_params("expected `params.name`, the name of a tool"));
        };
        let arguments = match take(&mut params, "arguments") {
            None | Some(Json::Null) => Json::Object(Vec::new()),
            Some(arguments @ Json::Object(_)) => arguments,
            Some(_) => return Err(ProtocolError::invalid_params("expected `params.arguments` to be an object")),
        };
        // The server asks for no input, so it ignores the responses to such requests.
        let has_valid_rest = matches!(take(&mut params, "inputResponses"), None | Some(Json::Null | Json::Object(_)))
            && matches!(take(&mut params, "requestState"), None | Some(Json::Null | Json::String(_)));
        if has_valid_rest {
            Ok(Self::CallTool { tool, arguments })
        } else {
            Err(ProtocolError::invalid_params(INVALID_PARAMS))
        }
    }
}

impl Meta {
    fn read(mut members: Members) -> Self {
        let version = match take(&mut members, Self::VERSION) {
            Some(Json::String(version)) => Some(version),
            _ => None,
        };
        Self { version, has_capabilities: matches!(take(&mut members, Self::CAPABILITIES), Some(Json::Object(_))) }
    }

    const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
    const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

    /// Returns the members that a request of 2026-07-28 must have and that are missing or of a wrong type.
    pub(super) fn missing(&self) -> Vec<&'static str> {
        let members = [(Self::VERSION, self.version.is_some()), (Self::CAPABILITIES, self.has_capabilities)];
        members.into_iter().filter(|(_, is_valid)| !is_valid).map(|(name, _)| name).collect()
    }
}

fn read_id(id: Option<Json>) -> Result<Option<MessageId>, ProtocolError> {
    match id {
        None => Ok(None),
        Some(Json::Integer(id)) => Ok(Some(MessageId::Number(id))),
        Some(Json::String(id)) if id.len() <= MAX_ID => Ok(Some(MessageId::Text(id))),
        Some(_) => {
            Err(ProtocolError::invalid_request("expected `id` to be an integer or a string of at most 256 bytes"))
        }
    }
}

/// Removes a member from an object.
fn take(members: &mut Members, name: &str) -> Option<Json> {
    let index = members.iter().position(|(member, _)| member == name)?;
    Some(members.swap_remove(index).1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(message: &str) -> Result<Message, InvalidMessage> {
        Message::read(Json::parse(message.as_bytes()).unwrap())
    }

    /// Returns the code of the error, or 0.
    fn code(message: &str) -> i32 {
        read(message).map_or_else(|invalid| invalid.error.code, |_| 0)
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
            r#"{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"x":1}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"unknown/method","params":{"name":1}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}"#,
        ] {
            assert_eq!(code(message), 0, "{message}");
        }
    }

    #[test]
    fn initialize_of_a_stateless_request_is_an_unknown_method() {
        let initialize =
            |meta: &str| format!(r#"{{"jsonrpc":"2.0","id":1,"method":"initialize","params":{{"_meta":{meta}}}}}"#);
        let found = read(&initialize(&format!(r#"{{"{}":"2026-07-28"}}"#, Meta::VERSION))).unwrap();
        assert!(matches!(found.method, Method::Unknown));
        assert_eq!(code(&initialize("{}")), -32602);
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
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}"#,
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
            r#"{"jsonrpc":"2.0","id":1,"method":"server/discover"}"#,
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
            (r#"{"id":7}"#, Some(MessageId::Number(7))),
            (r#"{"id":"a","method":"ping"}"#, Some(MessageId::Text("a".to_owned()))),
            (r#"{"id":null}"#, None),
            (r#"{"id":1.0}"#, None),
            (r#"{"id":1.5}"#, None),
            (r#"{"id":1,"result":{}}"#, None),
            (r#"{"id":1,"error":{}}"#, None),
            (r#"[{"id":1}]"#, None),
            ("{}", None),
            (&long, None),
        ] {
            assert_eq!(read(message).unwrap_err().id, id, "{message}");
        }
    }
}
