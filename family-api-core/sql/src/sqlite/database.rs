//! The database of a storage: one connection that writes, a pool of read-only connections, and one for a load.

use std::fs::OpenOptions;
use std::num::NonZeroU32;
#[cfg(unix)]
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use family_api_core::id::{FamilyId, UserId};
use family_api_core::storage::StorageError;
use family_api_core::storage::value::{StoredRow, Values};
use sqlx::pool::PoolOptions;
use sqlx::sqlite::{SqliteConnectOptions, SqliteSynchronous};
use sqlx::{Connection, Sqlite, SqliteConnection, SqlitePool, Transaction};
use tokio::sync::{Mutex, MutexGuard};
use tokio::time::timeout;

use crate::migration_state::NoTables;
use crate::sqlite::OpenError;
use crate::sqlite::error::{fault, is_busy};
use crate::sqlite::migrate::migrate;
use crate::sqlite::row::Row;
use crate::sqlite::writer::{BEGIN, Writer};
use crate::statistics::PoolStatistics;
use crate::turns::{Lane, Place};

/// Maximum wait for a lock of another process, and for a free connection. The wait for a turn of the writer's connection
/// is part of the latter.
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(2);

/// Size in bytes to which the log is truncated after a large write.
const WAL_SIZE_LIMIT: &str = "67108864";

/// Page cache of a load's connection: 16 MiB (a negative value is in KiB). A load writes to the same index pages many
/// times.
const LOAD_CACHE_SIZE: &str = "-16384";

/// Minimum SQLite version. An older version can lose a write if another connection runs a checkpoint at the same time.
const MIN_LIBRARY_VERSION: [u32; 3] = [3, 51, 3];

const HAS_TABLES: &str =
    "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = '_family_api_migrations')";

/// Maximum attempts to switch to the write-ahead log. After a failed attempt, [`enter_wal`] waits for the other
/// connection's lock.
const WAL_ATTEMPTS: u32 = 10;

#[derive(Clone)]
pub(super) struct Database {
    pub(super) writer: Writer,
    readers: SqlitePool,
    /// Opens a connection for each load, and closes it after the load.
    loader: SqlitePool,
    /// Locked while the records of a family are counted.
    counting: Arc<Mutex<()>>,
    is_new: bool,
}

impl Database {
    /// Opens a file and migrates it.
    pub(super) async fn open(
        file: SqliteConnectOptions,
        readers: NonZeroU32,
        no_tables: NoTables,
    ) -> Result<Self, OpenError> {
        let file = file
            .busy_timeout(BUSY_TIMEOUT)
            .foreign_keys(true)
            .create_if_missing(false)
            .synchronous(SqliteSynchronous::Full)
            .pragma("journal_size_limit", WAL_SIZE_LIMIT);
        ensure_file(check_path(&file)?, no_tables)?;
        let writer = Writer::connect(file.clone()).await?;
        let prepared = prepare(&mut *writer.pool().acquire().await.map_err(fault)?, no_tables).await;
        if prepared.is_err() {
            // Otherwise, the process can end before SQLite has removed the files beside the database.
            writer.pool().close().await;
        }
        let is_new = prepared?;
        let loader = single_use_pool().connect_lazy_with(load_options(file.clone()));
        let readers = pool(readers.get()).connect_with(file.read_only(true)).await.map_err(fault)?;
        Ok(Self { writer, readers, loader, counting: Arc::default(), is_new })
    }

    /// Returns whether this call of [`open`](Self::open) created the tables.
    pub(super) fn is_new(&self) -> bool {
        self.is_new
    }

    /// Returns the pool of read-only connections.
    pub(super) fn readers(&self) -> &SqlitePool {
        &self.readers
    }

    /// Opens a read-only connection outside the pool.
    pub(super) async fn reader(&self) -> Result<SqliteConnection, StorageError> {
        SqliteConnection::connect_with(&self.readers.connect_options()).await.map_err(fault)
    }

    /// Begins a write transaction of the service or an operator.
    pub(super) async fn begin(&self) -> Result<Transaction<'static, Sqlite>, StorageError> {
        self.writer.begin().await
    }

    /// Gives a write of family data a place among the writes of the family.
    pub(super) fn enter(&self, family: &FamilyId) -> Result<Place, StorageError> {
        self.writer.enter(Lane::Family(family.clone())).map_err(StorageError::not_begun)
    }

    /// Begins a transaction of a write of family data when it is the family's turn.
    pub(super) async fn begin_at(&self, place: &mut Place) -> Result<Transaction<'static, Sqlite>, StorageError> {
        self.writer.begin_at(place).await.map_err(StorageError::not_begun)
    }

    /// Begins a write transaction of a signed-in user when it is the user's turn.
    pub(super) async fn begin_for(&self, user: &UserId) -> Result<Transaction<'static, Sqlite>, StorageError> {
        self.writer.begin_at(&mut self.writer.enter(Lane::User(user.clone()))?).await
    }

    /// Waits until no records are counted.
    pub(super) async fn begin_count(&self) -> Result<MutexGuard<'_, ()>, StorageError> {
        let counting = timeout(BUSY_TIMEOUT, self.counting.lock()).await;
        counting.map_err(|_| StorageError::unavailable("the records of other families are being counted"))
    }

    /// Begins the transaction of a load. Other writes wait for its lock for up to [`BUSY_TIMEOUT`].
    pub(super) async fn begin_load(&self) -> Result<Transaction<'static, Sqlite>, StorageError> {
        self.loader.begin_with(BEGIN).await.map_err(fault)
    }

    /// Returns the numbers of the pools, without that of loads.
    pub(super) fn statistics(&self) -> Vec<PoolStatistics> {
        vec![PoolStatistics::of("readers", &self.readers), PoolStatistics::of("writer", self.writer.pool())]
    }

    /// Closes the writer last. When it closes, SQLite moves the log into the file, which a read-only connection cannot
    /// do.
    pub(super) async fn close(&self) {
        self.readers.close().await;
        self.loader.close().await;
        self.writer.pool().close().await;
    }
}

/// Runs statements in one transaction, and commits it.
macro_rules! in_transaction {
    ($storage:expr, |$transaction:ident| $statements:expr) => {{
        let mut $transaction = $storage.database.begin().await?;
        let done = $statements;
        $transaction.commit().await.map_err(fault)?;
        Ok(done)
    }};
}

pub(super) use in_transaction;

/// Creates or refuses a missing file. Only its owner can read a new file. If the creation fails, SQLite reports the
/// reason when it opens the file.
///
/// SQLite itself would create a file that all users can read, and would create the target of a dangling symbolic link.
/// The log gets the permissions of the file.
pub(super) fn ensure_file(file: &Path, no_tables: NoTables) -> Result<(), OpenError> {
    if no_tables == NoTables::Refuse {
        return if file.try_exists().is_ok_and(|exists| !exists) { Err(OpenError::Missing) } else { Ok(()) };
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    options.mode(0o600);
    let _ = options.open(file);
    Ok(())
}

/// Returns the path of the file. Names that SQLite does not treat as a path, such as `:memory:`, are rejected.
pub(super) fn check_path(file: &SqliteConnectOptions) -> Result<&Path, OpenError> {
    let path = file.get_filename();
    if path.to_str().is_some_and(|name| name == ":memory:" || name.starts_with("file:")) {
        return Err(OpenError::NoFile);
    }
    Ok(path)
}

pub(super) fn pool(connections: u32) -> PoolOptions<Sqlite> {
    PoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(BUSY_TIMEOUT)
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
}

/// Options of a pool with one connection, which is closed after each use.
fn single_use_pool() -> PoolOptions<Sqlite> {
    pool(1).after_release(|_, _| Box::pin(async { Ok(false) }))
}

/// Options of a load's connection. The tables' `CHECK` constraints are off, because the Rust types of the records
/// already guarantee the same conditions.
fn load_options(file: SqliteConnectOptions) -> SqliteConnectOptions {
    file.pragma("cache_size", LOAD_CACHE_SIZE).pragma("ignore_check_constraints", "ON")
}

/// Migrates the file. Returns whether it had no tables of this crate before.
async fn prepare(writer: &mut SqliteConnection, no_tables: NoTables) -> Result<bool, OpenError> {
    check_library(writer).await?;
    if no_tables == NoTables::Refuse && !has_tables(writer).await.map_err(fault)? {
        return Err(OpenError::Missing);
    }
    enter_wal(writer).await?;
    let is_new = !has_tables(writer).await.map_err(fault)?;
    migrate(writer).await?;
    Ok(is_new)
}

/// Returns whether a file has tables of this crate.
pub(super) async fn has_tables(connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar(HAS_TABLES).fetch_one(connection).await
}

async fn check_library(connection: &mut SqliteConnection) -> Result<(), OpenError> {
    let row = sqlx::query("SELECT sqlite_version()").map(Row).fetch_one(connection).await.map_err(fault)?;
    let found: String = Values::of(&row).take()?;
    if is_supported(&found) { Ok(()) } else { Err(OpenError::OldLibrary { found }) }
}

fn is_supported(version: &str) -> bool {
    let numbers: Result<Vec<u32>, _> = version.split('.').map(str::parse).collect();
    numbers.is_ok_and(|numbers| numbers.as_slice() >= MIN_LIBRARY_VERSION.as_slice())
}

/// Switches the file to the write-ahead log. The mode is stored in the file.
///
/// The switch needs exclusive access and does not wait for it. If two connections open a new file at the same time,
/// SQLite returns `BUSY` to one of them. This connection then begins an exclusive transaction, which waits for the
/// other connection. After that, it tries the switch again.
async fn enter_wal(connection: &mut SqliteConnection) -> Result<(), OpenError> {
    for _ in 0..WAL_ATTEMPTS {
        match sqlx::query("PRAGMA journal_mode = WAL").map(Row).fetch_one(&mut *connection).await {
            Ok(mode) if mode.text(0)? == Some("wal") => return Ok(()),
            Ok(_) => return Err(OpenError::NoFile),
            Err(error) if is_busy(&error) => {}
            Err(error) => return Err(fault(error).into()),
        }
        let lock = connection.begin_with("BEGIN EXCLUSIVE").await.map_err(fault)?;
        lock.rollback().await.map_err(fault)?;
    }
    Err(StorageError::unavailable("the file is in use").into())
}

#[cfg(test)]
mod tests {
    use sqlx::Executor;

    use super::*;
    use crate::sqlite::error::primary_code;

    async fn open(folder: &tempfile::TempDir) -> Database {
        let file = SqliteConnectOptions::new().filename(folder.path().join("family.db"));
        Database::open(file, NonZeroU32::new(4).unwrap(), NoTables::Create).await.unwrap()
    }

    async fn pragma(pool: &SqlitePool, sql: &'static str) -> String {
        sqlx::query_scalar(sql).fetch_one(pool).await.unwrap()
    }

    #[tokio::test]
    async fn connections_have_the_expected_settings() {
        let folder = tempfile::tempdir().unwrap();
        let database = open(&folder).await;
        for pool in [database.writer.pool(), &database.readers] {
            assert_eq!(pragma(pool, "SELECT journal_mode FROM pragma_journal_mode").await, "wal");
            assert_eq!(pragma(pool, "SELECT CAST(synchronous AS TEXT) FROM pragma_synchronous").await, "2");
            assert_eq!(pragma(pool, "SELECT CAST(foreign_keys AS TEXT) FROM pragma_foreign_keys").await, "1");
            assert_eq!(pragma(pool, "SELECT CAST(timeout AS TEXT) FROM pragma_busy_timeout").await, "2000");
            assert_eq!(pool.options().get_acquire_timeout(), BUSY_TIMEOUT);
            assert_eq!((pool.options().get_idle_timeout(), pool.options().get_max_lifetime()), (None, None));
        }
        assert_eq!(database.writer.pool().options().get_max_connections(), 1);
        assert_eq!(database.readers.options().get_max_connections(), 4);
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn only_the_owner_can_read_a_new_file() {
        use std::fs::{self, Permissions};
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().unwrap();
        let permissions = |name| fs::metadata(folder.path().join(name)).unwrap().permissions().mode() & 0o777;
        let first_database = open(&folder).await;
        assert_eq!(["family.db", "family.db-wal", "family.db-shm"].map(permissions), [0o600; 3]);
        first_database.close().await;
        fs::set_permissions(folder.path().join("family.db"), Permissions::from_mode(0o640)).unwrap();
        let _database = open(&folder).await;
        assert_eq!(["family.db", "family.db-wal", "family.db-shm"].map(permissions), [0o640; 3]);
    }

    #[tokio::test]
    async fn a_reader_cannot_write() {
        let folder = tempfile::tempdir().unwrap();
        let database = open(&folder).await;
        for sql in ["DELETE FROM users", "CREATE TABLE t (x)", "PRAGMA user_version = 1"] {
            let error = database.readers.execute(sql).await.unwrap_err();
            assert_eq!(error.as_database_error().and_then(primary_code), Some(8), "{sql}");
        }
    }

    #[tokio::test]
    async fn a_write_takes_the_lock_when_it_begins() {
        let folder = tempfile::tempdir().unwrap();
        let first = open(&folder).await;
        let second = open(&folder).await;
        let _write = first.begin().await.unwrap();
        let mut other_writer = second.writer.pool().acquire().await.unwrap();
        other_writer.execute("PRAGMA busy_timeout = 0").await.unwrap();
        let error = other_writer.begin_with("BEGIN IMMEDIATE").await.unwrap_err();
        assert!(is_busy(&error), "{error}");
        assert!(matches!(fault(error), StorageError::Unavailable(_)));
    }

    #[tokio::test]
    async fn a_write_to_a_full_disk_is_unavailable() {
        let folder = tempfile::tempdir().unwrap();
        let database = open(&folder).await;
        database.writer.pool().execute("CREATE TABLE filler (x)").await.unwrap();
        database.writer.pool().execute("PRAGMA max_page_count = 1").await.unwrap();
        let error = database.writer.pool().execute("INSERT INTO filler VALUES (zeroblob(1000000))").await.unwrap_err();
        assert_eq!(error.as_database_error().and_then(primary_code), Some(13));
        assert!(matches!(fault(error), StorageError::Unavailable(_)));
    }

    #[test]
    fn sqlite_3_51_3_is_the_minimum_version() {
        for supported in ["3.51.3", "3.51.10", "3.52.0", "4.0.0"] {
            assert!(is_supported(supported), "{supported}");
        }
        for old in ["3.51.2", "3.50.99", "3.9.0", "2.99.99", "3.51", "", "3.51.x"] {
            assert!(!is_supported(old), "{old}");
        }
    }
}
