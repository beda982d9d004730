//! The pool of connections. A connection that opens slowly still reaches the pool.

use std::num::NonZeroU32;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use family_api_core::storage::StorageError;
use sqlx::pool::{PoolConnection, PoolOptions};
use sqlx::postgres::PgConnectOptions;
use sqlx::{PgPool, Postgres};
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::postgres::database::{is_alive, refuse_standby};
use crate::postgres::error::fault;

/// Maximum wait of a call for a free or new connection.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(2);

/// Maximum time to open a connection. If it takes longer than a call waits, later calls use the connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

#[derive(Clone)]
pub(super) struct Pool {
    inner: PgPool,
    /// Maximum wait for a free or new connection.
    wait: Duration,
    /// Has a permit if an acquisition may continue without a caller. One at a time: while a server does not respond, it
    /// takes the place of a connection. So there is none in a pool of one connection.
    abandoned: Arc<Semaphore>,
}

impl Pool {
    /// Connects to a primary server.
    pub(super) async fn connect(server: PgConnectOptions, max_connections: NonZeroU32) -> Result<Self, StorageError> {
        let options = PoolOptions::new()
            .max_connections(max_connections.get())
            .acquire_timeout(CONNECT_TIMEOUT)
            .test_before_acquire(false)
            .after_connect(|connection, _| Box::pin(refuse_standby(connection)))
            .before_acquire(|connection, idle| Box::pin(async move { Ok(is_alive(connection, idle.idle_for).await) }));
        let connected = timeout(ACQUIRE_TIMEOUT, options.connect_with(server)).await;
        let pool = connected.unwrap_or(Err(sqlx::Error::PoolTimedOut)).map_err(fault)?;
        Ok(Self::new(pool, ACQUIRE_TIMEOUT))
    }

    /// Uses the pool of a host, with the timeout of its options.
    pub(super) fn of_host(pool: PgPool) -> Self {
        let wait = pool.options().get_acquire_timeout();
        Self::new(pool, wait)
    }

    fn new(inner: PgPool, wait: Duration) -> Self {
        let abandoned = usize::from(inner.options().get_max_connections() > 1);
        Self { inner, wait, abandoned: Arc::new(Semaphore::new(abandoned)) }
    }

    /// Acquires a connection.
    pub(super) async fn acquire(&self) -> Result<PoolConnection<Postgres>, StorageError> {
        let future = Some(Box::pin(self.inner.acquire()) as Acquiring);
        let acquisition = Acquisition { future, abandoned: Arc::clone(&self.abandoned) };
        timeout(self.wait, acquisition).await.unwrap_or(Err(sqlx::Error::PoolTimedOut)).map_err(fault)
    }

    pub(super) fn inner(&self) -> &PgPool {
        &self.inner
    }
}

type Acquiring = Pin<Box<dyn Future<Output = Result<PoolConnection<Postgres>, sqlx::Error>> + Send>>;

/// An acquisition that continues in a task if its caller gives up, and then returns the connection to the pool.
///
/// The driver throws an opening connection away if its caller gives up. If opening took longer than a call waits, no
/// call would ever get a connection.
struct Acquisition {
    /// `None` after it has ended.
    future: Option<Acquiring>,
    abandoned: Arc<Semaphore>,
}

impl Future for Acquisition {
    type Output = Result<PoolConnection<Postgres>, sqlx::Error>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let Some(future) = &mut self.future else {
            return Poll::Pending;
        };
        let acquired = future.as_mut().poll(context);
        if acquired.is_ready() {
            self.future = None;
        }
        acquired
    }
}

impl Drop for Acquisition {
    fn drop(&mut self) {
        if let Some(future) = self.future.take()
            && let Ok(permit) = Arc::clone(&self.abandoned).try_acquire_owned()
            && let Ok(runtime) = Handle::try_current()
        {
            runtime.spawn(async move {
                // An error is ignored: the next call tries again.
                drop(future.await);
                drop(permit);
            });
        }
    }
}
