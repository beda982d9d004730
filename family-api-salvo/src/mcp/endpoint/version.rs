//! The version of the protocol in which a message is answered: its header, its `_meta`, and the headers that must agree
//! with the message since 2026-07-28.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use rmcp::ErrorData;
use rmcp::model::{ErrorCode, ProtocolVersion};
use salvo::http::HeaderMap;
use serde_json::json;

use crate::mcp::endpoint::message::{Message, Method};

const VERSION: &str = "MCP-Protocol-Version";
const METHOD: &str = "Mcp-Method";
const NAME: &str = "Mcp-Name";

/// The version of the protocol in which a request is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Version {
    /// The request has the form of 2026-07-28: it says for itself how it is answered.
    pub(super) is_stateless: bool,
    /// The answer has the form of 2026-07-28.
    pub(super) is_modern: bool,
}

impl Version {
    /// Checks the headers of a message, and returns the version of its answer.
    ///
    /// # Errors
    /// The fault, which is answered with 400.
    pub(super) fn of(message: &Message, headers: &HeaderMap) -> Result<Self, ErrorData> {
        let header = header_version(message, headers)?;
        if header.is_some_and(is_modern) {
            check_headers(message, headers)?;
        }
        let own = message.meta.version.as_deref();
        if message.id.is_some() && !matches!(message.method, Method::Initialize { .. }) {
            check_meta(message, header)?;
        }
        let version = match &message.method {
            Method::Initialize { version } => own.unwrap_or(version),
            _ => own.or(header).unwrap_or_default(),
        };
        let is_stateless = own.is_some() || matches!(message.method, Method::Discover);
        Ok(Self { is_stateless, is_modern: is_modern(version) })
    }
}

/// Returns the version that answers `initialize`: the requested one, or the newest one that has this method.
pub(super) fn negotiated(requested: &str) -> ProtocolVersion {
    let has_handshake = |version: &&ProtocolVersion| version.has_initialize() && version.as_str() == requested;
    let found = ProtocolVersion::KNOWN_VERSIONS.iter().find(has_handshake);
    found.unwrap_or(&ProtocolVersion::LATEST_WITH_INITIALIZE).clone()
}

/// Versions are dates, so they are ordered as texts.
fn is_modern(version: &str) -> bool {
    version >= ProtocolVersion::V_2026_07_28.as_str()
}

fn is_known(version: &str) -> bool {
    ProtocolVersion::KNOWN_VERSIONS.iter().any(|known| known.as_str() == version)
}

fn header_version<'h>(message: &Message, headers: &'h HeaderMap) -> Result<Option<&'h str>, ErrorData> {
    let invalid = |text: String| Err(ErrorData::invalid_request(text, None));
    let Some(value) = headers.get(VERSION) else {
        return Ok(None);
    };
    match (value.to_str(), &message.method) {
        (Err(_), Method::Initialize { .. }) => invalid(format!("Invalid Request: {VERSION} header is not valid UTF-8")),
        (Err(_), _) => invalid(format!("Bad Request: Invalid {VERSION} header encoding")),
        (Ok(version), Method::Initialize { version: own }) if version != own => invalid(format!(
            "Invalid Request: {VERSION} header ({version}) does not match initialize params.protocolVersion ({own})"
        )),
        (Ok(version), Method::Initialize { .. }) => Ok(Some(version)),
        // The error of a request with `_meta` lists the versions.
        (Ok(version), _) if is_known(version) || (message.id.is_some() && message.meta.version.is_some()) => {
            Ok(Some(version))
        }
        (Ok(version), _) => invalid(format!("Bad Request: Unsupported {VERSION}: {version}")),
    }
}

/// Checks that the headers for intermediaries agree with the message. A client does not know at `initialize` that it
/// must send them.
fn check_headers(message: &Message, headers: &HeaderMap) -> Result<(), ErrorData> {
    let name = &message.name;
    match single(headers, METHOD)? {
        None if matches!(message.method, Method::Initialize { .. }) => return Ok(()),
        None => return mismatch(format!("missing required {METHOD} header")),
        Some(value) if value != name => {
            return mismatch(format!("{METHOD} header `{value}` does not match body method `{name}`"));
        }
        Some(_) => {}
    }
    let Method::CallTool { tool, .. } = &message.method else {
        return Ok(());
    };
    let Some(value) = single(headers, NAME)? else {
        return mismatch(format!("missing required {NAME} header for `{name}`"));
    };
    match decoded(value) {
        None => mismatch(format!("{NAME} header is not valid Base64")),
        Some(value) if value != *tool => {
            mismatch(format!("{NAME} header `{value}` does not match body value `{tool}`"))
        }
        Some(_) => Ok(()),
    }
}

/// Returns the only value of a header. Another reader of the message could choose another one of several values.
fn single<'h>(headers: &'h HeaderMap, name: &str) -> Result<Option<&'h str>, ErrorData> {
    let mut values = headers.get_all(name).iter();
    let Some(value) = values.next() else {
        return Ok(None);
    };
    if values.next().is_some() {
        return mismatch(format!("duplicate {name} header"));
    }
    match value.to_str() {
        Ok(value) => Ok(Some(value)),
        Err(_) => mismatch(format!("{name} header contains invalid characters")),
    }
}

/// Decodes a value that can have the form `=?base64?…?=`, for names that a header cannot have.
fn decoded(value: &str) -> Option<String> {
    match value.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?=")) {
        Some(encoded) => String::from_utf8(BASE64_STANDARD.decode(encoded).ok()?).ok(),
        None => Some(value.to_owned()),
    }
}

/// Checks that `_meta` agrees with the header, names a known version, and is complete.
fn check_meta(message: &Message, header: Option<&str>) -> Result<(), ErrorData> {
    let is_discover = matches!(message.method, Method::Discover);
    let invalid = |prefix: &str| {
        let missing = message.meta.missing().join(", ");
        let text = format!("{prefix}request _meta is missing or has malformed required fields: {missing}");
        Err(ErrorData::invalid_params(text, None))
    };
    let Some(version) = message.meta.version.as_deref() else {
        let is_required = is_discover || header.is_some_and(is_modern);
        return if is_required { invalid("Invalid params: ") } else { Ok(()) };
    };
    match header {
        None => return mismatch(format!("request _meta protocolVersion requires {VERSION} header")),
        Some(header) if header != version => {
            let fault = format!("{VERSION} header ({header}) does not match request _meta protocolVersion ({version})");
            return mismatch(fault);
        }
        Some(_) => {}
    }
    if !is_known(version) {
        let versions = json!({ "requested": version, "supported": ProtocolVersion::KNOWN_VERSIONS });
        let code = ErrorCode::UNSUPPORTED_PROTOCOL_VERSION;
        return Err(ErrorData::new(code, "Unsupported protocol version", Some(versions)));
    }
    if (is_discover || is_modern(version)) && !message.meta.missing().is_empty() { invalid("") } else { Ok(()) }
}

fn mismatch<T>(text: String) -> Result<T, ErrorData> {
    Err(ErrorData::header_mismatch(text, None))
}
