//! A database for one test.

use std::path::PathBuf;

use family_api_core::Timestamp;
use family_api_sql::Inspection;
pub(crate) use family_api_sql::sqlite::OpenError;
use family_api_sql::sqlite::{SqliteOptions, SqliteStorage};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, SqliteConnection};
use tempfile::TempDir;

/// Disables foreign keys for a connection.
pub(crate) const WITHOUT_FOREIGN_KEYS: &str = "PRAGMA foreign_keys = OFF";

/// Adds a row to the table `counts` for each count of the records of a family.
pub(crate) const RECORD_COUNTS: &str = "
    CREATE TABLE counts (at TEXT);
    CREATE TRIGGER count_counts AFTER UPDATE OF records_counted_at ON families
    BEGIN INSERT INTO counts VALUES (NEW.records_counted_at); END";

/// Returns SQL that executes a statement after each new `order` of a task, the row `NEW`.
pub(crate) fn after_each_new_order(statement: &str) -> String {
    format!(r#"CREATE TRIGGER new_orders AFTER UPDATE OF "order" ON tasks BEGIN {statement}; END"#)
}

/// SQL of an empty list of strings.
pub(crate) const EMPTY_LIST: &str = "'[]'";

/// A database in a folder. Dropping the fixture removes the folder.
pub(crate) struct Fixture {
    pub(crate) storage: SqliteStorage,
    folder: TempDir,
}

impl Fixture {
    /// Creates an empty database.
    pub(crate) async fn empty() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let storage = SqliteStorage::open(folder.path().join("family.db")).await.unwrap();
        Self { storage, folder }
    }

    /// Creates a database with triggers that increment revisions when the host app writes. In SQLite, every database
    /// has them.
    pub(crate) async fn with_revision_triggers(text: &str) -> Self {
        Self::of(text).await
    }

    /// Opens the file again.
    pub(crate) async fn reopen(&self) -> Result<SqliteStorage, OpenError> {
        SqliteStorage::open(self.path()).await
    }

    /// Inspects the file.
    pub(crate) async fn inspect(&self, now: Timestamp) -> Inspection {
        SqliteOptions::new(self.path()).inspect(now).await.unwrap()
    }

    /// Returns the path of the file.
    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("family.db")
    }

    /// Opens another connection, such as a connection of the host app.
    pub(crate) async fn connect_host(&self) -> SqliteConnection {
        let file = SqliteConnectOptions::new().filename(self.path()).foreign_keys(true);
        file.connect().await.unwrap()
    }
}
