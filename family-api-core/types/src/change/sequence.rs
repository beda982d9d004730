//! The number of changes of an event or a task.

/// The highest `sequence` of a record: the maximum of an integer in RFC 5545. Further changes leave it as it is.
pub const MAX_SEQUENCE: u32 = (1 << 31) - 1;

/// Returns the `sequence` of a record after one more change.
pub(super) const fn next(sequence: u32) -> u32 {
    if sequence < MAX_SEQUENCE { sequence + 1 } else { MAX_SEQUENCE }
}
