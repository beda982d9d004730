//! An embedded storage in one SQLite file.
//!
//! [`SqliteStorage::open`] takes a path (or a `sqlite:` URL), creates the file where it is missing and brings its
//! schema up to date. What it holds to:
//!
//! - **What was acknowledged is on the disk**: write-ahead log, `synchronous = FULL`.
//! - **One writer.** Writes go through a single connection, and a load through one of its own, each in a transaction
//!   that begins with `BEGIN IMMEDIATE`: it never finds out half-way that another was faster.
//! - **Readers cannot write.** Everything that only reads uses connections that were opened read-only, some in a pool and
//!   one for keys, so the database itself refuses a write there. Readers do not wait for the writer, nor the writer for
//!   them.
//! - **Nobody waits for long.** A lock of another process and a free connection are each waited for 2 seconds; then the
//!   storage is [unavailable](crate::storage::StorageError::Unavailable).
//! - **A key is read anew after every commit** to the file, by this process or another; until then it is known.
//! - **A family's revision counts every change** of its records, made by hand in the tables or through here.
//!
//! Several processes may use one file; it must lie on a local disk. The schema's own history is kept in the table
//! `_family_api_migrations`, apart from any host's. Backups, and writes by hand: [`operating`].
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

/// Families in an SQLite file; cheap to clone, all clones share its connections.
#[derive(Clone)]
pub struct SqliteStorage {
    connections: Connections,
    key_cache: Arc<KeyCache>,
}

impl SqliteStorage {
    /// Opens a file, with every setting at its default; where needed it is created, for its owner alone, and migrated.
    ///
    /// `database` is a path or a `sqlite:` URL.
    ///
    /// # Errors
    /// [`OpenError`] says what is wrong with the file.
    pub async fn open(database: impl AsRef<Path>) -> Result<Self, OpenError> {
        SqliteOptions::new(database).open().await
    }

    /// Waits for what is under way, writes the log into the file and closes it; whatever is asked afterwards fails.
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
