//! Whether anything was committed to the file, by anybody.

use std::time::Duration;

use sqlx::{Connection, SqliteConnection};
use tokio::sync::Mutex;
use tokio::time::timeout;

use crate::storage::shared_look::SharedLook;

/// Answers with a number that differs where something was committed in between, be it by another process.
const VERSION: &str = "PRAGMA data_version";

/// How long a look is waited for.
const PATIENCE: Duration = Duration::from_secs(2);

/// Tells states of the file apart, on a connection that never writes.
pub(super) struct Commits {
    looks: SharedLook<(), i64>,
    /// `None` once it is closed; of those who look, there is one at a time.
    connection: Mutex<Option<SqliteConnection>>,
}

/// The file does not tell its version.
struct Untold;

impl Commits {
    /// `connection` is used for nothing else.
    pub(super) fn new(connection: SqliteConnection) -> Self {
        Self { looks: SharedLook::new(), connection: Mutex::new(Some(connection)) }
    }

    /// The version of the file at some moment after the call; where two are the same, nothing was committed between
    /// these moments. `None` where it cannot be told, or not soon.
    pub(super) async fn version(&self) -> Option<i64> {
        self.looks.ask((), |_| self.look(), |version| *version).await.ok().flatten()
    }

    async fn look(&self) -> Result<i64, Untold> {
        let mut connection = self.connection.lock().await;
        let version = sqlx::query_scalar(VERSION).fetch_one(connection.as_mut().ok_or(Untold)?);
        timeout(PATIENCE, version).await.map_err(|_| Untold)?.map_err(|_| Untold)
    }

    /// Closes the connection: from then on nothing can be told.
    pub(super) async fn close(&self) {
        if let Some(connection) = self.connection.lock().await.take() {
            // It only reads: there is nothing that could be lost.
            let _ = connection.close().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::future::{join_all, poll_immediate};
    use sqlx::sqlite::SqliteConnectOptions;

    use super::*;

    async fn open(folder: &tempfile::TempDir) -> (Commits, SqliteConnection) {
        let file = SqliteConnectOptions::new().filename(folder.path().join("family.db")).create_if_missing(true);
        let mut writer = SqliteConnection::connect_with(&file).await.unwrap();
        sqlx::raw_sql("PRAGMA journal_mode = WAL; CREATE TABLE t (x)").execute(&mut writer).await.unwrap();
        (Commits::new(SqliteConnection::connect_with(&file.read_only(true)).await.unwrap()), writer)
    }

    async fn insert(writer: &mut SqliteConnection) {
        sqlx::raw_sql("INSERT INTO t VALUES (1)").execute(writer).await.unwrap();
    }

    #[tokio::test]
    async fn the_version_is_another_after_each_commit_and_only_then() {
        let folder = tempfile::tempdir().unwrap();
        let (commits, mut writer) = open(&folder).await;
        let mut before = commits.version().await.unwrap();
        for _ in 0..10 {
            assert_eq!(commits.version().await, Some(before));
            insert(&mut writer).await;
            let after = commits.version().await.unwrap();
            assert_ne!(before, after);
            before = after;
        }
        let mut transaction = writer.begin().await.unwrap();
        insert(&mut transaction).await;
        assert_eq!(commits.version().await, Some(before));
        transaction.rollback().await.unwrap();
        assert_eq!(commits.version().await, Some(before));
        sqlx::raw_sql("PRAGMA wal_checkpoint(TRUNCATE)").execute(&mut writer).await.unwrap();
        insert(&mut writer).await;
        assert_ne!(commits.version().await, Some(before));
    }

    #[tokio::test]
    async fn those_who_ask_together_share_a_look_that_none_of_them_came_too_late_for() {
        let folder = tempfile::tempdir().unwrap();
        let (commits, mut writer) = open(&folder).await;
        for _ in 0..50 {
            let before = commits.version().await;
            let mut early = std::pin::pin!(join_all((0..8).map(|_| commits.version())));
            // The first to ask looks when the others have asked.
            let _ = poll_immediate(&mut early).await;
            let _ = poll_immediate(&mut early).await;
            insert(&mut writer).await;
            let (_, late) = tokio::join!(early, join_all((0..8).map(|_| commits.version())));
            assert!(late.iter().all(|version| *version != before && *version == late[0]), "{before:?} {late:?}");
        }
    }

    #[tokio::test]
    async fn who_gives_up_leaves_the_others_an_answer() {
        let folder = tempfile::tempdir().unwrap();
        let (commits, mut writer) = open(&folder).await;
        let mut before = commits.version().await;
        for _ in 0..50 {
            let mut given_up = Box::pin(commits.version());
            // It lets others ask first; then it looks, which may be over at once.
            if poll_immediate(&mut given_up).await.is_none() {
                let _ = poll_immediate(&mut given_up).await;
            }
            drop(given_up);
            insert(&mut writer).await;
            let after = commits.version().await;
            assert!(after.is_some() && after != before, "{before:?} {after:?}");
            before = after;
        }
        commits.close().await;
        assert_eq!(commits.version().await, None);
    }
}
