//! The app's own database, and over it what the API asks of a storage.

mod families;
mod keys;
mod users;

use std::{path::Path, sync::Arc, time::Duration};

use family_api_core::Clock;
use family_api_core::storage::{Health, StorageError, sqlite::fault};
use salvo::async_trait;
use serde::de::DeserializeOwned;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions};
use sqlx::{Connection, Sqlite, Transaction};

/// How long a lock of another process, or a free connection, is waited for.
const BUSY_TIMEOUT: Duration = Duration::from_secs(2);

/// The app: its database and its clock; clones share both.
#[derive(Clone)]
pub struct Hearth {
    /// One connection for whatever writes, so that of all others none waits for a lock.
    pub writer: SqlitePool,
    /// For whatever reads.
    pub readers: SqlitePool,
    /// The app's, and the API's.
    pub clock: Arc<dyn Clock>,
}

impl Hearth {
    /// Opens the file, and makes it where it is missing.
    pub async fn open(path: impl AsRef<Path>, clock: impl Clock + 'static) -> Result<Self, StorageError> {
        let file = SqliteConnectOptions::new().filename(path).busy_timeout(BUSY_TIMEOUT);
        let writable = file.clone().create_if_missing(true).journal_mode(SqliteJournalMode::Wal);
        let writer = pool(1).connect_with(writable).await.map_err(fault)?;
        let readers = pool(8).connect_lazy_with(file.read_only(true));
        let hearth = Self { writer, readers, clock: Arc::new(clock) };
        let mut transaction = hearth.begin().await?;
        let schema = concat!(include_str!("../../schema.sql"), include_str!("../../views.sql"));
        sqlx::raw_sql(schema).execute(&mut *transaction).await.map_err(fault)?;
        transaction.commit().await.map_err(fault)?;
        Ok(hearth)
    }

    /// Begins as a write, so that what is looked at is still so when something is stored.
    async fn begin(&self) -> Result<Transaction<'static, Sqlite>, StorageError> {
        self.writer.begin_with("BEGIN IMMEDIATE").await.map_err(fault)
    }
}

fn pool(connections: u32) -> SqlitePoolOptions {
    let pool = SqlitePoolOptions::new().max_connections(connections).acquire_timeout(BUSY_TIMEOUT);
    // A full disk makes SQLite end a transaction by itself; the driver still believes in it, and would begin no other.
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

/// A record as a view has written it.
fn read<T: DeserializeOwned>(record: &str) -> Result<T, StorageError> {
    serde_json::from_str(record).map_err(StorageError::corrupt)
}
