//! The answers of JSON-RPC, and the errors of the protocol.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Value, json};

use crate::mcp::version;

/// Maximum length of a text that can quote the message of the client, in characters.
const MAX_TEXT: usize = 256;

/// The id of a message that is a request, which its answer repeats.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub(super) enum MessageId {
    Number(i64),
    Text(String),
}

impl MessageId {
    /// Returns about how many bytes the id takes.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Number(_) => 20,
            Self::Text(text) => text.len(),
        }
    }
}

/// The answer to a request that succeeded.
#[derive(Serialize)]
pub(super) struct Success<R> {
    jsonrpc: &'static str,
    id: MessageId,
    result: R,
}

/// The answer to a message that failed.
#[derive(Serialize)]
pub(super) struct Failure {
    jsonrpc: &'static str,
    /// `None` if the message has no valid id.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<MessageId>,
    error: ProtocolError,
}

/// An error of the protocol.
#[derive(Debug, Serialize)]
pub(super) struct ProtocolError {
    pub(super) code: i32,
    message: Cow<'static, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Value>,
}

impl<R> Success<R> {
    pub(super) const fn new(id: MessageId, result: R) -> Self {
        Self { jsonrpc: "2.0", id, result }
    }
}

impl Failure {
    pub(super) const fn new(id: Option<MessageId>, error: ProtocolError) -> Self {
        Self { jsonrpc: "2.0", id, error }
    }
}

impl ProtocolError {
    fn new(code: i32, message: impl Into<Cow<'static, str>>) -> Self {
        Self { code, message: shortened(message.into()), data: None }
    }

    /// The message is not a JSON-RPC message.
    pub(super) fn invalid_request(text: impl Into<Cow<'static, str>>) -> Self {
        Self::new(-32600, text)
    }

    /// The server does not have the method. The message does not repeat its name, which the client can make very long.
    pub(super) fn unknown_method() -> Self {
        Self::new(-32601, "this server does not have this method")
    }

    /// The parameters of the method are invalid.
    pub(super) fn invalid_params(text: impl Into<Cow<'static, str>>) -> Self {
        Self::new(-32602, text)
    }

    /// A header is missing or contradicts the message.
    pub(super) fn header_mismatch(text: String) -> Self {
        Self::new(-32020, text)
    }

    /// The message names a version that does not exist.
    pub(super) fn unsupported_version(requested: &str) -> Self {
        let data = json!({ "requested": shortened(requested.into()), "supported": version::SUPPORTED });
        Self { data: Some(data), ..Self::new(-32022, "Unsupported protocol version") }
    }
}

/// Truncates a text that is too long.
fn shortened(text: Cow<'_, str>) -> Cow<'_, str> {
    match text.char_indices().nth(MAX_TEXT) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()).into(),
        None => text,
    }
}
