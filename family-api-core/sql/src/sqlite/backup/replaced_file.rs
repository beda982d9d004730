//! A database that a restored one replaces.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteLockingMode};
use sqlx::{Connection, Executor, SqliteConnection};

use crate::sqlite::BackupError;
use crate::sqlite::backup::SIDE_FILES;
use crate::sqlite::backup::new_file::with_suffix;
use crate::sqlite::database::has_tables;
use crate::sqlite::error::is_busy;

/// A file that no other process uses. Other processes cannot begin a transaction until it is closed.
pub(super) struct ReplacedFile {
    path: PathBuf,
    /// `None` if the file does not exist.
    existing: Option<LockedFile>,
}

struct LockedFile {
    metadata: Metadata,
    /// Opened after the lock was taken, because closing it releases all locks that the process has on the file.
    file: File,
    connection: SqliteConnection,
}

impl ReplacedFile {
    /// Takes the exclusive lock of a file, and removes the files that SQLite wrote beside it. SQLite would apply their
    /// content to the new file.
    pub(super) async fn lock(file: &Path) -> Result<Self, BackupError> {
        let existing = match fs::metadata(file) {
            Ok(_) => {
                let connection = lock(file).await?;
                let failed = |error| BackupError::write(file, error);
                let opened = OpenOptions::new().write(true).open(file).map_err(failed)?;
                let metadata = opened.metadata().map_err(failed)?;
                Some(LockedFile { metadata, file: opened, connection })
            }
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
    pub(super) fn transfer_permissions(&self, new: &File) -> Result<(), BackupError> {
        let Some(LockedFile { metadata, .. }) = &self.existing else { return Ok(()) };
        transfer_owner(metadata, new)
            .and_then(|()| new.set_permissions(metadata.permissions()))
            .map_err(|source| BackupError::write(&self.path, source))
    }

    /// Releases the lock, after the file was replaced.
    ///
    /// A process that opened the file before may wait for the lock. It would then write to a file without a name, and
    /// SQLite would apply its log to the new file. So the replaced file becomes unusable first.
    pub(super) async fn close(self) -> Result<(), BackupError> {
        let Some(LockedFile { file, connection, .. }) = self.existing else { return Ok(()) };
        invalidate(&file).map_err(|source| BackupError::write(&self.path, source))?;
        connection.close().await.map_err(|error| BackupError::sqlite(&self.path, error))
    }
}

/// Opens a file of this crate and takes its exclusive lock.
async fn lock(file: &Path) -> Result<SqliteConnection, BackupError> {
    let mut connection = leave_write_ahead_log(file).await?;
    // A file that did not use the write-ahead log has no exclusive lock yet.
    connection.execute("BEGIN EXCLUSIVE").await.map_err(|error| failed(file, error))?;
    Ok(connection)
}

/// Opens a file of this crate, moves its write-ahead log into it, and deletes the log.
///
/// Every connection of this crate uses the write-ahead log, and holds a lock as long as it is open. Leaving the
/// write-ahead log needs the exclusive lock, so it fails if another connection is open. The locking mode keeps this
/// lock. Without it, another process could return to the write-ahead log, with which many processes can have the file
/// open.
async fn leave_write_ahead_log(file: &Path) -> Result<SqliteConnection, BackupError> {
    let failed = |error| failed(file, error);
    let options = SqliteConnectOptions::new().filename(file).busy_timeout(Duration::ZERO);
    let options = options.locking_mode(SqliteLockingMode::Exclusive);
    let mut connection = SqliteConnection::connect_with(&options).await.map_err(failed)?;
    if !has_tables(&mut connection).await.map_err(failed)? {
        return Err(BackupError::OtherFile { file: file.to_owned() });
    }
    let mode: String =
        sqlx::query_scalar("PRAGMA journal_mode = DELETE").fetch_one(&mut connection).await.map_err(failed)?;
    if mode == "delete" { Ok(connection) } else { Err(BackupError::InUse { file: file.to_owned() }) }
}

fn failed(file: &Path, error: sqlx::Error) -> BackupError {
    if is_busy(&error) { BackupError::InUse { file: file.to_owned() } } else { BackupError::sqlite(file, error) }
}

/// Overwrites the header of a file that has no name. SQLite refuses such a file.
#[cfg(unix)]
fn invalidate(mut file: &File) -> io::Result<()> {
    use std::io::Write;
    use std::os::unix::fs::MetadataExt;

    const HEADER_SIZE: usize = 100;

    if file.metadata()?.nlink() == 0 { file.write_all(&[0; HEADER_SIZE]) } else { Ok(()) }
}

#[cfg(not(unix))]
fn invalidate(_: &File) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn transfer_owner(existing: &Metadata, new: &File) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};

    let created = new.metadata()?;
    if (created.uid(), created.gid()) == (existing.uid(), existing.gid()) {
        return Ok(());
    }
    fchown(new, Some(existing.uid()), Some(existing.gid()))
}

#[cfg(not(unix))]
fn transfer_owner(_: &Metadata, _: &File) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use sqlx::sqlite::SqliteJournalMode;

    use super::*;
    use crate::sqlite::SqliteStorage;

    #[tokio::test]
    async fn the_lock_is_held_from_the_end_of_the_write_ahead_log() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("family.db");
        SqliteStorage::open(&file).await.unwrap().close().await;
        let leaving = leave_write_ahead_log(&file).await.unwrap();
        let other = SqliteConnectOptions::new().filename(&file).journal_mode(SqliteJournalMode::Wal);
        let error = SqliteConnection::connect_with(&other.busy_timeout(Duration::ZERO)).await.unwrap_err();
        assert!(is_busy(&error), "{error}");
        leaving.close().await.unwrap();
    }
}
