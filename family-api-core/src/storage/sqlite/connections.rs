//! The connections: one that writes, some that can only read, and one for a load.

use std::fs::OpenOptions;
use std::num::NonZeroU32;
#[cfg(unix)]
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use sqlx::pool::PoolOptions;
use sqlx::sqlite::{SqliteConnectOptions, SqliteSynchronous};
use sqlx::{Connection, Sqlite, SqliteConnection, SqlitePool, Transaction};

use crate::storage::StorageError;
use crate::storage::sqlite::OpenError;
use crate::storage::sqlite::decode;
use crate::storage::sqlite::error::{fault, is_busy};
use crate::storage::sqlite::migrate::migrate;

/// How long a lock of another process, or a free connection, is waited for.
const BUSY_TIMEOUT: Duration = Duration::from_secs(2);

/// From here on, what the log took during a large write is given back to the disk, in bytes.
const KEPT_LOG: &str = "67108864";

/// What a load keeps of the file in memory, in KiB: it comes back to the same pages of its indexes.
const LOAD_CACHE: &str = "-16384";

/// Older libraries can lose a write that came at the same time as a checkpoint of another connection.
const OLDEST_LIBRARY: [u32; 3] = [3, 51, 3];

/// How often the switch to the write-ahead log is tried; each try waits for who was in the way.
const WAL_TRIES: u32 = 10;

#[derive(Clone)]
pub(super) struct Connections {
    writer: SqlitePool,
    readers: SqlitePool,
    /// Of a load: made for it, and closed after it.
    loader: SqlitePool,
    writes: Arc<AtomicU64>,
}

impl Connections {
    /// Opens a file, creates it where it is missing, and migrates it.
    pub(super) async fn open(file: SqliteConnectOptions, readers: NonZeroU32) -> Result<Self, OpenError> {
        let file = file
            .busy_timeout(BUSY_TIMEOUT)
            .foreign_keys(true)
            .create_if_missing(false)
            .synchronous(SqliteSynchronous::Full)
            .pragma("journal_size_limit", KEPT_LOG);
        create(file.get_filename())?;
        let writer = writing().connect_with(file.clone()).await.map_err(fault)?;
        prepare(&mut *writer.acquire().await.map_err(fault)?).await?;
        let loader = once().connect_lazy_with(loading(file.clone()));
        let readers = pool(readers.get()).connect_with(file.read_only(true)).await.map_err(fault)?;
        Ok(Self { writer, readers, loader, writes: Arc::default() })
    }

    /// Where everything reads that does not write.
    pub(super) fn readers(&self) -> &SqlitePool {
        &self.readers
    }

    /// A connection of its own, which can only read.
    pub(super) async fn reader(&self) -> Result<SqliteConnection, StorageError> {
        SqliteConnection::connect_with(&self.readers.connect_options()).await.map_err(fault)
    }

    /// How many writes were begun here; loads are none.
    pub(super) fn writes(&self) -> u64 {
        self.writes.load(Relaxed)
    }

    /// Begins a write.
    pub(super) async fn begin(&self) -> Result<Transaction<'static, Sqlite>, StorageError> {
        self.writes.fetch_add(1, Relaxed);
        self.writer.begin_with("BEGIN IMMEDIATE").await.map_err(fault)
    }

    /// Begins a load; other writes wait for it, as for another process.
    pub(super) async fn begin_load(&self) -> Result<Transaction<'static, Sqlite>, StorageError> {
        self.loader.begin_with("BEGIN IMMEDIATE").await.map_err(fault)
    }

    /// The writer goes last: only a connection that can write empties the log.
    pub(super) async fn close(&self) {
        self.readers.close().await;
        self.loader.close().await;
        self.writer.close().await;
    }
}

/// Creates a file for its owner alone, if there is none. If it cannot be created, SQLite says why.
///
/// SQLite itself would let everybody read it, and would create what a symbolic link leads to. It gives the files beside
/// it the same rights. Some names it takes for what is no file, or for one of another name.
fn create(file: &Path) -> Result<(), OpenError> {
    if file.to_str().is_some_and(|name| name == ":memory:" || name.starts_with("file:")) {
        return Err(OpenError::NoFile);
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    options.mode(0o600);
    let _ = options.open(file);
    Ok(())
}

fn pool(connections: u32) -> PoolOptions<Sqlite> {
    PoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(BUSY_TIMEOUT)
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
}

/// The connection that writes.
fn writing() -> PoolOptions<Sqlite> {
    pool(1).after_release(|connection, _| Box::pin(is_reusable(connection)))
}

/// A connection at a time, for one use.
fn once() -> PoolOptions<Sqlite> {
    pool(1).after_release(|_, _| Box::pin(async { Ok(false) }))
}

/// What a record cannot be, its type has refused already: the tables' `CHECK`s would look for it in every row again.
fn loading(file: SqliteConnectOptions) -> SqliteConnectOptions {
    file.pragma("cache_size", LOAD_CACHE).pragma("ignore_check_constraints", "ON")
}

/// A full disk makes SQLite end a transaction by itself; the driver still believes in it, and would never begin another.
async fn is_reusable(connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
    connection.ping().await?;
    Ok(!connection.is_in_transaction())
}

async fn prepare(writer: &mut SqliteConnection) -> Result<(), OpenError> {
    check_library(writer).await?;
    enter_wal(writer).await?;
    migrate(writer).await
}

async fn check_library(connection: &mut SqliteConnection) -> Result<(), OpenError> {
    let row = sqlx::query("SELECT sqlite_version()").fetch_one(connection).await.map_err(fault)?;
    let found: String = decode::get(&row, 0)?;
    if is_recent(&found) { Ok(()) } else { Err(OpenError::OldLibrary { found }) }
}

fn is_recent(version: &str) -> bool {
    let numbers: Result<Vec<u32>, _> = version.split('.').map(str::parse).collect();
    numbers.is_ok_and(|numbers| numbers.as_slice() >= OLDEST_LIBRARY.as_slice())
}

/// Switches the file to the write-ahead log, for good.
///
/// The switch needs the file for itself and does not wait for it, so of two who open a new file at once, one is told
/// that it is busy. A transaction does wait; when it is through, who was in the way is gone.
async fn enter_wal(connection: &mut SqliteConnection) -> Result<(), OpenError> {
    for _ in 0..WAL_TRIES {
        match sqlx::query("PRAGMA journal_mode = WAL").fetch_one(&mut *connection).await {
            Ok(mode) if decode::get::<&str>(&mode, 0)? == "wal" => return Ok(()),
            Ok(_) => return Err(OpenError::NoFile),
            Err(error) if is_busy(&error) => {}
            Err(error) => return Err(fault(error).into()),
        }
        let waited = connection.begin_with("BEGIN EXCLUSIVE").await.map_err(fault)?;
        waited.rollback().await.map_err(fault)?;
    }
    Err(StorageError::unavailable("the file is in use").into())
}

#[cfg(test)]
mod tests {
    use sqlx::Executor;

    use super::*;
    use crate::storage::sqlite::error::primary_code;

    async fn connections(folder: &tempfile::TempDir) -> Connections {
        let file = SqliteConnectOptions::new().filename(folder.path().join("family.db"));
        Connections::open(file, NonZeroU32::new(4).unwrap()).await.unwrap()
    }

    async fn pragma(pool: &SqlitePool, sql: &'static str) -> String {
        sqlx::query_scalar(sql).fetch_one(pool).await.unwrap()
    }

    #[tokio::test]
    async fn every_connection_keeps_its_promises() {
        let folder = tempfile::tempdir().unwrap();
        let connections = connections(&folder).await;
        for pool in [&connections.writer, &connections.readers] {
            assert_eq!(pragma(pool, "SELECT journal_mode FROM pragma_journal_mode").await, "wal");
            assert_eq!(pragma(pool, "SELECT CAST(synchronous AS TEXT) FROM pragma_synchronous").await, "2");
            assert_eq!(pragma(pool, "SELECT CAST(foreign_keys AS TEXT) FROM pragma_foreign_keys").await, "1");
            assert_eq!(pragma(pool, "SELECT CAST(timeout AS TEXT) FROM pragma_busy_timeout").await, "2000");
            assert_eq!(pool.options().get_acquire_timeout(), BUSY_TIMEOUT);
            assert_eq!((pool.options().get_idle_timeout(), pool.options().get_max_lifetime()), (None, None));
        }
        assert_eq!(connections.writer.options().get_max_connections(), 1);
        assert_eq!(connections.readers.options().get_max_connections(), 4);
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn a_new_file_is_its_owners_alone_and_one_that_was_there_keeps_its_rights() {
        use std::fs::{self, Permissions};
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().unwrap();
        let rights = |name| fs::metadata(folder.path().join(name)).unwrap().permissions().mode() & 0o777;
        let connections_of_new = connections(&folder).await;
        assert_eq!(["family.db", "family.db-wal", "family.db-shm"].map(rights), [0o600; 3]);
        connections_of_new.close().await;
        fs::set_permissions(folder.path().join("family.db"), Permissions::from_mode(0o640)).unwrap();
        let _connections = connections(&folder).await;
        assert_eq!(["family.db", "family.db-wal", "family.db-shm"].map(rights), [0o640; 3]);
    }

    #[tokio::test]
    async fn a_reader_cannot_write() {
        let folder = tempfile::tempdir().unwrap();
        let connections = connections(&folder).await;
        for sql in ["DELETE FROM users", "CREATE TABLE t (x)", "PRAGMA user_version = 1"] {
            let error = connections.readers.execute(sql).await.unwrap_err();
            assert_eq!(error.as_database_error().and_then(primary_code), Some(8), "{sql}");
        }
    }

    #[tokio::test]
    async fn a_write_holds_the_lock_from_its_beginning() {
        let folder = tempfile::tempdir().unwrap();
        let (ours, other) = (connections(&folder).await, connections(&folder).await);
        let _write = ours.begin().await.unwrap();
        let mut rival = other.writer.acquire().await.unwrap();
        rival.execute("PRAGMA busy_timeout = 0").await.unwrap();
        let error = rival.begin_with("BEGIN IMMEDIATE").await.unwrap_err();
        assert!(is_busy(&error), "{error}");
        assert!(matches!(fault(error), StorageError::Unavailable(_)));
    }

    #[tokio::test]
    async fn a_full_disk_is_unavailable() {
        let folder = tempfile::tempdir().unwrap();
        let connections = connections(&folder).await;
        connections.writer.execute("CREATE TABLE filling (x)").await.unwrap();
        connections.writer.execute("PRAGMA max_page_count = 1").await.unwrap();
        let error = connections.writer.execute("INSERT INTO filling VALUES (zeroblob(1000000))").await.unwrap_err();
        assert_eq!(error.as_database_error().and_then(primary_code), Some(13));
        assert!(matches!(fault(error), StorageError::Unavailable(_)));
    }

    #[tokio::test]
    async fn a_transaction_that_sqlite_ended_by_itself_is_not_in_the_way_of_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let connections = connections(&folder).await;
        let mut ended = connections.begin().await.unwrap();
        ended.execute("ROLLBACK").await.unwrap();
        drop(ended);
        connections.begin().await.unwrap().commit().await.unwrap();
    }

    #[test]
    fn a_library_is_recent_enough_from_3_51_3_on() {
        for recent in ["3.51.3", "3.51.10", "3.52.0", "4.0.0"] {
            assert!(is_recent(recent), "{recent}");
        }
        for old in ["3.51.2", "3.50.99", "3.9.0", "2.99.99", "3.51", "", "3.51.x"] {
            assert!(!is_recent(old), "{old}");
        }
    }
}
