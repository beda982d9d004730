//! Bulkheads: bounds on the connections that calls to one server of distributed tables can hold.
//!
//! A call to a server that does not respond holds a connection until its statement times out. Without a bound, such
//! calls can hold all connections of a node, and calls to the other servers fail too.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use moka::sync::Cache;
use sqlx::PgPool;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::id::{FamilyId, UserId};
use crate::key::KeyDigest;
use crate::storage::StorageError;
use crate::storage::postgres::connections::Lease;
use crate::storage::postgres::error::fault;

/// The maximum number of shard keys whose servers are cached. One takes about 200 bytes.
const MAX_CACHED: u64 = 20_000;

/// How long the server of a shard key is cached. After a shard has moved, its calls use the bulkhead of the earlier
/// server for at most this time.
const CACHE_TIME: Duration = Duration::from_mins(1);

/// Creates the statement that finds the server of the shard for a value. The subquery is executed once, not for each
/// shard. Citus has both tables on every server.
macro_rules! find_server {
    ($table:literal, $value:literal) => {
        concat!(
            "SELECT groupid FROM pg_dist_placement WHERE shardid = ",
            "(SELECT get_shard_id_for_distribution_column('",
            $table,
            "', ",
            $value,
            "))"
        )
    };
}

/// The shards that a call queries. Tables that are on every server do not count if the call only reads them.
#[derive(Clone, Copy)]
pub(super) enum Shards<'a> {
    OfFamily(&'a FamilyId),
    /// The shard of a key or a session, by the digest of its token.
    OfToken(&'a KeyDigest),
    OfPassword(&'a UserId),
    /// Shards of several servers.
    Several,
}

impl<'a> Shards<'a> {
    /// Returns the statement that finds the server, and its argument. Returns `None` if there are several servers.
    fn find_server(self) -> Option<(&'static str, &'a [u8])> {
        match self {
            Self::OfFamily(id) => Some((find_server!("families", "convert_from($1, 'UTF8')"), id.as_str().as_bytes())),
            Self::OfToken(digest) => Some((find_server!("integration_keys", "$1::bytea"), digest.as_bytes())),
            Self::OfPassword(id) => {
                Some((find_server!("passwords", "convert_from($1, 'UTF8')"), id.as_str().as_bytes()))
            }
            Self::Several => None,
        }
    }
}

/// The bulkheads of a pool of connections.
///
/// Calls to one server hold at most half of the connections, and calls to several servers at most a quarter. So if one
/// server does not respond, a quarter remains for calls to the others.
pub(super) struct Bulkheads {
    connections: usize,
    /// The servers of shard keys, by the statement and its argument.
    servers: Cache<(&'static str, Box<[u8]>), i32>,
    of_server: Mutex<HashMap<i32, Arc<Semaphore>>>,
    of_several: Arc<Semaphore>,
}

impl Bulkheads {
    /// Creates the bulkheads of a pool with this maximum number of connections.
    pub(super) fn new(connections: u32) -> Self {
        let connections = connections.try_into().unwrap_or(usize::MAX);
        Self {
            connections,
            servers: Cache::builder().max_capacity(MAX_CACHED).time_to_live(CACHE_TIME).build(),
            of_server: Mutex::default(),
            of_several: bulkhead(connections / 4),
        }
    }

    /// Waits until a call that queries these shards may hold a connection. The call holds the permit as long as the
    /// connection.
    pub(super) async fn enter(&self, shards: Shards<'_>, pool: &PgPool) -> Result<OwnedSemaphorePermit, StorageError> {
        let bulkhead = match shards.find_server() {
            Some((sql, value)) => self.of_server(self.server(sql, value, pool).await?),
            None => Arc::clone(&self.of_several),
        };
        bulkhead.acquire_owned().await.map_err(StorageError::backend)
    }

    /// Returns the server of a shard key. The statement is answered by the connected server, also if the server of the
    /// shard does not respond.
    async fn server(&self, sql: &'static str, value: &[u8], pool: &PgPool) -> Result<i32, StorageError> {
        let key = (sql, value.into());
        if let Some(server) = self.servers.get(&key) {
            return Ok(server);
        }
        let mut connection = Lease::from_pool(pool).await?;
        let server = sqlx::query_scalar(sql).bind(value).fetch_one(&mut *connection).await.map_err(fault)?;
        self.servers.insert(key, server);
        Ok(server)
    }

    fn of_server(&self, server: i32) -> Arc<Semaphore> {
        let mut of_server = self.of_server.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(of_server.entry(server).or_insert_with(|| bulkhead(self.connections / 2)))
    }
}

fn bulkhead(connections: usize) -> Arc<Semaphore> {
    Arc::new(Semaphore::new(connections.clamp(1, Semaphore::MAX_PERMITS)))
}
