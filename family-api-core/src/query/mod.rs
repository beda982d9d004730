//! Queries over the records of a family: pure functions without storage and clock.

pub mod occurrences;
