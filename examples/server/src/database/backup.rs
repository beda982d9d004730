//! Backup and restore. PostgreSQL has programs of its own for both.

use std::path::Path;

use family_api_core::{Clock, SystemClock};
use family_api_sql::postgres::PostgresOptions;
use family_api_sql::sqlite::{self, BackupError, SqliteOptions};

use crate::database::error::PostgresOpenError;
use crate::database::{DatabaseKind, OpenError};

/// A backup was not written, or not restored.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CopyError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Sqlite(#[from] BackupError),
    #[error("PostgreSQL has its own program for backups, so run: pg_dump --format=custom --file={file} DATABASE")]
    PostgresBackup { file: String },
    #[error(
        "PostgreSQL has its own program for backups, so run on the coordinator: pg_dump --format=custom --no-comments \
         --exclude-table=_family_api_coordinator --exclude-table=_family_api_distributed \
         --exclude-table=_family_api_user_locks --file={file} DATABASE"
    )]
    DistributedBackup { file: String },
    #[error(
        "PostgreSQL has its own program for restores. Stop all nodes and run: \
         createdb --owner=ROLE DATABASE && pg_restore --dbname=DATABASE {file} && \
         family-api-server restore --invalidate"
    )]
    PostgresRestore { file: String },
}

impl CopyError {
    /// Converts an error of the SQLite database of a URL.
    fn of_sqlite(error: BackupError, url: &str) -> Self {
        match error {
            BackupError::Open(sqlite::OpenError::Missing) => OpenError::NoSqlite { url: url.to_owned() }.into(),
            other => Self::Sqlite(other),
        }
    }
}

/// Writes a backup of the database of a URL to a file.
pub(crate) async fn backup(url: &str, file: &Path) -> Result<(), CopyError> {
    match DatabaseKind::of(url)? {
        DatabaseKind::Sqlite => {
            SqliteOptions::new(url).backup_to(file).await.map_err(|error| CopyError::of_sqlite(error, url))
        }
        DatabaseKind::Postgres => {
            let file = file.display().to_string();
            let is_distributed = PostgresOptions::new(url).is_distributed().await.map_err(PostgresOpenError::new);
            let is_distributed = is_distributed.map_err(OpenError::from)?;
            Err(if is_distributed { CopyError::DistributedBackup { file } } else { CopyError::PostgresBackup { file } })
        }
    }
}

/// A restore of an SQLite database, which has not begun.
pub(crate) struct Restore<'a> {
    database: SqliteOptions,
    backup: &'a Path,
}

impl<'a> Restore<'a> {
    /// Names the database of a URL and its backup.
    ///
    /// # Errors
    /// [`CopyError::PostgresRestore`] for a PostgreSQL database, and [`CopyError::Open`] for an invalid URL.
    pub(crate) fn new(url: &str, backup: &'a Path) -> Result<Self, CopyError> {
        match DatabaseKind::of(url)? {
            DatabaseKind::Sqlite => Ok(Self { database: SqliteOptions::new(url), backup }),
            DatabaseKind::Postgres => Err(CopyError::PostgresRestore { file: backup.display().to_string() }),
        }
    }

    /// Replaces the database by the backup, whose credentials are invalidated.
    pub(crate) async fn run(self) -> Result<(), CopyError> {
        Ok(self.database.restore_from(self.backup, SystemClock.now()).await?)
    }
}
