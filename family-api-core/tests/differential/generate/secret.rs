//! Passwords, tokens and scopes.

use family_api_core::key::{Scope, ScopeSet};
use family_api_core::storage::PasswordHash;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::text::text;

pub(super) fn password() -> impl Strategy<Value = PasswordHash> {
    select(&["$p", "$P", "$p "][..]).prop_map(|phc| PasswordHash::new(phc.to_owned()))
}

/// The plaintexts of keys.
pub(super) fn token() -> impl Strategy<Value = String> {
    select(&["t", "T", "t1", "t2", "t3", "…é", "t ", "😀"][..]).prop_map(str::to_owned)
}

/// Generates the scopes of a mode in either order, or any scopes, some repeated.
pub(super) fn scopes() -> impl Strategy<Value = ScopeSet> {
    const KNOWN: [&str; 4] = ["mcp.read", "v1.read", "v1.tasks.write", "v1.notes.write"];
    let known = select(&KNOWN[..]).prop_map(str::to_owned);
    let mode = (0..=KNOWN.len(), any::<bool>()).prop_map(|(many, from_behind)| {
        let mut names = KNOWN[..many].to_vec();
        if from_behind {
            names.reverse();
        }
        names.into_iter().map(str::to_owned).collect()
    });
    let names = prop_oneof![vec(prop_oneof![9 => known, 1 => text()], 0..4), mode];
    names.prop_map(|names: Vec<_>| names.into_iter().map(Scope::from).collect())
}
