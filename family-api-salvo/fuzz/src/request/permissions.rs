//! Determines the caller of a request, and checks that the response contains only data that the caller may read.

use salvo::http::HeaderValue;

use crate::app::{TestResponse, cookie_user};
use crate::request::parse::ParsedRequest;

/// The valid keys, their users and scopes. Bob's personal API is off, so his keys work only on the read path.
const KEYS: [(&str, &str, &[&str]); 9] = [
    ("token-of-ann-rw", "ann", &["mcp.read", "v1.read", "v1.tasks.write", "v1.notes.write"]),
    ("token-of-ann-read", "ann", &["mcp.read", "v1.read"]),
    ("token-of-ann-tasks", "ann", &["v1.tasks.write"]),
    ("environment-token-of-ann", "ann", &["mcp.read"]),
    ("token-of-bob-rw", "bob", &["mcp.read"]),
    ("token-of-bob-mcp", "bob", &["mcp.read"]),
    ("token-of-eve-rw", "eve", &["mcp.read", "v1.read", "v1.tasks.write", "v1.notes.write"]),
    ("token-of-eve-none", "eve", &[]),
    ("", "", &[]),
];

/// The users who may read each canary.
const CANARIES: [(&str, &[&str]); 6] = [
    ("canary-berg", &["ann", "bob"]),
    ("canary-tal", &["eve"]),
    ("canary-ann", &["ann"]),
    ("canary-bob", &["bob"]),
    ("canary-cid", &["cid"]),
    ("canary-key", &["ann", "bob", "cid", "eve"]),
];

/// Returns the authenticated caller of the request.
pub(super) fn caller(request: &ParsedRequest) -> Option<&str> {
    if !request.is_bearer() {
        return cookie_user(&request.headers).filter(|user| ["ann", "bob", "cid", "eve"].contains(user));
    }
    let (_, user, scopes) = find_key(request)?;
    let scope = required_scope(request);
    scopes.contains(&scope).then_some(*user)
}

/// Returns the scope that the path requires.
fn required_scope(request: &ParsedRequest) -> &'static str {
    let segments = request.segments();
    match segments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["api", "mcp", ..] => "mcp.read",
        ["api", "v1", "tasks", ..] => "v1.tasks.write",
        ["api", "v1", "notes", ..] => "v1.notes.write",
        _ => "v1.read",
    }
}

/// Returns whether the request has a token that may write, and calls the surface for writes.
pub(super) fn may_write(request: &ParsedRequest) -> bool {
    let scopes = find_key(request).map(|(_, _, scopes)| *scopes).unwrap_or_default();
    request.segments().get(1).is_some_and(|surface| surface == "v1")
        && scopes.iter().any(|scope| matches!(*scope, "v1.tasks.write" | "v1.notes.write"))
}

fn find_key(request: &ParsedRequest) -> Option<&'static (&'static str, &'static str, &'static [&'static str])> {
    let headers: Vec<&[u8]> = request.headers.get_all("authorization").iter().map(HeaderValue::as_bytes).collect();
    let [header] = headers[..] else { return None };
    let (scheme, token) = std::str::from_utf8(header).ok()?.split_once(' ')?;
    KEYS.iter().find(|(known, ..)| scheme.eq_ignore_ascii_case("bearer") && !known.is_empty() && token.trim() == *known)
}

/// Checks that unauthenticated callers get no data, and that authenticated callers get only data that they may read.
pub(super) fn check(request: &ParsedRequest, response: &TestResponse) {
    let caller = caller(request);
    let is_unauthenticated_success = caller.is_none() && response.status < 300;
    assert!(!is_unauthenticated_success || request.is_public(), "{response:?} without credentials: {request:?}");
    // A response can repeat a canary of the request.
    if !contains(&request.body, "canary") && !request.headers.values().any(|value| contains(value.as_bytes(), "canary"))
    {
        for (canary, readers) in CANARIES {
            let may_read = caller.is_some_and(|caller| readers.contains(&caller));
            assert!(may_read || !contains(&response.body, canary), "{canary} for {caller:?}: {request:?}");
        }
    }
}

fn contains(text: &[u8], part: &str) -> bool {
    text.windows(part.len()).any(|window| window == part.as_bytes())
}
