//! Updates of tasks.

use sqlx::PgConnection;

use crate::change::{BoardOwner, Destination, TaskFacts, TaskWrite};
use crate::id::{ColumnId, UserId};
use crate::storage::postgres::decode::Values;
use crate::storage::postgres::decode_records::{self, person_columns, task_columns};
use crate::storage::postgres::error::fault;
use crate::storage::postgres::timestamp::PgTimestamp;
use crate::storage::record_changes::UpdateTask;
use crate::storage::write_sequence::WriteStatements;
use crate::storage::{Member, StorageError};

/// Returns the task `$3`, the destination column `$4` and the new assignee `$5`, if the member `$2` can see them. The
/// rules for an update are applied to these records.
const FIND_FACTS: &str = concat!(
    "SELECT ",
    task_columns!(),
    r#",
        CASE WHEN b.is_private THEN b.owner_user_id END,
        CASE WHEN e.id IS NOT NULL THEN d.id END,
        CASE WHEN e.is_private THEN e.owner_user_id END,
        coalesce((
            SELECT o."order" + 1 FROM tasks o
            WHERE o.family_id = $1 AND o.column_id = d.id AND o.id <> t.id
            ORDER BY o."order" DESC LIMIT 1
        ), 0), "#,
    person_columns!("new_assignee"),
    "
    FROM tasks t
    JOIN columns c ON c.family_id = $1 AND c.id = t.column_id
    JOIN boards b ON b.family_id = $1 AND b.id = c.board_id
    LEFT JOIN users assignee ON assignee.id = t.assignee_id AND assignee.family_id = $1
    LEFT JOIN users creator ON creator.id = t.creator_id AND creator.family_id = $1
    LEFT JOIN columns d ON d.family_id = $1 AND d.id = $4
    LEFT JOIN boards e ON e.family_id = $1 AND e.id = d.board_id AND (NOT e.is_private OR e.owner_user_id = $2)
    LEFT JOIN users new_assignee ON new_assignee.id = $5 AND new_assignee.family_id = $1
    WHERE t.family_id = $1 AND t.id = $3
      AND (NOT b.is_private OR b.owner_user_id = $2)
      AND (NOT t.is_private OR t.creator_id = $2)"
);

/// Adds 1 to the position of each task at `$3` or later, if another task has the position `$3`.
const SHIFT_TASKS: &str = r#"
    UPDATE tasks SET "order" = "order" + 1
    WHERE family_id = $1 AND column_id = $2 AND "order" >= $3 AND id <> $4
      AND EXISTS (
          SELECT 1 FROM tasks o
          WHERE o.family_id = $1 AND o.column_id = $2 AND o."order" = $3 AND o.id <> $4
      )"#;

const UPDATE: &str = r#"
    UPDATE tasks AS t
    SET column_id = $4, title = $5, description = $6, priority = $7, due_date = $8, completed_at = $9, "order" = $10,
        labels = $11, is_private = $12, assignee_id = $13, updated_at = $14
    WHERE t.family_id = $1 AND t.id = $3
      AND (NOT t.is_private OR t.creator_id = $2)
      AND EXISTS (
          SELECT 1 FROM columns c
          JOIN boards b ON b.family_id = $1 AND b.id = c.board_id
          WHERE c.family_id = $1 AND c.id = t.column_id AND (NOT b.is_private OR b.owner_user_id = $2)
      )"#;

impl WriteStatements<UpdateTask<'_>> for PgConnection {
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
            let mut values = Values::of(&row);
            Ok(TaskFacts {
                task: decode_records::task(&mut values)?,
                board: owner(&mut values)?,
                destination: destination(&mut values)?,
                assignee: decode_records::person(&mut values)?,
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
            .bind(task.due_date.map(PgTimestamp))
            .bind(task.completed_at.map(PgTimestamp))
            .bind(task.order)
            .bind(&task.labels)
            .bind(task.is_private)
            .bind(task.assignee_id.as_ref().map(UserId::as_str))
            .bind(PgTimestamp(task.updated_at));
        Ok(query.execute(&mut *self).await.map_err(fault)?.rows_affected() > 0)
    }
}

fn destination(values: &mut Values<'_>) -> Result<Option<Destination>, StorageError> {
    let Some(column) = values.parse_nullable()? else {
        values.skip(2);
        return Ok(None);
    };
    Ok(Some(Destination { column, board: owner(values)?, end: values.take()? }))
}

/// Returns the owner of a board. The next value is `NULL` if the board is not private.
fn owner(values: &mut Values<'_>) -> Result<BoardOwner, StorageError> {
    Ok(values.parse_nullable()?.map_or(BoardOwner::Family, BoardOwner::User))
}

#[cfg(test)]
mod tests {
    use family_api_testing::postgres_tests;

    use super::{FIND_FACTS, SHIFT_TASKS, UPDATE};
    use crate::storage::postgres::query_plans::assert_index_lookups;

    postgres_tests! {
        async fn task_statements_look_up_by_family() {
            assert_index_lookups(&[FIND_FACTS, SHIFT_TASKS, UPDATE]).await;
        }
    }
}
