//! The numbers of a storage, for a host's metrics.

/// The numbers of a built-in storage. Counters start at 0 when the storage is opened.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct StorageStatistics {
    /// The pools of connections. A connection that only looks up tokens is in no pool.
    pub pools: Vec<PoolStatistics>,
    /// Counter: lookups of keys and access tokens.
    pub token_lookups: u64,
    /// Counter: lookups of keys and access tokens that used the query of another lookup.
    pub coalesced_token_lookups: u64,
}

/// The connections of a pool.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PoolStatistics {
    /// A fixed name, such as `readers`.
    pub name: &'static str,
    /// Maximum number of connections.
    pub max: u32,
    /// The number of open connections.
    pub open: u32,
    /// The number of open connections that are not in use.
    pub idle: u32,
}

impl PoolStatistics {
    pub(crate) fn of<D: sqlx::Database>(name: &'static str, pool: &sqlx::Pool<D>) -> Self {
        let open = pool.size();
        let idle = u32::try_from(pool.num_idle()).unwrap_or(u32::MAX);
        // The two numbers are not read at the same moment.
        Self { name, max: pool.options().get_max_connections(), open, idle: idle.min(open) }
    }
}
