//! Boards, columns and tasks.

use super::field::{order, sequence, task_recurrence};
use crate::Timestamp;
use crate::id::{BoardId, ColumnId, FamilyId, TaskId, UserId};
use crate::resource::{Board, Column, Priority, Task};

record! {
    /// A board of tasks.
    BoardRecord: "board" in "boards" {
        /// Identifier of the board.
        id: BoardId,
        /// Display name.
        name: String,
        /// Description.
        description: Option<String>,
        /// Display emoji.
        emoji: Option<String>,
        /// Display colour.
        color: Option<String>,
        /// Position among the boards of the family: an integer of at most 53 bits.
        #[serde(deserialize_with = "order")]
        order: i64,
        /// Whether only the owner sees the board.
        is_private: bool,
        /// The user who owns the board.
        owner_user_id: Option<UserId>,
        /// When the board was created.
        created_at: Timestamp,
        /// When the board was last changed.
        updated_at: Timestamp,
    } stores {
        /// The family of the board.
        family_id: FamilyId,
    } refers {
        family_id: FamilyId => "family",
        owner_user_id: UserId => "user" unkeyed,
    } becomes Board {
        columns: Vec::new(),
    }
}

record! {
    /// A column of a board.
    ColumnRecord: "column" in "columns" {
        /// Identifier of the column.
        id: ColumnId,
        /// The board of the column.
        board_id: BoardId,
        /// Display name.
        name: String,
        /// Display emoji.
        emoji: Option<String>,
        /// Display colour.
        color: Option<String>,
        /// Position on the board: an integer of at most 53 bits.
        #[serde(deserialize_with = "order")]
        order: i64,
        /// When the column was created.
        created_at: Timestamp,
    } stores {
        /// The family of the column.
        family_id: FamilyId,
    } refers {
        family_id: FamilyId => "family",
        board_id: BoardId => "board",
    } becomes Column {
        tasks: Vec::new(),
    }
}

record! {
    /// A task in a column. It is done if `completedAt` is set.
    TaskRecord: "task" in "tasks" {
        /// Identifier of the task.
        id: TaskId,
        /// The column of the task.
        column_id: ColumnId,
        /// Title.
        title: String,
        /// Description.
        description: Option<String>,
        /// How urgent the task is.
        priority: Priority,
        /// When the task is due.
        due_date: Option<Timestamp>,
        /// The lines DTSTART and RRULE (RFC 5545).
        #[serde(default, deserialize_with = "task_recurrence")]
        recurrence: Option<String>,
        /// When the task was completed; `None` if it is open.
        completed_at: Option<Timestamp>,
        /// When the task was last completed, if it recurs.
        last_completed_at: Option<Timestamp>,
        /// Position in the column: an integer of at most 53 bits.
        #[serde(deserialize_with = "order")]
        order: i64,
        /// Labels.
        labels: Vec<String>,
        /// Whether only the creator sees the task.
        is_private: bool,
        /// The assignee. The user need not exist.
        assignee_id: Option<UserId>,
        /// The creator. The user need not exist.
        creator_id: Option<UserId>,
        /// When the task was created.
        created_at: Timestamp,
        /// When the task was last changed.
        updated_at: Timestamp,
        /// How many changes there were since the creation: a whole number of at most 31 bits. 0 if a line has none.
        #[serde(default, deserialize_with = "sequence")]
        sequence: u32,
    } stores {
        /// The family of the task.
        family_id: FamilyId,
    } refers {
        family_id: FamilyId => "family",
        column_id: ColumnId => "column",
    } becomes Task {
        completed: completed_at.is_some(),
        assignee: None,
        creator: None,
    }
}
