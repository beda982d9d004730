//! Reads of boards with their columns and tasks.

use std::sync::LazyLock;

use family_api_core::id::TaskId;
use family_api_core::resource::{Board, Column, Document, TaskFilter};
use family_api_core::storage::{Member, StorageError};
use sqlx::SqlitePool;

use crate::sqlite::json_sql::{self, Object, array, document_sql};
use crate::sqlite::reads::document;
use crate::visible::visible;

/// `?3` selects done tasks if true, open tasks if false, and all if `NULL`.
pub(super) static LIST: LazyLock<String> =
    LazyLock::new(|| boards("", "", "AND (?3 IS NULL OR (t.completed_at IS NOT NULL) = ?3)"));

/// `?3` is the task.
pub(super) static FIND: LazyLock<String> = LazyLock::new(|| {
    let task = concat!(
        "SELECT v.column_id FROM tasks v WHERE v.family_id = ?1 AND v.id = ?3 AND ",
        visible!(task "v" for "?2"),
    );
    let board = format!("AND id = (SELECT board_id FROM columns WHERE family_id = ?1 AND id = ({task}))");
    boards(&board, &format!("AND id = ({task})"), "AND t.id = ?3")
});

/// Returns the statement for boards, columns and tasks that also meet these conditions.
fn boards(board: &str, column: &str, task: &str) -> String {
    let tasks = format!(
        r#"(SELECT {value} AS task
        FROM tasks t
        LEFT JOIN people assignee ON assignee.id = t.assignee_id
        LEFT JOIN people creator ON creator.id = t.creator_id
        WHERE t.family_id = ?1 AND t.column_id = c.id
          {task}
          AND {visible}
        ORDER BY t."order", t.id)"#,
        value = json_sql::task().sql(),
        visible = visible!(task "t" for "?2"),
    );
    let columns = format!(
        r#"(
        SELECT * FROM columns
        WHERE family_id = ?1 AND board_id = b.id {column}
        ORDER BY "order", id
    ) c"#
    );
    let boards = format!(
        r#"(
        SELECT * FROM boards v
        WHERE v.family_id = ?1 AND {visible} {board}
        ORDER BY "order", created_at, id
    ) b"#,
        visible = visible!(board "v" for "?2"),
    );
    let column = Object::of::<Column>("c").push("tasks", array("task", &tasks));
    let board = Object::of::<Board>("b").push("columns", array(&column.sql(), &columns));
    document_sql(&board.sql(), &boards)
}

pub(super) async fn list(
    readers: &SqlitePool,
    member: &Member,
    filter: TaskFilter,
) -> Result<Document<Vec<Board>>, StorageError> {
    let done = match filter {
        TaskFilter::Open => Some(false),
        TaskFilter::Done => Some(true),
        TaskFilter::All => None,
    };
    let query = sqlx::query(LIST.as_str()).bind(member.family.as_str()).bind(member.user.as_str()).bind(done);
    document(readers, query).await
}

pub(super) async fn find(
    readers: &SqlitePool,
    member: &Member,
    task: &TaskId,
) -> Result<Document<Vec<Board>>, StorageError> {
    let query = sqlx::query(FIND.as_str()).bind(member.family.as_str()).bind(member.user.as_str()).bind(task.as_str());
    document(readers, query).await
}
