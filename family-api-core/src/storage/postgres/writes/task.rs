//! Updates of tasks.

use sqlx::PgConnection;

use crate::calendar::Zone;
use crate::change::{BoardOwner, Destination, TaskFacts, TaskUpdate, Verdict};
use crate::id::{ColumnId, TaskId, UserId};
use crate::resource::Task;
use crate::storage::postgres::connections::{Connections, begin_write};
use crate::storage::postgres::credentials::lock_credential;
use crate::storage::postgres::decode::Values;
use crate::storage::postgres::decode_records::{self, person_columns, task_columns};
use crate::storage::postgres::error::fault;
use crate::storage::postgres::instant::Instant;
use crate::storage::{Author, Member, StorageError, Update};
use crate::{Precondition, Timestamp};

/// Returns what the rules need, if visible to the member `$2`: the task `$3`, the column `$4` and the person `$5`.
const FACTS: &str = concat!(
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
    person_columns!("named"),
    "
    FROM tasks t
    JOIN columns c ON c.family_id = $1 AND c.id = t.column_id
    JOIN boards b ON b.family_id = $1 AND b.id = c.board_id
    LEFT JOIN users assignee ON assignee.id = t.assignee_id AND assignee.family_id = $1
    LEFT JOIN users creator ON creator.id = t.creator_id AND creator.family_id = $1
    LEFT JOIN columns d ON d.family_id = $1 AND d.id = $4
    LEFT JOIN boards e ON e.family_id = $1 AND e.id = d.board_id AND (NOT e.is_private OR e.owner_user_id = $2)
    LEFT JOIN users named ON named.id = $5 AND named.family_id = $1
    WHERE t.family_id = $1 AND t.id = $3
      AND (NOT b.is_private OR b.owner_user_id = $2)
      AND (NOT t.is_private OR t.creator_id = $2)"
);

/// Moves the tasks from position `$3` on down by one, if another task has this position.
const MAKE_ROOM: &str = r#"
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

/// Returns the unchanged task, for an update without fields. It does not lock the family.
pub(super) async fn find(
    connections: &Connections,
    author: &Author,
    task: &TaskId,
    update: &TaskUpdate,
    precondition: &Precondition,
    now: Timestamp,
) -> Result<Update<Task>, StorageError> {
    let mut connection = connections.lease().await?;
    if let Err(denied) = author.check(lock_credential(&mut connection, author, now).await?, now) {
        return Ok(denied.into());
    }
    let facts = facts(&mut connection, &author.member, task, update).await?;
    let Some(TaskFacts { task, .. }) = facts else {
        return Ok(Update::NotFound);
    };
    Ok(if precondition.holds(&task)? { Update::Done(task) } else { Update::PreconditionFailed })
}

pub(super) async fn update(
    connections: &Connections,
    author: &Author,
    task: &TaskId,
    update: &TaskUpdate,
    precondition: &Precondition,
    zone: &Zone,
    now: Timestamp,
) -> Result<Update<Task>, StorageError> {
    let mut connection = connections.lease().await?;
    let mut transaction = match begin_write(&mut connection, author, now).await? {
        Ok(transaction) => transaction,
        Err(denied) => return Ok(denied.into()),
    };
    let member = &author.member;
    let Some(facts) = facts(&mut transaction, member, task, update).await? else {
        return Ok(Update::NotFound);
    };
    if !precondition.holds(&facts.task)? {
        return Ok(Update::PreconditionFailed);
    }
    let write = match update.clone().judge(facts, &member.user, zone, now) {
        Verdict::Write(write) => write,
        Verdict::NotFound => return Ok(Update::NotFound),
        Verdict::Refused(faults) => return Ok(Update::Refused(faults)),
    };
    if write.makes_room {
        make_room(&mut transaction, member, &write.task).await?;
    }
    if !store(&mut transaction, member, &write.task).await? {
        return Ok(Update::NotFound);
    }
    transaction.commit().await.map_err(fault)?;
    Ok(Update::Done(write.task))
}

async fn facts(
    connection: &mut PgConnection,
    member: &Member,
    task: &TaskId,
    update: &TaskUpdate,
) -> Result<Option<TaskFacts>, StorageError> {
    let query = sqlx::query(FACTS)
        .bind(member.family.as_str())
        .bind(member.user.as_str())
        .bind(task.as_str())
        .bind(update.named_column().map(ColumnId::as_str))
        .bind(update.named_assignee().map(UserId::as_str));
    let row = query.fetch_optional(connection).await.map_err(fault)?;
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

fn destination(values: &mut Values<'_>) -> Result<Option<Destination>, StorageError> {
    let Some(column) = values.parse_nullable()? else {
        values.skip(2);
        return Ok(None);
    };
    Ok(Some(Destination { column, board: owner(values)?, end: values.take()? }))
}

/// Returns the owner of a board. A private board that the member can see is owned by the member.
fn owner(values: &mut Values<'_>) -> Result<BoardOwner, StorageError> {
    Ok(values.parse_nullable()?.map_or(BoardOwner::Family, BoardOwner::User))
}

async fn make_room(connection: &mut PgConnection, member: &Member, task: &Task) -> Result<(), StorageError> {
    let query = sqlx::query(MAKE_ROOM)
        .bind(member.family.as_str())
        .bind(task.column_id.as_str())
        .bind(task.order)
        .bind(task.id.as_str());
    query.execute(connection).await.map_err(fault)?;
    Ok(())
}

/// Stores the task if the member can still see it, and returns whether it was stored.
async fn store(connection: &mut PgConnection, member: &Member, task: &Task) -> Result<bool, StorageError> {
    let query = sqlx::query(UPDATE)
        .bind(member.family.as_str())
        .bind(member.user.as_str())
        .bind(task.id.as_str())
        .bind(task.column_id.as_str())
        .bind(task.title.as_str())
        .bind(task.description.as_deref())
        .bind(task.priority.as_str())
        .bind(task.due_date.map(Instant))
        .bind(task.completed_at.map(Instant))
        .bind(task.order)
        .bind(&task.labels)
        .bind(task.is_private)
        .bind(task.assignee_id.as_ref().map(UserId::as_str))
        .bind(Instant(task.updated_at));
    Ok(query.execute(connection).await.map_err(fault)?.rows_affected() > 0)
}

#[cfg(test)]
mod tests {
    use family_api_testing::postgres_tests;

    use super::{FACTS, MAKE_ROOM, UPDATE};
    use crate::storage::postgres::query_plans::assert_looked_up;

    postgres_tests! {
        async fn task_statements_look_up_by_family() {
            assert_looked_up(&[FACTS, MAKE_ROOM, UPDATE]).await;
        }
    }
}
