//! Parses the input as an HTTP request. Returns no request for inputs that the HTTP layer would refuse.

use std::fmt;

use salvo::Request;
use salvo::http::uri::Uri;
use salvo::http::{HeaderMap, HeaderName, HeaderValue, Method, ReqBody};

/// A parsed request.
pub(super) struct ParsedRequest {
    pub(super) method: Method,
    pub(super) uri: Uri,
    pub(super) headers: HeaderMap,
    pub(super) body: Vec<u8>,
}

impl fmt::Debug for ParsedRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {:?} {}", self.method, self.uri, self.headers, self.body.escape_ascii())
    }
}

impl ParsedRequest {
    /// Parses `METHOD TARGET`, headers, an empty line and the body. Lines end with `\n`.
    pub(super) fn parse(data: &[u8]) -> Option<Self> {
        let end = data.windows(2).position(|pair| pair == b"\n\n");
        let (head, body) = end.map_or((data, &[][..]), |end| (&data[..end], &data[end + 2..]));
        let mut lines = head.split(|byte| *byte == b'\n');
        let first = lines.next()?;
        let space = first.iter().position(|byte| *byte == b' ')?;
        let mut headers = HeaderMap::new();
        for line in lines {
            let colon = line.iter().position(|byte| *byte == b':')?;
            let value = HeaderValue::from_bytes(line[colon + 1..].trim_ascii()).ok()?;
            headers.append(HeaderName::from_bytes(&line[..colon]).ok()?, value);
        }
        let method = Method::from_bytes(&first[..space]).ok()?;
        let uri = std::str::from_utf8(&first[space + 1..]).ok()?.parse().ok()?;
        Some(Self { method, uri, headers, body: body.to_vec() })
    }

    /// Returns a copy in which this header is replaced.
    pub(super) fn with_header(&self, name: &'static str, value: &HeaderValue) -> Self {
        let mut headers = self.headers.clone();
        headers.insert(name, value.clone());
        Self { headers, method: self.method.clone(), uri: self.uri.clone(), body: self.body.clone() }
    }

    /// Returns the request as the server passes it to the router.
    pub(super) fn to_salvo(&self) -> Request {
        let mut request = Request::new();
        request.method_mut().clone_from(&self.method);
        request.uri_mut().clone_from(&self.uri);
        request.headers_mut().clone_from(&self.headers);
        request.replace_body(ReqBody::Once(self.body.clone().into()));
        request
    }

    /// Returns whether the method is `GET` or `HEAD`.
    pub(super) fn is_read(&self) -> bool {
        self.method == Method::GET || self.method == Method::HEAD
    }

    /// Returns whether the path needs no credentials: the OpenAPI document, or its page under `/docs`.
    pub(super) fn is_public(&self) -> bool {
        let first = self.segments().into_iter().next();
        matches!(first.as_deref(), Some("openapi.json" | "docs"))
    }

    /// Returns whether the path requires a bearer token: it starts with `/api/v1` or `/api/mcp`.
    pub(super) fn is_bearer(&self) -> bool {
        let segments = self.segments();
        let mut segments = segments.iter().map(String::as_str);
        segments.next() == Some("api") && matches!(segments.next(), Some("v1" | "mcp"))
    }

    /// Returns whether the request is a message to an MCP endpoint.
    pub(super) fn is_mcp(&self) -> bool {
        self.method == Method::POST && matches!(self.uri.path(), "/api/v1/mcp" | "/api/mcp")
    }

    /// Returns the decoded path segments, without empty segments.
    pub(super) fn segments(&self) -> Vec<String> {
        let path = self.uri.path();
        path.split('/').filter(|segment| !segment.is_empty()).map(decode).collect()
    }

    /// Returns whether the path has no escapes, no empty segments and no trailing slash.
    pub(super) fn is_plain(&self) -> bool {
        let path = self.uri.path();
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_.".contains(&byte);
        path.bytes().all(plain) && !path.contains("//") && !path.ends_with('/')
    }

    /// Returns whether the path has an empty segment or a trailing slash. Only `/docs/` is allowed to end with a slash.
    pub(super) fn has_empty_segment(&self) -> bool {
        let path = self.uri.path();
        path.contains("//") || (path.ends_with('/') && path != "/docs/")
    }
}

/// Decodes escapes such as `%7e`. Keeps invalid escapes unchanged.
fn decode(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let escape = after.get(..2).filter(|_| *first == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        let escaped = escape.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(escaped.unwrap_or(*first));
        rest = if escaped.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
