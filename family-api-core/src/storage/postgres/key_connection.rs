//! A connection that is reserved for key lookups.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use sqlx::postgres::PgConnectOptions;
use sqlx::{Connection, PgConnection};
use tokio::sync::Mutex;
use tokio::time::timeout;

use crate::key::KeyDigest;
use crate::storage::StorageError;
use crate::storage::key_batcher::FoundKeys;
use crate::storage::postgres::connections::{PING_AFTER_IDLE, is_alive, refuse_standby};
use crate::storage::postgres::error::fault;
use crate::storage::postgres::keys::find;

/// Maximum time of a lookup on this connection. After that, the lookup uses the pool.
const LOOKUP_TIMEOUT: Duration = Duration::from_secs(1);

/// Minimum time between two attempts to connect. Until then, lookups use the pool. Frequent attempts would add load to
/// a server that has no free connection.
const RECONNECT_DELAY: Duration = Duration::from_secs(10);

/// Maximum age of the connection, as in the pool. The server may have stopped being the primary.
const MAX_LIFETIME: Duration = Duration::from_mins(30);

/// Keeps one connection for all key lookups. A pool pings a connection after each use, which costs the database as much
/// as the lookup itself. In three measurements, the reserved connection reduced the time of a read from 57, 67 and 46
/// µs to 41, 39 and 32 µs.
pub(super) struct KeyConnection {
    server: PgConnectOptions,
    /// `None` after `close`.
    state: Mutex<Option<State>>,
}

#[derive(Default)]
struct State {
    /// `None` before the first lookup, and if the connection was lost.
    connection: Option<PgConnection>,
    /// When it last responded. `None` if the last lookup was cancelled.
    responded_at: Option<Instant>,
    /// When the last attempt to connect began.
    attempted_at: Option<Instant>,
}

impl KeyConnection {
    pub(super) fn new(server: PgConnectOptions) -> Self {
        Self { server, state: Mutex::new(Some(State::default())) }
    }

    /// Returns the keys with these digests, or `None` if the connection is in use, fails or times out.
    pub(super) async fn query(&self, digests: &HashSet<KeyDigest>) -> Option<FoundKeys> {
        let mut state = self.state.try_lock().ok()?;
        timeout(LOOKUP_TIMEOUT, state.as_mut()?.query(&self.server, digests)).await.ok()?.ok()
    }

    /// Closes the connection. Later lookups use the pool.
    pub(super) async fn close(&self) {
        if let Some(connection) = self.state.lock().await.take().and_then(|state| state.connection) {
            // Lookups only read, so an error of closing loses nothing.
            let _ = timeout(LOOKUP_TIMEOUT, connection.close()).await;
        }
    }
}

impl State {
    async fn query(
        &mut self,
        server: &PgConnectOptions,
        digests: &HashSet<KeyDigest>,
    ) -> Result<FoundKeys, StorageError> {
        let connection = match self.take_healthy().await {
            Some(connection) => connection,
            None => self.connect(server).await?,
        };
        // It is stored before the query, so that it stays if this call is cancelled.
        let found = find(self.connection.insert(connection), digests).await;
        match &found {
            Ok(_) => self.responded_at = Some(Instant::now()),
            Err(_) => self.connection = None,
        }
        found
    }

    /// Takes the connection, if it is not too old and is alive.
    async fn take_healthy(&mut self) -> Option<PgConnection> {
        let idle = self.responded_at.take().map_or(PING_AFTER_IDLE, |responded_at| responded_at.elapsed());
        let mut connection = self.connection.take()?;
        let is_healthy = self.attempted_within(MAX_LIFETIME) && is_alive(&mut connection, idle).await;
        is_healthy.then_some(connection)
    }

    async fn connect(&mut self, server: &PgConnectOptions) -> Result<PgConnection, StorageError> {
        if self.attempted_within(RECONNECT_DELAY) {
            return Err(StorageError::unavailable("the reserved key connection was lost"));
        }
        self.attempted_at = Some(Instant::now());
        let mut connection = PgConnection::connect_with(server).await.map_err(fault)?;
        refuse_standby(&mut connection).await.map_err(fault)?;
        Ok(connection)
    }

    fn attempted_within(&self, time: Duration) -> bool {
        self.attempted_at.is_some_and(|attempted_at| attempted_at.elapsed() < time)
    }
}

#[cfg(test)]
mod tests {
    use std::str::FromStr;

    use family_api_testing::{Server, postgres_tests};
    use sqlx::Executor;

    use super::*;
    use crate::storage::postgres::PostgresStorage;

    /// Runs a lookup, and returns the process id of the server that the connection leads to.
    async fn server_process(connection: &KeyConnection) -> Option<i32> {
        connection.query(&HashSet::from([KeyDigest::of("x")])).await?;
        let mut state = connection.state.lock().await;
        let query = sqlx::query_scalar("SELECT pg_backend_pid()");
        query.fetch_one(state.as_mut()?.connection.as_mut()?).await.ok()
    }

    /// Makes the last attempt to connect this old.
    async fn set_age(connection: &KeyConnection, time: Duration) {
        connection.state.lock().await.as_mut().unwrap().attempted_at = Instant::now().checked_sub(time);
    }

    postgres_tests! {
        async fn a_lost_or_old_connection_is_replaced_after_a_delay() {
            let database = Server::shared().create_database().await;
            PostgresStorage::open(database.url()).await.unwrap().close().await;
            let connection = KeyConnection::new(PgConnectOptions::from_str(database.url()).unwrap());
            let first = server_process(&connection).await;
            assert!(first.is_some());
            assert_eq!(server_process(&connection).await, first);

            let end = format!("SELECT pg_terminate_backend({}, 5000)", first.unwrap());
            database.connect().await.execute(sqlx::AssertSqlSafe(end)).await.unwrap();
            assert_eq!([server_process(&connection).await, server_process(&connection).await], [None; 2]);
            set_age(&connection, RECONNECT_DELAY).await;
            let second = server_process(&connection).await;
            assert!(second.is_some() && second != first);

            set_age(&connection, MAX_LIFETIME / 2).await;
            assert_eq!(server_process(&connection).await, second);
            set_age(&connection, MAX_LIFETIME).await;
            let third = server_process(&connection).await;
            assert!(third.is_some() && third != second);

            connection.close().await;
            assert_eq!(server_process(&connection).await, None);
        }

        async fn a_cancelled_lookup_keeps_the_connection_a_failed_one_drops_it() {
            let database = Server::shared().create_database().await;
            PostgresStorage::open(database.url()).await.unwrap().close().await;
            let connection = KeyConnection::new(PgConnectOptions::from_str(database.url()).unwrap());
            let first = server_process(&connection).await;
            let mut host = database.connect().await;
            host.execute("BEGIN; LOCK TABLE integration_keys").await.unwrap();
            let waiting = timeout(Duration::from_millis(50), server_process(&connection));
            assert!(waiting.await.is_err());
            host.execute("ROLLBACK").await.unwrap();
            assert!(first.is_some());
            assert_eq!(server_process(&connection).await, first);

            host.execute("ALTER TABLE integration_keys RENAME TO others").await.unwrap();
            assert_eq!(server_process(&connection).await, None);
            host.execute("ALTER TABLE others RENAME TO integration_keys").await.unwrap();
            set_age(&connection, RECONNECT_DELAY).await;
            let second = server_process(&connection).await;
            assert!(second.is_some() && second != first);
        }
    }
}
