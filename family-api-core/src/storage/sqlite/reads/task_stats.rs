//! Counts of a member's open and done tasks.

use std::sync::LazyLock;

use sqlx::SqlitePool;

use crate::calendar::StatsPeriods;
use crate::resource::{Document, TaskStats};
use crate::storage::sql::{Values, task_stats, task_stats_sql};
use crate::storage::sqlite::error::fault;
use crate::storage::{Member, StorageError};

/// `CROSS JOIN` fixes the join order, so that SQLite begins with the member's tasks.
pub(super) static FIND: LazyLock<String> = LazyLock::new(|| task_stats_sql("CROSS JOIN"));

pub(super) async fn find(
    readers: &SqlitePool,
    member: &Member,
    periods: &StatsPeriods,
) -> Result<Document<TaskStats>, StorageError> {
    let query = sqlx::query(FIND.as_str())
        .bind(member.family.as_str())
        .bind(member.user.as_str())
        .bind(periods.today.start.to_string())
        .bind(periods.today.end.to_string())
        .bind(periods.week.start.to_string())
        .bind(periods.week.end.to_string());
    let row = query.fetch_one(readers).await.map_err(fault)?;
    task_stats(&mut Values::of(&row))
}
