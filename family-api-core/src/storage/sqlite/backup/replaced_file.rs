//! A database that a restored one replaces.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection, Executor, SqliteConnection};

use crate::storage::sqlite::BackupError;
use crate::storage::sqlite::backup::new_file::with_suffix;
use crate::storage::sqlite::backup::{SIDE_FILES, is_own};
use crate::storage::sqlite::error::is_busy;

/// A file that no other process has open. Other processes cannot begin a transaction until it is closed.
pub(super) struct ReplacedFile {
    path: PathBuf,
    /// `None` if the file does not exist.
    existing: Option<(Metadata, SqliteConnection)>,
}

impl ReplacedFile {
    /// Takes the exclusive lock of a file, and removes the files that SQLite wrote beside it. SQLite would apply their
    /// content to the new file.
    pub(super) async fn lock(file: &Path) -> Result<Self, BackupError> {
        let existing = match fs::metadata(file) {
            Ok(metadata) => Some((metadata, lock(file).await?)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(BackupError::read(file, error)),
        };
        for suffix in SIDE_FILES {
            let side_file = with_suffix(file, suffix);
            match fs::remove_file(&side_file) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(BackupError::write(&side_file, error));
                }
                _ => {}
            }
        }
        Ok(Self { path: file.to_owned(), existing })
    }

    /// Gives a new file the owner and the permissions of this file.
    pub(super) fn transfer_permissions(&self, new: &Path) -> Result<(), BackupError> {
        let Some((existing, _)) = &self.existing else { return Ok(()) };
        transfer_owner(existing, new)
            .and_then(|()| fs::set_permissions(new, existing.permissions()))
            .map_err(|source| BackupError::write(&self.path, source))
    }

    /// Releases the lock.
    pub(super) async fn close(self) -> Result<(), BackupError> {
        match self.existing {
            Some((_, connection)) => connection.close().await.map_err(|error| BackupError::sqlite(&self.path, error)),
            None => Ok(()),
        }
    }
}

/// Opens a file of this crate and takes its exclusive lock.
///
/// Every connection of this crate uses the write-ahead log, and holds a lock as long as it is open. Leaving the
/// write-ahead log needs exclusive access, so it fails if another connection is open. It also moves the log into the
/// file and deletes it.
async fn lock(file: &Path) -> Result<SqliteConnection, BackupError> {
    let failed = |error| {
        if is_busy(&error) { BackupError::InUse { file: file.to_owned() } } else { BackupError::sqlite(file, error) }
    };
    let options = SqliteConnectOptions::new().filename(file).busy_timeout(Duration::ZERO);
    let mut connection = SqliteConnection::connect_with(&options).await.map_err(failed)?;
    if !is_own(&mut connection).await.map_err(failed)? {
        return Err(BackupError::OtherFile { file: file.to_owned() });
    }
    let mode: String =
        sqlx::query_scalar("PRAGMA journal_mode = DELETE").fetch_one(&mut connection).await.map_err(failed)?;
    if mode != "delete" {
        return Err(BackupError::InUse { file: file.to_owned() });
    }
    connection.execute("BEGIN EXCLUSIVE").await.map_err(failed)?;
    Ok(connection)
}

#[cfg(unix)]
fn transfer_owner(existing: &Metadata, new: &Path) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, chown};

    let created = fs::metadata(new)?;
    if (created.uid(), created.gid()) == (existing.uid(), existing.gid()) {
        return Ok(());
    }
    chown(new, Some(existing.uid()), Some(existing.gid()))
}

#[cfg(not(unix))]
fn transfer_owner(_: &Metadata, _: &Path) -> io::Result<()> {
    Ok(())
}
