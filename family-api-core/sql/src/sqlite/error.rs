//! Conversion of SQLite's errors.

use family_api_core::storage::StorageError;
use sqlx::error::DatabaseError;

use crate::migration_state::SchemaError;

/// Why a file could not be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The linked SQLite library is too old.
    #[error("the linked SQLite library is {found}, but 3.51.3 or newer is required")]
    OldLibrary {
        /// The version of the linked library.
        found: String,
    },
    /// The database is not a usable file: it is in memory, on a file system without locks, given as a `file:` URI
    /// instead of a path, or by a URL with `?mode=memory` or `?mode=ro`.
    #[error("the database must be a writable file on a local disk, given by its path")]
    NoFile,
    /// The file does not exist, or has no tables of this crate
    /// ([`SqliteOptions::must_exist`](super::SqliteOptions::must_exist)).
    #[error("the database does not exist")]
    Missing,
    /// The schema does not match this version.
    #[error(transparent)]
    Schema(#[from] SchemaError),
    /// Any other error.
    #[error("the database cannot be opened")]
    Storage(#[from] StorageError),
}

/// Converts an error of SQLite to a [`StorageError`], for a host that has tables of its own in the file.
///
/// - [`StorageError::Unavailable`] for errors that may be temporary: no connection, a lock that was held too long, a
///   full disk, a file that cannot be opened, read or written.
/// - [`StorageError::Corrupt`] for a damaged file, a file that is not a database, and a value of the wrong type.
/// - [`StorageError::Backend`] for any other error, for example a violated constraint.
///
/// ```
/// use family_api_core::storage::StorageError;
/// use family_api_sql::sqlite::fault;
///
/// assert!(matches!(fault(sqlx::Error::PoolTimedOut), StorageError::Unavailable(_)));
/// assert!(matches!(fault(sqlx::Error::RowNotFound), StorageError::Backend(_)));
/// ```
#[must_use]
pub fn fault(error: sqlx::Error) -> StorageError {
    match &error {
        sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed
        | sqlx::Error::BeginFailed
        | sqlx::Error::Io(_) => StorageError::unavailable(error),
        sqlx::Error::Decode(_) | sqlx::Error::ColumnDecode { .. } | sqlx::Error::TypeNotFound { .. } => {
            StorageError::corrupt(error)
        }
        sqlx::Error::Database(database) => match primary_code(&**database) {
            Some(code) if UNAVAILABLE.contains(&code) => StorageError::unavailable(error),
            Some(code) if CORRUPT.contains(&code) => StorageError::corrupt(error),
            _ => StorageError::backend(error),
        },
        _ => StorageError::backend(error),
    }
}

/// Converts an error of a connection of rusqlite, like [`fault`].
pub(super) fn read_fault(error: rusqlite::Error) -> StorageError {
    use rusqlite::Error::{FromSqlConversionFailure, InvalidColumnType, Utf8Error};

    match (&error, error.sqlite_error().map(|error| error.extended_code.cast_unsigned() & 0xff)) {
        (_, Some(code)) if UNAVAILABLE.contains(&code) => StorageError::unavailable(error),
        (_, Some(code)) if CORRUPT.contains(&code) => StorageError::corrupt(error),
        (FromSqlConversionFailure(..) | InvalidColumnType(..) | Utf8Error(..), _) => StorageError::corrupt(error),
        _ => StorageError::backend(error),
    }
}

/// Returns whether the file was locked by another connection.
pub(super) fn is_busy(error: &sqlx::Error) -> bool {
    error.as_database_error().and_then(primary_code).is_some_and(|code| BUSY.contains(&code))
}

/// Returns the primary result code, which is the lowest byte of an extended code
/// (<https://www.sqlite.org/rescode.html>).
pub(super) fn primary_code(error: &dyn DatabaseError) -> Option<u32> {
    let code: u32 = error.code()?.parse().ok()?;
    Some(code & 0xff)
}

/// `BUSY`, `LOCKED`.
const BUSY: [u32; 2] = [5, 6];

/// `PERM`, `BUSY`, `LOCKED`, `NOMEM`, `READONLY`, `INTERRUPT`, `IOERR`, `FULL`, `CANTOPEN`, `PROTOCOL`.
const UNAVAILABLE: [u32; 10] = [3, 5, 6, 7, 8, 9, 10, 13, 14, 15];

/// `CORRUPT`, `NOTADB`.
const CORRUPT: [u32; 2] = [11, 26];
