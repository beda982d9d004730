//! Keys that were found already, for as long as nothing was committed.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use sqlx::{Connection, SqliteConnection};
use tokio::sync::Mutex;
use tokio::time::timeout;

use crate::key::KeyDigest;
use crate::storage::key_batcher::{FoundKeys, KeyBatcher};
use crate::storage::sqlite::connections::Connections;
use crate::storage::sqlite::decode;
use crate::storage::sqlite::error::fault;
use crate::storage::sqlite::keys::{self, KeySnapshot};
use crate::storage::{FoundKey, StorageError};

/// Tells another number wherever something was committed in between, be it by another process; sometimes also where
/// nothing was.
const VERSION: &str = "PRAGMA data_version";

/// How long the watched connection is waited for.
const LOCK_TIMEOUT: Duration = Duration::from_secs(2);

/// Keys as the file has them, proven anew by every request that asks for one.
///
/// Every commit, be it by another process, makes another version of the file. A key is known for as long as the version
/// is what it was when the key was read, and one statement reads both, of the same moment.
pub(super) struct KeyCache {
    key_batcher: KeyBatcher,
    connections: Connections,
    /// `None` once it is closed.
    watched: Mutex<Option<Watched>>,
}

/// A connection that never writes, and what it read at the version of the file that it saw last: versions can only be
/// compared on one connection.
struct Watched {
    connection: SqliteConnection,
    version: Option<i64>,
    keys: HashMap<KeyDigest, Arc<FoundKey>>,
    most: usize,
    /// How many writes this process had begun before the last look: after more, another version is expected.
    writes: u64,
}

impl KeyCache {
    /// Keeps up to so many keys. `connection` can only read, and is used for nothing else.
    pub(super) fn new(connections: Connections, connection: SqliteConnection, most: usize) -> Self {
        let watched = Watched { connection, version: None, keys: HashMap::new(), most, writes: 0 };
        Self { key_batcher: KeyBatcher::new(), connections, watched: Mutex::new(Some(watched)) }
    }

    /// The key of that digest, read from the file unless it is proven to be what it was.
    pub(super) async fn find(&self, digest: &KeyDigest) -> Result<Option<FoundKey>, StorageError> {
        self.key_batcher.find(digest, |digests| self.look(digests)).await
    }

    /// Asks one of the readers where the watched connection is at work or does not answer.
    async fn look(&self, digests: HashSet<KeyDigest>) -> Result<FoundKeys, StorageError> {
        match self.look_watched(&digests).await {
            Some(found) => Ok(found),
            None => Ok(keys::query_keys(self.connections.readers(), &digests).await?.keys),
        }
    }

    async fn look_watched(&self, digests: &HashSet<KeyDigest>) -> Option<FoundKeys> {
        let mut watched = self.watched.try_lock().ok()?;
        timeout(LOCK_TIMEOUT, watched.as_mut()?.look(digests, self.connections.writes())).await.ok()?.ok()
    }

    /// Closes the watched connection: from then on no key is known.
    pub(super) async fn close(&self) {
        if let Some(watched) = self.watched.lock().await.take() {
            // It only reads: there is nothing that could be lost.
            let _ = watched.connection.close().await;
        }
    }
}

impl Watched {
    async fn look(&mut self, digests: &HashSet<KeyDigest>, writes: u64) -> Result<FoundKeys, StorageError> {
        if std::mem::replace(&mut self.writes, writes) == writes
            && let Some(found) = self.look_for_unknown(digests).await?
        {
            return Ok(found);
        }
        let KeySnapshot { version, keys } = keys::query_keys(&mut self.connection, digests).await?;
        self.keep(version, &keys);
        Ok(keys)
    }

    /// Reads those that are not known; `None` where the others are not known any more either.
    async fn look_for_unknown(&mut self, digests: &HashSet<KeyDigest>) -> Result<Option<FoundKeys>, StorageError> {
        let unknown: HashSet<_> = digests.iter().filter(|digest| !self.keys.contains_key(digest)).copied().collect();
        let KeySnapshot { version, keys: mut found } = if unknown.is_empty() {
            let row = sqlx::query(VERSION).fetch_one(&mut self.connection).await.map_err(fault)?;
            KeySnapshot { version: decode::get(&row, 0)?, keys: FoundKeys::new() }
        } else {
            keys::query_keys(&mut self.connection, &unknown).await?
        };
        if self.version != Some(version) && unknown.len() < digests.len() {
            return Ok(None);
        }
        self.keep(version, &found);
        found.extend(digests.iter().filter_map(|digest| Some((*digest, Ok(Arc::clone(self.keys.get(digest)?))))));
        Ok(Some(found))
    }

    /// Keeps what was read at that version, as far as there is room.
    fn keep(&mut self, version: i64, read: &FoundKeys) {
        if self.version != Some(version) {
            self.version = Some(version);
            self.keys.clear();
        }
        for (digest, key) in read {
            if let Ok(key) = key
                && self.keys.len() < self.most
            {
                self.keys.insert(*digest, Arc::clone(key));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use futures_util::future::{join_all, poll_immediate};
    use sqlx::Executor;
    use sqlx::sqlite::SqliteConnectOptions;

    use super::*;
    use crate::storage::sqlite::SqliteStorage;

    /// A file with two keys, their cache, and a connection of somebody else.
    struct Fixture {
        storage: SqliteStorage,
        host: SqliteConnection,
        _folder: tempfile::TempDir,
    }

    impl Fixture {
        async fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("family.db");
            let storage = SqliteStorage::open(&path).await.unwrap();
            let file = SqliteConnectOptions::new().filename(path).foreign_keys(false);
            let mut host = SqliteConnection::connect_with(&file).await.unwrap();
            for name in ["a", "b"] {
                let key = sqlx::query(
                    "INSERT INTO integration_keys (digest, id, user_id, name, hint, scopes, created_at)
                     VALUES (?1, ?2, 'nobody', ?2, '', '[]', '2026-11-20T10:15:30.123Z')",
                );
                key.bind(&digest(name).as_bytes()[..]).bind(name).execute(&mut host).await.unwrap();
            }
            Self { storage, host, _folder: folder }
        }

        /// Another cache of the file, with room for so many keys.
        async fn cache_of(&self, most: usize) -> KeyCache {
            let connections = &self.storage.connections;
            KeyCache::new(connections.clone(), connections.reader().await.unwrap(), most)
        }

        async fn change(&mut self, sql: &'static str) {
            self.host.execute(sql).await.unwrap();
        }

        /// The name of the key that was called so.
        async fn find(&self, name: &str) -> Option<String> {
            name_of(self.storage.key_cache.find(&digest(name)).await)
        }

        /// Has the key known by another name: where that comes back, it was not read from the file.
        async fn mark(&self, name: &str) {
            self.find(name).await;
            let mut watched = self.storage.key_cache.watched.lock().await;
            let known = watched.as_mut().unwrap().keys.get_mut(&digest(name)).unwrap();
            Arc::make_mut(known).key.name = Some("known".to_owned());
        }
    }

    fn digest(name: &str) -> KeyDigest {
        KeyDigest::of(name)
    }

    fn name_of(found: Result<Option<FoundKey>, StorageError>) -> Option<String> {
        found.unwrap().map(|found| found.key.name.unwrap())
    }

    const RENAME: &str = "UPDATE integration_keys SET name = name || '!' WHERE id = 'a'";
    const RENAMED: &str = "a!";

    #[tokio::test]
    async fn a_key_is_read_once_a_commit() {
        let mut fixture = Fixture::new().await;
        assert_eq!(fixture.find("a").await.as_deref(), Some("a"));
        for name in ["a", "b"] {
            fixture.mark(name).await;
            assert_eq!(fixture.find(name).await.as_deref(), Some("known"));
        }
        assert_eq!(fixture.find("a").await.as_deref(), Some("known"));
        fixture.change("UPDATE integration_keys SET name = 'B' WHERE id = 'b'").await;
        assert_eq!(fixture.find("a").await.as_deref(), Some("a"));
        assert_eq!(fixture.find("b").await.as_deref(), Some("B"));
    }

    #[tokio::test]
    async fn what_is_no_commit_leaves_keys_known_and_every_commit_does_not() {
        let mut fixture = Fixture::new().await;
        for _ in 0..10 {
            assert_eq!(fixture.find("a").await.as_deref(), Some("a"));
            fixture.mark("a").await;
            fixture.change("BEGIN IMMEDIATE").await;
            fixture.change(RENAME).await;
            assert_eq!(fixture.find("a").await.as_deref(), Some("known"));
            fixture.change("ROLLBACK").await;
            assert_eq!(fixture.find("a").await.as_deref(), Some("known"));
            fixture.change("PRAGMA wal_checkpoint(TRUNCATE)").await;
            fixture.change("UPDATE integration_keys SET hint = hint || 'x' WHERE id = 'b'").await;
        }
        assert_eq!(fixture.find("a").await.as_deref(), Some("a"));
    }

    #[tokio::test]
    async fn what_is_not_there_is_looked_for_again() {
        let mut fixture = Fixture::new().await;
        assert_eq!(fixture.find("c").await, None);
        assert_eq!(fixture.find("c").await, None);
        let renamed = sqlx::query("UPDATE integration_keys SET name = 'c', digest = ?1 WHERE id = 'a'");
        renamed.bind(&digest("c").as_bytes()[..]).execute(&mut fixture.host).await.unwrap();
        for (name, found) in [("a", None), ("b", Some("b")), ("c", Some("c"))] {
            assert_eq!(fixture.find(name).await.as_deref(), found);
        }
    }

    #[tokio::test]
    async fn a_key_that_cannot_be_read_is_no_fault_of_the_others() {
        let mut fixture = Fixture::new().await;
        fixture.change("PRAGMA ignore_check_constraints = ON").await;
        fixture.change("UPDATE integration_keys SET created_at = 'x' WHERE id = 'a'").await;
        let cache = &fixture.storage.key_cache;
        for _ in 0..2 {
            let names = ["a", "b"].map(digest);
            let found = join_all(names.iter().map(|digest| cache.find(digest))).await;
            assert!(matches!(found[0], Err(StorageError::Corrupt(_))), "{found:?}");
            assert_eq!(found[1].as_ref().unwrap().as_ref().unwrap().key.name.as_deref(), Some("b"));
        }
        fixture.change("UPDATE integration_keys SET created_at = '2026-11-20T10:15:30.123Z' WHERE id = 'a'").await;
        assert_eq!(fixture.find("a").await.as_deref(), Some("a"));
    }

    #[tokio::test]
    async fn none_of_those_who_ask_together_come_too_late_for_the_look_that_answers_them() {
        let mut fixture = Fixture::new().await;
        let mut expected = "a".to_owned();
        for _ in 0..50 {
            let storage = fixture.storage.clone();
            let find_all = || join_all((0..8).map(async |_| name_of(storage.key_cache.find(&digest("a")).await)));
            let mut early = Box::pin(find_all());
            begin(&mut early).await;
            fixture.change(RENAME).await;
            expected.push('!');
            let (early, late) = tokio::join!(early, find_all());
            assert_eq!(late, vec![Some(expected.clone()); 8]);
            let before = expected.strip_suffix('!').map(str::to_owned);
            assert!(early.iter().all(|name| *name == before || *name == late[0]), "{early:?}");
        }
    }

    #[tokio::test]
    async fn who_gives_up_leaves_the_others_an_answer() {
        let mut fixture = Fixture::new().await;
        let mut expected = "a".to_owned();
        for _ in 0..50 {
            let mut given_up = Box::pin(fixture.find("a"));
            begin(&mut given_up).await;
            drop(given_up);
            fixture.change(RENAME).await;
            expected.push('!');
            assert_eq!(fixture.find("a").await.as_ref(), Some(&expected));
        }
    }

    /// Polls until a look is under way, which may be over at once: who asks lets others ask first.
    async fn begin(asking: &mut (impl Future<Output: Debug> + Unpin)) {
        if poll_immediate(&mut *asking).await.is_none() {
            let _ = poll_immediate(asking).await;
        }
    }

    #[tokio::test]
    async fn where_the_watched_connection_is_at_work_or_closed_a_reader_is_asked() {
        let mut fixture = Fixture::new().await;
        assert_eq!(fixture.find("a").await.as_deref(), Some("a"));
        fixture.mark("a").await;
        fixture.change(RENAME).await;
        let cache = fixture.storage.key_cache.clone();
        let at_work = cache.watched.lock().await;
        assert_eq!(fixture.find("a").await.as_deref(), Some(RENAMED));
        drop(at_work);
        fixture.mark("a").await;
        assert_eq!(fixture.find("a").await.as_deref(), Some("known"));
        cache.close().await;
        assert_eq!(fixture.find("a").await.as_deref(), Some(RENAMED));
        fixture.storage.close().await;
        let closed = cache.find(&digest("a")).await;
        assert!(matches!(closed, Err(StorageError::Unavailable(_))), "{closed:?}");
    }

    #[tokio::test]
    async fn the_version_is_that_of_the_moment_that_the_keys_are_read_at() {
        let mut fixture = Fixture::new().await;
        let (mut reader, a) = (fixture.storage.connections.reader().await.unwrap(), HashSet::from([digest("a")]));
        let mut seen = Vec::new();
        for sql in ["BEGIN", "SELECT 1", "COMMIT"] {
            reader.execute(sql).await.unwrap();
            let KeySnapshot { version, mut keys } = keys::query_keys(&mut reader, &a).await.unwrap();
            seen.push((version, keys.remove(&digest("a")).unwrap().unwrap().key.name.clone()));
            fixture.change(RENAME).await;
        }
        assert_eq!(seen[0], seen[1]);
        assert!(seen[1].0 != seen[2].0 && seen[2].1.as_deref() == Some("a!!"), "{seen:?}");
    }

    #[tokio::test]
    async fn what_is_not_known_is_read_beside_what_is() {
        let mut fixture = Fixture::new().await;
        fixture.mark("a").await;
        let names = ["a", "b", "c"].map(digest);
        for known in ["known", "a!"] {
            let found = join_all(names.iter().map(|digest| fixture.storage.key_cache.find(digest))).await;
            let found: Vec<_> = found.into_iter().map(name_of).collect();
            assert_eq!(found, [Some(known.to_owned()), Some("b".to_owned()), None]);
            fixture.change(RENAME).await;
        }
    }

    #[tokio::test]
    async fn no_more_keys_are_kept_than_there_is_room_for() {
        let fixture = Fixture::new().await;
        for most in [0, 1, 2, 3] {
            let cache = fixture.cache_of(most).await;
            for name in ["a", "b", "c", "a", "b"] {
                let found = name_of(cache.find(&digest(name)).await);
                assert_eq!(found.as_deref(), (name != "c").then_some(name));
            }
            assert_eq!(cache.watched.lock().await.as_ref().unwrap().keys.len(), most.min(2));
        }
    }
}
