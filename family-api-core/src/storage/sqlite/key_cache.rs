//! Keys that were found already, for as long as nothing was committed.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use sqlx::SqliteConnection;

use crate::key::KeyDigest;
use crate::storage::sqlite::commits::Commits;
use crate::storage::{FoundKey, StorageError};

/// How many keys are kept; each takes about half a kilobyte.
const MOST: usize = 16_384;

/// Keys as the file has them, proven anew by every request that asks for one.
///
/// A key that was read after a look at the file is what the file has for as long as another look shows the same
/// version. Every commit changes that, so whatever is revoked, switched off or moved is not found here any more.
pub(super) struct KeyCache {
    commits: Commits,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    version: i64,
    keys: HashMap<KeyDigest, FoundKey>,
}

impl KeyCache {
    /// `connection` tells the versions of the file, and is used for nothing else.
    pub(super) fn new(connection: SqliteConnection) -> Self {
        Self { commits: Commits::new(connection), kept: Mutex::default() }
    }

    /// The key of that digest, read from the file unless it is proven to be what it was.
    pub(super) async fn find(
        &self,
        digest: &KeyDigest,
        reading: impl Future<Output = Result<Option<FoundKey>, StorageError>>,
    ) -> Result<Option<FoundKey>, StorageError> {
        let Some(version) = self.commits.version().await else {
            return reading.await;
        };
        let kept = self.kept().at(version).keys.get(digest).cloned();
        if kept.is_some() {
            return Ok(kept);
        }
        let found = reading.await?;
        if let Some(key) = &found {
            self.kept().keep(version, *digest, key);
        }
        Ok(found)
    }

    pub(super) async fn close(&self) {
        self.commits.close().await;
    }

    /// A panic leaves no key that was not found.
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    /// What is kept of that version of the file.
    fn at(&mut self, version: i64) -> &mut Self {
        if self.version != version {
            self.version = version;
            self.keys.clear();
        }
        self
    }

    /// Keeps a key of that version, unless another one was seen meanwhile.
    fn keep(&mut self, version: i64, digest: KeyDigest, key: &FoundKey) {
        if self.version == version && self.keys.len() < MOST {
            self.keys.insert(digest, key.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use sqlx::Connection;
    use sqlx::sqlite::SqliteConnectOptions;

    use super::*;
    use crate::key::{IntegrationKey, ScopeSet};
    use crate::storage::KeyState;

    /// A cache of a file, and the connection that changes it.
    async fn open(folder: &tempfile::TempDir) -> (KeyCache, SqliteConnection) {
        let file = SqliteConnectOptions::new().filename(folder.path().join("family.db")).create_if_missing(true);
        let mut writer = SqliteConnection::connect_with(&file).await.unwrap();
        sqlx::raw_sql("PRAGMA journal_mode = WAL; CREATE TABLE t (x)").execute(&mut writer).await.unwrap();
        (KeyCache::new(SqliteConnection::connect_with(&file.read_only(true)).await.unwrap()), writer)
    }

    async fn commit(writer: &mut SqliteConnection) {
        sqlx::raw_sql("INSERT INTO t VALUES (1)").execute(writer).await.unwrap();
    }

    fn key(id: &str) -> FoundKey {
        let key = IntegrationKey {
            id: id.parse().unwrap(),
            name: None,
            hint: "x".into(),
            scopes: ScopeSet::default(),
            mode: None,
            created_at: crate::Timestamp::MIN,
            expires_at: None,
            last_used_at: None,
        };
        FoundKey { key, state: KeyState::Active, account: None }
    }

    #[tokio::test]
    async fn a_key_is_read_once_a_commit() {
        let folder = tempfile::tempdir().unwrap();
        let (cache, mut writer) = open(&folder).await;
        let (digest, readings) = (KeyDigest::of("t"), Cell::new(0));
        let find = async |id: &str| {
            let reading = async {
                readings.set(readings.get() + 1);
                Ok(Some(key(id)))
            };
            cache.find(&digest, reading).await.unwrap()
        };
        assert_eq!(find("before").await, Some(key("before")));
        assert_eq!((find("after").await, readings.get()), (Some(key("before")), 1));
        commit(&mut writer).await;
        assert_eq!((find("after").await, readings.get()), (Some(key("after")), 2));
        cache.close().await;
        assert_eq!((find("closed").await, readings.get()), (Some(key("closed")), 3));
    }

    #[tokio::test]
    async fn what_is_not_there_and_what_failed_is_asked_again() {
        let folder = tempfile::tempdir().unwrap();
        let (cache, _writer) = open(&folder).await;
        let digest = KeyDigest::of("t");
        assert_eq!(cache.find(&digest, async { Ok(None) }).await.unwrap(), None);
        let failed = cache.find(&digest, async { Err(StorageError::unavailable("gone")) }).await;
        assert!(matches!(failed, Err(StorageError::Unavailable(_))));
        assert_eq!(cache.find(&digest, async { Ok(Some(key("k"))) }).await.unwrap(), Some(key("k")));
    }

    #[tokio::test]
    async fn what_was_read_while_something_was_committed_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let (cache, mut writer) = open(&folder).await;
        let digest = KeyDigest::of("t");
        let reading = async {
            commit(&mut writer).await;
            Ok(Some(key("before")))
        };
        assert_eq!(cache.find(&digest, reading).await.unwrap(), Some(key("before")));
        assert_eq!(cache.find(&digest, async { Ok(Some(key("after"))) }).await.unwrap(), Some(key("after")));
    }

    #[test]
    fn no_more_keys_are_kept_than_there_is_room_for() {
        let mut kept = Kept::default();
        for number in 0..MOST + 10 {
            kept.keep(0, KeyDigest::of(&number.to_string()), &key("k"));
        }
        assert_eq!(kept.keys.len(), MOST);
        kept.at(1).keep(0, KeyDigest::of("late"), &key("k"));
        assert!(kept.keys.is_empty());
    }
}
