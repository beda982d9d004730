//! Counts of a member's open and done tasks.

use std::sync::LazyLock;

use family_api_core::calendar::StatsPeriods;
use family_api_core::resource::{Document, TaskStats};
use family_api_core::storage::value::Values;
use family_api_core::storage::{Member, StorageError};
use sqlx::SqlitePool;

use crate::sqlite::error::fault;
use crate::sqlite::row::Row;
use crate::task_stats::{task_stats, task_stats_sql};

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
    let row = query.map(Row).fetch_one(readers).await.map_err(fault)?;
    task_stats(&mut Values::of(&row))
}
