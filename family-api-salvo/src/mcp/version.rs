//! The version of the protocol in which a message is answered: its header, its `_meta`, and the headers that must agree
//! with the message since 2026-07-28.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use salvo::http::HeaderMap;

use crate::mcp::message::{Message, Method};
use crate::mcp::response::ProtocolError;

/// All versions, the oldest first. They are dates, so they are ordered as texts.
pub(super) const SUPPORTED: [&str; 5] = ["2024-11-05", "2025-03-26", "2025-06-18", NEWEST_WITH_HANDSHAKE, MODERN];

/// The newest version with the method `initialize`.
const NEWEST_WITH_HANDSHAKE: &str = "2025-11-25";

/// The first version without `initialize`: each request says for itself how it is answered.
const MODERN: &str = "2026-07-28";

const VERSION: &str = "MCP-Protocol-Version";
const METHOD: &str = "Mcp-Method";
const NAME: &str = "Mcp-Name";

/// The forms of a request and of its answer. Both are modern since 2026-07-28.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Forms {
    /// The request says for itself how it is answered.
    pub(super) request_is_modern: bool,
    pub(super) answer_is_modern: bool,
}

impl Forms {
    /// Checks the headers of a message, and returns its form and that of its answer.
    ///
    /// # Errors
    /// The fault, which is answered with 400.
    pub(super) fn of(message: &Message, headers: &HeaderMap) -> Result<Self, ProtocolError> {
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
        let request_is_modern = own.is_some() || matches!(message.method, Method::Discover);
        Ok(Self { request_is_modern, answer_is_modern: is_modern(version) })
    }
}

/// Returns the version in which `initialize` is answered: the requested one, or the newest one that has this method.
pub(super) fn negotiated(requested: &str) -> &'static str {
    let has_handshake = |version: &&str| *version == requested && !is_modern(version);
    SUPPORTED.into_iter().find(has_handshake).unwrap_or(NEWEST_WITH_HANDSHAKE)
}

fn is_modern(version: &str) -> bool {
    version >= MODERN
}

fn header_version<'h>(message: &Message, headers: &'h HeaderMap) -> Result<Option<&'h str>, ProtocolError> {
    let invalid = |text: String| Err(ProtocolError::invalid_request(text));
    let mut values = headers.get_all(VERSION).iter();
    let Some(value) = values.next() else {
        return Ok(None);
    };
    if values.next().is_some() {
        return mismatch(format!("duplicate {VERSION} header"));
    }
    match (value.to_str(), &message.method) {
        (Err(_), Method::Initialize { .. }) => invalid(format!("Invalid Request: {VERSION} header is not valid UTF-8")),
        (Err(_), _) => invalid(format!("Bad Request: Invalid {VERSION} header encoding")),
        (Ok(version), Method::Initialize { version: own }) if version != own => invalid(format!(
            "Invalid Request: {VERSION} header ({version}) does not match initialize params.protocolVersion ({own})"
        )),
        (Ok(version), Method::Initialize { .. }) => Ok(Some(version)),
        // The error of a request with `_meta` lists the versions.
        (Ok(version), _)
            if SUPPORTED.contains(&version) || (message.id.is_some() && message.meta.version.is_some()) =>
        {
            Ok(Some(version))
        }
        (Ok(version), _) => invalid(format!("Bad Request: Unsupported {VERSION}: {version}")),
    }
}

/// Checks that the headers for intermediaries agree with the message. A client does not know at `initialize` that it
/// must send them.
fn check_headers(message: &Message, headers: &HeaderMap) -> Result<(), ProtocolError> {
    let name = &message.method_name;
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
fn single<'h>(headers: &'h HeaderMap, name: &str) -> Result<Option<&'h str>, ProtocolError> {
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
fn check_meta(message: &Message, header: Option<&str>) -> Result<(), ProtocolError> {
    let is_discover = matches!(message.method, Method::Discover);
    let invalid = |prefix: &str| {
        let missing = message.meta.missing().join(", ");
        let text = format!("{prefix}request _meta is missing or has malformed required fields: {missing}");
        Err(ProtocolError::invalid_params(text))
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
    if !SUPPORTED.contains(&version) {
        return Err(ProtocolError::unsupported_version(version));
    }
    if (is_discover || is_modern(version)) && !message.meta.missing().is_empty() { invalid("") } else { Ok(()) }
}

fn mismatch<T>(text: String) -> Result<T, ProtocolError> {
    Err(ProtocolError::header_mismatch(text))
}

#[cfg(test)]
mod tests {
    use family_api_core::validation::Json;
    use salvo::http::{HeaderName, HeaderValue};
    use serde_json::{Value, json};

    use super::*;

    const MODERN_HEADER: (&str, &str) = (VERSION, MODERN);

    fn meta(version: &str) -> Value {
        json!({
            "io.modelcontextprotocol/protocolVersion": version,
            "io.modelcontextprotocol/clientCapabilities": {},
        })
    }

    fn message(method: &str, params: &Value) -> Message {
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        Message::read(Json::parse(message.to_string().as_bytes()).unwrap()).unwrap()
    }

    fn header_map(headers: &[(&str, &str)]) -> HeaderMap {
        let header = |(name, value): &(&str, &str)| {
            (name.parse::<HeaderName>().unwrap(), HeaderValue::from_bytes(value.as_bytes()).unwrap())
        };
        headers.iter().map(header).collect()
    }

    /// Returns whether the request and its answer are modern, or the code of the error.
    fn checked(message: &Message, headers: &[(&str, &str)]) -> Result<(bool, bool), i32> {
        let forms = Forms::of(message, &header_map(headers)).map_err(|error| error.code)?;
        Ok((forms.request_is_modern, forms.answer_is_modern))
    }

    #[test]
    fn version_is_that_of_meta_or_of_the_header() {
        for (params, header, expected) in [
            (json!({}), None, Ok((false, false))),
            (json!({}), Some("2024-11-05"), Ok((false, false))),
            (json!({}), Some("2025-11-25"), Ok((false, false))),
            (json!({ "_meta": meta("2025-11-25") }), Some("2025-11-25"), Ok((true, false))),
            (json!({}), Some("1.0"), Err(-32600)),
            (json!({}), Some("é"), Err(-32600)),
            (json!({ "_meta": meta("2025-11-25") }), Some("2025-06-18"), Err(-32020)),
            (json!({ "_meta": meta("2025-11-25") }), None, Err(-32020)),
            (json!({ "_meta": meta("1.0") }), Some("1.0"), Err(-32022)),
        ] {
            let header: Vec<_> = header.map(|version| (VERSION, version)).into_iter().collect();
            assert_eq!(checked(&message("ping", &params), &header), expected, "{params} {header:?}");
        }
    }

    #[test]
    fn modern_request_is_complete() {
        let without = |name: &str| {
            let mut meta = meta("2026-07-28");
            meta.as_object_mut().unwrap().remove(name);
            json!({ "_meta": meta })
        };
        let complete = without("");
        for method in ["tools/list", "server/discover", "unknown"] {
            let headers = [MODERN_HEADER, (METHOD, method)];
            assert_eq!(checked(&message(method, &complete), &headers), Ok((true, true)), "{method}");
            for params in [
                json!({}),
                without("io.modelcontextprotocol/protocolVersion"),
                without("io.modelcontextprotocol/clientCapabilities"),
                json!({ "_meta": { "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                    "io.modelcontextprotocol/clientCapabilities": [] } }),
            ] {
                assert_eq!(checked(&message(method, &params), &headers), Err(-32602), "{method} {params}");
            }
        }
        assert_eq!(checked(&message("server/discover", &json!({})), &[]), Err(-32602));
    }

    #[test]
    fn modern_headers_agree_with_the_message() {
        let call = |tool: &str| message("tools/call", &json!({ "name": tool, "_meta": meta("2026-07-28") }));
        let (call_method, list_name) = ((METHOD, "tools/call"), (NAME, "list_tasks"));
        for (tool, headers) in [
            ("list_tasks", &[call_method, list_name][..]),
            ("list_tasks", &[call_method, (NAME, "=?base64?bGlzdF90YXNrcw==?=")]),
            ("ü", &[call_method, (NAME, "=?base64?w7w=?=")]),
        ] {
            let headers = [&[MODERN_HEADER], headers].concat();
            assert_eq!(checked(&call(tool), &headers), Ok((true, true)), "{headers:?}");
        }
        for headers in [
            &[list_name][..],
            &[call_method],
            &[(METHOD, "tools/list"), list_name],
            &[(METHOD, "TOOLS/CALL"), list_name],
            &[call_method, (NAME, "get_task")],
            &[call_method, (NAME, "=?base64?Z2V0X3Rhc2s=?=")],
            &[call_method, (NAME, "=?base64?!?=")],
            &[call_method, (NAME, "ü")],
            &[call_method, call_method, list_name],
            &[call_method, list_name, list_name],
            &[call_method, list_name, (VERSION, "2025-11-25")],
        ] {
            let headers = [&[MODERN_HEADER], headers].concat();
            assert_eq!(checked(&call("list_tasks"), &headers), Err(-32020), "{headers:?}");
        }
    }

    #[test]
    fn errors_do_not_repeat_long_texts() {
        let long = "é".repeat(5_000);
        let encoded = format!("=?base64?{}?=", BASE64_STANDARD.encode(&long));
        let ascii = "1".repeat(5_000);
        for (message, headers) in [
            (message(&long, &json!({ "_meta": meta(MODERN) })), &[MODERN_HEADER, (METHOD, "ping")][..]),
            (
                message("tools/call", &json!({ "name": long, "_meta": meta(MODERN) })),
                &[MODERN_HEADER, (METHOD, "tools/call"), (NAME, "list_tasks")],
            ),
            (
                message("tools/call", &json!({ "name": "list_tasks", "_meta": meta(MODERN) })),
                &[MODERN_HEADER, (METHOD, "tools/call"), (NAME, &encoded)],
            ),
            (message("ping", &json!({ "_meta": meta(&ascii) })), &[(VERSION, &ascii)]),
            (message("ping", &json!({})), &[(VERSION, &ascii)]),
        ] {
            let error = Forms::of(&message, &header_map(headers)).unwrap_err();
            let size = serde_json::to_string(&error).unwrap().chars().count();
            assert!(size < 500, "{size}: {headers:?}");
        }
    }

    #[test]
    fn initialize_needs_no_header_and_accepts_no_other_one() {
        let initialize = |version: &str| {
            let client = json!({ "name": "a", "version": "1" });
            message("initialize", &json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": client }))
        };
        for (version, headers, expected) in [
            ("2025-06-18", &[][..], Ok((false, false))),
            ("2025-06-18", &[(VERSION, "2025-06-18")], Ok((false, false))),
            ("2025-06-18", &[(VERSION, "2025-11-25")], Err(-32600)),
            ("2026-07-28", &[MODERN_HEADER], Ok((false, true))),
            ("2026-07-28", &[MODERN_HEADER, (METHOD, "initialize")], Ok((false, true))),
            ("2026-07-28", &[MODERN_HEADER, (METHOD, "ping")], Err(-32020)),
        ] {
            assert_eq!(checked(&initialize(version), headers), expected, "{version} {headers:?}");
        }
        for (requested, answered) in [
            ("2024-11-05", "2024-11-05"),
            ("2026-07-28", "2025-11-25"),
            ("1999-01-01", "2025-11-25"),
            ("", "2025-11-25"),
        ] {
            assert_eq!(negotiated(requested), answered, "{requested}");
        }
    }
}
