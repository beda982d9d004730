//! How much is open and how much was done.

use serde::{Deserialize, Serialize};

/// Counts of the tasks that are the caller's: assigned to them, or unassigned and created by them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TaskStats {
    /// Still open.
    pub my_open: u64,
    /// Done today, in the profile's time zone.
    pub done_today: u64,
    /// Done since Monday, in the profile's time zone.
    pub done_week: u64,
    /// Done, ever.
    pub done_total: u64,
}
