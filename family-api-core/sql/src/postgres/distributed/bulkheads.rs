//! The bulkheads of the servers of distributed tables.
//!
//! A call to a server that does not respond holds a connection until its statement times out. Without a bound, such
//! calls can hold all connections of a node, and calls to the other servers fail too.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use family_api_core::storage::StorageError;
use moka::sync::Cache;
use sqlx::PgConnection;

use crate::postgres::distributed::bulkhead::Bulkhead;
use crate::postgres::distributed::shards::Row;
use crate::postgres::error::fault;
use crate::postgres::leases::Shards;

/// The maximum number of rows whose servers are cached. One takes about 200 bytes.
const MAX_CACHED: u64 = 20_000;

/// How long the server of a row is cached. After its shard has moved, calls use the bulkhead of the earlier server for
/// at most this time.
const CACHE_TIME: Duration = Duration::from_mins(1);

/// The bulkheads of a pool of connections.
///
/// Calls to one server hold at most half of the connections, and calls to several servers at most a quarter. So if one
/// server does not respond, a quarter of 4 or more connections remains for calls to the others.
pub(crate) struct Bulkheads {
    connections: usize,
    servers: Cache<Row<Box<[u8]>>, i32>,
    of_server: Mutex<HashMap<i32, Arc<Bulkhead>>>,
    of_several: Arc<Bulkhead>,
}

impl Bulkheads {
    /// Creates the bulkheads of a pool with this maximum number of connections.
    pub(super) fn new(connections: u32) -> Self {
        let connections = connections.try_into().unwrap_or(usize::MAX);
        Self {
            connections,
            servers: Cache::builder().max_capacity(MAX_CACHED).time_to_live(CACHE_TIME).build(),
            of_server: Mutex::default(),
            of_several: Arc::new(Bulkhead::new(connections / 4)),
        }
    }

    /// Returns the bulkhead of calls that query these shards, or `None` if their server is not cached.
    pub(crate) fn cached(&self, shards: Shards<'_>) -> Option<Arc<Bulkhead>> {
        let Some((table, value)) = shards.row() else {
            return Some(Arc::clone(&self.of_several));
        };
        self.servers.get(&(table, value.into())).map(|server| self.of_server(server))
    }

    /// Returns the bulkhead of calls that query these shards. If their server is not cached, asks the connected server.
    pub(crate) async fn find(
        &self,
        shards: Shards<'_>,
        connection: &mut PgConnection,
    ) -> Result<Arc<Bulkhead>, StorageError> {
        if let Some(bulkhead) = self.cached(shards) {
            return Ok(bulkhead);
        }
        if let Some((table, value)) = shards.row() {
            let query = sqlx::query_scalar(table.find_server()).bind(value);
            if let Some(server) = query.fetch_optional(connection).await.map_err(fault)? {
                self.servers.insert((table, value.into()), server);
                return Ok(self.of_server(server));
            }
        }
        // A shard that is being split can have no server for a moment.
        Ok(Arc::clone(&self.of_several))
    }

    fn of_server(&self, server: i32) -> Arc<Bulkhead> {
        let mut of_server = self.of_server.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(of_server.entry(server).or_insert_with(|| Arc::new(Bulkhead::new(self.connections / 2))))
    }
}
