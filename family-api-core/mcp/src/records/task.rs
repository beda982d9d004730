//! Tasks in answers.

use std::fmt::Write;
use std::num::NonZeroUsize;
use std::ops::Not;

use family_api_core::Timestamp;
use family_api_core::calendar::Zone;
use family_api_core::query::FoundTask;
use schemars::JsonSchema;
use serde::Serialize;

use crate::answer::one_line;
use crate::instant::{local_time, weekday};
use crate::records::{MAX_LINE, labels, name, person, private_mark, title};

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TaskItem {
    pub(crate) id: String,
    pub(crate) title: String,
    board: String,
    column: String,
    priority: &'static str,
    completed: bool,
    pub(crate) overdue: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) due_date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    due_weekday: Option<String>,
    // The later due dates in the days of the query, with their weekdays.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    due_again: Vec<String>,
    // Number of the other later due dates.
    #[serde(skip_serializing_if = "Option::is_none")]
    more_due_again: Option<NonZeroUsize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recurrence: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_completed_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    completed_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    assignee: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    labels: Vec<String>,
    // Omitted if false, because most tasks are shared.
    #[serde(skip_serializing_if = "Not::not")]
    is_private: bool,
}

impl TaskItem {
    pub(crate) fn new(found: FoundTask, zone: &Zone) -> Self {
        let FoundTask { task, board_name, column_name, is_overdue, due_again, .. } = found;
        Self {
            id: task.id.to_string(),
            title: title(&task.title),
            board: name(&board_name),
            column: name(&column_name),
            priority: task.priority.as_str(),
            completed: task.completed,
            overdue: is_overdue,
            due_date: task.due_date.map(|due| due_text(due, zone)),
            more_due_again: NonZeroUsize::new(due_again.total.saturating_sub(due_again.items.len())),
            due_again: due_again.items.into_iter().map(|due| due_words(due, zone)).collect(),
            due_weekday: task.due_date.map(|due| weekday(zone.day_of(due))),
            recurrence: task.rule().map(title),
            last_completed_at: task.last_completed_at.map(|at| local_time(at, zone)),
            completed_at: task.completed_at.map(|at| local_time(at, zone)),
            assignee: person(task.assignee, task.assignee_id),
            labels: labels(&task.labels),
            is_private: task.is_private,
        }
    }

    /// Returns the task as one line.
    pub(crate) fn line(&self) -> String {
        let private = private_mark(self.is_private);
        let mut line = format!("- {} [{}]{private}", one_line(&self.title, MAX_LINE), self.id);
        if let Some((due, weekday)) = self.due_date.as_ref().zip(self.due_weekday.as_ref()) {
            let overdue = if self.overdue { " (overdue)" } else { "" };
            let _ = write!(line, " due {weekday} {due}{overdue}");
        }
        if !self.due_again.is_empty() {
            let more = self.more_due_again.map(|more| format!(" and {more} more")).unwrap_or_default();
            let _ = write!(line, ", due again {}{more}", self.due_again.join(", "));
        }
        if let Some(rule) = &self.recurrence {
            let _ = write!(line, " repeated by {}", one_line(rule, MAX_LINE));
        }
        if self.completed {
            line.push_str(" done");
        }
        if let Some(at) = &self.completed_at {
            let _ = write!(line, " {at}");
        }
        if let Some(at) = &self.last_completed_at {
            let _ = write!(line, " last done {at}");
        }
        let _ = write!(line, " {}", self.priority);
        if let Some(assignee) = &self.assignee {
            let _ = write!(line, " for {}", one_line(assignee, MAX_LINE));
        }
        let _ = write!(line, " in {} / {}", one_line(&self.board, MAX_LINE), one_line(&self.column, MAX_LINE));
        if !self.labels.is_empty() {
            let _ = write!(line, " labels {}", one_line(&self.labels.join(", "), MAX_LINE));
        }
        line.push('\n');
        line
    }
}

/// Formats a due date with its weekday.
pub(crate) fn due_words(due: Timestamp, zone: &Zone) -> String {
    format!("{} {}", weekday(zone.day_of(due)), due_text(due, zone))
}

/// Formats a due date. A due date at the start of a day is a day without a time.
pub(crate) fn due_text(due: Timestamp, zone: &Zone) -> String {
    let day = zone.day_of(due);
    if zone.start_of_day(day) == due { day.to_string() } else { local_time(due, zone) }
}
