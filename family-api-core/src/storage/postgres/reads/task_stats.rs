//! Counts of a member's open and done tasks.

use crate::calendar::StatsPeriods;
use crate::resource::{Document, TaskStats};
use crate::storage::postgres::bulkheads::Shards;
use crate::storage::postgres::connections::Connections;
use crate::storage::postgres::error::fault;
use crate::storage::postgres::timestamp::PgTimestamp;
use crate::storage::sql::task_stats;
use crate::storage::value::Values;
use crate::storage::{Member, StorageError};

/// Counts the tasks that are assigned to the member, and the unassigned tasks that the member created. Each of the two
/// is a separate lookup.
pub(super) const FIND: &str = "
    WITH mine AS (
        SELECT column_id, is_private, creator_id, completed_at FROM tasks
        WHERE family_id = $1 AND assignee_id = $2
        UNION ALL
        SELECT column_id, is_private, creator_id, completed_at FROM tasks
        WHERE family_id = $1 AND assignee_id IS NULL AND creator_id = $2
    )
    SELECT count(*) FILTER (WHERE mine.completed_at IS NULL),
           count(*) FILTER (WHERE mine.completed_at >= $3 AND mine.completed_at < $4),
           count(*) FILTER (WHERE mine.completed_at >= $5 AND mine.completed_at < $6),
           count(mine.completed_at),
           (SELECT revision FROM families WHERE id = $1)
    FROM mine
    JOIN columns c ON c.family_id = $1 AND c.id = mine.column_id
    JOIN boards b ON b.family_id = $1 AND b.id = c.board_id
    WHERE (NOT b.is_private OR b.owner_user_id = $2)
      AND (NOT mine.is_private OR mine.creator_id = $2)";

pub(super) async fn find(
    connections: &Connections,
    member: &Member,
    periods: &StatsPeriods,
) -> Result<Document<TaskStats>, StorageError> {
    let query = sqlx::query(FIND)
        .bind(member.family.as_str())
        .bind(member.user.as_str())
        .bind(PgTimestamp(periods.today.start))
        .bind(PgTimestamp(periods.today.end))
        .bind(PgTimestamp(periods.week.start))
        .bind(PgTimestamp(periods.week.end));
    let row =
        query.fetch_one(&mut *connections.lease_for(Shards::OfFamily(&member.family)).await?).await.map_err(fault)?;
    task_stats(&mut Values::of(&row))
}
