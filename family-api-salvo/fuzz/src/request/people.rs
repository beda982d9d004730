//! Who asks, and what they may see.

use salvo::http::HeaderValue;

use crate::app::{Answer, signed_in};
use crate::request::parse::Asked;

/// The keys that open something, and to whom; all that bob's open is the read path.
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

/// Whose eyes each canary is for.
const CANARIES: [(&str, &[&str]); 6] = [
    ("canary-berg", &["ann", "bob"]),
    ("canary-tal", &["eve"]),
    ("canary-ann", &["ann"]),
    ("canary-bob", &["bob"]),
    ("canary-cid", &["cid"]),
    ("canary-key", &["ann", "bob", "cid", "eve"]),
];

/// Who asks, as far as the request proves it.
pub(super) fn caller(asked: &Asked) -> Option<&str> {
    if !asked.is_bearer() {
        return signed_in(&asked.headers).filter(|user| ["ann", "bob", "cid", "eve"].contains(user));
    }
    let (_, user, scopes) = key(asked)?;
    let scope = scope(asked);
    scopes.contains(&scope).then_some(*user)
}

/// The scope without which nothing is shown or done there.
fn scope(asked: &Asked) -> &'static str {
    let segments = asked.segments();
    match segments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["api", "mcp", ..] => "mcp.read",
        ["api", "v1", "tasks", ..] => "v1.tasks.write",
        ["api", "v1", "notes", ..] => "v1.notes.write",
        _ => "v1.read",
    }
}

fn key(asked: &Asked) -> Option<&'static (&'static str, &'static str, &'static [&'static str])> {
    let headers: Vec<&[u8]> = asked.headers.get_all("authorization").iter().map(HeaderValue::as_bytes).collect();
    let [header] = headers[..] else { return None };
    let (scheme, token) = std::str::from_utf8(header).ok()?.split_once(' ')?;
    KEYS.iter().find(|(known, ..)| scheme.eq_ignore_ascii_case("bearer") && !known.is_empty() && token.trim() == *known)
}

/// Who proves to be nobody is shown nothing, and everybody only what is theirs.
pub(super) fn check(asked: &Asked, answer: &Answer) {
    let caller = caller(asked);
    let nobody = caller.is_none() && answer.status < 300;
    assert!(!nobody || asked.is_open(), "{answer:?} for nobody: {asked:?}");
    // Who says a canary may be told it.
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
