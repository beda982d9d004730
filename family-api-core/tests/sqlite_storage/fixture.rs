//! A database for one test.

use std::path::PathBuf;

pub(crate) use family_api_core::storage::sqlite::OpenError;
use family_api_core::storage::sqlite::SqliteStorage;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, SqliteConnection};
use tempfile::TempDir;

/// Disables foreign keys for a connection.
pub(crate) const WITHOUT_FOREIGN_KEYS: &str = "PRAGMA foreign_keys = OFF";

/// Removes the trigger that deletes the grants of a deleted user.
pub(crate) const DROP_GRANTS_TRIGGER: &str = "DROP TRIGGER grants_of_deleted_user";

/// Removes the columns with the bounds of a family's records, and the triggers that use them.
pub(crate) const DROP_RECORD_BOUND: &str = "
    DROP TRIGGER tasks_inserted;
    DROP TRIGGER notes_inserted;
    DROP TRIGGER events_inserted;
    DROP TRIGGER shopping_items_inserted;
    DROP TRIGGER tasks_deleted;
    DROP TRIGGER notes_deleted;
    DROP TRIGGER events_deleted;
    DROP TRIGGER shopping_items_deleted;
    ALTER TABLE families DROP COLUMN tasks_bound;
    ALTER TABLE families DROP COLUMN notes_bound;
    ALTER TABLE families DROP COLUMN events_bound;
    ALTER TABLE families DROP COLUMN shopping_items_bound;
    ALTER TABLE families DROP COLUMN records_counted_at";

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
