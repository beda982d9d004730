//! Boards, columns and tasks.

use crate::storage::sqlite::load::statement::{Refusals, Statement};
use crate::storage::{BoardRecord, ColumnRecord, StorageError, TaskRecord};

const BOARD: &str = r#"
    INSERT INTO boards
        (family_id, id, name, description, emoji, color, "order", is_private, owner_user_id, created_at, updated_at)
    SELECT f.id, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11 FROM families f WHERE f.id = ?1"#;

const COLUMN: &str = r#"
    INSERT INTO columns (family_id, id, board_id, name, emoji, color, "order", created_at)
    SELECT b.family_id, ?2, b.id, ?3, ?4, ?5, ?6, ?7 FROM known_ids b WHERE b.kind = 'board' AND b.id = ?1"#;

const TASK: &str = r#"
    INSERT INTO tasks
        (family_id, id, column_id, title, description, priority, due_date, completed_at, "order", labels, is_private,
         assignee_id, creator_id, created_at, updated_at)
    SELECT c.family_id, ?2, c.id, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14
    FROM known_ids c WHERE c.kind = 'column' AND c.id = ?1"#;

pub(super) fn board(board: BoardRecord) -> Statement {
    let query = sqlx::query(BOARD)
        .bind(String::from(board.family_id))
        .bind(String::from(board.id))
        .bind(board.name)
        .bind(board.description)
        .bind(board.emoji)
        .bind(board.color)
        .bind(board.order)
        .bind(board.is_private)
        .bind(board.owner_user_id.map(String::from))
        .bind(String::from(board.created_at))
        .bind(String::from(board.updated_at));
    Statement { query, refused: Refusals::parent("familyId") }
}

pub(super) fn column(column: ColumnRecord) -> Statement {
    let query = sqlx::query(COLUMN)
        .bind(String::from(column.board_id))
        .bind(String::from(column.id))
        .bind(column.name)
        .bind(column.emoji)
        .bind(column.color)
        .bind(column.order)
        .bind(String::from(column.created_at));
    Statement { query, refused: Refusals::parent("boardId") }
}

pub(super) fn task(task: TaskRecord) -> Result<Statement, StorageError> {
    let query = sqlx::query(TASK)
        .bind(String::from(task.column_id))
        .bind(String::from(task.id))
        .bind(task.title)
        .bind(task.description)
        .bind(task.priority.as_str())
        .bind(task.due_date.map(String::from))
        .bind(task.completed_at.map(String::from))
        .bind(task.order)
        .bind(serde_json::to_string(&task.labels).map_err(StorageError::backend)?)
        .bind(task.is_private)
        .bind(task.assignee_id.map(String::from))
        .bind(task.creator_id.map(String::from))
        .bind(String::from(task.created_at))
        .bind(String::from(task.updated_at));
    Ok(Statement { query, refused: Refusals::parent("columnId") })
}
