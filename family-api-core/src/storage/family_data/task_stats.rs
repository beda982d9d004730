//! How many tasks are open and were done.

use crate::calendar::StatsPeriods;
use crate::id::UserId;
use crate::resource::{Task, TaskStats};
use crate::storage::FamilyData;

impl FamilyData {
    /// How many of the user's own tasks, as far as they see them, are open and were done in the periods.
    #[must_use]
    pub fn find_task_stats(&self, user: &UserId, periods: &StatsPeriods) -> TaskStats {
        let mut stats = TaskStats::default();
        for task in self.tasks.iter().filter(|task| is_own(user, task) && self.sees_task(user, task)) {
            match task.completed_at {
                None => stats.my_open += 1,
                Some(at) => {
                    stats.done_today += u64::from(periods.today.contains(&at));
                    stats.done_week += u64::from(periods.week.contains(&at));
                    stats.done_total += 1;
                }
            }
        }
        stats
    }
}

/// Assigned to the user, or unassigned and created by them.
fn is_own(user: &UserId, task: &Task) -> bool {
    task.assignee_id.as_ref().or(task.creator_id.as_ref()) == Some(user)
}
