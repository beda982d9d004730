//! A connection for those who look for keys.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use sqlx::postgres::PgConnectOptions;
use sqlx::{Connection, PgConnection};
use tokio::sync::Mutex;
use tokio::time::timeout;

use crate::key::KeyDigest;
use crate::storage::StorageError;
use crate::storage::key_batcher::FoundKeys;
use crate::storage::postgres::connections::{FRESH, is_alive, refuse_standby};
use crate::storage::postgres::error::fault;
use crate::storage::postgres::keys::find;

/// How long it is waited for, before one of the pool is asked.
const LOOKUP_TIMEOUT: Duration = Duration::from_secs(1);

/// How long the pool is asked after it was lost or could not be made: a server that has none to give is not helped by
/// being asked for one.
const PAUSE: Duration = Duration::from_secs(10);

/// How long it is used, as those of the pool: who answers may not be the primary any more.
const LIFETIME: Duration = Duration::from_mins(30);

/// Stays with those who look, one after the other: a pool would ask it after each of them whether it is well, which
/// costs the database as much as the look.
pub(super) struct KeyConnection {
    server: PgConnectOptions,
    /// `None` once it is closed.
    kept: Mutex<Option<Kept>>,
}

#[derive(Default)]
struct Kept {
    /// `None` until the first look, and where it was lost.
    connection: Option<PgConnection>,
    /// When it last answered; `None` where nobody waited for that.
    answered: Option<Instant>,
    /// When it was made, or could not be.
    tried: Option<Instant>,
}

impl KeyConnection {
    pub(super) fn new(server: PgConnectOptions) -> Self {
        Self { server, kept: Mutex::new(Some(Kept::default())) }
    }

    /// The keys of those digests that there are; `None` where the connection is at work or does not answer.
    pub(super) async fn query(&self, digests: &HashSet<KeyDigest>) -> Option<FoundKeys> {
        let mut kept = self.kept.try_lock().ok()?;
        timeout(LOOKUP_TIMEOUT, kept.as_mut()?.query(&self.server, digests)).await.ok()?.ok()
    }

    /// Closes it: from then on nobody looks through it.
    pub(super) async fn close(&self) {
        if let Some(connection) = self.kept.lock().await.take().and_then(|kept| kept.connection) {
            // It only reads: there is nothing that could be lost.
            let _ = timeout(LOOKUP_TIMEOUT, connection.close()).await;
        }
    }
}

impl Kept {
    async fn query(
        &mut self,
        server: &PgConnectOptions,
        digests: &HashSet<KeyDigest>,
    ) -> Result<FoundKeys, StorageError> {
        let connection = match self.take_alive().await {
            Some(connection) => connection,
            None => self.connect(server).await?,
        };
        // Where nobody waits for the answer any more, it stays.
        let found = find(self.connection.insert(connection), digests).await;
        match &found {
            Ok(_) => self.answered = Some(Instant::now()),
            Err(_) => self.connection = None,
        }
        found
    }

    /// The connection, unless it is too old or does not say that it is well.
    async fn take_alive(&mut self) -> Option<PgConnection> {
        let idle = self.answered.take().map_or(FRESH, |answered| answered.elapsed());
        let mut connection = self.connection.take()?;
        let is_well = self.was_tried_within(LIFETIME) && is_alive(&mut connection, idle).await;
        is_well.then_some(connection)
    }

    async fn connect(&mut self, server: &PgConnectOptions) -> Result<PgConnection, StorageError> {
        if self.was_tried_within(PAUSE) {
            return Err(StorageError::unavailable("the connection for keys was lost"));
        }
        self.tried = Some(Instant::now());
        let mut connection = PgConnection::connect_with(server).await.map_err(fault)?;
        refuse_standby(&mut connection).await.map_err(fault)?;
        Ok(connection)
    }

    fn was_tried_within(&self, time: Duration) -> bool {
        self.tried.is_some_and(|tried| tried.elapsed() < time)
    }
}

#[cfg(test)]
mod tests {
    use std::str::FromStr;

    use family_api_testing::{Server, postgres_tests};
    use sqlx::Executor;

    use super::*;
    use crate::storage::postgres::PostgresStorage;

    /// The server process that answers, where the connection is one that the next look takes.
    async fn process(connection: &KeyConnection) -> Option<i32> {
        connection.query(&HashSet::from([KeyDigest::of("x")])).await?;
        let mut kept = connection.kept.lock().await;
        let asked = sqlx::query_scalar("SELECT pg_backend_pid()");
        asked.fetch_one(kept.as_mut()?.connection.as_mut()?).await.ok()
    }

    /// Has it tried so long ago.
    async fn age(connection: &KeyConnection, time: Duration) {
        connection.kept.lock().await.as_mut().unwrap().tried = Instant::now().checked_sub(time);
    }

    postgres_tests! {
        async fn a_connection_stays_until_it_is_lost_or_old_and_another_is_made_after_a_pause() {
            let database = Server::shared().create_database().await;
            PostgresStorage::open(database.url()).await.unwrap().close().await;
            let connection = KeyConnection::new(PgConnectOptions::from_str(database.url()).unwrap());
            let first = process(&connection).await;
            assert!(first.is_some());
            assert_eq!(process(&connection).await, first);

            let end = format!("SELECT pg_terminate_backend({}, 5000)", first.unwrap());
            database.connect().await.execute(sqlx::AssertSqlSafe(end)).await.unwrap();
            assert_eq!([process(&connection).await, process(&connection).await], [None; 2]);
            age(&connection, PAUSE).await;
            let second = process(&connection).await;
            assert!(second.is_some() && second != first);

            age(&connection, LIFETIME / 2).await;
            assert_eq!(process(&connection).await, second);
            age(&connection, LIFETIME).await;
            let third = process(&connection).await;
            assert!(third.is_some() && third != second);

            connection.close().await;
            assert_eq!(process(&connection).await, None);
        }

        async fn a_connection_whose_look_was_given_up_is_well_and_one_whose_look_failed_is_lost() {
            let database = Server::shared().create_database().await;
            PostgresStorage::open(database.url()).await.unwrap().close().await;
            let connection = KeyConnection::new(PgConnectOptions::from_str(database.url()).unwrap());
            let first = process(&connection).await;
            let mut host = database.connect().await;
            host.execute("BEGIN; LOCK TABLE integration_keys").await.unwrap();
            let waiting = timeout(Duration::from_millis(50), process(&connection));
            assert!(waiting.await.is_err());
            host.execute("ROLLBACK").await.unwrap();
            assert!(first.is_some());
            assert_eq!(process(&connection).await, first);

            host.execute("ALTER TABLE integration_keys RENAME TO others").await.unwrap();
            assert_eq!(process(&connection).await, None);
            host.execute("ALTER TABLE others RENAME TO integration_keys").await.unwrap();
            age(&connection, PAUSE).await;
            let second = process(&connection).await;
            assert!(second.is_some() && second != first);
        }
    }
}
