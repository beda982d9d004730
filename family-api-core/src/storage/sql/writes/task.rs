//! Updates of tasks.

use std::sync::LazyLock;

use crate::change::{BoardOwner, Destination, TaskFacts, TaskWrite};
use crate::resource::{Person, Task};
use crate::storage::record::value::ColumnValue;
use crate::storage::record_changes::UpdateTask;
use crate::storage::sql::writes::SqlChange;
use crate::storage::sql::{
    Argument, SqlConnection, SqlRow, Values, assignments, columns, task, task_columns, updated_values,
};
use crate::storage::{Member, StorageError};

/// Returns the task `$3`, the destination column `$4` and the new assignee `$5`, if the member `$2` can see them. The
/// rules for an update are applied to these records.
pub(super) static FIND_FACTS: LazyLock<String> = LazyLock::new(|| {
    format!(
        r#"SELECT {task},
            CASE WHEN b.is_private THEN b.owner_user_id END,
            CASE WHEN e.id IS NOT NULL THEN d.id END,
            CASE WHEN e.is_private THEN e.owner_user_id END,
            coalesce((
                SELECT o."order" + 1 FROM tasks o
                WHERE o.family_id = $1 AND o.column_id = d.id AND o.id <> t.id
                ORDER BY o."order" DESC LIMIT 1
            ), 0),
            {new_assignee}
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
          AND (NOT t.is_private OR t.creator_id = $2)"#,
        task = task_columns(),
        new_assignee = columns::<Person>("new_assignee"),
    )
});

/// Adds 1 to the position of each task at `$3` or later, if another task has the position `$3`.
pub(super) const SHIFT_TASKS: &str = r#"
    UPDATE tasks SET "order" = "order" + 1
    WHERE family_id = $1 AND column_id = $2 AND "order" >= $3 AND id <> $4
      AND EXISTS (
          SELECT 1 FROM tasks o
          WHERE o.family_id = $1 AND o.column_id = $2 AND o."order" = $3 AND o.id <> $4
      )"#;

/// The columns that no update changes.
const FIXED: [&str; 3] = ["id", "creator_id", "created_at"];

pub(super) static UPDATE: LazyLock<String> = LazyLock::new(|| {
    format!(
        "UPDATE tasks AS t
        SET {}
        WHERE t.family_id = $1 AND t.id = $3
          AND (NOT t.is_private OR t.creator_id = $2)
          AND EXISTS (
              SELECT 1 FROM columns c
              JOIN boards b ON b.family_id = $1 AND b.id = c.board_id
              WHERE c.family_id = $1 AND c.id = t.column_id AND (NOT b.is_private OR b.owner_user_id = $2)
          )",
        assignments::<Task>(&FIXED, 4)
    )
});

impl SqlChange for UpdateTask<'_> {
    async fn select_facts<S: SqlConnection>(
        &self,
        connection: &mut S,
        member: &Member,
    ) -> Result<Option<TaskFacts>, StorageError> {
        let arguments = vec![
            Argument::of(&member.family),
            Argument::of(&member.user),
            Argument::of(self.task),
            ColumnValue::argument(self.update.named_column()),
            ColumnValue::argument(self.update.named_assignee()),
        ];
        let Some(row) = connection.find_row(&FIND_FACTS, arguments).await? else {
            return Ok(None);
        };
        let mut values = Values::of(&row);
        Ok(Some(TaskFacts {
            task: task(&mut values)?,
            board: owner(&mut values)?,
            destination: destination(&mut values)?,
            assignee: values.joined()?,
        }))
    }

    async fn store<S: SqlConnection>(
        connection: &mut S,
        member: &Member,
        TaskWrite { task, makes_room }: &TaskWrite,
    ) -> Result<bool, StorageError> {
        let family = || Argument::of(&member.family);
        if *makes_room {
            let position = [Argument::of(&task.column_id), Argument::of(&task.order), Argument::of(&task.id)];
            connection.change_rows(SHIFT_TASKS, [family()].into_iter().chain(position).collect()).await?;
        }
        let mut arguments = vec![family(), Argument::of(&member.user), Argument::of(&task.id)];
        arguments.extend(updated_values(task, &FIXED));
        connection.change_rows(&UPDATE, arguments).await
    }
}

fn destination(values: &mut Values<'_, impl SqlRow>) -> Result<Option<Destination>, StorageError> {
    let Some(column) = values.take::<Option<_>>()? else {
        values.skip(2);
        return Ok(None);
    };
    Ok(Some(Destination { column, board: owner(values)?, end: values.take()? }))
}

/// Returns the owner of a board. The next value is `NULL` if the board is not private.
fn owner(values: &mut Values<'_, impl SqlRow>) -> Result<BoardOwner, StorageError> {
    Ok(values.take::<Option<_>>()?.map_or(BoardOwner::Family, BoardOwner::User))
}
