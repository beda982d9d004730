//! The answers of tools that change a record.

use std::fmt::Write;

use family_api_core::Error;
use family_api_core::calendar::Zone;
use family_api_core::resource::{Event, Note, Task};
use family_api_core::storage::StorageError;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::mcp::answer::{Answer, one_line};
use crate::mcp::error::ToolError;
use crate::mcp::fields::etag;
use crate::mcp::records::{MAX_LINE, ToolRecord, days_or_times, due_text, labels, schema, title};

/// A kind of record with a tool that changes single fields.
pub(in crate::mcp) trait ChangeableRecord: ToolRecord {
    /// Returns the schema of the structured answer.
    fn change_schema() -> Value;

    /// Returns the answer to a change. `before` is `None` if the record could not be read.
    ///
    /// # Errors
    /// [`ToolError::Fault`] if the record cannot be serialized.
    fn change_answer(before: Option<&Self>, after: Self, zone: &Zone) -> Result<Answer, ToolError>;
}

/// The first line of the text if no field has a new value. The update still sets `updatedAt`, as a PATCH does, so the
/// version and its etag are new.
const NO_NEW_VALUE: &str = "No field has a new value. Only the version is new: use the new etag.\n";

// A task after a change.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ChangedTask {
    id: String,
    // False if no field has a new value. The etag is new in any case.
    changed: bool,
    title: String,
    column_id: String,
    order: i64,
    priority: &'static str,
    completed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    due_date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    assignee_id: Option<String>,
    etag: String,
}

impl ChangeableRecord for Task {
    fn change_schema() -> Value {
        schema::<ChangedTask>()
    }

    fn change_answer(before: Option<&Self>, after: Self, zone: &Zone) -> Result<Answer, ToolError> {
        let is_same = |before: &Self| Self { updated_at: after.updated_at, ..before.clone() } == after;
        ChangedTask {
            id: after.id.to_string(),
            changed: !before.is_some_and(is_same),
            title: title(&after.title),
            column_id: after.column_id.to_string(),
            order: after.order,
            priority: after.priority.as_str(),
            completed: after.completed,
            due_date: after.due_date.map(|due| due_text(due, zone)),
            assignee_id: after.assignee_id.as_ref().map(ToString::to_string),
            etag: etag(&after).map_err(StorageError::from).map_err(Error::from)?,
        }
        .into_answer()
    }
}

impl ChangedTask {
    fn into_answer(self) -> Result<Answer, ToolError> {
        let mut text = if self.changed { String::new() } else { NO_NEW_VALUE.to_owned() };
        let state = if self.completed { "done" } else { "open" };
        let _ = write!(text, "Task {} [{}]: {state}, {}", one_line(&self.title, MAX_LINE), self.id, self.priority);
        if let Some(due) = &self.due_date {
            let _ = write!(text, ", due {due}");
        }
        if let Some(assignee) = &self.assignee_id {
            let _ = write!(text, ", for [{assignee}]");
        }
        let _ = writeln!(text, ", in column [{}] at {}. etag {}", self.column_id, self.order, self.etag);
        Answer::new(&self, text)
    }
}

// A note after a change.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ChangedNote {
    id: String,
    // False if no field has a new value. The etag is new in any case.
    changed: bool,
    title: String,
    content_length: usize,
    pinned: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    category_id: Option<String>,
    tags: Vec<String>,
    etag: String,
}

impl ChangeableRecord for Note {
    fn change_schema() -> Value {
        schema::<ChangedNote>()
    }

    fn change_answer(before: Option<&Self>, after: Self, _: &Zone) -> Result<Answer, ToolError> {
        let is_same = |before: &Self| Self { updated_at: after.updated_at, ..before.clone() } == after;
        ChangedNote {
            changed: !before.is_some_and(is_same),
            etag: etag(&after).map_err(StorageError::from).map_err(Error::from)?,
            id: after.id.to_string(),
            title: title(&after.title),
            content_length: after.content.chars().count(),
            pinned: after.pinned,
            category_id: after.category_id.map(|id| id.to_string()),
            tags: labels(&after.tags),
        }
        .into_answer()
    }
}

impl ChangedNote {
    fn into_answer(self) -> Result<Answer, ToolError> {
        let mut text = if self.changed { String::new() } else { NO_NEW_VALUE.to_owned() };
        let (title, length) = (one_line(&self.title, MAX_LINE), self.content_length);
        let _ = writeln!(text, "Note {title} [{}]: {length} characters of content. etag {}", self.id, self.etag);
        Answer::new(&self, text)
    }
}

// An event after a change.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ChangedEvent {
    id: String,
    // False if no field has a new value.
    changed: bool,
    title: String,
    start: String,
    end: String,
    all_day: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    recurrence: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    assignee_id: Option<String>,
}

impl ChangeableRecord for Event {
    fn change_schema() -> Value {
        schema::<ChangedEvent>()
    }

    fn change_answer(before: Option<&Self>, after: Self, zone: &Zone) -> Result<Answer, ToolError> {
        let is_same = |before: &Self| Self { updated_at: after.updated_at, ..before.clone() } == after;
        let (start, end) = days_or_times(after.all_day, after.start_date, after.end_date, zone);
        ChangedEvent {
            changed: !before.is_some_and(is_same),
            start,
            end,
            id: after.id.to_string(),
            title: title(&after.title),
            all_day: after.all_day,
            recurrence: after.recurrence.map(|recurrence| title(&recurrence)),
            location: after.location.map(|location| title(&location)),
            assignee_id: after.assignee_id.map(|id| id.to_string()),
        }
        .into_answer()
    }
}

impl ChangedEvent {
    fn into_answer(self) -> Result<Answer, ToolError> {
        let mut text = if self.changed { String::new() } else { "No field has a new value.\n".to_owned() };
        let (title, all_day) = (one_line(&self.title, MAX_LINE), if self.all_day { " all day" } else { "" });
        let _ = write!(text, "Event {title} [{}]: {} to {}{all_day}", self.id, self.start, self.end);
        if let Some(recurrence) = &self.recurrence {
            let _ = write!(text, ", repeated by {}", one_line(recurrence, MAX_LINE));
        }
        if let Some(location) = &self.location {
            let _ = write!(text, ", at {}", one_line(location, MAX_LINE));
        }
        if let Some(assignee) = &self.assignee_id {
            let _ = write!(text, ", for [{assignee}]");
        }
        text.push('\n');
        Answer::new(&self, text)
    }
}
