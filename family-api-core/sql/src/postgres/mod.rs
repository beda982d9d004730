//! A storage in PostgreSQL, for any number of nodes.
//!
//! [`PostgresStorage::open`] takes a `postgres:` URL and migrates the schema of that database. A host that already has
//! a pool passes it to [`PostgresStorage::from_pool`]. The storage guarantees:
//!
//! - **No state in the process.** Any number of nodes can use one database. When a node has acknowledged a write, all
//!   nodes see it.
//! - **One write per family at a time.** A write's transaction first adds 1 to the family's revision. This locks the
//!   family's row, so a write waits only for other writes of the same family.
//! - **Bounded waits.** A call waits up to 2 seconds for a free connection, a statement runs for at most 4 seconds, and
//!   a call takes at most 6 seconds, even if the server does not respond. Then the call fails with
//!   [`Unavailable`](family_api_core::storage::StorageError::Unavailable). Loads, exports, commands of
//!   [administration](family_api_core::storage::Administration) and what follows a restore can take longer. A connection that opens within 10
//!   seconds serves later calls, even if the call that began it has failed.
//! - **Only the primary is used.** A standby lags behind the primary, so it could still have a revoked key as valid.
//!   Connections to a standby are rejected.
//! - **Retries.** Serialization failures and deadlocks are retried up to 3 times, after a random pause. A commit whose
//!   response was lost is not retried, and is reported as an error.
//! - **Families can be distributed** over several servers. Every key and index for family data begins with
//!   `family_id`, except the indexes for the purge and for the removal of a user (see [`distributing`]).
//!
//! Each write of this storage increments its family's revision. With [`REVISION_TRIGGERS`], a host app's direct writes
//! into the tables increment it too. The table `_family_api_migrations` contains the history of the schema, separate
//! from a host's migrations.
//!
//! ```no_run
//! use family_api_core::storage::Health;
//! use family_api_sql::postgres::PostgresStorage;
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

mod administration;
mod after_restore;
mod credentials;
mod database;
mod distributed;
mod error;
mod export;
mod feeds;
mod grants;
mod health;
mod inspection;
mod keys;
mod leases;
mod load;
mod membership;
mod migrate;
mod options;
mod pool;
mod purge_digests;
#[cfg(test)]
mod query_plans;
mod reads;
mod row;
mod timestamp;
mod token_lookup;
mod token_sql;
mod users;
mod writes;

#[doc = include_str!("distributed/distributing.md")]
pub mod distributing {}

#[doc = include_str!("operating.md")]
pub mod operating {}

pub use distributed::CITUS_DISTRIBUTION;
pub use error::{OpenError, fault};
pub use options::PostgresOptions;

use std::sync::Arc;

use sqlx::PgPool;

use database::Database;
use pool::Pool;
use token_lookup::TokenLookup;

use crate::migration_state::NoTables;
use crate::statistics::StorageStatistics;

/// SQL of optional triggers that increment a family's revision, and the `sequence` of an event or a task, when a host app
/// writes into the tables. They work only without distributed tables.
pub const REVISION_TRIGGERS: &str = include_str!("../../migrations/postgres/optional/revision_triggers.sql");

/// A storage in a PostgreSQL database. Clones are cheap and share its connections.
#[derive(Clone)]
pub struct PostgresStorage {
    database: Database,
    token_lookup: Arc<TokenLookup>,
}

impl PostgresStorage {
    /// Opens the database of a `postgres:` URL with default settings, and migrates it.
    ///
    /// # Errors
    /// [`OpenError`] if the URL is invalid, or if the database cannot be opened or migrated.
    pub async fn open(url: &str) -> Result<Self, OpenError> {
        PostgresOptions::new(url).open().await
    }

    /// Uses a host app's pool, and migrates its database.
    ///
    /// The pool must be of `sqlx` 0.9, and its connections must lead to the primary. Its size, timeouts and TLS
    /// settings are used unchanged. Set a `statement_timeout`. Without it, the server continues to run a statement
    /// after the storage call was cancelled.
    ///
    /// The storage creates its tables in the connections' default schema, beside the host's tables: `families`,
    /// `users`, `passwords`, `sessions`, `integration_keys`, `grants`, `calendar_feeds`, `calendar_ids`, `signing_keys`,
    /// `note_categories`, `notes`, `boards`, `columns`, `tasks`, `events`, `shopping_lists`, `shopping_items`,
    /// `deleted_records`, `idempotency_keys` and `changes`. If the host uses one of these names, create a separate pool
    /// for the storage, with another default schema: `PgConnectOptions::options([("search_path", "family_api")])`.
    ///
    /// # Errors
    /// [`OpenError`] if the database cannot be opened or migrated.
    pub async fn from_pool(pool: PgPool) -> Result<Self, OpenError> {
        let database = Database::prepare(Pool::of_host(pool), NoTables::Create).await?;
        Ok(Self { database, token_lookup: Arc::new(TokenLookup::new(None)) })
    }

    /// Returns the numbers of the connections and of the lookups of tokens, for a host's metrics.
    #[must_use]
    pub fn statistics(&self) -> StorageStatistics {
        let (token_lookups, coalesced_token_lookups) = self.token_lookup.counts();
        StorageStatistics { pools: self.database.statistics(), token_lookups, coalesced_token_lookups }
    }

    /// Returns whether opening the database created its tables.
    #[must_use]
    pub fn is_new(&self) -> bool {
        self.database.is_new()
    }

    /// Returns the user, the server and the database, without the password: `postgres://user@host:5432/database`.
    #[must_use]
    pub fn location(&self) -> String {
        self.database.location()
    }

    /// Waits for running calls and closes the pool, also if it belongs to a host app. Later calls fail.
    pub async fn close(&self) {
        tokio::join!(self.token_lookup.close(), self.database.close());
    }
}

impl std::fmt::Debug for PostgresStorage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PostgresStorage").finish_non_exhaustive()
    }
}
