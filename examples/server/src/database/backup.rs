//! Backup and restore. PostgreSQL has programs of its own for both.

use std::path::Path;

use family_api_core::storage::sqlite::{BackupError, SqliteOptions};
use family_api_core::{Clock, SystemClock};

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
        "PostgreSQL has its own program for restores. Stop all nodes and run: \
         createdb --owner=ROLE DATABASE && pg_restore --dbname=DATABASE {file} && \
         family-api-server restore --invalidate"
    )]
    PostgresRestore { file: String },
}

/// Writes a backup of the database of a URL to a file.
pub(crate) async fn backup(url: &str, file: &Path) -> Result<(), CopyError> {
    match DatabaseKind::of(url)? {
        DatabaseKind::Sqlite => Ok(SqliteOptions::new(url).backup_to(file).await?),
        DatabaseKind::Postgres => Err(CopyError::PostgresBackup { file: file.display().to_string() }),
    }
}

/// Replaces the database of a URL by a backup whose credentials are invalidated.
pub(crate) async fn restore(url: &str, file: &Path) -> Result<(), CopyError> {
    match DatabaseKind::of(url)? {
        DatabaseKind::Sqlite => Ok(SqliteOptions::new(url).restore_from(file, SystemClock.now()).await?),
        DatabaseKind::Postgres => Err(CopyError::PostgresRestore { file: file.display().to_string() }),
    }
}
