//! Changes and updates of tasks.

mod body;
mod builder;
mod due_date;
mod rules;

pub use due_date::DueDate;
pub use rules::{BoardOwner, Destination, TaskFacts, TaskWrite};

use serde::Serialize;

use crate::id::{ColumnId, UserId};
use crate::resource::Priority;
use crate::validation::{Field, Reference};

/// A valid update of a task: a change of fields, or a move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct TaskUpdate(pub(super) Kind);

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub(super) enum Kind {
    Fields(TaskChange),
    Move(TaskMove),
}

/// A change of a task. The methods set or clear single fields. All other fields keep their values.
///
/// The values are not checked before [`build`](Self::build). The JSON of a change is the body of the PATCH request.
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
pub struct TaskChange {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<String>,
    #[serde(skip_serializing_if = "Field::is_kept")]
    pub(crate) description: Field<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) priority: Option<Priority>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) completed: Option<bool>,
    #[serde(rename = "columnId", skip_serializing_if = "Option::is_none")]
    pub(crate) column: Option<Reference<ColumnId>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) order: Option<i64>,
    #[serde(rename = "assigneeId", skip_serializing_if = "Field::is_kept")]
    pub(crate) assignee: Field<Reference<UserId>>,
    #[serde(skip_serializing_if = "Field::is_kept")]
    pub(crate) due_date: Field<DueDate>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) labels: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) is_private: Option<bool>,
}

/// A move of a task to an exact position in a column. If another task has this position, the position of that task and
/// of all later tasks increases by 1.
///
/// The position is not checked before [`build`](Self::build).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename = "move-task")]
pub struct TaskMove {
    #[serde(rename = "columnId")]
    pub(crate) column: Reference<ColumnId>,
    pub(crate) order: i64,
}

impl TaskUpdate {
    /// Returns whether the update has no field.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        matches!(&self.0, Kind::Fields(change) if *change == TaskChange::default())
    }

    /// Returns the column that must exist for the update, on a board that the caller sees.
    #[must_use]
    pub fn named_column(&self) -> Option<&ColumnId> {
        match &self.0 {
            Kind::Fields(change) => change.column.as_ref()?.id(),
            Kind::Move(to) => to.column.id(),
        }
    }

    /// Returns the user that must be a member of the family for the update.
    #[must_use]
    pub fn named_assignee(&self) -> Option<&UserId> {
        match &self.0 {
            Kind::Fields(TaskChange { assignee: Field::Set(reference), .. }) => reference.id(),
            _ => None,
        }
    }
}
