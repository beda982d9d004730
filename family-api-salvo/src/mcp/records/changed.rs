//! The answers of tools that change a record.

use std::fmt::Write;

use family_api_core::Error;
use family_api_core::calendar::Zone;
use family_api_core::resource::{Note, Task};
use family_api_core::storage::StorageError;
use schemars::JsonSchema;
use serde::Serialize;

use crate::mcp::answer::{Answer, one_line};
use crate::mcp::error::ToolError;
use crate::mcp::fields::etag;
use crate::mcp::records::{MAX_LINE, due_text, labels, title};

/// The first line of the text if no field has a new value. The update still sets `updatedAt`, as a PATCH does, so the
/// version and its etag are new.
const NO_NEW_VALUE: &str = "No field has a new value. Only the version is new: use the new etag.\n";

// A task after a change.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::mcp) struct ChangedTask {
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

impl ChangedTask {
    /// Compares a task before and after a change. `before` is `None` if it could not be read.
    pub(in crate::mcp) fn new(before: Option<&Task>, after: &Task, zone: &Zone) -> Result<Self, ToolError> {
        let is_same = |before: &Task| Task { updated_at: after.updated_at, ..before.clone() } == *after;
        Ok(Self {
            id: after.id.to_string(),
            changed: !before.is_some_and(is_same),
            title: title(&after.title),
            column_id: after.column_id.to_string(),
            order: after.order,
            priority: after.priority.as_str(),
            completed: after.completed,
            due_date: after.due_date.map(|due| due_text(due, zone)),
            assignee_id: after.assignee_id.as_ref().map(ToString::to_string),
            etag: etag(after).map_err(StorageError::from).map_err(Error::from)?,
        })
    }

    pub(in crate::mcp) fn into_answer(self) -> Result<Answer, ToolError> {
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
pub(in crate::mcp) struct ChangedNote {
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

impl ChangedNote {
    /// Compares a note before and after a change. `before` is `None` if it could not be read.
    pub(in crate::mcp) fn new(before: Option<&Note>, after: Note) -> Result<Self, ToolError> {
        let is_same = |before: &Note| Note { updated_at: after.updated_at, ..before.clone() } == after;
        Ok(Self {
            changed: !before.is_some_and(is_same),
            etag: etag(&after).map_err(StorageError::from).map_err(Error::from)?,
            id: after.id.to_string(),
            title: title(&after.title),
            content_length: after.content.chars().count(),
            pinned: after.pinned,
            category_id: after.category_id.map(|id| id.to_string()),
            tags: labels(&after.tags),
        })
    }

    pub(in crate::mcp) fn into_answer(self) -> Result<Answer, ToolError> {
        let mut text = if self.changed { String::new() } else { NO_NEW_VALUE.to_owned() };
        let (title, length) = (one_line(&self.title, MAX_LINE), self.content_length);
        let _ = writeln!(text, "Note {title} [{}]: {length} characters of content. etag {}", self.id, self.etag);
        Answer::new(&self, text)
    }
}
