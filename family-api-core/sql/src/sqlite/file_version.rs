//! Tells whether the file has changed, on the calling thread.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

/// SQLite changes this value when another connection of this or another process commits. It can also change without a
/// commit. Only values of the same connection can be compared.
const DATA_VERSION: &str = "PRAGMA data_version";

/// A read-only connection that reads the version of the file.
///
/// It is a connection of rusqlite, because sqlx runs each of its connections on a thread of its own: two threads would
/// wake each other for a statement of 3 µs. The statement reads memory that all connections share, and after a commit
/// the file's first page, which that commit has just written. So it hardly ever waits for the disk. It waits for a lock
/// only while another process recovers the log.
pub(super) struct FileVersion(Connection);

impl FileVersion {
    /// Opens the connection.
    pub(super) fn open(file: &Path) -> rusqlite::Result<Self> {
        let connection =
            Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
        // rusqlite waits for 5 seconds by default.
        connection.busy_timeout(Duration::ZERO)?;
        Ok(Self(connection))
    }

    /// Returns the version, or `None` if it cannot be read at once.
    pub(super) fn read(&self) -> Option<i64> {
        self.0.prepare_cached(DATA_VERSION).ok()?.query_row([], |row| row.get(0)).ok()
    }
}
