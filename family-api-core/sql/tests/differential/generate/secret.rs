//! Generates passwords, tokens and scopes.

use family_api_core::key::{Scope, ScopeSet};
use family_api_core::storage::PasswordHash;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::text::text;

pub(super) fn password() -> impl Strategy<Value = PasswordHash> {
    select(&["$p", "$P", "$p "][..]).prop_map(|phc| PasswordHash::new(phc.to_owned()))
}

/// Generates the plaintext token of a key.
pub(super) fn token() -> impl Strategy<Value = String> {
    select(&["t", "T", "t1", "t2", "t3", "…é", "t ", "😀"][..]).prop_map(str::to_owned)
}

/// Generates the first few of the known scopes, possibly in reverse order, or random scopes, possibly repeated.
pub(super) fn scopes() -> impl Strategy<Value = ScopeSet> {
    const KNOWN: [&str; 9] = [
        "mcp.read",
        "v1.read",
        "v1.tasks.write",
        "v1.notes.write",
        "v1.tasks.manage",
        "v1.notes.manage",
        "v1.events.write",
        "v1.shopping.write",
        "v1.boards.manage",
    ];
    let known = select(&KNOWN[..]).prop_map(str::to_owned);
    let first_known = (0..=KNOWN.len(), any::<bool>()).prop_map(|(count, is_reversed)| {
        let mut names = KNOWN[..count].to_vec();
        if is_reversed {
            names.reverse();
        }
        names.into_iter().map(str::to_owned).collect()
    });
    let names = prop_oneof![vec(prop_oneof![9 => known, 1 => text()], 0..4), first_known];
    names.prop_map(|names: Vec<_>| names.into_iter().map(Scope::from).collect())
}
