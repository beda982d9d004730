//! Queries on SQLite. Instants are text, and lists are JSON.

use sqlx::SqlitePool;
use sqlx::types::Json;

use super::member::Member;
use super::rows::{Board, assemble};
use super::sql;

pub(super) async fn boards(pool: &SqlitePool, member: &Member) -> sqlx::Result<Vec<Board<String, Json<Vec<String>>>>> {
    let boards = sqlx::query_as(sql::BOARDS).bind(&member.family).bind(&member.user).fetch_all(pool).await?;
    let columns = sqlx::query_as(sql::COLUMNS).bind(&member.family).fetch_all(pool).await?;
    let tasks = sqlx::query_as(sql::TASKS).bind(&member.family).bind(&member.user).fetch_all(pool).await?;
    Ok(assemble(boards, columns, tasks))
}
