//! Writes of records of every kind, as far as the capabilities of the storage name them.

pub(super) mod kinds;

pub(super) mod checked_items;
pub(super) mod containers;
pub(super) mod creation;
pub(super) mod guarantees;
pub(super) mod occurrences;
pub(super) mod record_limit;
pub(super) mod record_purge;
pub(super) mod record_writes;
pub(super) mod repetition;
pub(super) mod restoration;
