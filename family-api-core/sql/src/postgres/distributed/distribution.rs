//! Whether the tables of a database are distributed.

use std::sync::Arc;

use family_api_core::storage::StorageError;
use sqlx::PgConnection;

use crate::postgres::database::{Database, query_bool};
use crate::postgres::distributed::bulkheads::Bulkheads;

/// The table `_family_api_distributed` exists on every server if the tables are distributed over several servers.
pub(crate) const IS_DISTRIBUTED: &str = "SELECT to_regclass('_family_api_distributed') IS NOT NULL";

/// The table `_family_api_coordinator` exists only on the server that migrates and loads distributed tables.
const IS_COORDINATOR: &str = "SELECT to_regclass('_family_api_coordinator') IS NOT NULL";

/// Whether the server is one of a Citus cluster, so that the server of a shard can be found.
const HAS_PLACEMENTS: &str = "SELECT to_regclass('pg_dist_placement') IS NOT NULL";

/// Whether the tables are distributed, and what the connected server is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Distribution {
    /// All tables are on this server.
    None,
    /// The server that migrates and loads distributed tables.
    Coordinator,
    /// Another server of distributed tables.
    Worker,
}

impl Distribution {
    pub(crate) async fn of(connection: &mut PgConnection) -> Result<Self, StorageError> {
        if !query_bool(connection, IS_DISTRIBUTED).await? {
            return Ok(Self::None);
        }
        let is_coordinator = query_bool(connection, IS_COORDINATOR).await?;
        Ok(if is_coordinator { Self::Coordinator } else { Self::Worker })
    }

    /// Creates the bulkheads of a pool with this maximum number of connections. Returns `None` if the tables are not
    /// distributed by Citus.
    pub(crate) async fn bulkheads(
        self,
        connection: &mut PgConnection,
        connections: u32,
    ) -> Result<Option<Arc<Bulkheads>>, StorageError> {
        let is_citus = self != Self::None && query_bool(connection, HAS_PLACEMENTS).await?;
        Ok(is_citus.then(|| Arc::new(Bulkheads::new(connections))))
    }
}

impl Database {
    /// Returns whether keys and families can be on different servers. Then the steps of a request are those of the
    /// module `distributed`.
    pub(crate) fn is_distributed(&self) -> bool {
        self.distribution != Distribution::None
    }

    /// Returns whether this server can load records into all tables.
    pub(crate) fn can_load(&self) -> bool {
        self.distribution != Distribution::Worker
    }
}
