//! Queries on PostgreSQL.

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Serialize, Serializer};
use sqlx::PgPool;

use super::member::Member;
use super::rows::{Board, assemble};
use super::sql;

/// An instant, serialized with milliseconds.
#[derive(sqlx::Type)]
#[sqlx(transparent)]
pub(super) struct Instant(DateTime<Utc>);

impl Serialize for Instant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0.to_rfc3339_opts(SecondsFormat::Millis, true))
    }
}

pub(super) async fn boards(pool: &PgPool, member: &Member) -> sqlx::Result<Vec<Board<Instant, Vec<String>>>> {
    let boards = sqlx::query_as(sql::BOARDS).bind(&member.family).bind(&member.user).fetch_all(pool).await?;
    let columns = sqlx::query_as(sql::COLUMNS).bind(&member.family).fetch_all(pool).await?;
    let tasks = sqlx::query_as(sql::TASKS).bind(&member.family).bind(&member.user).fetch_all(pool).await?;
    Ok(assemble(boards, columns, tasks))
}
