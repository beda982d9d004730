//! An embedded storage in one SQLite file.
//!
//! [`SqliteStorage::open`] takes a path (or a `sqlite:` URL), creates the file if it is missing, and migrates its
//! schema. The storage guarantees:
//!
//! - **Durable writes.** A write is on the disk before it is acknowledged (write-ahead log, `synchronous = FULL`).
//! - **One writer.** All writes use a single connection. A load uses a separate connection. Each transaction begins
//!   with `BEGIN IMMEDIATE`, which takes the write lock. So a transaction cannot fail later because another process
//!   wrote first.
//! - **Families take turns.** A write waits for at most one write of each other family, however many writes they send.
//!   The writes of one family wait for each other, up to 31 at a time. More of them are refused at once (429). The same holds
//!   for what a signed-in user changes.
//! - **Readers cannot write.** Lookups of keys and access tokens use two read-only connections, an export opens one of
//!   its own, documents use one pool of read-only connections, and all other reads another. SQLite rejects a write on
//!   these connections.
//!   Readers and the writer do not wait for each other.
//! - **Bounded waits.** A call waits up to 2 seconds for a lock of another process, and up to 2 seconds for a free
//!   connection. A document of 4 MiB or more also waits up to 2 seconds until no other one is built, and then for a
//!   connection again. A write that counts the records of its family also waits up to 2 seconds until no others are
//!   counted. After such a time, the call fails with
//!   [`Unavailable`](family_api_core::storage::StorageError::Unavailable).
//! - **Cached keys and feeds are never stale.** Each commit to the file, by this or another process, invalidates all of
//!   them.
//! - **Every change of a record increments its family's revision**, also if another program writes into the tables.
//!
//! Several processes may use one file, which must be on a local disk. The table `_family_api_migrations` contains the
//! history of the schema, separate from a host's own migrations. For backups and direct writes into the tables, see
//! [`operating`].
//!
//! ```
//! use family_api_core::storage::Health;
//! use family_api_sql::sqlite::SqliteStorage;
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

mod administration;
mod after_restore;
mod backup;
mod credentials;
mod database;
mod document_builder;
mod document_readers;
mod error;
mod export;
mod feeds;
mod file_version;
mod grants;
mod health;
mod inspection;
#[cfg(test)]
mod instruction_counts;
mod json_sql;
mod keys;
mod load;
mod migrate;
mod options;
mod purge_digests;
#[cfg(test)]
mod query_plans;
mod reads;
mod row;
mod token_cache;
mod users;
mod writer;
mod writes;

#[doc = include_str!("operating.md")]
pub mod operating {}

pub use backup::BackupError;
pub use error::{OpenError, fault};
pub use options::SqliteOptions;

use std::path::Path;
use std::sync::Arc;

use database::Database;
use document_readers::DocumentReaders;
use token_cache::TokenCache;

use crate::statistics::StorageStatistics;

/// A storage in one SQLite file. Clones are cheap and share its connections.
#[derive(Clone)]
pub struct SqliteStorage {
    database: Database,
    documents: DocumentReaders,
    token_cache: Arc<TokenCache>,
}

impl SqliteStorage {
    /// Opens a file with default settings, and migrates it. Creates a missing file, which only its owner can read.
    ///
    /// `database` is a path or a `sqlite:` URL.
    ///
    /// # Errors
    /// [`OpenError`] if the file cannot be opened, created or migrated.
    pub async fn open(database: impl AsRef<Path>) -> Result<Self, OpenError> {
        SqliteOptions::new(database).open().await
    }

    /// Returns the numbers of the connections and of the lookups of tokens, for a host's metrics.
    #[must_use]
    pub fn statistics(&self) -> StorageStatistics {
        let (token_lookups, coalesced_token_lookups) = self.token_cache.counts();
        let mut pools = self.database.statistics();
        pools.push(self.documents.statistics());
        StorageStatistics { pools, token_lookups, coalesced_token_lookups }
    }

    /// Returns whether opening the database created its tables.
    #[must_use]
    pub fn is_new(&self) -> bool {
        self.database.is_new()
    }

    /// Returns the absolute path of the file, as a URL: `sqlite:/var/lib/family/family.db`.
    #[must_use]
    pub fn location(&self) -> String {
        let options = self.database.readers().connect_options();
        let file = options.get_filename();
        format!("sqlite:{}", std::path::absolute(file).unwrap_or_else(|_| file.to_owned()).display())
    }

    /// Waits for running calls, moves the write-ahead log into the database file and closes the file. Later calls fail.
    pub async fn close(&self) {
        self.token_cache.close().await;
        self.documents.close().await;
        self.database.close().await;
    }
}

impl std::fmt::Debug for SqliteStorage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SqliteStorage").finish_non_exhaustive()
    }
}
