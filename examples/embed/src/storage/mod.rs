//! The app's database, and the implementation of the API's storage traits.

mod families;
mod keys;
mod users;

use std::{path::Path, sync::Arc, time::Duration};

use family_api_core::Clock;
use family_api_core::storage::{Health, StorageError};
use family_api_sql::sqlite::{SqliteStorage, fault};
use salvo::async_trait;
use serde::de::DeserializeOwned;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions};
use sqlx::{Connection, Sqlite, Transaction};

/// The maximum wait for a database lock that another process holds, or for a free connection.
const BUSY_TIMEOUT: Duration = Duration::from_secs(2);

/// The app: its database and its clock. Clones share both.
#[derive(Clone)]
pub struct Hearth {
    /// The single connection for writes. Writers wait for this connection and not for a database lock.
    pub writer: SqlitePool,
    /// Connections for reads.
    pub readers: SqlitePool,
    /// The library's storage in a file of its own, for the assistants that are connected without a key.
    pub grants: Arc<SqliteStorage>,
    /// Clock of the app and of the API.
    pub clock: Arc<dyn Clock>,
}

impl Hearth {
    /// Opens or creates the database file. Creates missing tables, and replaces the views.
    pub async fn open(path: impl AsRef<Path>, clock: impl Clock + 'static) -> Result<Self, StorageError> {
        let grants =
            SqliteStorage::open(path.as_ref().with_extension("grants.db")).await.map_err(StorageError::backend)?;
        let file = SqliteConnectOptions::new().filename(path).busy_timeout(BUSY_TIMEOUT);
        let writable = file.clone().create_if_missing(true).journal_mode(SqliteJournalMode::Wal);
        let writer = pool(1).connect_with(writable).await.map_err(fault)?;
        let readers = pool(8).connect_lazy_with(file.read_only(true));
        let hearth = Self { writer, readers, grants: Arc::new(grants), clock: Arc::new(clock) };
        let mut transaction = hearth.begin().await?;
        let schema = concat!(include_str!("../../schema.sql"), include_str!("../../views.sql"));
        sqlx::raw_sql(schema).execute(&mut *transaction).await.map_err(fault)?;
        transaction.commit().await.map_err(fault)?;
        Ok(hearth)
    }

    /// Begins a transaction with the write lock, so the rows that the transaction reads cannot change before its end.
    async fn begin(&self) -> Result<Transaction<'static, Sqlite>, StorageError> {
        self.writer.begin_with("BEGIN IMMEDIATE").await.map_err(fault)
    }
}

fn pool(connections: u32) -> SqlitePoolOptions {
    let pool = SqlitePoolOptions::new().max_connections(connections).acquire_timeout(BUSY_TIMEOUT);
    // On a full disk, SQLite rolls back the transaction, but the driver still counts the transaction as open and cannot
    // begin another transaction. A connection in this state is closed and not returned to the pool.
    pool.after_release(|connection, _| {
        Box::pin(async move { connection.ping().await.map(|()| !connection.is_in_transaction()) })
    })
}

#[async_trait]
impl Health for Hearth {
    async fn check(&self) -> Result<(), StorageError> {
        sqlx::query("SELECT 1 FROM person LIMIT 1").execute(&self.readers).await.map_err(fault).map(drop)
    }
}

/// Parses the JSON of a record from a view.
fn parse<T: DeserializeOwned>(record: &str) -> Result<T, StorageError> {
    serde_json::from_str(record).map_err(StorageError::corrupt)
}
