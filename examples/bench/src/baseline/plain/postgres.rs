//! Reads PostgreSQL with sqlx.

use sqlx::PgPool;
use sqlx::Row;
use sqlx::postgres::PgRow;

use super::member::Key;
use super::rows::{Board, Column, Instant, Person, Task, assemble, board, column, key, person, task};
use super::sql;
use crate::failure::Result;

/// Returns the open tasks that the member with this digest of a token can see, as JSON.
pub(super) async fn read_tasks(pool: &PgPool, digest: [u8; 32]) -> Result<Option<Vec<u8>>> {
    let key = sqlx::query(sql::POSTGRES_KEY).bind(digest).try_map(|row: PgRow| Ok(key!(row.try_get)));
    let Some(member) = key.fetch_optional(pool).await?.and_then(Key::into_member) else { return Ok(None) };
    let boards = sqlx::query(sql::BOARDS).bind(&member.family).bind(&member.user);
    let boards = boards.try_map(|row: PgRow| Ok(board!(row.try_get))).fetch_all(pool).await?;
    let columns = sqlx::query(sql::COLUMNS).bind(&member.family);
    let columns = columns.try_map(|row: PgRow| Ok(column!(row.try_get))).fetch_all(pool).await?;
    let tasks = sqlx::query(sql::TASKS).bind(&member.family).bind(&member.user);
    let tasks = tasks.try_map(|row: PgRow| Ok(task!(row.try_get))).fetch_all(pool).await?;
    Ok(Some(serde_json::to_vec(&assemble(boards, columns, tasks))?))
}
