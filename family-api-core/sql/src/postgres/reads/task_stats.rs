//! Counts of a member's open and done tasks.

use std::sync::LazyLock;

use family_api_core::calendar::StatsPeriods;
use family_api_core::resource::{Document, TaskStats};
use family_api_core::storage::value::Values;
use family_api_core::storage::{Member, StorageError};

use crate::postgres::database::Database;
use crate::postgres::error::fault;
use crate::postgres::leases::Shards;
use crate::postgres::row::Row;
use crate::postgres::timestamp::PgTimestamp;
use crate::task_stats::{task_stats, task_stats_sql};

pub(super) static FIND: LazyLock<String> = LazyLock::new(|| task_stats_sql("JOIN"));

pub(super) async fn find(
    database: &Database,
    member: &Member,
    periods: &StatsPeriods,
) -> Result<Document<TaskStats>, StorageError> {
    let query = sqlx::query(FIND.as_str())
        .bind(member.family.as_str())
        .bind(member.user.as_str())
        .bind(PgTimestamp(periods.today.start))
        .bind(PgTimestamp(periods.today.end))
        .bind(PgTimestamp(periods.week.start))
        .bind(PgTimestamp(periods.week.end));
    let row = query
        .map(Row)
        .fetch_one(&mut *database.lease_for(Shards::OfFamily(&member.family)).await?)
        .await
        .map_err(fault)?;
    task_stats(&mut Values::of(&row))
}
