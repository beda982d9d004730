//! Boards, their columns, and the tasks in them.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::Timestamp;
use crate::id::{BoardId, ColumnId, TaskId, UserId};
use crate::resource::Person;

/// A board with its columns, ordered by `order`, `createdAt`, `id`.
///
/// A private board is seen by its owner only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the fields are the contract's, section 5")]
pub struct Board {
    pub id: BoardId,
    pub name: String,
    pub description: Option<String>,
    pub emoji: Option<String>,
    pub color: Option<String>,
    pub order: i64,
    pub is_private: bool,
    pub owner_user_id: Option<UserId>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub columns: Vec<Column>,
}

/// A column of a board with its tasks, ordered by `order`, `id`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the fields are the contract's, section 5")]
pub struct Column {
    pub id: ColumnId,
    pub board_id: BoardId,
    pub name: String,
    pub emoji: Option<String>,
    pub color: Option<String>,
    pub order: i64,
    pub created_at: Timestamp,
    pub tasks: Vec<Task>,
}

/// A task, ordered in its column by `order`, `id`.
///
/// A private task is seen by its creator only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the fields are the contract's, section 5")]
pub struct Task {
    pub id: TaskId,
    pub column_id: ColumnId,
    pub title: String,
    pub description: Option<String>,
    pub priority: Priority,
    pub due_date: Option<Timestamp>,
    pub completed: bool,
    pub completed_at: Option<Timestamp>,
    pub order: i64,
    pub labels: Vec<String>,
    pub is_private: bool,
    pub assignee_id: Option<UserId>,
    /// The assignee, while they are in the family.
    pub assignee: Option<Person>,
    pub creator_id: Option<UserId>,
    /// The creator, while they are in the family.
    pub creator: Option<Person>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// How pressing a task is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "UPPERCASE")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Priority {
    Low,
    Medium,
    High,
    Urgent,
}

impl Priority {
    /// Every priority, the least pressing first.
    pub const ALL: [Self; 4] = [Self::Low, Self::Medium, Self::High, Self::Urgent];

    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Low => "LOW",
            Self::Medium => "MEDIUM",
            Self::High => "HIGH",
            Self::Urgent => "URGENT",
        }
    }
}

/// The text names no priority.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected LOW, MEDIUM, HIGH or URGENT")]
pub struct UnknownPriority;

impl FromStr for Priority {
    type Err = UnknownPriority;

    fn from_str(name: &str) -> Result<Self, UnknownPriority> {
        Self::ALL.into_iter().find(|priority| priority.as_str() == name).ok_or(UnknownPriority)
    }
}
