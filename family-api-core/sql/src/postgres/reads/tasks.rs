//! Reads of boards with their columns and tasks.

use std::sync::LazyLock;

use family_api_core::id::TaskId;
use family_api_core::resource::{Board, Column, Document, Person, Task, TaskFilter};
use family_api_core::storage::value::{StoredFields, StoredRow, Values};
use family_api_core::storage::{Member, StorageError};

use crate::columns::columns;
use crate::postgres::database::Database;
use crate::postgres::reads::document;
use crate::postgres::row::Row;
use crate::visible::{is_member, visible};

/// Returns a row for each task, for each column without tasks, for each board without columns, and for a family without
/// boards. `$3` selects done tasks if true, open tasks if false, and all if `NULL`.
pub(super) static LIST: LazyLock<String> = LazyLock::new(|| {
    format!(
        r#"SELECT {board}, {column}, {task}, f.revision
        FROM families f
        LEFT JOIN boards b ON b.family_id = $1 AND {board_is_visible}
        LEFT JOIN columns c ON c.family_id = $1 AND c.board_id = b.id
        LEFT JOIN tasks t ON t.family_id = $1 AND t.column_id = c.id
            AND ($3::boolean IS NULL OR (t.completed_at IS NOT NULL) = $3)
            AND {task_is_visible}
        LEFT JOIN users assignee ON assignee.id = t.assignee_id AND assignee.family_id = $1
        LEFT JOIN users creator ON creator.id = t.creator_id AND creator.family_id = $1
        WHERE f.id = $1 AND {is_member}
        ORDER BY b."order", b.created_at, b.id, c."order", c.id, t."order", t.id"#,
        board = columns::<Board>("b"),
        column = columns::<Column>("c"),
        task = task_columns(),
        is_member = is_member!("$2" of "$1"),
        board_is_visible = visible!(board "b" for "$2"),
        task_is_visible = visible!(task "t" for "$2"),
    )
});

/// Returns one row: the task `$3` with its column and board, or without a board if the member does not see the task.
pub(super) static FIND: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {board}, {column}, {task}, f.revision
        FROM families f
        LEFT JOIN tasks t ON t.family_id = $1 AND t.id = $3 AND {task_is_visible}
        LEFT JOIN columns c ON c.family_id = $1 AND c.id = t.column_id
        LEFT JOIN boards b ON b.family_id = $1 AND b.id = c.board_id AND {board_is_visible}
        LEFT JOIN users assignee ON assignee.id = t.assignee_id AND assignee.family_id = $1
        LEFT JOIN users creator ON creator.id = t.creator_id AND creator.family_id = $1
        WHERE f.id = $1 AND {is_member}",
        board = columns::<Board>("b"),
        column = columns::<Column>("c"),
        task = task_columns(),
        is_member = is_member!("$2" of "$1"),
        board_is_visible = visible!(board "b" for "$2"),
        task_is_visible = visible!(task "t" for "$2"),
    )
});

pub(super) async fn find(
    database: &Database,
    member: &Member,
    task: &TaskId,
) -> Result<Document<Vec<Board>>, StorageError> {
    let query = sqlx::query(FIND.as_str()).bind(member.family.as_str()).bind(member.user.as_str()).bind(task.as_str());
    document(database, member, query, boards).await
}

pub(super) async fn list(
    database: &Database,
    member: &Member,
    filter: TaskFilter,
) -> Result<Document<Vec<Board>>, StorageError> {
    let done = match filter {
        TaskFilter::Open => Some(false),
        TaskFilter::Done => Some(true),
        TaskFilter::All => None,
    };
    let query = sqlx::query(LIST.as_str()).bind(member.family.as_str()).bind(member.user.as_str()).bind(done);
    document(database, member, query, boards).await
}

fn boards(rows: &[Row]) -> Result<Vec<Board>, StorageError> {
    let mut boards: Vec<Board> = Vec::new();
    for row in rows {
        let mut values = Values::of(row);
        let Some(id) = values.peek()? else {
            continue;
        };
        match boards.last_mut() {
            Some(board) if board.id.as_str() == id => {
                values.skip(Board::COLUMNS.len());
                push_row(&mut board.columns, values)?;
            }
            _ => {
                let mut board = Board::read(&mut values)?;
                push_row(&mut board.columns, values)?;
                boards.push(board);
            }
        }
    }
    Ok(boards)
}

/// Adds the task of a row to the last column. If the row begins another column, adds this column first.
fn push_row(columns: &mut Vec<Column>, mut values: Values<'_, Row>) -> Result<(), StorageError> {
    let Some(id) = values.peek()? else {
        return Ok(());
    };
    if columns.last().is_some_and(|column| column.id.as_str() == id) {
        values.skip(Column::COLUMNS.len());
    } else {
        columns.push(Column::read(&mut values)?);
    }
    if let (Some(column), Some(_)) = (columns.last_mut(), values.peek()?) {
        column.tasks.push(task(&mut values)?);
    }
    Ok(())
}

/// Returns the columns of a task, from `tasks t` joined with `users assignee` and `users creator`.
fn task_columns() -> String {
    [columns::<Task>("t"), columns::<Person>("assignee"), columns::<Person>("creator")].join(", ")
}

fn task(values: &mut Values<'_, impl StoredRow>) -> Result<Task, StorageError> {
    let task = Task::read(values)?;
    Ok(Task { assignee: values.joined()?, creator: values.joined()?, ..task })
}
