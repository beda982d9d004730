//! A database for one test.

pub(crate) use family_api_core::storage::sqlite::OpenError;
use family_api_core::storage::sqlite::SqliteStorage;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, SqliteConnection};
use tempfile::TempDir;

/// The guide for operators.
pub(crate) const OPERATING: &str = include_str!("../../src/storage/sqlite/operating.md");

/// Disables foreign keys for a connection.
pub(crate) const WITHOUT_FOREIGN_KEYS: &str = "PRAGMA foreign_keys = OFF";

/// An empty list of texts in SQL.
pub(crate) const NO_TEXTS: &str = "'[]'";

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

    /// Creates a database whose revisions also change when a host writes. In SQLite, every database does that.
    pub(crate) async fn counting(text: &str) -> Self {
        Self::of(text).await
    }

    /// Opens the file again.
    pub(crate) async fn reopen(&self) -> Result<SqliteStorage, OpenError> {
        SqliteStorage::open(self.folder.path().join("family.db")).await
    }

    /// Opens another connection, such as that of a host.
    pub(crate) async fn by_hand(&self) -> SqliteConnection {
        let file = SqliteConnectOptions::new().filename(self.folder.path().join("family.db")).foreign_keys(true);
        file.connect().await.unwrap()
    }
}
