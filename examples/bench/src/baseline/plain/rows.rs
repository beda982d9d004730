//! The records of a document, and how both databases read them from rows.

use std::collections::HashMap;

use chrono::{DateTime, SecondsFormat, Utc};
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ValueRef};
use serde::Serialize;
use sqlx::error::BoxDynError;
use sqlx::postgres::{PgTypeInfo, PgValueRef};
use sqlx::{Decode, Postgres, Type};

/// An instant in UTC, with milliseconds. In SQLite, it is stored as this text.
#[derive(Serialize)]
pub(super) struct Instant(String);

impl FromSql for Instant {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        String::column_result(value).map(Self)
    }
}

impl Type<Postgres> for Instant {
    fn type_info() -> PgTypeInfo {
        <DateTime<Utc> as Type<Postgres>>::type_info()
    }
}

impl Decode<'_, Postgres> for Instant {
    fn decode(value: PgValueRef<'_>) -> Result<Self, BoxDynError> {
        let instant = <DateTime<Utc> as Decode<Postgres>>::decode(value)?;
        Ok(Self(instant.to_rfc3339_opts(SecondsFormat::Millis, true)))
    }
}

/// A list of texts. In SQLite, it is stored as JSON.
#[derive(Serialize, Type)]
#[sqlx(transparent, no_pg_array)]
pub(super) struct Texts(pub(super) Vec<String>);

impl FromSql for Texts {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        serde_json::from_str(value.as_str()?).map(Self).map_err(FromSqlError::other)
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Board {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) description: Option<String>,
    pub(super) emoji: Option<String>,
    pub(super) color: Option<String>,
    pub(super) order: i64,
    pub(super) is_private: bool,
    pub(super) owner_user_id: Option<String>,
    pub(super) created_at: Instant,
    pub(super) updated_at: Instant,
    pub(super) columns: Vec<Column>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Column {
    pub(super) id: String,
    pub(super) board_id: String,
    pub(super) name: String,
    pub(super) emoji: Option<String>,
    pub(super) color: Option<String>,
    pub(super) order: i64,
    pub(super) created_at: Instant,
    pub(super) tasks: Vec<Task>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Task {
    pub(super) id: String,
    pub(super) column_id: String,
    pub(super) title: String,
    pub(super) description: Option<String>,
    pub(super) priority: String,
    pub(super) due_date: Option<Instant>,
    pub(super) recurrence: Option<String>,
    pub(super) completed: bool,
    pub(super) completed_at: Option<Instant>,
    pub(super) last_completed_at: Option<Instant>,
    pub(super) order: i64,
    pub(super) labels: Texts,
    pub(super) is_private: bool,
    pub(super) assignee_id: Option<String>,
    pub(super) assignee: Option<Person>,
    pub(super) creator_id: Option<String>,
    pub(super) creator: Option<Person>,
    pub(super) created_at: Instant,
    pub(super) updated_at: Instant,
    pub(super) sequence: i64,
}

#[derive(Serialize)]
pub(super) struct Person {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) image: Option<String>,
    pub(super) color: Option<String>,
    pub(super) emoji: Option<String>,
}

/// Reads a row of the statements [`SQLITE_KEY`](super::sql::SQLITE_KEY) and
/// [`POSTGRES_KEY`](super::sql::POSTGRES_KEY). The argument names the method with which the database reads a value.
macro_rules! key {
    ($row:ident.$get:ident) => {
        Key {
            user: $row.$get(0)?,
            family: $row.$get(1)?,
            is_personal_api_enabled: $row.$get(2)?,
            scopes: $row.$get(3)?,
        }
    };
}

/// Reads a row of [`BOARDS`](super::sql::BOARDS).
macro_rules! board {
    ($row:ident.$get:ident) => {
        Board {
            id: $row.$get(0)?,
            name: $row.$get(1)?,
            description: $row.$get(2)?,
            emoji: $row.$get(3)?,
            color: $row.$get(4)?,
            order: $row.$get(5)?,
            is_private: $row.$get(6)?,
            owner_user_id: $row.$get(7)?,
            created_at: $row.$get(8)?,
            updated_at: $row.$get(9)?,
            columns: vec![],
        }
    };
}

/// Reads a row of [`COLUMNS`](super::sql::COLUMNS).
macro_rules! column {
    ($row:ident.$get:ident) => {
        Column {
            id: $row.$get(0)?,
            board_id: $row.$get(1)?,
            name: $row.$get(2)?,
            emoji: $row.$get(3)?,
            color: $row.$get(4)?,
            order: $row.$get(5)?,
            created_at: $row.$get(6)?,
            tasks: vec![],
        }
    };
}

/// Reads a row of [`TASKS`](super::sql::TASKS).
macro_rules! task {
    ($row:ident.$get:ident) => {{
        let completed_at: Option<Instant> = $row.$get(6)?;
        Task {
            id: $row.$get(0)?,
            column_id: $row.$get(1)?,
            title: $row.$get(2)?,
            description: $row.$get(3)?,
            priority: $row.$get(4)?,
            due_date: $row.$get(5)?,
            recurrence: $row.$get(24)?,
            completed: completed_at.is_some(),
            completed_at,
            last_completed_at: $row.$get(25)?,
            order: $row.$get(7)?,
            labels: $row.$get(8)?,
            is_private: $row.$get(9)?,
            assignee_id: $row.$get(10)?,
            assignee: person!($row.$get, 14),
            creator_id: $row.$get(11)?,
            creator: person!($row.$get, 19),
            created_at: $row.$get(12)?,
            updated_at: $row.$get(13)?,
            sequence: $row.$get(26)?,
        }
    }};
}

/// Reads a person whose id, which can be `NULL`, is at an index.
macro_rules! person {
    ($row:ident.$get:ident, $id:literal) => {
        match $row.$get($id)? {
            Some(id) => Some(Person {
                id,
                name: $row.$get($id + 1)?,
                image: $row.$get($id + 2)?,
                color: $row.$get($id + 3)?,
                emoji: $row.$get($id + 4)?,
            }),
            None => None,
        }
    };
}

pub(super) use {board, column, key, person, task};

/// Groups tasks by column and columns by board. Keeps the order of the rows.
pub(super) fn assemble(mut boards: Vec<Board>, columns: Vec<Column>, tasks: Vec<Task>) -> Vec<Board> {
    let mut tasks_by_column: HashMap<String, Vec<Task>> = HashMap::new();
    for task in tasks {
        tasks_by_column.entry(task.column_id.clone()).or_default().push(task);
    }
    let board_indexes: HashMap<String, usize> =
        boards.iter().enumerate().map(|(index, board)| (board.id.clone(), index)).collect();
    for mut column in columns {
        if let Some(index) = board_indexes.get(&column.board_id) {
            column.tasks = tasks_by_column.remove(&column.id).unwrap_or_default();
            boards[*index].columns.push(column);
        }
    }
    boards
}
