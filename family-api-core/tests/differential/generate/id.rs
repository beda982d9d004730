//! A few ids of each kind. Their order by code point differs from every other order.

use std::fmt::Debug;
use std::str::FromStr;

use proptest::prelude::*;
use proptest::sample::select;

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

/// Returns one of the first `many` ids.
pub(super) fn id(many: usize) -> impl Strategy<Value = &'static str> + Clone {
    select(&IDS[..many])
}

/// Returns an id for a new record. There are a few more than in `id`, so that some are unused.
pub(super) fn new(many: usize) -> impl Strategy<Value = &'static str> + Clone {
    id(many + 2)
}

/// Returns one of two families, mostly the first.
pub(super) fn family() -> impl Strategy<Value = &'static str> + Clone {
    prop_oneof![4 => Just(IDS[0]), 1 => Just(IDS[1])]
}

/// Returns one of the first `many` ids as the type `I`.
pub(super) fn typed<I: FromStr<Err: Debug> + Debug>(many: usize) -> impl Strategy<Value = I> + Clone {
    id(many).prop_map(|id| id.parse().unwrap())
}
