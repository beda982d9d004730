//! Counts of a member's open and done tasks.

use sqlx::SqlitePool;

use crate::calendar::StatsPeriods;
use crate::resource::{Document, TaskStats};
use crate::storage::sql::task_stats;
use crate::storage::sqlite::error::fault;
use crate::storage::value::Values;
use crate::storage::{Member, StorageError};

/// Counts the tasks that are assigned to the member, and the unassigned tasks that the member created. Each of the two
/// is a separate lookup. If one `OR` condition selected both, SQLite would scan all tasks of the family. `CROSS JOIN`
/// fixes the join order, so that SQLite begins with these tasks.
pub(super) const FIND: &str = "
    WITH mine AS (
        SELECT column_id, is_private, creator_id, completed_at FROM tasks
        WHERE family_id = ?1 AND assignee_id = ?2
        UNION ALL
        SELECT column_id, is_private, creator_id, completed_at FROM tasks
        WHERE family_id = ?1 AND assignee_id IS NULL AND creator_id = ?2
    )
    SELECT count(*) FILTER (WHERE mine.completed_at IS NULL),
           count(*) FILTER (WHERE mine.completed_at >= ?3 AND mine.completed_at < ?4),
           count(*) FILTER (WHERE mine.completed_at >= ?5 AND mine.completed_at < ?6),
           count(mine.completed_at),
           (SELECT revision FROM families WHERE id = ?1)
    FROM mine
    CROSS JOIN columns c ON c.family_id = ?1 AND c.id = mine.column_id
    CROSS JOIN boards b ON b.family_id = ?1 AND b.id = c.board_id
    WHERE (b.is_private = 0 OR b.owner_user_id = ?2)
      AND (mine.is_private = 0 OR mine.creator_id = ?2)";

pub(super) async fn find(
    readers: &SqlitePool,
    member: &Member,
    periods: &StatsPeriods,
) -> Result<Document<TaskStats>, StorageError> {
    let query = sqlx::query(FIND)
        .bind(member.family.as_str())
        .bind(member.user.as_str())
        .bind(periods.today.start.to_string())
        .bind(periods.today.end.to_string())
        .bind(periods.week.start.to_string())
        .bind(periods.week.end.to_string());
    let row = query.fetch_one(readers).await.map_err(fault)?;
    task_stats(&mut Values::of(&row))
}
