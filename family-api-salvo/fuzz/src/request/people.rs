//! The caller of a request, and the data that the caller may read.

use salvo::http::HeaderValue;

use crate::app::{Answer, signed_in};
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
pub(super) fn caller(asked: &ParsedRequest) -> Option<&str> {
    if !asked.is_bearer() {
        return signed_in(&asked.headers).filter(|user| ["ann", "bob", "cid", "eve"].contains(user));
    }
    let (_, user, scopes) = key(asked)?;
    let scope = scope(asked);
    scopes.contains(&scope).then_some(*user)
}

/// Returns the scope that the path requires.
fn scope(asked: &ParsedRequest) -> &'static str {
    let segments = asked.segments();
    match segments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["api", "mcp", ..] => "mcp.read",
        ["api", "v1", "tasks", ..] => "v1.tasks.write",
        ["api", "v1", "notes", ..] => "v1.notes.write",
        _ => "v1.read",
    }
}

fn key(asked: &ParsedRequest) -> Option<&'static (&'static str, &'static str, &'static [&'static str])> {
    let headers: Vec<&[u8]> = asked.headers.get_all("authorization").iter().map(HeaderValue::as_bytes).collect();
    let [header] = headers[..] else { return None };
    let (scheme, token) = std::str::from_utf8(header).ok()?.split_once(' ')?;
    KEYS.iter().find(|(known, ..)| scheme.eq_ignore_ascii_case("bearer") && !known.is_empty() && token.trim() == *known)
}

/// Unauthenticated callers get no data. Authenticated callers get only data that they may read.
pub(super) fn check(asked: &ParsedRequest, answer: &Answer) {
    let caller = caller(asked);
    let is_unauthenticated_success = caller.is_none() && answer.status < 300;
    assert!(!is_unauthenticated_success || asked.is_open(), "{answer:?} without credentials: {asked:?}");
    // A response may repeat a canary of the request.
    if !holds(&asked.body, "canary") && !asked.headers.values().any(|value| holds(value.as_bytes(), "canary")) {
        for (canary, seen_by) in CANARIES {
            let sees = caller.is_some_and(|caller| seen_by.contains(&caller));
            assert!(sees || !holds(&answer.body, canary), "{canary} for {caller:?}: {asked:?}");
        }
    }
}

fn holds(text: &[u8], part: &str) -> bool {
    text.windows(part.len()).any(|window| window == part.as_bytes())
}
