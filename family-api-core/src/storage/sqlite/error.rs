//! Faults of SQLite, by their meaning.

use sqlx::error::DatabaseError;

use crate::storage::{SchemaError, StorageError};

/// Why a file could not be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The program was linked with a library that is too old.
    #[error("the linked SQLite library is {found}, at least 3.51.3 is needed")]
    OldLibrary {
        /// Its version.
        found: String,
    },
    /// A database in memory, on a file system without locks, named by a `file:` URI instead of its path, or by a URL that
    /// asks for one in memory or without writes (`?mode=memory`, `?mode=ro`).
    #[error("the database must be a file on a local disk, named by its path, that this program may write")]
    NoFile,
    /// The schema is not one that this version makes.
    #[error(transparent)]
    Schema(#[from] SchemaError),
    /// Anything else.
    #[error("the database cannot be opened")]
    Storage(#[from] StorageError),
}

/// The meaning of a fault of SQLite, for a host that keeps tables of its own there.
///
/// - [`StorageError::Unavailable`]: no connection, a lock that was held too long, a full disk, a file that cannot be
///   opened, read or written: whatever may be over soon.
/// - [`StorageError::Corrupt`]: a file that is no database, or a damaged one, and a value that is not of its type.
/// - [`StorageError::Backend`]: anything else, a constraint included.
///
/// ```
/// use family_api_core::storage::StorageError;
/// use family_api_core::storage::sqlite::fault;
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

/// Whether somebody else held the file.
pub(super) fn is_busy(error: &sqlx::Error) -> bool {
    error.as_database_error().and_then(primary_code).is_some_and(|code| BUSY.contains(&code))
}

/// <https://www.sqlite.org/rescode.html>: an extended code holds its primary one in the lowest byte.
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
