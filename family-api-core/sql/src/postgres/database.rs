//! The database of a storage: its connections, their timeouts, and retries.

use std::num::NonZeroU32;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::time::Duration;

use backon::{ExponentialBuilder, Retryable};
use family_api_core::id::FamilyId;
use family_api_core::storage::StorageError;
use sqlx::pool::PoolConnection;
use sqlx::postgres::PgConnectOptions;
use sqlx::{Connection, PgConnection, Postgres, Transaction};
use tokio::time::timeout;

use crate::migration_state::NoTables;
use crate::postgres::OpenError;
use crate::postgres::distributed::{Bulkheads, Distribution, Permit};
use crate::postgres::error::{fault, is_conflict};
use crate::postgres::migrate::{check_schema, migrate};
use crate::postgres::pool::Pool;
use crate::statistics::PoolStatistics;
use crate::turns::{Lane, Place, Turn, Turns};

/// Maximum time of a storage call, including all retries: the 2 seconds to acquire a connection, plus the
/// `statement_timeout`. Each transaction of a move is a call of its own.
const CALL_TIMEOUT: Duration = Duration::from_secs(6);

/// Settings of each connection: the statement timeout, the timeout of a transaction whose client does not respond (it
/// can hold locks), and no notices, such as "relation already exists, skipping".
const SETTINGS: [(&str, &str); 3] =
    [("statement_timeout", "4s"), ("idle_in_transaction_session_timeout", "10s"), ("client_min_messages", "warning")];

/// For a transaction of many statements, which may take longer than those of a request.
///
/// The second setting is for Citus. Without it, Citus can change several shards at the same time, and then refuses to
/// change a table such as `users` in the same transaction. PostgreSQL stores a setting whose name contains a dot, and
/// does not use it.
pub(super) const LONG_TRANSACTION: &str = "
    SET LOCAL statement_timeout = '10min';
    SET LOCAL citus.multi_shard_modify_mode = 'sequential'";

/// A connection that was idle for this time or longer is pinged before it is used.
pub(super) const PING_AFTER_IDLE: Duration = Duration::from_secs(1);

/// Maximum time of a ping, and maximum time to return a connection to the pool.
const PING_TIMEOUT: Duration = Duration::from_millis(500);

/// Maximum number of connections with which a family's records are written at the same time. One of the writes has the
/// lock of the family's row. The next is ready when the first ends. The others wait without a connection.
const WRITES_OF_FAMILY: usize = 2;

/// Maximum wait of a write for the other writes of its family.
const TURN_TIMEOUT: Duration = Duration::from_secs(2);

/// Maximum retries after a serialization failure or a deadlock.
const MAX_RETRIES: usize = 3;

/// A standby answers queries with older data. For example, it can return a revoked key as valid.
const IS_PRIMARY: &str = "SELECT NOT pg_is_in_recovery()";

const IS_UTF8: &str = "SELECT current_setting('server_encoding') = 'UTF8'";

const HAS_TABLES: &str = "SELECT to_regclass('_family_api_migrations') IS NOT NULL";

/// At this isolation level, a statement that waited for a lock sees the changes of the transaction that held the lock.
/// The level is set explicitly, because the database's default can be another level.
const BEGIN: &str = "BEGIN ISOLATION LEVEL READ COMMITTED";

#[derive(Clone)]
pub(super) struct Database {
    pool: Pool,
    turns: Turns,
    pub(super) distribution: Distribution,
    /// `None` if the tables are not distributed by Citus.
    pub(super) bulkheads: Option<Arc<Bulkheads>>,
    is_new: bool,
}

/// Adds the settings of each connection.
pub(super) fn settings(server: PgConnectOptions) -> PgConnectOptions {
    server.application_name("family-api").extra_float_digits(None).options(SETTINGS)
}

impl Database {
    /// Connects to a database, and migrates it.
    pub(super) async fn open(
        server: PgConnectOptions,
        max_connections: NonZeroU32,
        no_tables: NoTables,
    ) -> Result<Self, OpenError> {
        Self::prepare(Pool::connect(server, max_connections).await?, no_tables).await
    }

    /// Uses an existing pool, and migrates its database.
    pub(super) async fn prepare(pool: Pool, no_tables: NoTables) -> Result<Self, OpenError> {
        let mut connection = Lease::from_pool(&pool).await?;
        if !query_bool(&mut connection, IS_UTF8).await? {
            return Err(OpenError::Encoding);
        }
        let is_new = !has_tables(&mut connection).await?;
        if is_new && no_tables == NoTables::Refuse {
            return Err(OpenError::Missing);
        }
        let distribution = Distribution::of(&mut connection).await?;
        if distribution == Distribution::Worker {
            check_schema(&mut connection).await?;
        } else {
            migrate(connection.begin().await?).await?;
        }
        let max_connections = pool.inner().options().get_max_connections();
        let bulkheads = distribution.bulkheads(&mut connection, max_connections).await?;
        drop(connection);
        // One connection remains for other families.
        let at_a_time = WRITES_OF_FAMILY.min(max_connections.saturating_sub(1) as usize).max(1);
        Ok(Self { pool, turns: Turns::new(at_a_time), distribution, bulkheads, is_new })
    }

    /// Returns whether this object created the tables.
    pub(super) fn is_new(&self) -> bool {
        self.is_new
    }

    /// Returns the server, the user and the database, without the password.
    pub(super) fn location(&self) -> String {
        let server = self.pool.inner().connect_options();
        let (user, port) = (server.get_username(), server.get_port());
        let database = server.get_database().unwrap_or(user);
        match server.get_socket() {
            Some(folder) => format!("postgres://{user}@/{database}?host={}&port={port}", folder.display()),
            None => format!("postgres://{user}@{}:{port}/{database}", server.get_host()),
        }
    }

    /// Acquires a connection for a storage call that only reads tables which are on every server if the tables are
    /// distributed, or for a call of which a node makes one at a time.
    pub(super) async fn lease(&self) -> Result<Lease, StorageError> {
        Lease::from_pool(&self.pool).await
    }

    /// Gives a write of family data a place among the writes of the family. If the tables are distributed, there are no
    /// places: the bulkhead of the family's server bounds the connections.
    pub(super) fn enter(&self, family: &FamilyId) -> Result<Option<Place>, StorageError> {
        if self.bulkheads.is_some() {
            return Ok(None);
        }
        self.turns.enter(Lane::Family(family.clone())).map(Some).map_err(StorageError::not_begun)
    }

    /// Waits until fewer than [`WRITES_OF_FAMILY`] writes of the family have a connection. A write without a place does
    /// not wait.
    pub(super) async fn turn(&self, place: Option<&mut Place>) -> Result<Option<Turn>, StorageError> {
        let Some(place) = place else { return Ok(None) };
        // The pool ends only the waits for a connection when it is closed.
        let mut closed = self.pool.inner().close_event();
        match timeout(TURN_TIMEOUT, closed.do_until(place.turn())).await {
            Ok(turn) => turn.map_err(fault).flatten().map(Some),
            Err(_) => Err(fault(sqlx::Error::PoolTimedOut)),
        }
        .map_err(StorageError::not_begun)
    }

    /// Begins a transaction that spans several storage calls, for a load.
    ///
    /// A separate task begins the transaction. If the caller is cancelled, the task completes and drops the
    /// transaction, which rolls it back. Without the task, the driver would return the connection to the pool with an
    /// open transaction.
    pub(super) async fn begin(&self) -> Result<Transaction<'static, Postgres>, StorageError> {
        call(async || {
            let pool = self.pool.inner().clone();
            let begun = tokio::spawn(async move { pool.begin_with(BEGIN).await });
            begun.await.map_err(StorageError::backend)?.map_err(fault)
        })
        .await
    }

    /// Returns the numbers of the pool.
    pub(super) fn statistics(&self) -> Vec<PoolStatistics> {
        vec![PoolStatistics::of("pool", self.pool.inner())]
    }

    pub(super) async fn close(&self) {
        self.pool.inner().close().await;
    }
}

/// Returns whether the database has the tables of this crate.
pub(super) async fn has_tables(connection: &mut PgConnection) -> Result<bool, StorageError> {
    query_bool(connection, HAS_TABLES).await
}

/// Runs a storage call with a timeout, and retries it after a conflict.
///
/// A retry is safe, because after a conflict the server has rolled back the transaction.
pub(super) async fn call<T, F>(operation: impl FnMut() -> F) -> Result<T, StorageError>
where
    F: Future<Output = Result<T, StorageError>>,
{
    timeout(CALL_TIMEOUT, retry(operation))
        .await
        .unwrap_or_else(|_| Err(StorageError::unavailable("the database did not respond in time")))
}

/// Runs an operation, and retries it after a conflict.
pub(super) async fn retry<T, F>(mut operation: impl FnMut() -> F) -> Result<T, StorageError>
where
    F: Future<Output = Result<T, StorageError>>,
{
    let backoff = ExponentialBuilder::new().with_min_delay(Duration::from_millis(10)).with_max_times(MAX_RETRIES);
    // The future takes kilobytes. A boxed future is not copied into the futures of the retry and of the timeout.
    (|| Box::pin(operation())).retry(backoff.with_jitter()).when(is_conflict).await
}

/// Runs statements in one transaction. They may take longer than those of a request, because their time can grow with
/// the database. Runs them again after a conflict with a write of the API.
macro_rules! in_transaction {
    ($storage:expr, |$transaction:ident| $statements:expr) => {
        $crate::postgres::database::retry(async || {
            let mut $transaction = $storage.database.begin().await?;
            let settings = $crate::postgres::database::LONG_TRANSACTION;
            sqlx::Executor::execute(&mut *$transaction, settings).await.map_err(fault)?;
            let done = $statements;
            $transaction.commit().await.map_err(fault)?;
            Ok(done)
        })
        .await
    };
}

pub(super) use in_transaction;

/// Begins a write in a family with [`INCREMENT_REVISION`](crate::writes::INCREMENT_REVISION), or with a statement that
/// also adds a record to a bound.
///
/// The family is locked before the author's credential, for two reasons:
///
/// - A host app that increments the revision first uses the same order, so the two transactions cannot deadlock.
/// - A write that waits for its family holds no lock on the credential. Otherwise, a series of waiting writes could
///   keep the credential locked without a gap, and a revocation would wait for all of them.
///
/// Also returns whether the family exists. If it does not, nothing is locked and nothing may be written.
pub(super) async fn begin_write<'c>(
    connection: &'c mut Lease,
    increment: &'static str,
    family: &FamilyId,
) -> Result<(Transaction<'c, Postgres>, bool), StorageError> {
    let mut transaction = connection.begin().await?;
    let increment = sqlx::query(increment).bind(family.as_str());
    let family_exists = increment.execute(&mut *transaction).await.map_err(fault)?.rows_affected() > 0;
    Ok((transaction, family_exists))
}

/// A connection of the pool, which returns to the pool when it is dropped. The return pings the server. It has a
/// timeout, because a ping to an unreachable server never ends.
pub(super) struct Lease {
    connection: PoolConnection<Postgres>,
    /// `None` if the call is not bounded by a bulkhead.
    pub(super) permit: Option<Permit>,
    /// `None` if the call does not write family data, or the tables are distributed.
    pub(super) turn: Option<Turn>,
    /// Whether the server may have an open transaction that the driver does not know of.
    may_be_in_transaction: bool,
}

impl Lease {
    async fn from_pool(pool: &Pool) -> Result<Self, StorageError> {
        Ok(Self { connection: pool.acquire().await?, permit: None, turn: None, may_be_in_transaction: false })
    }

    /// Begins a transaction. If this call is cancelled, the driver does not roll back, so the connection is closed.
    pub(super) async fn begin(&mut self) -> Result<Transaction<'_, Postgres>, StorageError> {
        self.may_be_in_transaction = true;
        let transaction = self.connection.begin_with(BEGIN).await.map_err(fault)?;
        self.may_be_in_transaction = false;
        Ok(transaction)
    }
}

impl Deref for Lease {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        &self.connection
    }
}

impl DerefMut for Lease {
    fn deref_mut(&mut self) -> &mut PgConnection {
        &mut self.connection
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        if self.may_be_in_transaction {
            self.connection.close_on_drop();
        } else {
            let returned = timeout(PING_TIMEOUT, self.connection.return_to_pool());
            let held = (self.permit.take(), self.turn.take());
            tokio::spawn(async move {
                let _ = returned.await;
                drop(held);
            });
        }
    }
}

/// Returns an error if the server is a standby.
pub(super) async fn refuse_standby(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    let is_primary: bool = sqlx::query_scalar(IS_PRIMARY).fetch_one(connection).await?;
    if is_primary { Ok(()) } else { Err(sqlx::Error::Protocol("the server is a standby".to_owned())) }
}

/// Returns whether a connection is usable. Pings it if it was idle for [`PING_AFTER_IDLE`] or longer.
pub(super) async fn is_alive(connection: &mut PgConnection, idle: Duration) -> bool {
    idle < PING_AFTER_IDLE || timeout(PING_TIMEOUT, connection.ping()).await.is_ok_and(|answer| answer.is_ok())
}

pub(super) async fn query_bool(connection: &mut PgConnection, sql: &'static str) -> Result<bool, StorageError> {
    sqlx::query_scalar(sql).fetch_one(connection).await.map_err(fault)
}

#[cfg(test)]
mod tests {
    use family_api_testing::{Server, postgres_tests};

    use super::SETTINGS;
    use crate::postgres::PostgresStorage;

    postgres_tests! {
        async fn connections_have_the_expected_settings() {
            let database = Server::shared().create_database().await;
            let storage = PostgresStorage::open(database.url()).await.unwrap();
            let mut connection = storage.database.lease().await.unwrap();
            for (name, value) in SETTINGS {
                let setting = sqlx::query_scalar("SELECT current_setting($1)").bind(name);
                assert_eq!(setting.fetch_one(&mut *connection).await.ok(), Some(value.to_owned()), "{name}");
            }
        }
    }
}
