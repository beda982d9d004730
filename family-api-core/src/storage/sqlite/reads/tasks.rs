//! Reads of boards with their columns and tasks.

use sqlx::SqlitePool;

use crate::resource::{Board, Document, TaskFilter};
use crate::storage::sqlite::reads::document;
use crate::storage::{Member, StorageError};

/// `?3` selects done tasks if true, open tasks if false, and all if `NULL`.
pub(super) const LIST: &str = concat!(
    people!(),
    "SELECT concat(",
    array!(
        object! {
            "id": value!("b.id"),
            "name": value!("b.name"),
            "description": value!("b.description"),
            "emoji": value!("b.emoji"),
            "color": value!("b.color"),
            "order": value!("b.\"order\""),
            "isPrivate": boolean!("b.is_private"),
            "ownerUserId": value!("b.owner_user_id"),
            "createdAt": value!("b.created_at"),
            "updatedAt": value!("b.updated_at"),
            "columns": array!(
                object! {
                    "id": value!("c.id"),
                    "boardId": value!("c.board_id"),
                    "name": value!("c.name"),
                    "emoji": value!("c.emoji"),
                    "color": value!("c.color"),
                    "order": value!("c.\"order\""),
                    "createdAt": value!("c.created_at"),
                    "tasks": array!("task", of concat!(
                        "(SELECT ",
                        task!("assignee.person", "creator.person"),
                        r#" AS task
                        FROM tasks t
                        LEFT JOIN people assignee ON assignee.id = t.assignee_id
                        LEFT JOIN people creator ON creator.id = t.creator_id
                        WHERE t.family_id = ?1 AND t.column_id = c.id
                          AND (?3 IS NULL OR (t.completed_at IS NOT NULL) = ?3)
                          AND (t.is_private = 0 OR t.creator_id = ?2)
                        ORDER BY t."order", t.id)"#
                    )),
                },
                of r#"(
                    SELECT * FROM columns
                    WHERE family_id = ?1 AND board_id = b.id
                    ORDER BY "order", id
                ) c"#
            ),
        },
        of r#"(
            SELECT * FROM boards
            WHERE family_id = ?1 AND (is_private = 0 OR owner_user_id = ?2)
            ORDER BY "order", created_at, id
        ) b"#
    ),
    "), ",
    revision!(),
);

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
    let query = sqlx::query(LIST).bind(member.family.as_str()).bind(member.user.as_str()).bind(done);
    document(readers, query).await
}
