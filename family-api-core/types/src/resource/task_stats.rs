//! Counts of open and completed tasks.

use serde::{Deserialize, Serialize};

/// Counts of the caller's tasks: tasks assigned to the caller, and unassigned tasks that the caller created.
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
