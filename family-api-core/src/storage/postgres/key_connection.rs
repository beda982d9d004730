//! A connection for those who look for keys.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use sqlx::postgres::PgConnectOptions;
use sqlx::{Connection, PgConnection};
use tokio::sync::Mutex;
use tokio::time::timeout;

use crate::key::KeyDigest;
use crate::storage::StorageError;
use crate::storage::key_lookups::FoundKeys;
use crate::storage::postgres::connections::{FRESH, is_alive, refuse_standby};
use crate::storage::postgres::error::fault;
use crate::storage::postgres::keys::find;

/// How long it is waited for, before one of the pool is asked.
const PATIENCE: Duration = Duration::from_secs(2);

/// Stays with those who look, one after the other: a pool would ask it after each of them whether it is well, which
/// costs the database as much as the look.
pub(super) struct KeyConnection {
    server: PgConnectOptions,
    /// `None` once it is closed.
    kept: Mutex<Option<Kept>>,
}

#[derive(Default)]
struct Kept {
    /// `None` until the first look.
    connection: Option<PgConnection>,
    /// When it last answered; `None` where nobody waited for that.
    answered: Option<Instant>,
    /// When one was made last, or could not be.
    made: Option<Instant>,
}

impl KeyConnection {
    pub(super) fn new(server: PgConnectOptions) -> Self {
        Self { server, kept: Mutex::new(Some(Kept::default())) }
    }

    /// The keys of those digests that there are; `None` where the connection is at work or does not answer.
    pub(super) async fn look(&self, digests: &HashSet<KeyDigest>) -> Option<FoundKeys> {
        let mut kept = self.kept.try_lock().ok()?;
        timeout(PATIENCE, kept.as_mut()?.look(&self.server, digests)).await.ok()?.ok()
    }

    /// Closes it: from then on nobody looks through it.
    pub(super) async fn close(&self) {
        if let Some(connection) = self.kept.lock().await.take().and_then(|kept| kept.connection) {
            // It only reads: there is nothing that could be lost.
            let _ = timeout(PATIENCE, connection.close()).await;
        }
    }
}

impl Kept {
    async fn look(
        &mut self,
        server: &PgConnectOptions,
        digests: &HashSet<KeyDigest>,
    ) -> Result<FoundKeys, StorageError> {
        let connection = match self.take_alive().await {
            Some(connection) => connection,
            None => self.connect(server).await?,
        };
        let found = find(self.connection.insert(connection), digests).await?;
        self.answered = Some(Instant::now());
        Ok(found)
    }

    /// The connection, unless it does not say that it is well.
    async fn take_alive(&mut self) -> Option<PgConnection> {
        let idle = self.answered.take().map_or(FRESH, |answered| answered.elapsed());
        let mut connection = self.connection.take()?;
        is_alive(&mut connection, idle).await.then_some(connection)
    }

    /// Makes a connection; not again at once, for a server that has none to give is not helped by being asked.
    async fn connect(&mut self, server: &PgConnectOptions) -> Result<PgConnection, StorageError> {
        if self.made.is_some_and(|made| made.elapsed() < FRESH) {
            return Err(StorageError::unavailable("the connection for keys was lost"));
        }
        self.made = Some(Instant::now());
        let mut connection = PgConnection::connect_with(server).await.map_err(fault)?;
        refuse_standby(&mut connection).await.map_err(fault)?;
        Ok(connection)
    }
}
