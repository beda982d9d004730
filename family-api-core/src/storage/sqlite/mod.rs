//! An embedded storage in one SQLite file.
//!
//! [`SqliteStorage::open`] takes a path (or a `sqlite:` URL), creates the file if it is missing, and migrates its
//! schema. The storage guarantees:
//!
//! - **Durable writes.** An acknowledged write is on the disk: write-ahead log, `synchronous = FULL`.
//! - **One writer.** Writes use a single connection, and a load uses a separate one. Each transaction begins with
//!   `BEGIN IMMEDIATE`, so it takes the lock first and cannot fail later because another writer was faster.
//! - **Readers cannot write.** All reads use connections that were opened read-only: a pool, and one more for keys. The
//!   database itself rejects a write there. Readers do not wait for the writer, and the writer does not wait for
//!   readers.
//! - **Bounded waits.** The storage waits up to 2 seconds for a lock of another process, and up to 2 seconds for a free
//!   connection. Then it is [unavailable](crate::storage::StorageError::Unavailable).
//! - **Cached keys are never stale.** A key is read again after every commit to the file, by this or another process.
//! - **A family's revision counts every change** of its records, through this storage or by hand in the tables.
//!
//! Several processes may use one file, which must be on a local disk. The table `_family_api_migrations` contains the
//! history of the schema, separate from a host's own migrations. For backups and writes by hand, see [`operating`].
//!
//! ```
//! use family_api_core::storage::Health;
//! use family_api_core::storage::sqlite::SqliteStorage;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("family.db");
//! let storage = SqliteStorage::open(&path).await?;
//! storage.check().await?;
//! storage.close().await;
//! # Ok(())
//! # }
//! ```

#[macro_use]
mod json_sql;

mod connections;
mod credentials;
mod decode;
mod error;
mod health;
#[cfg(test)]
mod instructions;
mod key_cache;
mod keys;
mod load;
mod migrate;
mod options;
mod purge;
#[cfg(test)]
mod query_plans;
mod reads;
mod users;
mod writes;

#[doc = include_str!("operating.md")]
pub mod operating {}

pub use error::{OpenError, fault};
pub use options::SqliteOptions;

use std::path::Path;
use std::sync::Arc;

use connections::Connections;
use key_cache::KeyCache;

/// A storage in one SQLite file. Clones are cheap and share its connections.
#[derive(Clone)]
pub struct SqliteStorage {
    connections: Connections,
    key_cache: Arc<KeyCache>,
}

impl SqliteStorage {
    /// Opens a file with default settings. Creates it if it is missing, readable by its owner only, and migrates it.
    ///
    /// `database` is a path or a `sqlite:` URL.
    ///
    /// # Errors
    /// [`OpenError`] if the file cannot be opened, created or migrated.
    pub async fn open(database: impl AsRef<Path>) -> Result<Self, OpenError> {
        SqliteOptions::new(database).open().await
    }

    /// Waits for running calls, writes the log into the file and closes it. Later calls fail.
    pub async fn close(&self) {
        self.key_cache.close().await;
        self.connections.close().await;
    }
}

impl std::fmt::Debug for SqliteStorage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SqliteStorage").finish_non_exhaustive()
    }
}
