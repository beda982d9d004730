//! Boards and shopping lists by their names, without their tasks and items.

use serde::Deserialize;

use crate::id::{BoardId, ColumnId, ListId};

/// A board with its columns.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct BoardOutline {
    /// Identifier of the board.
    pub id: BoardId,
    /// Display name.
    pub name: String,
    /// The columns, in their order on the board.
    pub columns: Vec<ColumnOutline>,
}

/// A column of a board.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct ColumnOutline {
    /// Identifier of the column.
    pub id: ColumnId,
    /// Display name.
    pub name: String,
}

/// A shopping list.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct ListOutline {
    /// Identifier of the list.
    pub id: ListId,
    /// Display name.
    pub name: String,
}
