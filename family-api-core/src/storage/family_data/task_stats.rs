//! Counts open and done tasks.

use crate::calendar::StatsPeriods;
use crate::id::UserId;
use crate::resource::{Task, TaskFilter, TaskStats};
use crate::storage::FamilyData;

impl FamilyData {
    /// Counts the visible tasks that are assigned to the user, or unassigned and created by the user. Counts open
    /// tasks, all done tasks, and the tasks that were done in each period.
    #[must_use]
    pub fn find_task_stats(&self, user: &UserId, periods: &StatsPeriods) -> TaskStats {
        let mut stats = TaskStats::default();
        for task in self.tasks.iter().filter(|task| is_own(user, task) && self.sees_task(user, task)) {
            if TaskFilter::Open.matches(task) {
                stats.my_open += 1;
                continue;
            }
            stats.done_total += 1;
            if let Some(at) = task.completed_at {
                stats.done_today += u64::from(periods.today.contains(&at));
                stats.done_week += u64::from(periods.week.contains(&at));
            }
        }
        stats
    }
}

/// Whether the task is assigned to the user, or unassigned and created by them.
fn is_own(user: &UserId, task: &Task) -> bool {
    task.assignee_id.as_ref().or(task.creator_id.as_ref()) == Some(user)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calendar::Zone;

    #[test]
    fn a_completed_task_without_a_date_counts_only_in_done_total() {
        let at = "2026-11-20T10:15:30.123Z";
        let task = serde_json::json!({
            "id": "t", "columnId": "c", "title": "t", "priority": "LOW", "completed": true, "order": 0, "labels": [],
            "isPrivate": false, "assigneeId": "ana", "createdAt": at, "updatedAt": at,
        });
        let data: FamilyData = serde_json::from_value(serde_json::json!({
            "tasks": [task],
            "columns": [{ "id": "c", "boardId": "b", "name": "c", "order": 0, "createdAt": at, "tasks": [] }],
            "boards": [{
                "id": "b", "name": "b", "order": 0, "isPrivate": false, "createdAt": at, "updatedAt": at, "columns": [],
            }],
        }))
        .unwrap();
        let periods = StatsPeriods::at(at.parse().unwrap(), &Zone::utc());
        let stats = data.find_task_stats(&"ana".parse().unwrap(), &periods);
        assert_eq!((stats.my_open, stats.done_today, stats.done_week, stats.done_total), (0, 0, 0, 1));
    }
}
