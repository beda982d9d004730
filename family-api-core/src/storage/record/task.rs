//! Boards, columns and tasks.

use serde::Deserialize;

use super::field::{nullable, order};
use crate::Timestamp;
use crate::id::{BoardId, ColumnId, FamilyId, TaskId, UserId};
use crate::resource::Priority;

/// A board of tasks.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BoardRecord {
    /// Identifier of the board.
    pub id: BoardId,
    /// The family of the board.
    pub family_id: FamilyId,
    /// Display name.
    pub name: String,
    /// Description.
    #[serde(deserialize_with = "nullable")]
    pub description: Option<String>,
    /// Display emoji.
    #[serde(deserialize_with = "nullable")]
    pub emoji: Option<String>,
    /// Display colour.
    #[serde(deserialize_with = "nullable")]
    pub color: Option<String>,
    /// Position among the boards of the family: an integer of at most 53 bits.
    #[serde(deserialize_with = "order")]
    pub order: i64,
    /// Whether only the owner sees the board.
    pub is_private: bool,
    /// The user who owns the board.
    #[serde(deserialize_with = "nullable")]
    pub owner_user_id: Option<UserId>,
    /// When the board was created.
    pub created_at: Timestamp,
    /// When the board was last changed.
    pub updated_at: Timestamp,
}

/// A column of a board.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ColumnRecord {
    /// Identifier of the column.
    pub id: ColumnId,
    /// The board of the column.
    pub board_id: BoardId,
    /// Display name.
    pub name: String,
    /// Display emoji.
    #[serde(deserialize_with = "nullable")]
    pub emoji: Option<String>,
    /// Display colour.
    #[serde(deserialize_with = "nullable")]
    pub color: Option<String>,
    /// Position on the board: an integer of at most 53 bits.
    #[serde(deserialize_with = "order")]
    pub order: i64,
    /// When the column was created.
    pub created_at: Timestamp,
}

/// A task in a column. It is done if `completedAt` is set.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TaskRecord {
    /// Identifier of the task.
    pub id: TaskId,
    /// The column of the task.
    pub column_id: ColumnId,
    /// Title.
    pub title: String,
    /// Description.
    #[serde(deserialize_with = "nullable")]
    pub description: Option<String>,
    /// How urgent the task is.
    pub priority: Priority,
    /// When the task is due.
    #[serde(deserialize_with = "nullable")]
    pub due_date: Option<Timestamp>,
    /// When the task was completed; `None` if it is open.
    #[serde(deserialize_with = "nullable")]
    pub completed_at: Option<Timestamp>,
    /// Position in the column: an integer of at most 53 bits.
    #[serde(deserialize_with = "order")]
    pub order: i64,
    /// Labels.
    pub labels: Vec<String>,
    /// Whether only the creator sees the task.
    pub is_private: bool,
    /// The assignee. The user need not exist.
    #[serde(deserialize_with = "nullable")]
    pub assignee_id: Option<UserId>,
    /// The creator. The user need not exist.
    #[serde(deserialize_with = "nullable")]
    pub creator_id: Option<UserId>,
    /// When the task was created.
    pub created_at: Timestamp,
    /// When the task was last changed.
    pub updated_at: Timestamp,
}
