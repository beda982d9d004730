//! The statements of boards with their columns and tasks.

use std::sync::LazyLock;

use family_api_core::resource::{Board, Column};

use crate::sqlite::json_sql::{self, Object};
use crate::visible::visible;

/// `?3` selects done tasks if true, open tasks if false, and all if `NULL`.
pub(super) static LIST: LazyLock<[String; 3]> =
    LazyLock::new(|| boards("", "", "AND (?3 IS NULL OR (t.completed_at IS NOT NULL) = ?3)"));

/// `?3` is the task.
pub(super) static FIND: LazyLock<[String; 3]> = LazyLock::new(|| {
    let task = concat!(
        "SELECT v.column_id FROM tasks v WHERE v.family_id = ?1 AND v.id = ?3 AND ",
        visible!(task "v" for "?2"),
    );
    let board = format!("AND b.id = (SELECT board_id FROM columns WHERE family_id = ?1 AND id = ({task}))");
    boards(&board, &format!("AND c.id = ({task})"), "AND t.id = ?3")
});

/// Returns the statements for boards, columns and tasks that also meet these conditions.
fn boards(board: &str, column: &str, task: &str) -> [String; 3] {
    let boards = format!(
        r#"SELECT {board_columns}
        FROM boards b
        WHERE b.family_id = ?1 AND {visible} {board}
        ORDER BY b."order", b.created_at, b.id"#,
        board_columns = Object::of::<Board>("b").container("columns"),
        visible = visible!(board "b" for "?2"),
    );
    let columns = format!(
        r#"SELECT {column_columns}
        FROM columns c
        WHERE c.family_id = ?1 AND c.board_id = ?5 {column}
        ORDER BY c."order", c.id"#,
        column_columns = Object::of::<Column>("c").container("tasks"),
    );
    let tasks = format!(
        r#"SELECT {task_columns}
        FROM tasks t
        WHERE t.family_id = ?1 AND t.column_id = ?5 {task} AND {visible}
        ORDER BY t."order", t.id"#,
        task_columns = json_sql::task().columns(),
        visible = visible!(task "t" for "?2"),
    );
    [boards, columns, tasks]
}
