//! Boards with their columns and tasks.

use sqlx::SqlitePool;

use crate::resource::{Board, Document, TaskFilter};
use crate::storage::sqlite::reads::document;
use crate::storage::sqlite::shapes::task;
use crate::storage::{Member, StorageError};

/// `?3` says whether the tasks are done, or null for both.
pub(super) const LIST: &str = concat!(
    r#"SELECT json_group_array(
        json_object(
            'id', b.id, 'name', b.name, 'description', b.description, 'emoji', b.emoji, 'color', b.color,
            'order', b."order", 'isPrivate', json(iif(b.is_private, 'true', 'false')),
            'ownerUserId', b.owner_user_id, 'createdAt', b.created_at, 'updatedAt', b.updated_at,
            'columns', (
                SELECT json_group_array(
                    json_object(
                        'id', c.id, 'boardId', c.board_id, 'name', c.name, 'emoji', c.emoji, 'color', c.color,
                        'order', c."order", 'createdAt', c.created_at,
                        'tasks', (
                            SELECT json_group_array("#,
    task!(),
    r#" ORDER BY t."order", t.id)
                            FROM tasks t
                            LEFT JOIN users assignee ON assignee.id = t.assignee_id AND assignee.family_id = ?1
                            LEFT JOIN users creator ON creator.id = t.creator_id AND creator.family_id = ?1
                            WHERE t.family_id = ?1 AND t.column_id = c.id
                              AND (?3 IS NULL OR (t.completed_at IS NOT NULL) = ?3)
                              AND (t.is_private = 0 OR t.creator_id = ?2)
                        )
                    ) ORDER BY c."order", c.id
                )
                FROM columns c
                WHERE c.family_id = ?1 AND c.board_id = b.id
            )
        ) ORDER BY b."order", b.created_at, b.id
    ), (SELECT revision FROM families WHERE id = ?1)
    FROM boards b
    WHERE b.family_id = ?1 AND (b.is_private = 0 OR b.owner_user_id = ?2)"#
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
    let query = sqlx::query_as(LIST).bind(member.family.as_str()).bind(member.user.as_str()).bind(done);
    document(readers, query).await
}
