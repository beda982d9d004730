//! The "To do" section: open tasks.

use std::cmp::Reverse;

use family_api_client::Timestamp;
use family_api_client::resource::{Board, Priority, Task};

use crate::day::Day;
use crate::text::{person_suffix, sanitize};

/// When a task is due. The variants are in the order of the summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Urgency {
    Overdue,
    Today,
    Later,
}

/// Returns the label and the description of each open task. Overdue tasks come first, then tasks due today, then other
/// tasks by priority.
pub(crate) fn open_tasks(boards: &[Board], day: &Day) -> Vec<(String, String)> {
    let columns = boards.iter().flat_map(|board| &board.columns);
    let mut open: Vec<&Task> = columns.flat_map(|column| &column.tasks).filter(|task| !task.completed).collect();
    open.sort_by_key(|task| sort_key(task, day));
    open.into_iter().map(|task| (label(task, day), description(task, day))).collect()
}

fn urgency(task: &Task, day: &Day) -> Urgency {
    match task.due_date {
        Some(due) if due < day.instants.start => Urgency::Overdue,
        // A due date without a time is stored as the first instant of the day. The task is overdue only after that day.
        Some(due) if due < day.instants.end => Urgency::Today,
        _ => Urgency::Later,
    }
}

fn sort_key(task: &Task, day: &Day) -> (Urgency, Reverse<usize>, Timestamp) {
    let urgency = urgency(task, day);
    let priority = match urgency {
        Urgency::Overdue | Urgency::Today => 0,
        Urgency::Later => priority_rank(task.priority),
    };
    (urgency, Reverse(priority), task.due_date.unwrap_or(Timestamp::MAX))
}

/// Returns the rank of a priority: 0 for the lowest.
fn priority_rank(priority: Priority) -> usize {
    Priority::ALL.iter().take_while(|other| **other != priority).count()
}

fn label(task: &Task, day: &Day) -> String {
    match (urgency(task, day), task.due_date) {
        (Urgency::Overdue, _) => "overdue".to_owned(),
        (Urgency::Today, Some(due)) if due > day.instants.start => format!("today {}", day.time(due)),
        (Urgency::Today, _) => "today".to_owned(),
        (Urgency::Later, _) => task.priority.as_str().to_lowercase(),
    }
}

fn description(task: &Task, day: &Day) -> String {
    let due = match (urgency(task, day), task.due_date) {
        (Urgency::Today, _) | (_, None) => String::new(),
        (_, Some(due)) => format!(", due {}", day.short_date(due)),
    };
    format!("{}{due}{}", sanitize(&task.title), person_suffix(task.assignee.as_ref()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const AT: &str = "2026-11-01T00:00:00Z";

    fn task(title: &str, priority: Priority, due: Option<&str>) -> Task {
        let task = json!({
            "id": "t", "columnId": "c", "title": title, "priority": priority, "dueDate": due, "completed": false,
            "order": 0, "labels": [], "isPrivate": false, "createdAt": AT, "updatedAt": AT,
        });
        serde_json::from_value(task).unwrap()
    }

    fn board(tasks: Vec<Task>) -> Board {
        let column = json!({ "id": "c", "boardId": "b", "name": "To do", "order": 0, "createdAt": AT, "tasks": [] });
        let board = json!({
            "id": "b", "name": "Home", "order": 0, "isPrivate": false, "createdAt": AT, "updatedAt": AT,
            "columns": [column],
        });
        let mut board: Board = serde_json::from_value(board).unwrap();
        board.columns[0].tasks = tasks;
        board
    }

    fn lines(tasks: Vec<Task>) -> Vec<String> {
        // 00:00 to 24:00 in Lima (UTC-5).
        let day = Day::of("2026-11-21T12:00:00Z".parse().unwrap(), "America/Lima".parse().unwrap());
        open_tasks(&[board(tasks)], &day)
            .into_iter()
            .map(|(label, description)| format!("{label}: {description}"))
            .collect()
    }

    #[test]
    fn tasks_are_sorted_by_urgency_and_priority() {
        let tasks = vec![
            task("someday", Priority::Low, None),
            task("soon", Priority::High, Some("2026-11-22T05:00:00Z")),
            task("press", Priority::Urgent, None),
            task("later", Priority::High, None),
            task("evening", Priority::Low, Some("2026-11-22T01:00:00Z")),
            task("on this day", Priority::Low, Some("2026-11-21T05:00:00Z")),
            task("missed", Priority::Low, Some("2026-11-21T04:59:59Z")),
        ];
        assert_eq!(
            lines(tasks),
            [
                "overdue: missed, due 20 Nov",
                "today: on this day",
                "today 20:00: evening",
                "urgent: press",
                "high: soon, due 22 Nov",
                "high: later",
                "low: someday",
            ]
        );
    }

    #[test]
    fn completed_tasks_are_omitted() {
        let mut done = task("done", Priority::Urgent, None);
        done.completed = true;
        assert_eq!(lines(vec![done]), Vec::<String>::new());
    }
}
