//! Rows of PostgreSQL, and the execution of statements with arguments.

use std::ops::ControlFlow;

use family_api_core::Timestamp;
use family_api_core::resource::Revision;
use family_api_core::storage::StorageError;
use family_api_core::storage::value::{Datum, StoredRow, Values};
use futures_util::TryStreamExt;
use sqlx::postgres::{PgArguments, PgRow};
use sqlx::query::Query;
use sqlx::{PgConnection, Postgres, Row as _};

use crate::postgres::error::fault;
use crate::postgres::timestamp::PgTimestamp;
use crate::sql_connection::{Engine, SqlConnection, VisitRows};

/// A row of PostgreSQL.
pub(crate) struct Row(pub(super) PgRow);

impl StoredRow for Row {
    fn text(&self, position: usize) -> Result<Option<&str>, StorageError> {
        self.0.try_get(position).map_err(fault)
    }

    fn integer(&self, position: usize) -> Result<Option<i64>, StorageError> {
        self.0.try_get(position).map_err(fault)
    }

    fn boolean(&self, position: usize) -> Result<Option<bool>, StorageError> {
        self.0.try_get(position).map_err(fault)
    }

    fn instant(&self, position: usize) -> Result<Option<Timestamp>, StorageError> {
        let timestamp: Option<PgTimestamp> = self.0.try_get(position).map_err(fault)?;
        Ok(timestamp.map(|timestamp| timestamp.0))
    }

    fn texts(&self, position: usize) -> Result<Option<Vec<String>>, StorageError> {
        self.0.try_get(position).map_err(fault)
    }

    fn bytes(&self, position: usize) -> Result<Option<&[u8]>, StorageError> {
        self.0.try_get(position).map_err(fault)
    }
}

/// Wraps rows. `Query::map` would pass each row through one more stream.
pub(super) fn rows(rows: Vec<PgRow>) -> Vec<Row> {
    rows.into_iter().map(Row).collect()
}

impl SqlConnection for PgConnection {
    type Row = Row;

    fn engine(&self) -> Engine {
        Engine::Postgres
    }

    async fn find_row(&mut self, sql: &'static str, arguments: Vec<Datum<'_>>) -> Result<Option<Row>, StorageError> {
        Ok(query(sql, arguments).fetch_optional(self).await.map_err(fault)?.map(Row))
    }

    async fn find_rows(&mut self, sql: &'static str, arguments: Vec<Datum<'_>>) -> Result<Vec<Row>, StorageError> {
        Ok(rows(query(sql, arguments).fetch_all(self).await.map_err(fault)?))
    }

    async fn execute(&mut self, sql: &'static str, arguments: Vec<Datum<'_>>) -> Result<u64, StorageError> {
        Ok(query(sql, arguments).execute(self).await.map_err(fault)?.rows_affected())
    }
}

impl VisitRows for PgConnection {
    async fn visit_rows(
        &mut self,
        sql: &'static str,
        arguments: Vec<Datum<'_>>,
        mut visit: impl FnMut(&Row) -> Result<ControlFlow<()>, StorageError> + Send,
    ) -> Result<(), StorageError> {
        let mut rows = query(sql, arguments).fetch(self);
        while let Some(row) = rows.try_next().await.map_err(fault)? {
            if visit(&Row(row))?.is_break() {
                break;
            }
        }
        Ok(())
    }
}

fn query<'q>(sql: &'static str, arguments: Vec<Datum<'q>>) -> Query<'q, Postgres, PgArguments> {
    arguments.into_iter().fold(sqlx::query(sql), |query, argument| match argument {
        Datum::Text(text) => query.bind(text),
        Datum::Json(json) => query.bind(json),
        Datum::Integer(integer) => query.bind(integer),
        Datum::Boolean(boolean) => query.bind(boolean),
        Datum::Instant(instant) => query.bind(instant.map(PgTimestamp)),
        Datum::Bytes(bytes) => query.bind(bytes.map(|bytes| &bytes[..])),
        Datum::Texts(texts) => query.bind(texts),
    })
}

/// Reads a record from each row. The first column is the record's id. If the family has no records, the statement
/// returns one row, whose id is `NULL`.
pub(super) fn records<T>(
    rows: &[Row],
    record: impl Fn(&mut Values<'_, Row>) -> Result<T, StorageError>,
) -> Result<Vec<T>, StorageError> {
    let mut records = Vec::with_capacity(rows.len());
    for row in rows {
        let mut values = Values::of(row);
        if values.peek()?.is_some() {
            records.push(record(&mut values)?);
        }
    }
    Ok(records)
}

/// Returns the revision, which is the last column of each row. If the family does not exist, or the user is not in it,
/// there is no row and no revision.
pub(super) fn revision(rows: &[Row]) -> Result<Option<Revision>, StorageError> {
    let Some(row) = rows.first() else {
        return Ok(None);
    };
    Ok(row.integer(row.0.len() - 1)?.map(Revision::new))
}
