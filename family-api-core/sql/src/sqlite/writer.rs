//! The connection that writes, and whose turn it is to use it.

use std::sync::{Arc, Mutex, PoisonError};

use family_api_core::storage::StorageError;
use sqlx::pool::PoolOptions;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection, SqlSafeStr, Sqlite, SqliteConnection, SqlitePool, Transaction};
use tokio::time::timeout;

use crate::sqlite::database::{BUSY_TIMEOUT, pool};
use crate::sqlite::error::fault;
use crate::turns::{Lane, Place, Turn, Turns};

/// Takes the write lock at once.
pub(super) const BEGIN: &str = "BEGIN IMMEDIATE";

/// A pool of one connection, for which the lanes take turns.
#[derive(Clone)]
pub(super) struct Writer {
    pool: SqlitePool,
    turns: Turns,
    running_turn: RunningTurn,
}

/// The turn of the write that uses the connection.
#[derive(Clone, Default)]
struct RunningTurn(Arc<Mutex<Option<Turn>>>);

impl Writer {
    pub(super) async fn connect(file: SqliteConnectOptions) -> Result<Self, StorageError> {
        let running_turn = RunningTurn::default();
        let pool = writer_pool(running_turn.clone()).connect_with(file).await.map_err(fault)?;
        Ok(Self { pool, turns: Turns::new(1), running_turn })
    }

    pub(super) fn pool(&self) -> &SqlitePool {
        &self.pool
    }

    /// Begins a transaction that belongs to no lane: it waits only for the connection.
    pub(super) async fn begin(&self) -> Result<Transaction<'static, Sqlite>, StorageError> {
        self.pool.begin_with(BEGIN).await.map_err(fault)
    }

    /// Gives a write a place in its lane.
    pub(super) fn enter(&self, lane: Lane) -> Result<Place, StorageError> {
        self.turns.enter(lane)
    }

    /// Begins a transaction of a write when it is the turn of its lane.
    ///
    /// The turn ends when the write has dropped its place and the connection has returned to the pool. By then, the
    /// running statement of a cancelled call has ended, and other lanes that wait for the connection are before the next
    /// transaction of this lane.
    pub(super) async fn begin_at(&self, place: &mut Place) -> Result<Transaction<'static, Sqlite>, StorageError> {
        let acquired = timeout(BUSY_TIMEOUT, async {
            // A pool that is closed ends only the waits for its connection.
            let turn = self.pool.close_event().do_until(place.turn()).await.map_err(fault)??;
            let connection = self.pool.acquire().await.map_err(fault)?;
            Ok((turn, connection))
        });
        let (turn, connection) = acquired.await.unwrap_or_else(|_| Err(fault(sqlx::Error::PoolTimedOut)))?;
        self.running_turn.replace(Some(turn));
        Transaction::begin(connection, Some(BEGIN.into_sql_str())).await.map_err(fault)
    }
}

impl RunningTurn {
    /// Begins a turn, and ends the one before.
    fn replace(&self, turn: Option<Turn>) {
        let mut running = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let ended = std::mem::replace(&mut *running, turn);
        drop(running);
        // Outside the lock, because it wakes the next write of the lane.
        drop(ended);
    }
}

fn writer_pool(running_turn: RunningTurn) -> PoolOptions<Sqlite> {
    pool(1).after_release(move |connection, _| {
        let running_turn = running_turn.clone();
        Box::pin(async move {
            let is_reusable = is_reusable(connection).await;
            running_turn.replace(None);
            is_reusable
        })
    })
}

/// Returns `false` if the driver counts a transaction as open. When the disk is full, SQLite ends the transaction
/// itself, but the driver does not notice. On such a connection, the driver could not begin another transaction.
async fn is_reusable(connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
    connection.ping().await?;
    Ok(!connection.is_in_transaction())
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::num::NonZeroU32;
    use std::pin::pin;
    use std::task::Poll;

    use futures_util::FutureExt;
    use futures_util::future::{join_all, poll_fn};
    use sqlx::Executor;
    use sqlx::sqlite::SqliteConnectOptions;
    use tempfile::TempDir;
    use tokio::time::Instant;

    use super::*;
    use crate::migration_state::NoTables;
    use crate::sqlite::database::Database;

    /// Takes some tenths of a second, and returns no row before.
    const SLOW: &str = "
        WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 1000000) INSERT INTO t SELECT max(x) FROM n";

    async fn open(folder: &TempDir) -> Database {
        let file = SqliteConnectOptions::new().filename(folder.path().join("family.db"));
        let database = Database::open(file, NonZeroU32::MIN, NoTables::Create).await.unwrap();
        database.writer.pool().execute("CREATE TABLE IF NOT EXISTS t (x)").await.unwrap();
        database
    }

    fn family(id: &str) -> Lane {
        Lane::Family(id.parse().unwrap())
    }

    /// Writes a row in one transaction.
    async fn write(writer: &Writer, lane: Lane) -> Result<(), StorageError> {
        let mut transaction = writer.begin_at(&mut writer.enter(lane)?).await?;
        transaction.execute("INSERT INTO t VALUES (1)").await.map_err(fault)?;
        transaction.commit().await.map_err(fault)
    }

    /// Returns when no write has a place.
    async fn wait_until_unused(writer: &Writer) {
        while writer.turns.count() > 0 {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn a_write_waits_for_one_write_of_each_other_family() {
        let folder = tempfile::tempdir().unwrap();
        let writer = &open(&folder).await.writer;
        let running = writer.begin_at(&mut writer.enter(family("berg")).unwrap()).await.unwrap();
        let order = RefCell::new(Vec::new());
        let lanes = ["berg"; 20].into_iter().chain(["tal", "tal", "wald"]);
        let all = lanes.map(async |id| {
            write(writer, family(id)).await.unwrap();
            order.borrow_mut().push(id);
        });
        let end = async { running.commit().await.unwrap() };
        tokio::join!(join_all(all), end);
        let order = order.into_inner();
        assert_eq!(order[..5], ["tal", "wald", "berg", "tal", "berg"], "{order:?}");
        assert_eq!(order.len(), 23);
    }

    #[tokio::test]
    async fn a_cancelled_write_keeps_its_turn_until_its_statement_has_ended() {
        let folder = tempfile::tempdir().unwrap();
        let (database, other_process) = (open(&folder).await, open(&folder).await);
        let mut other_process = other_process.writer.pool().acquire().await.unwrap();
        other_process.execute("PRAGMA busy_timeout = 0").await.unwrap();
        let writer = &database.writer;
        let mut place = writer.enter(family("berg")).unwrap();
        let mut cancelled = writer.begin_at(&mut place).await.unwrap();
        assert!(cancelled.execute(SLOW).now_or_never().is_none());
        drop((cancelled, place));
        let turn = writer.enter(family("berg")).unwrap().turn().await.unwrap();
        other_process.begin_with(BEGIN).await.expect("the statement and its transaction have ended");
        drop(turn);
        let rows: i64 = sqlx::query_scalar("SELECT count(*) FROM t").fetch_one(database.readers()).await.unwrap();
        assert_eq!(rows, 0);
    }

    /// Polls a write until it has waited `waits` times, and returns whether it ended before that.
    async fn cancel_after(waits: usize, write: impl Future<Output = Result<(), StorageError>>) -> bool {
        let (mut write, mut left) = (pin!(write), waits);
        poll_fn(|context| match write.as_mut().poll(context) {
            Poll::Ready(written) => {
                written.unwrap();
                Poll::Ready(true)
            }
            Poll::Pending if left == 0 => Poll::Ready(false),
            Poll::Pending => {
                left -= 1;
                Poll::Pending
            }
        })
        .await
    }

    #[tokio::test]
    async fn a_write_that_is_cancelled_at_any_point_gives_its_turn_back() {
        let folder = tempfile::tempdir().unwrap();
        let writer = &open(&folder).await.writer;
        // How often a write waits depends on how fast the thread of the connection is.
        for is_in_use in [false, true].repeat(10) {
            let mut waits = 0;
            loop {
                let mut place = writer.enter(family("berg")).unwrap();
                let running = if is_in_use { Some(writer.begin_at(&mut place).await.unwrap()) } else { None };
                let end = async { drop((place, running)) };
                let (has_ended, ()) = tokio::join!(cancel_after(waits, write(writer, family("berg"))), end);
                write(writer, family("berg")).await.unwrap();
                wait_until_unused(writer).await;
                if has_ended {
                    break;
                }
                waits += 1;
            }
            assert!(waits > 0);
        }
    }

    #[tokio::test]
    async fn closing_ends_waiting_writes_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let database = open(&folder).await;
        let running = database.writer.begin_at(&mut database.writer.enter(family("berg")).unwrap()).await.unwrap();
        let waiting = ["berg", "berg", "tal"].map(|id| write(&database.writer, family(id)));
        let mut closing = Box::pin(database.close());
        let refused = tokio::select! {
            biased;
            refused = join_all(waiting) => refused,
            () = &mut closing => panic!("a transaction is open"),
        };
        for refused in refused {
            let Err(StorageError::Unavailable(cause)) = refused else { panic!("{refused:?}") };
            assert!(matches!(cause.downcast_ref(), Some(sqlx::Error::PoolClosed)), "{cause}");
        }
        drop(running);
        closing.await;
    }

    #[tokio::test]
    async fn a_write_waits_two_seconds_for_its_turn_and_the_connection() {
        let folder = tempfile::tempdir().unwrap();
        let writer = &open(&folder).await.writer;
        let running = writer.begin_at(&mut writer.enter(family("berg")).unwrap()).await.unwrap();
        tokio::time::pause();
        for id in ["berg", "tal"] {
            let began = Instant::now();
            let refused = write(writer, family(id)).await;
            assert!(matches!(refused, Err(StorageError::Unavailable(_))), "{refused:?}");
            assert_eq!(began.elapsed().as_secs(), BUSY_TIMEOUT.as_secs());
        }
        tokio::time::resume();
        drop(running);
        write(writer, family("berg")).await.unwrap();
    }

    #[tokio::test]
    async fn a_write_can_begin_after_sqlite_ended_the_last_transaction() {
        let folder = tempfile::tempdir().unwrap();
        let database = open(&folder).await;
        let mut ended = database.begin().await.unwrap();
        ended.execute("ROLLBACK").await.unwrap();
        drop(ended);
        database.begin().await.unwrap().commit().await.unwrap();
    }
}
