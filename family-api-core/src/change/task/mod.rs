//! The update of a task.

mod body;
mod build;
mod due_date;
mod rules;

pub use due_date::DueDate;
pub use rules::{BoardOwner, Destination, TaskFacts, TaskWrite};

use serde::Serialize;

use crate::change::{Field, Reference};
use crate::id::{ColumnId, UserId};
use crate::resource::Priority;

/// The body of a task's PATCH request: a change of fields, or a move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum TaskUpdate {
    /// Changes fields.
    Fields(TaskChange),
    /// Moves the task to an exact position in a column. Other tasks make room.
    Move(TaskMove),
}

/// A change of a task. A field that is `None` or [`Field::Keep`] keeps its value.
///
/// The methods set or clear single fields. The values are checked when the change is applied. It serializes as the body
/// of the PATCH request.
///
/// ```
/// use family_api_core::change::TaskChange;
///
/// let change = TaskChange::new().title("Buy milk").clear_due_date();
/// assert_eq!(serde_json::to_string(&change)?, r#"{"title":"Buy milk","dueDate":null}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TaskChange {
    /// The new title: 1–500 characters after trimming. It is stored trimmed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The new description: at most 20,000 characters. [`Field::Clear`] removes it.
    #[serde(skip_serializing_if = "Field::is_kept")]
    pub description: Field<String>,
    /// The new priority.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<Priority>,
    /// Whether the task is completed. `completedAt` follows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completed: Option<bool>,
    /// `columnId`: a column on a board that the caller sees. Without `order`, the task goes to its end.
    #[serde(rename = "columnId", skip_serializing_if = "Option::is_none")]
    pub column: Option<Reference<ColumnId>>,
    /// The new position: 0–1,000,000. Other tasks are not moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<i64>,
    /// `assigneeId`: a member of the family. [`Field::Clear`] unassigns the task.
    #[serde(rename = "assigneeId", skip_serializing_if = "Field::is_kept")]
    pub assignee: Field<Reference<UserId>>,
    /// When the task is due. [`Field::Clear`] removes the due date.
    #[serde(skip_serializing_if = "Field::is_kept")]
    pub due_date: Field<DueDate>,
    /// The new labels: at most 50, of 1–50 characters. They replace the old ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub labels: Option<Vec<String>>,
    /// Whether only the creator sees the task. Only the creator can set it to true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_private: Option<bool>,
}

/// A move of a task to an exact position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename = "move-task")]
pub struct TaskMove {
    /// `columnId`: a column on a board that the caller sees.
    #[serde(rename = "columnId")]
    pub column: Reference<ColumnId>,
    /// The position that the task takes: 0–1,000,000.
    pub order: i64,
}

impl TaskUpdate {
    /// Returns whether the update has no field.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::Fields(change) if *change == TaskChange::default())
    }

    /// Returns the column that must exist for the update, on a board that the caller sees.
    #[must_use]
    pub fn named_column(&self) -> Option<&ColumnId> {
        match self {
            Self::Fields(change) => change.column.as_ref()?.id(),
            Self::Move(to) => to.column.id(),
        }
    }

    /// Returns the user that must be a member of the family for the update.
    #[must_use]
    pub fn named_assignee(&self) -> Option<&UserId> {
        match self {
            Self::Fields(TaskChange { assignee: Field::Set(reference), .. }) => reference.id(),
            _ => None,
        }
    }
}
