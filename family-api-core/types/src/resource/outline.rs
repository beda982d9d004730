//! Boards and shopping lists without their tasks and items.

use serde::{Deserialize, Serialize};

use crate::id::{BoardId, ColumnId, ListId, UserId};
use crate::timestamp::Timestamp;

/// A board with its columns, without their tasks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct BoardOutline {
    /// Identifier of the board.
    pub id: BoardId,
    /// Display name.
    pub name: String,
    /// Description; null if there is none.
    pub description: Option<String>,
    /// Display emoji; null if there is none.
    pub emoji: Option<String>,
    /// Display colour; null if there is none.
    pub color: Option<String>,
    /// Position among the boards of the family.
    pub order: i64,
    /// Whether only the owner sees the board.
    pub is_private: bool,
    /// The user who owns the board; null if the board has no owner.
    pub owner_user_id: Option<UserId>,
    /// When the board was created.
    pub created_at: Timestamp,
    /// When the board was last changed.
    pub updated_at: Timestamp,
    /// The columns, ordered by `order`, `id`.
    pub columns: Vec<ColumnOutline>,
}

/// A column of a board, without its tasks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ColumnOutline {
    /// Identifier of the column.
    pub id: ColumnId,
    /// The board of the column.
    pub board_id: BoardId,
    /// Display name.
    pub name: String,
    /// Display emoji; null if there is none.
    pub emoji: Option<String>,
    /// Display colour; null if there is none.
    pub color: Option<String>,
    /// Position on the board.
    pub order: i64,
    /// When the column was created.
    pub created_at: Timestamp,
}

/// A shopping list without its items.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ListOutline {
    /// Identifier of the list.
    pub id: ListId,
    /// Display name.
    pub name: String,
    /// Display emoji; null if there is none.
    pub emoji: Option<String>,
    /// Position among the lists of the family.
    pub sort_order: i64,
    /// Whether only the owner sees the list.
    pub is_private: bool,
    /// The user who owns the list; null if the list has no owner.
    pub owner_user_id: Option<UserId>,
    /// When the list was created.
    pub created_at: Timestamp,
    /// When the list was last changed.
    pub updated_at: Timestamp,
}
