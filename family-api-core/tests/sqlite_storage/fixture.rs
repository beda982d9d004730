//! A database of a test's own.

pub(crate) use family_api_core::storage::sqlite::OpenError;
use family_api_core::storage::sqlite::SqliteStorage;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, SqliteConnection};
use tempfile::TempDir;

/// The operator's page.
pub(crate) const OPERATING: &str = include_str!("../../src/storage/sqlite/operating.md");

/// Lets a connection delete what others refer to.
pub(crate) const WITHOUT_FOREIGN_KEYS: &str = "PRAGMA foreign_keys = OFF";

/// A list of no texts, as SQL.
pub(crate) const NO_TEXTS: &str = "'[]'";

/// A database in a folder that goes when it does.
pub(crate) struct Fixture {
    pub(crate) storage: SqliteStorage,
    folder: TempDir,
}

impl Fixture {
    /// A database with nothing in it.
    pub(crate) async fn empty() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let storage = SqliteStorage::open(folder.path().join("family.db")).await.unwrap();
        Self { storage, folder }
    }

    /// A database whose revisions also count what a host writes: here, all do.
    pub(crate) async fn counting(text: &str) -> Self {
        Self::of(text).await
    }

    /// Opens the file again.
    pub(crate) async fn reopen(&self) -> Result<SqliteStorage, OpenError> {
        SqliteStorage::open(self.folder.path().join("family.db")).await
    }

    /// A connection of somebody else.
    pub(crate) async fn by_hand(&self) -> SqliteConnection {
        let file = SqliteConnectOptions::new().filename(self.folder.path().join("family.db")).foreign_keys(true);
        file.connect().await.unwrap()
    }
}
