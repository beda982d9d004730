//! Boards, columns and tasks.

use serde::Deserialize;

use super::field::{nullable, order};
use crate::Timestamp;
use crate::id::{BoardId, ColumnId, FamilyId, TaskId, UserId};
use crate::resource::Priority;

/// A board of tasks.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(missing_docs, reason = "the fields are the contract's, section 9")]
pub struct BoardRecord {
    pub id: BoardId,
    pub family_id: FamilyId,
    pub name: String,
    #[serde(deserialize_with = "nullable")]
    pub description: Option<String>,
    #[serde(deserialize_with = "nullable")]
    pub emoji: Option<String>,
    #[serde(deserialize_with = "nullable")]
    pub color: Option<String>,
    #[serde(deserialize_with = "order")]
    pub order: i64,
    pub is_private: bool,
    #[serde(deserialize_with = "nullable")]
    pub owner_user_id: Option<UserId>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// A column of a board.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(missing_docs, reason = "the fields are the contract's, section 9")]
pub struct ColumnRecord {
    pub id: ColumnId,
    pub board_id: BoardId,
    pub name: String,
    #[serde(deserialize_with = "nullable")]
    pub emoji: Option<String>,
    #[serde(deserialize_with = "nullable")]
    pub color: Option<String>,
    #[serde(deserialize_with = "order")]
    pub order: i64,
    pub created_at: Timestamp,
}

/// A task in a column; `completedAt` says whether it is done.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(missing_docs, reason = "the fields are the contract's, section 9")]
pub struct TaskRecord {
    pub id: TaskId,
    pub column_id: ColumnId,
    pub title: String,
    #[serde(deserialize_with = "nullable")]
    pub description: Option<String>,
    pub priority: Priority,
    #[serde(deserialize_with = "nullable")]
    pub due_date: Option<Timestamp>,
    #[serde(deserialize_with = "nullable")]
    pub completed_at: Option<Timestamp>,
    #[serde(deserialize_with = "order")]
    pub order: i64,
    pub labels: Vec<String>,
    pub is_private: bool,
    #[serde(deserialize_with = "nullable")]
    pub assignee_id: Option<UserId>,
    #[serde(deserialize_with = "nullable")]
    pub creator_id: Option<UserId>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}
