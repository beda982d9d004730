//! Counts of a member's open and done tasks.

use std::sync::LazyLock;

use crate::calendar::StatsPeriods;
use crate::resource::{Document, TaskStats};
use crate::storage::postgres::bulkheads::Shards;
use crate::storage::postgres::connections::Connections;
use crate::storage::postgres::error::fault;
use crate::storage::postgres::timestamp::PgTimestamp;
use crate::storage::sql::{Values, task_stats, task_stats_sql};
use crate::storage::{Member, StorageError};

pub(super) static FIND: LazyLock<String> = LazyLock::new(|| task_stats_sql("JOIN"));

pub(super) async fn find(
    connections: &Connections,
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
    let row =
        query.fetch_one(&mut *connections.lease_for(Shards::OfFamily(&member.family)).await?).await.map_err(fault)?;
    task_stats(&mut Values::of(&row))
}
