//! Generates ids from a short list. Sorted by code point, the ids have a different order than in other collations.

use std::fmt::Debug;
use std::str::FromStr;

use proptest::prelude::*;
use proptest::sample::select;

// For each kind of record, the number of ids that other records can refer to. New records can have two more ids.
pub(super) const USERS: usize = 5;
pub(super) const KEYS: usize = 12;
pub(super) const CATEGORIES: usize = 3;
pub(super) const BOARDS: usize = 4;
pub(super) const COLUMNS: usize = 5;
pub(super) const TASKS: usize = 12;
pub(super) const EVENTS: usize = 6;
pub(super) const LISTS: usize = 3;
pub(super) const ITEMS: usize = 8;
pub(super) const NOTES: usize = 8;

pub(super) const IDS: [&str; 14] = ["a", "A", "_", "-", "b", "B", "0", "Z", "aA", "a_", "a-", "z", "-a", "Aa"];

/// Generates one of the first `count` ids of [`IDS`].
pub(super) fn id(count: usize) -> impl Strategy<Value = &'static str> + Clone {
    select(&IDS[..count])
}

/// Generates the id of a new record: one of the first `count + 2` ids of [`IDS`].
pub(super) fn new(count: usize) -> impl Strategy<Value = &'static str> + Clone {
    id(count + 2)
}

/// Generates the id of one of two families, mostly of the first.
pub(super) fn family() -> impl Strategy<Value = &'static str> + Clone {
    prop_oneof![4 => Just(IDS[0]), 1 => Just(IDS[1])]
}

/// Generates one of the first `count` ids of [`IDS`], parsed as `I`.
pub(super) fn typed<I: FromStr<Err: Debug> + Debug>(count: usize) -> impl Strategy<Value = I> + Clone {
    id(count).prop_map(|id| id.parse().unwrap())
}
