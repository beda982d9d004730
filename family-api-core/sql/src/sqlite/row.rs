//! Rows and arguments of SQLite, and the execution of statements.

use std::ops::ControlFlow;

use family_api_core::Timestamp;
use family_api_core::key::KeyDigest;
use family_api_core::storage::StorageError;
use family_api_core::storage::value::{Datum, StoredRow};
use futures_util::TryStreamExt;
use sqlx::query::Query;
use sqlx::sqlite::{SqliteArguments, SqliteRow};
use sqlx::{Row as _, Sqlite, SqliteConnection};

use crate::sql_connection::{Engine, SqlConnection, VisitRows};
use crate::sqlite::error::fault;

/// A row of SQLite.
pub(crate) struct Row(pub(super) SqliteRow);

/// Every method decodes an `Option`. If a type is not an `Option`, sqlx decodes SQLite's `NULL` as 0, an empty string
/// or `false`.
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
        self.text(position)?.map(str::parse).transpose().map_err(StorageError::corrupt)
    }

    fn texts(&self, position: usize) -> Result<Option<Vec<String>>, StorageError> {
        self.text(position)?.map(serde_json::from_str).transpose().map_err(StorageError::corrupt)
    }

    fn bytes(&self, position: usize) -> Result<Option<&[u8]>, StorageError> {
        self.0.try_get(position).map_err(fault)
    }
}

impl SqlConnection for SqliteConnection {
    type Row = Row;

    fn engine(&self) -> Engine {
        Engine::Sqlite
    }

    async fn find_row(&mut self, sql: &'static str, arguments: Vec<Datum<'_>>) -> Result<Option<Row>, StorageError> {
        Ok(query(sql, arguments)?.fetch_optional(self).await.map_err(fault)?.map(Row))
    }

    async fn find_rows(&mut self, sql: &'static str, arguments: Vec<Datum<'_>>) -> Result<Vec<Row>, StorageError> {
        Ok(query(sql, arguments)?.fetch_all(self).await.map_err(fault)?.into_iter().map(Row).collect())
    }

    async fn execute(&mut self, sql: &'static str, arguments: Vec<Datum<'_>>) -> Result<u64, StorageError> {
        Ok(query(sql, arguments)?.execute(self).await.map_err(fault)?.rows_affected())
    }
}

impl VisitRows for SqliteConnection {
    async fn visit_rows(
        &mut self,
        sql: &'static str,
        arguments: Vec<Datum<'_>>,
        mut visit: impl FnMut(&Row) -> Result<ControlFlow<()>, StorageError> + Send,
    ) -> Result<(), StorageError> {
        let mut rows = query(sql, arguments)?.fetch(self);
        while let Some(row) = rows.try_next().await.map_err(fault)? {
            if visit(&Row(row))?.is_break() {
                break;
            }
        }
        Ok(())
    }
}

fn query<'q>(sql: &'static str, arguments: Vec<Datum<'q>>) -> Result<Query<'q, Sqlite, SqliteArguments>, StorageError> {
    arguments.into_iter().try_fold(sqlx::query(sql), |query, argument| {
        Ok(match argument {
            Datum::Text(text) => query.bind(text),
            Datum::Json(json) => query.bind(json),
            Datum::Integer(integer) => query.bind(integer),
            Datum::Boolean(boolean) => query.bind(boolean),
            Datum::Instant(instant) => query.bind(instant.map(String::from)),
            Datum::Bytes(bytes) => query.bind(bytes.map(|bytes| &bytes[..])),
            Datum::Texts(texts) => {
                let json = texts.map(|texts| serde_json::to_string(&texts)).transpose();
                query.bind(json.map_err(StorageError::backend)?)
            }
        })
    })
}

/// Encodes digests as one argument of a statement: a JSON array of hexadecimal strings.
pub(super) fn digest_array<'a>(digests: impl IntoIterator<Item = &'a KeyDigest>) -> Result<String, StorageError> {
    let digits: Vec<String> = digests.into_iter().map(|digest| hex::encode(digest.as_bytes())).collect();
    serde_json::to_string(&digits).map_err(StorageError::backend)
}

#[cfg(test)]
mod tests {
    use family_api_core::storage::value::{Value, Values};
    use sqlx::{Connection, SqliteConnection};

    use super::*;

    fn assert_corrupt<V: Value>(row: &Row) {
        assert!(matches!(Values::of(row).take::<V>(), Err(StorageError::Corrupt(_))));
    }

    #[tokio::test]
    async fn null_is_never_decoded_as_a_value() {
        let mut connection = SqliteConnection::connect("sqlite::memory:").await.unwrap();
        let row = sqlx::query("SELECT NULL").map(Row).fetch_one(&mut connection).await.unwrap();
        assert_corrupt::<i64>(&row);
        assert_corrupt::<bool>(&row);
        assert_corrupt::<String>(&row);
        assert_corrupt::<Timestamp>(&row);
        assert_corrupt::<Vec<String>>(&row);
        assert_corrupt::<KeyDigest>(&row);
        assert_eq!(Values::of(&row).take::<Option<i64>>().unwrap(), None);
    }
}
