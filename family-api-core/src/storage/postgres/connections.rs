//! The connections, and how long anything may take on them.

use std::num::NonZeroU32;
use std::ops::{Deref, DerefMut};
use std::time::Duration;

use backon::{ExponentialBuilder, Retryable};
use sqlx::pool::{PoolConnection, PoolOptions};
use sqlx::postgres::PgConnectOptions;
use sqlx::{Connection, PgConnection, PgPool, Postgres, Transaction};
use tokio::time::timeout;

use crate::Timestamp;
use crate::storage::postgres::OpenError;
use crate::storage::postgres::credentials::lock_credential;
use crate::storage::postgres::error::{fault, is_conflict};
use crate::storage::postgres::migrate::migrate;
use crate::storage::{Author, Denied, StorageError};

/// How long a free connection is waited for, and a new one to be made.
const ACQUIRE: Duration = Duration::from_secs(2);

/// How long a call of the storage takes, all its tries together: the longest statement and the longest wait before it.
const CALL: Duration = Duration::from_secs(6);

/// What the server is told: to give up a statement, to give up a transaction whose client is silent (it holds locks),
/// and not to report that a table is there already.
const SETTINGS: [(&str, &str); 3] =
    [("statement_timeout", "4s"), ("idle_in_transaction_session_timeout", "10s"), ("client_min_messages", "warning")];

/// A connection that was idle for longer is asked whether it still is one.
pub(super) const FRESH: Duration = Duration::from_secs(1);

/// How long a connection that has nothing to do may take to say so.
const PING: Duration = Duration::from_millis(500);

/// How often those who were in each other's way try again.
const RETRIES: usize = 3;

/// A standby answers questions too, with what was true some time ago: a key that was revoked since then.
const IS_PRIMARY: &str = "SELECT NOT pg_is_in_recovery()";

const IS_UTF8: &str = "SELECT current_setting('server_encoding') = 'UTF8'";

/// Made by the statements that spread the tables over many machines.
const IS_DISTRIBUTED: &str = "SELECT to_regclass('_family_api_distributed') IS NOT NULL";

/// Who waited for a lock then sees what the other did, whatever the database's own default is.
const BEGIN: &str = "BEGIN ISOLATION LEVEL READ COMMITTED";

/// The writers of a family wait here for each other.
const COUNT_REVISION: &str = "UPDATE families SET revision = revision + 1 WHERE id = $1";

#[derive(Clone)]
pub(super) struct Connections {
    pool: PgPool,
    is_distributed: bool,
}

/// What every connection to a server is told.
pub(super) fn settings(server: PgConnectOptions) -> PgConnectOptions {
    server.application_name("family-api").extra_float_digits(None).options(SETTINGS)
}

impl Connections {
    /// Connects to a database, and migrates it.
    pub(super) async fn open(server: PgConnectOptions, connections: NonZeroU32) -> Result<Self, OpenError> {
        let pool = PoolOptions::new()
            .max_connections(connections.get())
            .acquire_timeout(ACQUIRE)
            .test_before_acquire(false)
            .after_connect(|connection, _| Box::pin(refuse_standby(connection)))
            .before_acquire(|connection, idle| Box::pin(async move { Ok(is_alive(connection, idle.idle_for).await) }));
        Self::prepare(pool.connect_with(server).await.map_err(fault)?).await
    }

    /// Takes a pool, and migrates its database.
    pub(super) async fn prepare(pool: PgPool) -> Result<Self, OpenError> {
        let mut connection = Lease::from_pool(&pool).await?;
        if !ask(&mut connection, IS_UTF8).await? {
            return Err(OpenError::Encoding);
        }
        migrate(&mut connection).await?;
        let is_distributed = ask(&mut connection, IS_DISTRIBUTED).await?;
        drop(connection);
        Ok(Self { pool, is_distributed })
    }

    /// Whether a statement may not join keys with families: they are on different machines.
    pub(super) fn is_distributed(&self) -> bool {
        self.is_distributed
    }

    /// A connection, for one storage call.
    pub(super) async fn lease(&self) -> Result<Lease, StorageError> {
        Lease::from_pool(&self.pool).await
    }

    /// A transaction that outlives a call. It begins in a task of its own: where nobody waits for it any more, it still
    /// begins, and is rolled back; the driver would leave its connection in it.
    pub(super) async fn begin(&self) -> Result<Transaction<'static, Postgres>, StorageError> {
        call(async || {
            let pool = self.pool.clone();
            let begun = tokio::spawn(async move { pool.begin_with(BEGIN).await });
            begun.await.map_err(StorageError::backend)?.map_err(fault)
        })
        .await
    }

    pub(super) async fn close(&self) {
        self.pool.close().await;
    }
}

/// Makes a storage call: again where it was in another's way, and in bounded time.
///
/// A try that is repeated has changed nothing: only faults that undo a transaction are such conflicts.
pub(super) async fn call<T, F>(mut step: impl FnMut() -> F) -> Result<T, StorageError>
where
    F: Future<Output = Result<T, StorageError>>,
{
    let pauses = ExponentialBuilder::new().with_min_delay(Duration::from_millis(10)).with_max_times(RETRIES);
    // A step takes kilobytes, which would be copied with whatever is put around it.
    let tries = (|| Box::pin(step())).retry(pauses.with_jitter()).when(is_conflict);
    timeout(CALL, tries).await.unwrap_or_else(|_| Err(StorageError::unavailable("no answer in time")))
}

/// Begins a write of the author's family and counts it, if the author's credential is still valid and the family exists.
///
/// The family is locked before the credential, as by a host that counts the revision first: none waits in a circle. And a
/// change that waits for its family locks no credential: changes of one family lock it one after the other, so that they
/// cannot keep a revocation waiting by taking turns.
pub(super) async fn begin_write<'c>(
    connection: &'c mut Lease,
    author: &Author,
    now: Timestamp,
) -> Result<Result<Transaction<'c, Postgres>, Denied>, StorageError> {
    let mut transaction = connection.begin().await?;
    let count = sqlx::query(COUNT_REVISION).bind(author.member.family.as_str()).execute(&mut *transaction).await;
    let is_there = count.map_err(fault)?.rows_affected() > 0;
    if let Err(denied) = author.check(lock_credential(&mut transaction, author, now).await?, now) {
        return Ok(Err(denied));
    }
    Ok(if is_there { Ok(transaction) } else { Err(Denied::NotFound) })
}

/// A connection on loan. It goes back by itself, and in bounded time: before it is lent again it must answer, which one to
/// a server that vanished never does.
pub(super) struct Lease {
    connection: PoolConnection<Postgres>,
    /// Whether a transaction may have begun that nobody knows of.
    is_in_doubt: bool,
}

impl Lease {
    async fn from_pool(pool: &PgPool) -> Result<Self, StorageError> {
        Ok(Self { connection: pool.acquire().await.map_err(fault)?, is_in_doubt: false })
    }

    /// Where nobody waits until it has begun, the driver does not roll back: then the connection is not used again.
    pub(super) async fn begin(&mut self) -> Result<Transaction<'_, Postgres>, StorageError> {
        self.is_in_doubt = true;
        let transaction = self.connection.begin_with(BEGIN).await.map_err(fault)?;
        self.is_in_doubt = false;
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
        if self.is_in_doubt {
            self.connection.close_on_drop();
        } else {
            tokio::spawn(timeout(PING, self.connection.return_to_pool()));
        }
    }
}

pub(super) async fn refuse_standby(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    let is_primary: bool = sqlx::query_scalar(IS_PRIMARY).fetch_one(connection).await?;
    if is_primary { Ok(()) } else { Err(sqlx::Error::Protocol("the server is a standby".to_owned())) }
}

/// Whether a connection that was idle for so long still is one.
pub(super) async fn is_alive(connection: &mut PgConnection, idle: Duration) -> bool {
    idle < FRESH || timeout(PING, connection.ping()).await.is_ok_and(|answer| answer.is_ok())
}

async fn ask(connection: &mut PgConnection, question: &'static str) -> Result<bool, StorageError> {
    sqlx::query_scalar(question).fetch_one(connection).await.map_err(fault)
}

#[cfg(test)]
mod tests {
    use family_api_testing::{Server, postgres_tests};

    use super::{COUNT_REVISION, SETTINGS};
    use crate::storage::postgres::PostgresStorage;
    use crate::storage::postgres::query_plans::assert_looked_up;

    postgres_tests! {
        async fn a_revision_is_counted_for_one_family() {
            assert_looked_up(&[COUNT_REVISION]).await;
        }

        async fn the_server_is_told_when_to_give_up() {
            let database = Server::shared().create_database().await;
            let storage = PostgresStorage::open(database.url()).await.unwrap();
            let mut connection = storage.connections.lease().await.unwrap();
            for (name, value) in SETTINGS {
                let told = sqlx::query_scalar("SELECT current_setting($1)").bind(name);
                assert_eq!(told.fetch_one(&mut *connection).await.ok(), Some(value.to_owned()), "{name}");
            }
        }
    }
}
