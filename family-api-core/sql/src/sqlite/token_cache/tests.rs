//! The cache of tokens: what it reads, and when it is valid.

use std::fmt::Debug;

use futures_util::future::{join_all, poll_immediate};
use sqlx::Executor;
use sqlx::sqlite::SqliteConnectOptions;

use super::*;
use crate::sqlite::SqliteStorage;
use crate::sqlite::query_plans::assert_index_lookups;

/// A file with the keys `a` and `b`, and a connection of the host app.
struct Fixture {
    storage: SqliteStorage,
    host: SqliteConnection,
    folder: tempfile::TempDir,
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
        Self { storage, host, folder }
    }

    /// Opens another cache of the file.
    async fn cache_with_capacity(&self, capacity: usize) -> TokenCache {
        let database = &self.storage.database;
        let file = FileVersion::open(&self.folder.path().join("family.db")).unwrap();
        TokenCache::new(database.clone(), file, database.reader().await.unwrap(), capacity)
    }

    async fn execute(&mut self, sql: &'static str) {
        self.host.execute(sql).await.unwrap();
    }

    /// Finds the key with the digest of `name`, and returns its current name.
    async fn find(&self, name: &str) -> Option<String> {
        name_of(self.storage.token_cache.find_key(&digest(name)).await)
    }

    /// Renames the key to "cached", only in the cache. A lookup that returns this name did not read the file.
    async fn rename_in_cache(&self, name: &str) {
        self.find(name).await;
        let mut cached = self.storage.token_cache.cached();
        let token = cached.tokens.get_mut(&TokenDigest::Key(digest(name))).unwrap();
        match Arc::make_mut(token) {
            FoundToken::Key(found) => found.key.name = Some("cached".to_owned()),
            FoundToken::Access(_) => panic!("the key is an access token"),
        }
    }
}

fn digest(name: &str) -> KeyDigest {
    KeyDigest::of(name)
}

fn name_of(found: Result<Option<FoundKey>, StorageError>) -> Option<String> {
    found.unwrap().map(|found| found.key.name.unwrap())
}

/// Inserts a feed with the digest of its name.
async fn insert_feed(fixture: &mut Fixture, name: &str) {
    let feed = sqlx::query(
        "INSERT INTO calendar_feeds
            (digest, id, user_id, name, hint, shows, detail, language, created_at, updated_at)
         SELECT ?1, ?2, 'nobody', ?2, '', 'both', 'full', 'en', at, at
         FROM (SELECT '2026-11-20T10:15:30.123Z' AS at)",
    );
    feed.bind(&digest(name).as_bytes()[..]).bind(name).execute(&mut fixture.host).await.unwrap();
}

/// Finds the feed with the digest of `name`, and returns its current name.
async fn find_feed(cache: &TokenCache, name: &str) -> Option<String> {
    cache.find_feed(&digest(name)).await.unwrap().map(|found| found.feed.settings.name)
}

/// Renames the feed to "cached", only in the cache, after a lookup.
async fn rename_feed_in_cache(cache: &TokenCache, name: &str) {
    find_feed(cache, name).await;
    let mut cached = cache.cached();
    Arc::make_mut(cached.feeds.get_mut(&digest(name)).unwrap()).feed.settings.name = "cached".to_owned();
}

const RENAME: &str = "UPDATE integration_keys SET name = name || '!' WHERE id = 'a'";
const RENAMED: &str = "a!";

#[tokio::test]
async fn tokens_are_looked_up_by_digest() {
    assert_index_lookups(&[&FIND_KEYS, &FIND_ACCESS_TOKENS]).await;
}

#[tokio::test]
async fn a_key_is_read_once_per_commit() {
    let mut fixture = Fixture::new().await;
    assert_eq!(fixture.find("a").await.as_deref(), Some("a"));
    for name in ["a", "b"] {
        fixture.rename_in_cache(name).await;
        assert_eq!(fixture.find(name).await.as_deref(), Some("cached"));
    }
    assert_eq!(fixture.find("a").await.as_deref(), Some("cached"));
    fixture.execute("UPDATE integration_keys SET name = 'B' WHERE id = 'b'").await;
    assert_eq!(fixture.find("a").await.as_deref(), Some("a"));
    assert_eq!(fixture.find("b").await.as_deref(), Some("B"));
}

#[tokio::test]
async fn only_a_commit_invalidates_the_cache() {
    let mut fixture = Fixture::new().await;
    for _ in 0..10 {
        assert_eq!(fixture.find("a").await.as_deref(), Some("a"));
        fixture.rename_in_cache("a").await;
        fixture.execute("BEGIN IMMEDIATE").await;
        fixture.execute(RENAME).await;
        assert_eq!(fixture.find("a").await.as_deref(), Some("cached"));
        fixture.execute("ROLLBACK").await;
        assert_eq!(fixture.find("a").await.as_deref(), Some("cached"));
        fixture.execute("PRAGMA wal_checkpoint(TRUNCATE)").await;
        fixture.execute("UPDATE integration_keys SET hint = hint || 'x' WHERE id = 'b'").await;
    }
    assert_eq!(fixture.find("a").await.as_deref(), Some("a"));
}

#[tokio::test]
async fn an_unknown_key_is_not_cached_as_missing() {
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
async fn a_corrupt_key_does_not_affect_the_others() {
    let mut fixture = Fixture::new().await;
    fixture.execute("PRAGMA ignore_check_constraints = ON").await;
    fixture.execute("UPDATE integration_keys SET created_at = 'x' WHERE id = 'a'").await;
    let cache = &fixture.storage.token_cache;
    for _ in 0..2 {
        let names = ["a", "b"].map(digest);
        let found = join_all(names.iter().map(|digest| cache.find_key(digest))).await;
        assert!(matches!(found[0], Err(StorageError::Corrupt(_))), "{found:?}");
        assert_eq!(found[1].as_ref().unwrap().as_ref().unwrap().key.name.as_deref(), Some("b"));
    }
    fixture.execute("UPDATE integration_keys SET created_at = '2026-11-20T10:15:30.123Z' WHERE id = 'a'").await;
    assert_eq!(fixture.find("a").await.as_deref(), Some("a"));
}

#[tokio::test]
async fn concurrent_lookups_never_return_an_older_key() {
    let mut fixture = Fixture::new().await;
    let mut expected = "a".to_owned();
    for _ in 0..50 {
        let storage = fixture.storage.clone();
        let find_all = || join_all((0..8).map(async |_| name_of(storage.token_cache.find_key(&digest("a")).await)));
        let mut early = Box::pin(find_all());
        poll_until_begun(&mut early).await;
        fixture.execute(RENAME).await;
        expected.push('!');
        let (early, late) = tokio::join!(early, find_all());
        assert_eq!(late, vec![Some(expected.clone()); 8]);
        let previous = expected.strip_suffix('!').map(str::to_owned);
        assert!(early.iter().all(|name| *name == previous || *name == late[0]), "{early:?}");
    }
}

#[tokio::test]
async fn a_cancelled_lookup_does_not_affect_the_next() {
    let mut fixture = Fixture::new().await;
    let mut expected = "a".to_owned();
    for _ in 0..50 {
        let mut cancelled = Box::pin(fixture.find("a"));
        poll_until_begun(&mut cancelled).await;
        drop(cancelled);
        fixture.execute(RENAME).await;
        expected.push('!');
        assert_eq!(fixture.find("a").await.as_ref(), Some(&expected));
    }
}

/// Polls a lookup until its query has begun. The first poll yields, so that other lookups can join the query. The
/// query can already end at the second poll.
async fn poll_until_begun(lookup: &mut (impl Future<Output: Debug> + Unpin)) {
    if poll_immediate(&mut *lookup).await.is_none() {
        let _ = poll_immediate(lookup).await;
    }
}

#[tokio::test]
async fn the_pool_is_used_if_the_connection_is_busy_or_closed() {
    let mut fixture = Fixture::new().await;
    assert_eq!(fixture.find("a").await.as_deref(), Some("a"));
    fixture.rename_in_cache("a").await;
    fixture.execute(RENAME).await;
    let cache = fixture.storage.token_cache.clone();
    let busy = cache.connection.lock().await;
    assert_eq!(fixture.find("a").await.as_deref(), Some(RENAMED));
    drop(busy);
    fixture.rename_in_cache("a").await;
    assert_eq!(fixture.find("a").await.as_deref(), Some("cached"));
    cache.close().await;
    assert_eq!(fixture.find("a").await.as_deref(), Some(RENAMED));
    fixture.storage.close().await;
    let closed = cache.find_key(&digest("a")).await;
    assert!(matches!(closed, Err(StorageError::Unavailable(_))), "{closed:?}");
}

/// A commit between the reading of the version and the reading of the keys makes the keys newer than the version.
#[tokio::test]
async fn keys_of_another_version_are_not_cached() {
    let mut fixture = Fixture::new().await;
    let cache = fixture.storage.token_cache.clone();
    let version = cache.cached().read_version();
    let found = cache.query_own_connection(&HashSet::from([TokenDigest::Key(digest("a"))])).await.unwrap();
    fixture.execute(RENAME).await;
    assert_eq!(fixture.find("b").await.as_deref(), Some("b"));
    cache.cached().store(version, &found);
    assert_eq!(fixture.find("a").await.as_deref(), Some(RENAMED));
}

#[tokio::test]
async fn one_call_returns_cached_and_uncached_keys() {
    let mut fixture = Fixture::new().await;
    fixture.rename_in_cache("a").await;
    let names = ["a", "b", "c"].map(digest);
    for name in ["cached", "a!"] {
        let found = join_all(names.iter().map(|digest| fixture.storage.token_cache.find_key(digest))).await;
        let found: Vec<_> = found.into_iter().map(name_of).collect();
        assert_eq!(found, [Some(name.to_owned()), Some("b".to_owned()), None]);
        fixture.execute(RENAME).await;
    }
}

#[tokio::test]
async fn the_cache_does_not_exceed_its_capacity() {
    let fixture = Fixture::new().await;
    for capacity in [0, 1, 2, 3] {
        let cache = fixture.cache_with_capacity(capacity).await;
        for name in ["a", "b", "c", "a", "b"] {
            let found = name_of(cache.find_key(&digest(name)).await);
            assert_eq!(found.as_deref(), (name != "c").then_some(name));
        }
        assert_eq!(cache.cached().tokens.len(), capacity.min(2));
    }
}

#[tokio::test]
async fn a_feed_is_read_once_per_commit() {
    let mut fixture = Fixture::new().await;
    insert_feed(&mut fixture, "f").await;
    let cache = fixture.storage.token_cache.clone();
    for change in ["UPDATE calendar_feeds SET hint = 'h'", "UPDATE integration_keys SET hint = 'h'"] {
        rename_feed_in_cache(&cache, "f").await;
        assert_eq!(find_feed(&cache, "f").await.as_deref(), Some("cached"));
        fixture.execute(change).await;
        assert_eq!(find_feed(&cache, "f").await.as_deref(), Some("f"));
    }
    rename_feed_in_cache(&cache, "f").await;
    fixture.execute("DELETE FROM calendar_feeds").await;
    assert_eq!(find_feed(&cache, "f").await, None);
    // A missing feed is not cached as missing.
    insert_feed(&mut fixture, "f").await;
    assert_eq!(find_feed(&cache, "f").await.as_deref(), Some("f"));
}

#[tokio::test]
async fn a_feed_is_read_from_the_pool_if_the_connection_is_busy_or_closed() {
    let mut fixture = Fixture::new().await;
    insert_feed(&mut fixture, "f").await;
    let cache = fixture.storage.token_cache.clone();
    let busy = cache.connection.lock().await;
    assert_eq!(find_feed(&cache, "f").await.as_deref(), Some("f"));
    assert!(cache.cached().feeds.is_empty());
    drop(busy);
    rename_feed_in_cache(&cache, "f").await;
    cache.close().await;
    assert_eq!(find_feed(&cache, "f").await.as_deref(), Some("f"));
}

/// A commit between the reading of the version and the reading of the feed makes the feed newer than the version.
#[tokio::test]
async fn a_feed_of_another_version_is_not_cached() {
    let mut fixture = Fixture::new().await;
    insert_feed(&mut fixture, "f").await;
    let cache = fixture.storage.token_cache.clone();
    let version = cache.cached().read_version();
    let found = cache.query_feed_on_own_connection(&digest("f")).await.unwrap().unwrap();
    fixture.execute("DELETE FROM calendar_feeds").await;
    assert_eq!(fixture.find("a").await.as_deref(), Some("a"));
    cache.cached().store_feed(version, &digest("f"), &found);
    assert_eq!(find_feed(&cache, "f").await, None);
}

#[tokio::test]
async fn feeds_and_keys_share_the_capacity() {
    let mut fixture = Fixture::new().await;
    insert_feed(&mut fixture, "f").await;
    for (capacity, kept) in [(0, (0, 0)), (1, (1, 0)), (2, (1, 1))] {
        let cache = fixture.cache_with_capacity(capacity).await;
        assert_eq!(name_of(cache.find_key(&digest("a")).await).as_deref(), Some("a"));
        assert_eq!(find_feed(&cache, "f").await.as_deref(), Some("f"));
        let cached = cache.cached();
        assert_eq!((cached.tokens.len(), cached.feeds.len()), kept);
    }
}
