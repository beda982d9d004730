//! Updates of tasks.

use sqlx::sqlite::SqliteRow;
use sqlx::{SqliteConnection, SqliteExecutor};

use crate::calendar::Zone;
use crate::change::{BoardOwner, Destination, TaskFacts, TaskUpdate, Verdict};
use crate::id::{ColumnId, TaskId, UserId};
use crate::resource::Task;
use crate::storage::sqlite::connections::Connections;
use crate::storage::sqlite::credentials::find_credential;
use crate::storage::sqlite::decode;
use crate::storage::sqlite::error::fault;
use crate::storage::{Author, Member, StorageError, Update};
use crate::{Precondition, Timestamp};

/// Returns what the rules need, if visible to the member `?2`: the task `?3`, the column `?4` and the person `?5`.
const FACTS: &str = concat!(
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
    person!("named"),
    " AS named
    FROM tasks t
    JOIN columns c ON c.family_id = ?1 AND c.id = t.column_id
    JOIN boards b ON b.family_id = ?1 AND b.id = c.board_id
    LEFT JOIN users assignee ON assignee.id = t.assignee_id AND assignee.family_id = ?1
    LEFT JOIN users creator ON creator.id = t.creator_id AND creator.family_id = ?1
    LEFT JOIN columns d ON d.family_id = ?1 AND d.id = ?4
    LEFT JOIN boards e ON e.family_id = ?1 AND e.id = d.board_id AND (e.is_private = 0 OR e.owner_user_id = ?2)
    LEFT JOIN users named ON named.id = ?5 AND named.family_id = ?1
    WHERE t.family_id = ?1 AND t.id = ?3
      AND (b.is_private = 0 OR b.owner_user_id = ?2)
      AND (t.is_private = 0 OR t.creator_id = ?2)"
);

/// Moves the tasks from position `?3` on down by one, if another task has this position.
const MAKE_ROOM: &str = r#"
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

/// Returns the unchanged task, for an update without fields. It needs no writer.
pub(super) async fn find(
    connections: &Connections,
    author: &Author,
    task: &TaskId,
    update: &TaskUpdate,
    precondition: &Precondition,
    now: Timestamp,
) -> Result<Update<Task>, StorageError> {
    let mut reader = connections.readers().acquire().await.map_err(fault)?;
    if let Err(denied) = author.check(find_credential(&mut reader, author, now).await?, now) {
        return Ok(denied.into());
    }
    let facts = facts(&mut *reader, &author.member, task, update).await?;
    let Some(TaskFacts { task, .. }) = facts else {
        return Ok(Update::NotFound);
    };
    Ok(if precondition.holds(&task)? { Update::Done(task) } else { Update::PreconditionFailed })
}

pub(super) async fn update(
    connections: &Connections,
    author: &Author,
    task: &TaskId,
    update: TaskUpdate,
    precondition: &Precondition,
    zone: &Zone,
    now: Timestamp,
) -> Result<Update<Task>, StorageError> {
    let mut transaction = connections.begin().await?;
    if let Err(denied) = author.check(find_credential(&mut transaction, author, now).await?, now) {
        return Ok(denied.into());
    }
    let member = &author.member;
    let Some(facts) = facts(&mut *transaction, member, task, &update).await? else {
        return Ok(Update::NotFound);
    };
    if !precondition.holds(&facts.task)? {
        return Ok(Update::PreconditionFailed);
    }
    let write = match update.judge(facts, &member.user, zone, now) {
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
    connection: impl SqliteExecutor<'_>,
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
        Ok(TaskFacts {
            task: decode::json(&row, "task")?,
            board: owner(&row, "board_owner")?,
            destination: destination(&row)?,
            assignee: decode::json_nullable(&row, "named")?,
        })
    })
    .transpose()
}

fn destination(row: &SqliteRow) -> Result<Option<Destination>, StorageError> {
    let Some(column) = decode::parse_nullable(row, "destination")? else {
        return Ok(None);
    };
    Ok(Some(Destination { column, board: owner(row, "destination_owner")?, end: decode::get(row, "destination_end")? }))
}

/// Returns the owner of a board. A private board that the member can see is owned by the member.
fn owner(row: &SqliteRow, column: &str) -> Result<BoardOwner, StorageError> {
    Ok(decode::parse_nullable(row, column)?.map_or(BoardOwner::Family, BoardOwner::User))
}

async fn make_room(writer: &mut SqliteConnection, member: &Member, task: &Task) -> Result<(), StorageError> {
    let query = sqlx::query(MAKE_ROOM)
        .bind(member.family.as_str())
        .bind(task.column_id.as_str())
        .bind(task.order)
        .bind(task.id.as_str());
    query.execute(writer).await.map_err(fault)?;
    Ok(())
}

/// Stores the task if the member can still see it, and returns whether it was stored.
async fn store(writer: &mut SqliteConnection, member: &Member, task: &Task) -> Result<bool, StorageError> {
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
    Ok(query.execute(writer).await.map_err(fault)?.rows_affected() > 0)
}

#[cfg(test)]
mod tests {
    use super::{FACTS, MAKE_ROOM, UPDATE};
    use crate::storage::sqlite::query_plans::assert_looked_up;

    #[tokio::test]
    async fn task_statements_look_up_by_family() {
        assert_looked_up(&[FACTS, MAKE_ROOM, UPDATE]).await;
    }
}
