//! A storage in PostgreSQL, for as many nodes as it takes.
//!
//! [`PostgresStorage::open`] takes a `postgres:` URL and brings the schema of that database up to date; a host that has
//! a pool of its own gives it to [`PostgresStorage::from_pool`]. What it holds to:
//!
//! - **Nothing is kept in the process.** Any number of nodes use one database; what one acknowledged, all see.
//! - **One write of a family at a time.** A write first adds 1 to its family's revision, in its own transaction, and so
//!   waits for the writers of that family and of no other.
//! - **Nobody waits for long.** A free connection is waited for 2 seconds, a statement runs for at most 4, and a call
//!   takes at most 6, whatever became of the server; then the storage is
//!   [unavailable](crate::storage::StorageError::Unavailable). Only a [load](crate::storage::Load) takes its time.
//! - **Only the primary is asked.** A standby could still know a key that was revoked; a connection to one is not used.
//! - **Who was in another's way tries again**: serialization failures and deadlocks up to 3 times, after a random pause.
//!   A commit whose answer was lost is not tried again, and not taken for done.
//! - **Families can be spread.** Every table, index and statement leads with the family (see [`operating`]).
//!
//! A family's revision counts what is written through here; with [`REVISION_TRIGGERS`] also what a host writes into the
//! tables by itself. The schema's own history is kept in the table `_family_api_migrations`, apart from any host's.
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
//! A connection is encrypted where the feature `postgres-tls` is on and the server offers it; `?sslmode=verify-full` in
//! the URL insists on it, and on the server's name.

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

/// Triggers with which a family's revision also counts what a host writes into the tables by itself; optional, for plain
/// PostgreSQL.
pub const REVISION_TRIGGERS: &str = include_str!("../../../migrations/postgres/optional/revision_triggers.sql");

/// What spreads the tables over the workers of a Citus cluster; optional.
pub const CITUS_DISTRIBUTION: &str = include_str!("../../../migrations/postgres/optional/citus.sql");

/// Families in a PostgreSQL database; cheap to clone, all clones share its connections.
#[derive(Clone)]
pub struct PostgresStorage {
    connections: Connections,
    key_batcher: Arc<KeyBatcher>,
    /// `None` where the connections are a host's, or there shall be but one.
    key_connection: Option<Arc<KeyConnection>>,
}

impl PostgresStorage {
    /// Opens the database of a `postgres:` URL, with every setting at its default, and migrates it where needed.
    ///
    /// # Errors
    /// [`OpenError`] says what is wrong with the URL or the database.
    pub async fn open(url: &str) -> Result<Self, OpenError> {
        PostgresOptions::new(url).open().await
    }

    /// Takes a pool of the host's, and migrates the database where needed.
    ///
    /// The pool is one of `sqlx` 0.9. Its size, timeouts and TLS are its own: without a `statement_timeout`, a statement that
    /// nobody waits for any more goes on in the server. Its connections lead to the primary.
    ///
    /// Our tables lie beside the host's, in the schema that the connections create tables in: `families`, `users`,
    /// `passwords`, `sessions`, `integration_keys`, `note_categories`, `notes`, `boards`, `columns`, `tasks`, `events`,
    /// `shopping_lists` and `shopping_items`. A host that has one of these names already gives a pool of its own to us, whose
    /// connections have another schema first: `PgConnectOptions::options([("search_path", "family_api")])`.
    ///
    /// # Errors
    /// [`OpenError`] says what is wrong with the database.
    pub async fn from_pool(pool: PgPool) -> Result<Self, OpenError> {
        Ok(Self::over(Connections::prepare(pool).await?))
    }

    fn over(connections: Connections) -> Self {
        Self { connections, key_batcher: Arc::new(KeyBatcher::new()), key_connection: None }
    }

    /// Waits for what is under way and closes the connections, those of a host's pool too; whatever is asked afterwards
    /// fails.
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
