//! Backups: complete copies of a file, which replace another file atomically.

mod error;
#[cfg(unix)]
mod folders;
mod new_file;
mod replaced_file;

pub use error::BackupError;

use std::path::{Path, PathBuf};

use family_api_core::Timestamp;
use family_api_core::storage::RestoredStorage;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection, SqliteConnection};

use crate::sqlite::database::{BUSY_TIMEOUT, check_path, has_tables};
use crate::sqlite::{OpenError, SqliteOptions, SqliteStorage};

#[cfg(unix)]
use folders::check_folders;
use new_file::{NewFile, resolve, with_suffix};
use replaced_file::ReplacedFile;

/// The suffixes of the files that SQLite writes beside a file.
const SIDE_FILES: [&str; 3] = ["-wal", "-shm", "-journal"];

/// Returns the first fault, or `ok`.
const CHECK: &str = "PRAGMA integrity_check(1)";

impl SqliteOptions {
    /// Writes a complete copy of the database, also while the database is in use. The database is not migrated.
    ///
    /// The copy is written to a temporary file in the folder of `backup`. Then it replaces `backup` atomically. Only
    /// the owner can read it.
    ///
    /// Root is refused if another user can change a folder or a link on the way to the database or the backup.
    ///
    /// # Errors
    /// [`BackupError`] if the database does not exist, cannot be read, or the copy cannot be written.
    pub async fn backup_to(&self, backup: impl AsRef<Path>) -> Result<(), BackupError> {
        let backup = backup.as_ref();
        let source = self.file()?;
        let database = check_path(&source)?;
        if database.try_exists().is_ok_and(|exists| !exists) {
            return Err(OpenError::Missing.into());
        }
        check_folders(database)?;
        check_folders(backup)?;
        let database = existing(database)?;
        let target = resolve(backup).map_err(|source| BackupError::write(backup, source))?;
        let is_in_use = SIDE_FILES.iter().any(|suffix| with_suffix(&target, suffix).exists());
        if belongs_to(&target, &database) {
            return Err(BackupError::SameFile { file: backup.to_owned() });
        } else if is_in_use {
            return Err(BackupError::InUse { file: backup.to_owned() });
        }
        let copy = NewFile::beside(target)?;
        copy_file(source, &copy).await?;
        copy.replace_target().await
    }

    /// Replaces the database by a copy of a backup. No process may have the database open.
    ///
    /// The copy is checked and migrated, and its credentials are invalidated
    /// ([`invalidate_credentials`](RestoredStorage::invalidate_credentials)). Then it replaces the database atomically,
    /// and gets its owner and permissions. If there is no database, the copy becomes one that only its owner can read.
    ///
    /// Root is refused if another user can change a folder or a link on the way to the database or the backup.
    ///
    /// # Errors
    /// [`BackupError`] if the backup is not a sound database of this crate, or the database is in use, damaged or one of
    /// another program.
    pub async fn restore_from(&self, backup: impl AsRef<Path>, now: Timestamp) -> Result<(), BackupError> {
        let backup = backup.as_ref();
        let database = self.file()?;
        let database = check_path(&database)?;
        check_folders(database)?;
        check_folders(backup)?;
        let target = resolve(database).map_err(|source| BackupError::write(database, source))?;
        let source = existing(backup)?;
        if belongs_to(&source, &target) {
            return Err(BackupError::SameFile { file: backup.to_owned() });
        }
        let copy = NewFile::beside(target)?;
        let source = SqliteConnectOptions::new().filename(source);
        check(&source).await?;
        copy_file(source, &copy).await?;
        let storage = Self::new(copy.path()).open().await?;
        let invalidated = storage.invalidate_credentials(now).await;
        storage.close().await;
        invalidated.map_err(OpenError::from)?;
        // The file is locked only while it is replaced, not while a large copy is written to the disk.
        copy.sync().await?;
        let replaced = ReplacedFile::lock(copy.target()).await?;
        replaced.transfer_permissions(copy.file())?;
        copy.replace_target().await?;
        replaced.close().await
    }
}

impl SqliteStorage {
    /// Returns whether a path leads to the database file, or to a file that SQLite writes beside it. Another program
    /// must not write such a file.
    #[must_use]
    pub fn owns(&self, path: impl AsRef<Path>) -> bool {
        let database = resolve(self.database.readers().connect_options().get_filename());
        resolve(path.as_ref()).is_ok_and(|path| database.is_ok_and(|database| belongs_to(&path, &database)))
    }
}

/// Other systems have no user root.
#[cfg(not(unix))]
fn check_folders(_: &Path) -> Result<(), BackupError> {
    Ok(())
}

/// Returns the path of a file that must exist, without symbolic links.
fn existing(file: &Path) -> Result<PathBuf, BackupError> {
    file.canonicalize().map_err(|source| BackupError::read(file, source))
}

/// Returns whether a path is a database or a file that SQLite writes beside it.
fn belongs_to(path: &Path, database: &Path) -> bool {
    path == database || SIDE_FILES.iter().any(|suffix| path == with_suffix(database, suffix))
}

/// Checks that the pages and indexes of a file are sound.
async fn check(source: &SqliteConnectOptions) -> Result<(), BackupError> {
    let file = source.get_filename();
    let failed = |error| BackupError::sqlite(file, error);
    let mut connection = SqliteConnection::connect_with(source).await.map_err(failed)?;
    let checked: Result<String, _> = sqlx::query_scalar(CHECK).fetch_one(&mut connection).await;
    connection.close().await.map_err(failed)?;
    match checked.map_err(failed)? {
        sound if sound == "ok" => Ok(()),
        reason => Err(BackupError::Damaged { file: file.to_owned(), reason }),
    }
}

/// Copies a database of this crate with its write-ahead log.
async fn copy_file(source: SqliteConnectOptions, copy: &NewFile) -> Result<(), BackupError> {
    let file = source.get_filename().to_owned();
    let failed = |error| BackupError::sqlite(&file, error);
    let Some(target) = copy.path().to_str() else {
        return Err(BackupError::write(copy.target(), std::io::Error::other("its path is not UTF-8")));
    };
    let source = source.create_if_missing(false).busy_timeout(BUSY_TIMEOUT);
    let mut connection = SqliteConnection::connect_with(&source).await.map_err(failed)?;
    let copied = vacuum_into(&mut connection, target).await;
    // After an error too, SQLite must remove the files beside the database before the process ends.
    let closed = connection.close().await;
    if !copied.map_err(failed)? {
        return Err(BackupError::OtherFile { file });
    }
    closed.map_err(failed)
}

/// Copies a database into an empty file. Returns `false` if it has no tables of this crate.
async fn vacuum_into(connection: &mut SqliteConnection, target: &str) -> Result<bool, sqlx::Error> {
    let has_tables = has_tables(connection).await?;
    if has_tables {
        sqlx::query("VACUUM INTO ?1").bind(target).execute(connection).await?;
    }
    Ok(has_tables)
}

#[cfg(test)]
mod tests {
    use sqlx::Executor;

    use super::*;

    /// Creates a database and its backup in a folder, and returns the database.
    async fn backed_up(folder: &Path) -> SqliteOptions {
        let database = folder.join("family.db");
        SqliteStorage::open(&database).await.unwrap().close().await;
        let options = SqliteOptions::new(&database);
        options.backup_to(folder.join("backup.db")).await.unwrap();
        options
    }

    async fn restore(options: &SqliteOptions, folder: &Path) {
        options.restore_from(folder.join("backup.db"), "2026-11-20T09:00:00Z".parse().unwrap()).await.unwrap();
    }

    #[tokio::test]
    async fn a_waiting_process_cannot_write_to_the_replaced_file() {
        let folder = tempfile::tempdir().unwrap();
        let options = backed_up(folder.path()).await;
        // Without a transaction, it has opened the file and has no lock, as a process that waits for the lock.
        let waiting = SqliteConnectOptions::new().filename(folder.path().join("family.db"));
        let mut waiting = SqliteConnection::connect_with(&waiting).await.unwrap();
        restore(&options, folder.path()).await;
        let error = waiting.execute("DELETE FROM families").await.unwrap_err();
        assert!(error.to_string().ends_with("file is not a database"), "{error}");
        waiting.close().await.unwrap();
        options.must_exist().open().await.unwrap().close().await;
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn a_link_in_the_place_of_the_new_file_is_not_followed() {
        use std::fs::{self, Permissions};
        use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};

        let folder = tempfile::tempdir().unwrap();
        let _options = backed_up(folder.path()).await;
        let database = folder.path().join("family.db");
        if rustix::process::geteuid().is_root() {
            chown(&database, Some(65_534), Some(65_534)).unwrap();
        }
        let victim = folder.path().join("victim");
        fs::write(&victim, "secret").unwrap();
        fs::set_permissions(&victim, Permissions::from_mode(0o644)).unwrap();
        let owner = |path: &Path| fs::metadata(path).map(|file| (file.uid(), file.gid(), file.mode())).unwrap();
        let before = owner(&victim);

        let copy = NewFile::beside(database.clone()).unwrap();
        let replaced = ReplacedFile::lock(&database).await.unwrap();
        fs::remove_file(copy.path()).unwrap();
        symlink(&victim, copy.path()).unwrap();
        replaced.transfer_permissions(copy.file()).unwrap();
        assert_eq!(owner(&victim), before);
        let error = copy.replace_target().await.unwrap_err();
        assert!(matches!(error, BackupError::Write { .. }), "{error}");
        replaced.close().await.unwrap();
        assert!(!database.is_symlink());
        assert_eq!(fs::read(&victim).unwrap(), b"secret");
    }

    #[tokio::test]
    async fn another_name_of_the_replaced_file_keeps_it() {
        let folder = tempfile::tempdir().unwrap();
        let options = backed_up(folder.path()).await;
        let snapshot = folder.path().join("snapshot.db");
        std::fs::hard_link(folder.path().join("family.db"), &snapshot).unwrap();
        restore(&options, folder.path()).await;
        SqliteOptions::new(snapshot).must_exist().open().await.unwrap().close().await;
    }
}
