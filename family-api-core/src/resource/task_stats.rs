//! How much is open and how much was done.

use serde::{Deserialize, Serialize};

/// Counts of the tasks that are the caller's: assigned to them, or unassigned and created by them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TaskStats {
    /// Number of open tasks.
    pub my_open: u64,
    /// Number of tasks completed today, in the profile's time zone.
    pub done_today: u64,
    /// Number of tasks completed since Monday, in the profile's time zone.
    pub done_week: u64,
    /// Number of all completed tasks.
    pub done_total: u64,
}
