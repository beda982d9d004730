//! Updates of tasks.

use sqlx::SqliteConnection;
use sqlx::sqlite::SqliteRow;

use crate::change::{BoardOwner, Destination, TaskFacts, TaskWrite};
use crate::id::{ColumnId, UserId};
use crate::storage::record_changes::UpdateTask;
use crate::storage::sqlite::decode;
use crate::storage::sqlite::error::fault;
use crate::storage::write_sequence::WriteStatements;
use crate::storage::{Member, StorageError};

/// Returns the task `?3`, the destination column `?4` and the new assignee `?5`, if the member `?2` can see them. The
/// rules for an update are applied to these records.
const FIND_FACTS: &str = concat!(
    "SELECT ",
    task!(person!("assignee"), person!("creator")),
    " AS task,
        CASE WHEN b.is_private THEN b.owner_user_id END AS board_owner,
        CASE WHEN e.id IS NOT NULL THEN d.id END AS destination,
        CASE WHEN e.is_private THEN e.owner_user_id END AS destination_owner,
        coalesce((
            SELECT o.\"order\" + 1 FROM tasks o
            WHERE o.family_id = ?1 AND o.column_id = d.id AND o.id <> t.id
            ORDER BY o.\"order\" DESC LIMIT 1
        ), 0) AS destination_end, ",
    person!("new_assignee"),
    " AS new_assignee
    FROM tasks t
    JOIN columns c ON c.family_id = ?1 AND c.id = t.column_id
    JOIN boards b ON b.family_id = ?1 AND b.id = c.board_id
    LEFT JOIN users assignee ON assignee.id = t.assignee_id AND assignee.family_id = ?1
    LEFT JOIN users creator ON creator.id = t.creator_id AND creator.family_id = ?1
    LEFT JOIN columns d ON d.family_id = ?1 AND d.id = ?4
    LEFT JOIN boards e ON e.family_id = ?1 AND e.id = d.board_id AND (e.is_private = 0 OR e.owner_user_id = ?2)
    LEFT JOIN users new_assignee ON new_assignee.id = ?5 AND new_assignee.family_id = ?1
    WHERE t.family_id = ?1 AND t.id = ?3
      AND (b.is_private = 0 OR b.owner_user_id = ?2)
      AND (t.is_private = 0 OR t.creator_id = ?2)"
);

/// Adds 1 to the position of each task at `?3` or later, if another task has the position `?3`.
const SHIFT_TASKS: &str = r#"
    UPDATE tasks SET "order" = "order" + 1
    WHERE family_id = ?1 AND column_id = ?2 AND "order" >= ?3 AND id <> ?4
      AND EXISTS (
          SELECT 1 FROM tasks o
          WHERE o.family_id = ?1 AND o.column_id = ?2 AND o."order" = ?3 AND o.id <> ?4
      )"#;

const UPDATE: &str = r#"
    UPDATE tasks AS t
    SET column_id = ?4, title = ?5, description = ?6, priority = ?7, due_date = ?8, completed_at = ?9, "order" = ?10,
        labels = ?11, is_private = ?12, assignee_id = ?13, updated_at = ?14
    WHERE t.family_id = ?1 AND t.id = ?3
      AND (t.is_private = 0 OR t.creator_id = ?2)
      AND EXISTS (
          SELECT 1 FROM columns c
          JOIN boards b ON b.family_id = ?1 AND b.id = c.board_id
          WHERE c.family_id = ?1 AND c.id = t.column_id AND (b.is_private = 0 OR b.owner_user_id = ?2)
      )"#;

impl WriteStatements<UpdateTask<'_>> for SqliteConnection {
    async fn find_facts(
        &mut self,
        member: &Member,
        change: &UpdateTask<'_>,
    ) -> Result<Option<TaskFacts>, StorageError> {
        let query = sqlx::query(FIND_FACTS)
            .bind(member.family.as_str())
            .bind(member.user.as_str())
            .bind(change.task.as_str())
            .bind(change.update.named_column().map(ColumnId::as_str))
            .bind(change.update.named_assignee().map(UserId::as_str));
        let row = query.fetch_optional(&mut *self).await.map_err(fault)?;
        row.map(|row| {
            Ok(TaskFacts {
                task: decode::json(&row, "task")?,
                board: owner(&row, "board_owner")?,
                destination: destination(&row)?,
                assignee: decode::json_nullable(&row, "new_assignee")?,
            })
        })
        .transpose()
    }

    async fn store(
        &mut self,
        member: &Member,
        TaskWrite { task, makes_room }: &TaskWrite,
    ) -> Result<bool, StorageError> {
        if *makes_room {
            let query = sqlx::query(SHIFT_TASKS)
                .bind(member.family.as_str())
                .bind(task.column_id.as_str())
                .bind(task.order)
                .bind(task.id.as_str());
            query.execute(&mut *self).await.map_err(fault)?;
        }
        let query = sqlx::query(UPDATE)
            .bind(member.family.as_str())
            .bind(member.user.as_str())
            .bind(task.id.as_str())
            .bind(task.column_id.as_str())
            .bind(task.title.as_str())
            .bind(task.description.as_deref())
            .bind(task.priority.as_str())
            .bind(task.due_date.map(String::from))
            .bind(task.completed_at.map(String::from))
            .bind(task.order)
            .bind(serde_json::to_string(&task.labels).map_err(StorageError::backend)?)
            .bind(task.is_private)
            .bind(task.assignee_id.as_ref().map(UserId::as_str))
            .bind(task.updated_at.to_string());
        Ok(query.execute(&mut *self).await.map_err(fault)?.rows_affected() > 0)
    }
}

fn destination(row: &SqliteRow) -> Result<Option<Destination>, StorageError> {
    let Some(column) = decode::parse_nullable(row, "destination")? else {
        return Ok(None);
    };
    Ok(Some(Destination { column, board: owner(row, "destination_owner")?, end: decode::get(row, "destination_end")? }))
}

/// Returns the owner of a board. The column is `NULL` if the board is not private.
fn owner(row: &SqliteRow, column: &str) -> Result<BoardOwner, StorageError> {
    Ok(decode::parse_nullable(row, column)?.map_or(BoardOwner::Family, BoardOwner::User))
}

#[cfg(test)]
mod tests {
    use super::{FIND_FACTS, SHIFT_TASKS, UPDATE};
    use crate::storage::sqlite::query_plans::assert_index_lookups;

    #[tokio::test]
    async fn task_statements_look_up_by_family() {
        assert_index_lookups(&[FIND_FACTS, SHIFT_TASKS, UPDATE]).await;
    }
}
