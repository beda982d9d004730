//! The app's own database, and over it what the API asks of a storage.

mod families;
mod keys;
mod users;

use std::{path::Path, sync::Arc};

use family_api_core::{Clock, Timestamp, storage::Health, storage::StorageError};
use salvo::async_trait;
use serde::de::DeserializeOwned;
use sqlx::Error::{BeginFailed, ColumnDecode, Decode, Io, PoolClosed, PoolTimedOut, WorkerCrashed};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool};

/// The app: its database and its clock; clones share both.
#[derive(Clone)]
pub struct Hearth {
    /// For the app's own statements.
    pub pool: SqlitePool,
    clock: Arc<dyn Clock>,
}

impl Hearth {
    /// Opens the file, and makes it where it is missing.
    pub async fn open(path: impl AsRef<Path>, clock: impl Clock + 'static) -> Result<Self, StorageError> {
        let file = SqliteConnectOptions::new().filename(path).create_if_missing(true);
        let pool = SqlitePool::connect_with(file.journal_mode(SqliteJournalMode::Wal)).await.map_err(fault)?;
        let schema = concat!(include_str!("../../schema.sql"), include_str!("../../views.sql"));
        sqlx::raw_sql(schema).execute(&pool).await.map_err(fault)?;
        Ok(Self { pool, clock: Arc::new(clock) })
    }
}

impl Clock for Hearth {
    fn now(&self) -> Timestamp {
        self.clock.now()
    }
}

#[async_trait]
impl Health for Hearth {
    async fn check(&self) -> Result<(), StorageError> {
        sqlx::query("SELECT 1 FROM person LIMIT 1").execute(&self.pool).await.map_err(fault).map(drop)
    }
}

/// A record as a view has written it.
fn read<T: DeserializeOwned>(record: &str) -> Result<T, StorageError> {
    serde_json::from_str(record).map_err(StorageError::corrupt)
}

/// The meaning of a fault, which is in the lowest byte of SQLite's code (<https://www.sqlite.org/rescode.html>).
pub(crate) fn fault(error: sqlx::Error) -> StorageError {
    let code = error.as_database_error().and_then(|error| error.code()?.parse::<u32>().ok());
    match (&error, code.map(|code| code & 0xff)) {
        (Decode(_) | ColumnDecode { .. }, _) | (_, Some(11 | 26)) => StorageError::corrupt(error),
        (Io(_) | PoolTimedOut | PoolClosed | WorkerCrashed | BeginFailed, _) | (_, Some(3 | 5..=10 | 13..=15)) => {
            StorageError::unavailable(error)
        }
        _ => StorageError::backend(error),
    }
}
