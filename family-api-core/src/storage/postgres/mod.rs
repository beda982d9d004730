//! A storage in PostgreSQL, for any number of nodes.
//!
//! [`PostgresStorage::open`] takes a `postgres:` URL and migrates the schema of that database. A host that already has
//! a pool passes it to [`PostgresStorage::from_pool`]. The storage guarantees:
//!
//! - **No state in the process.** Any number of nodes use one database. All nodes see a write that one has
//!   acknowledged.
//! - **One write per family at a time.** A write's transaction first adds 1 to the family's revision. This locks the
//!   family, so the write waits for other writers of that family only.
//! - **Bounded waits.** A call waits up to 2 seconds for a free connection, a statement runs for at most 4 seconds, and
//!   a call takes at most 6 seconds, even if the server does not respond. Then the storage is
//!   [unavailable](crate::storage::StorageError::Unavailable). Only a [load](crate::storage::Load) may take longer.
//! - **Only the primary is used.** A standby could still accept a revoked key, so connections to a standby are
//!   rejected.
//! - **Retries.** Serialization failures and deadlocks are retried up to 3 times, after a random pause. A commit whose
//!   response was lost is not retried, and is reported as an error.
//! - **Families can be distributed** over several servers. Every table, index and statement begins with the family (see
//!   [`operating`]).
//!
//! A family's revision counts the writes of this storage. With [`REVISION_TRIGGERS`] it also counts what a host writes
//! into the tables. The table `_family_api_migrations` contains the history of the schema, separate from a host's
//! migrations.
//!
//! ```no_run
//! use family_api_core::storage::Health;
//! use family_api_core::storage::postgres::PostgresStorage;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let storage = PostgresStorage::open("postgres://family@db.example/family").await?;
//! storage.check().await?;
//! storage.close().await;
//! # Ok(())
//! # }
//! ```
//!
//! Connections are encrypted if the feature `postgres-tls` is on and the server supports it. `?sslmode=verify-full` in
//! the URL requires encryption and verifies the server's certificate and name.

mod connections;
mod credentials;
mod decode;
mod decode_records;
mod error;
mod health;
mod instant;
mod key_connection;
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

pub use error::OpenError;
pub use options::PostgresOptions;

use std::sync::Arc;

use sqlx::PgPool;

use connections::Connections;
use key_connection::KeyConnection;

use crate::storage::key_batcher::KeyBatcher;

/// SQL for optional triggers that also count a host's own writes in a family's revision. For plain PostgreSQL only.
pub const REVISION_TRIGGERS: &str = include_str!("../../../migrations/postgres/optional/revision_triggers.sql");

/// SQL that distributes the tables over the workers of a Citus cluster. Optional.
pub const CITUS_DISTRIBUTION: &str = include_str!("../../../migrations/postgres/optional/citus.sql");

/// A storage in a PostgreSQL database. Clones are cheap and share its connections.
#[derive(Clone)]
pub struct PostgresStorage {
    connections: Connections,
    key_batcher: Arc<KeyBatcher>,
    /// `None` if the pool belongs to a host, or if only one connection is allowed.
    key_connection: Option<Arc<KeyConnection>>,
}

impl PostgresStorage {
    /// Opens the database of a `postgres:` URL with default settings, and migrates it.
    ///
    /// # Errors
    /// [`OpenError`] if the URL is invalid, or if the database cannot be opened or migrated.
    pub async fn open(url: &str) -> Result<Self, OpenError> {
        PostgresOptions::new(url).open().await
    }

    /// Uses a host's pool, and migrates its database.
    ///
    /// The pool must be of `sqlx` 0.9, and its connections must lead to the primary. The pool's own size, timeouts and
    /// TLS apply. Set a `statement_timeout`: without it, the server continues to run a statement after its call was
    /// cancelled.
    ///
    /// The storage creates its tables in the connections' default schema, beside the host's tables: `families`,
    /// `users`, `passwords`, `sessions`, `integration_keys`, `note_categories`, `notes`, `boards`, `columns`, `tasks`,
    /// `events`, `shopping_lists` and `shopping_items`. If one of these names is in use, create a separate pool for the
    /// storage, with another schema first: `PgConnectOptions::options([("search_path", "family_api")])`.
    ///
    /// # Errors
    /// [`OpenError`] if the database cannot be opened or migrated.
    pub async fn from_pool(pool: PgPool) -> Result<Self, OpenError> {
        Ok(Self::with_connections(Connections::prepare(pool).await?))
    }

    fn with_connections(connections: Connections) -> Self {
        Self { connections, key_batcher: Arc::new(KeyBatcher::new()), key_connection: None }
    }

    /// Waits for running calls and closes the connections, also those of a host's pool. Later calls fail.
    pub async fn close(&self) {
        let key_connection = async {
            if let Some(key_connection) = &self.key_connection {
                key_connection.close().await;
            }
        };
        tokio::join!(key_connection, self.connections.close());
    }
}

impl std::fmt::Debug for PostgresStorage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PostgresStorage").finish_non_exhaustive()
    }
}
