//! Lookup of keys, access tokens and calendar feeds by digest, with a cache that is valid until the next commit to the
//! file.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use family_api_core::key::KeyDigest;
use family_api_core::storage::value::Values;
use family_api_core::storage::{FoundAccessToken, FoundFeed, FoundKey, StorageError};
use sqlx::{Connection, SqliteConnection};
use tokio::sync::Mutex as AsyncMutex;
use tokio::time::timeout;

use crate::account::{found_key_columns, found_keys};
use crate::feeds;
use crate::grants::{access_token_columns, found_access_tokens};
use crate::sqlite::database::Database;
use crate::sqlite::error::fault;
use crate::sqlite::file_version::FileVersion;
use crate::sqlite::row::{Row, digest_array};
use crate::token_batcher::{DigestsByKind, FoundToken, FoundTokens, TokenBatcher, TokenDigest};

static FIND_KEYS: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT k.digest, {}
        FROM integration_keys k
        LEFT JOIN users u ON u.id = k.user_id
        LEFT JOIN families f ON f.id = u.family_id
        WHERE k.digest IN (SELECT unhex(value) FROM json_each(?1))",
        found_key_columns()
    )
});

static FIND_ACCESS_TOKENS: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT g.access_token, {}
        FROM grants g
        LEFT JOIN users u ON u.id = g.user_id
        LEFT JOIN families f ON f.id = u.family_id
        WHERE g.access_token IN (SELECT unhex(value) FROM json_each(?1))",
        access_token_columns()
    )
});

/// Maximum time of a query on the connection for lookups.
const QUERY_TIMEOUT: Duration = Duration::from_secs(2);

/// Caches keys, access tokens and feeds, and checks for each request that the file has not changed.
///
/// Every commit changes the file's version, also a commit of another process. A token is cached at the version that was
/// read before the token. While the version stays the same, no commit has changed the token. The same holds for a feed.
pub(super) struct TokenCache {
    batcher: TokenBatcher,
    database: Database,
    cached: Mutex<CachedTokens>,
    /// A read-only connection for tokens that are not cached. `None` after `close`.
    connection: AsyncMutex<Option<SqliteConnection>>,
}

/// The tokens and feeds that were read at `version`.
struct CachedTokens {
    /// `None` after `close`.
    file: Option<FileVersion>,
    version: Option<i64>,
    tokens: HashMap<TokenDigest, Arc<FoundToken>>,
    feeds: HashMap<KeyDigest, Arc<FoundFeed>>,
    /// The maximum number of tokens and feeds.
    capacity: usize,
    /// The number of lookups that found a cached token.
    hits: u64,
}

impl TokenCache {
    /// Creates a cache of up to `capacity` tokens and feeds. `file` and `connection` must not be used by others.
    pub(super) fn new(database: Database, file: FileVersion, connection: SqliteConnection, capacity: usize) -> Self {
        let (tokens, feeds) = (HashMap::new(), HashMap::new());
        let cached = CachedTokens { file: Some(file), version: None, tokens, feeds, capacity, hits: 0 };
        Self {
            batcher: TokenBatcher::default(),
            database,
            cached: Mutex::new(cached),
            connection: AsyncMutex::new(Some(connection)),
        }
    }

    /// Returns the key with this digest, from the cache if the file has not changed.
    pub(super) async fn find_key(&self, digest: &KeyDigest) -> Result<Option<FoundKey>, StorageError> {
        match self.find_cached(TokenDigest::Key(*digest)).as_deref() {
            Some(FoundToken::Key(key)) => Ok(Some(key.clone())),
            _ => self.batcher.find_key(digest, |digests| self.query(digests)).await,
        }
    }

    /// Returns the access token with this digest, from the cache if the file has not changed.
    pub(super) async fn find_access_token(&self, digest: &KeyDigest) -> Result<Option<FoundAccessToken>, StorageError> {
        match self.find_cached(TokenDigest::Access(*digest)).as_deref() {
            Some(FoundToken::Access(token)) => Ok(Some(token.clone())),
            _ => self.batcher.find_access_token(digest, |digests| self.query(digests)).await,
        }
    }

    /// Returns the feed with this digest, from the cache if the file has not changed. Lookups are not batched: a program
    /// reads its feed every few minutes.
    pub(super) async fn find_feed(&self, digest: &KeyDigest) -> Result<Option<FoundFeed>, StorageError> {
        let cached = self.cached().find_feed(digest);
        match cached {
            Some(feed) => Ok(Some(Arc::unwrap_or_clone(feed))),
            None => self.query_feed(digest).await,
        }
    }

    /// Reads a feed as [`query`](Self::query) reads tokens.
    async fn query_feed(&self, digest: &KeyDigest) -> Result<Option<FoundFeed>, StorageError> {
        let version = self.cached().read_version();
        if let Some(found) = self.query_feed_on_own_connection(digest).await {
            if let Some(feed) = &found {
                self.cached().store_feed(version, digest, feed);
            }
            return Ok(found);
        }
        let mut reader = self.database.readers().acquire().await.map_err(fault)?;
        feeds::find_feed(&mut *reader, digest).await
    }

    async fn query_feed_on_own_connection(&self, digest: &KeyDigest) -> Option<Option<FoundFeed>> {
        let mut connection = self.connection.try_lock().ok()?;
        timeout(QUERY_TIMEOUT, feeds::find_feed(connection.as_mut()?, digest)).await.ok()?.ok()
    }

    fn find_cached(&self, digest: TokenDigest) -> Option<Arc<FoundToken>> {
        self.cached().find(digest)
    }

    /// Reads tokens that are not cached. Uses a connection of the pool if the connection for lookups is in use, fails or
    /// times out.
    ///
    /// What the pool has read is not cached. The pool opens connections later, so they can have another file if the file
    /// was replaced.
    async fn query(&self, digests: HashSet<TokenDigest>) -> Result<FoundTokens, StorageError> {
        let version = self.cached().read_version();
        if let Some(found) = self.query_own_connection(&digests).await {
            self.cached().store(version, &found);
            return Ok(found);
        }
        let mut reader = self.database.readers().acquire().await.map_err(fault)?;
        query_tokens(&mut reader, &digests).await
    }

    async fn query_own_connection(&self, digests: &HashSet<TokenDigest>) -> Option<FoundTokens> {
        let mut connection = self.connection.try_lock().ok()?;
        timeout(QUERY_TIMEOUT, query_tokens(connection.as_mut()?, digests)).await.ok()?.ok()
    }

    /// Ignores a poisoned lock: a panic cannot leave a token at a wrong version.
    fn cached(&self) -> MutexGuard<'_, CachedTokens> {
        self.cached.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of lookups, and how many of them used the statement of another caller.
    pub(super) fn counts(&self) -> (u64, u64) {
        let (queries, coalesced) = self.batcher.counts();
        (queries + self.cached().hits, coalesced)
    }

    /// Closes both connections. Later lookups use the readers.
    pub(super) async fn close(&self) {
        self.cached().file = None;
        if let Some(connection) = self.connection.lock().await.take() {
            // The connection only reads, so an error of closing loses no data.
            let _ = connection.close().await;
        }
    }
}

impl CachedTokens {
    /// Returns a token that no commit has changed since it was read.
    fn find(&mut self, digest: TokenDigest) -> Option<Arc<FoundToken>> {
        self.read_version()?;
        let token = Arc::clone(self.tokens.get(&digest)?);
        self.hits += 1;
        Some(token)
    }

    /// Returns a feed that no commit has changed since it was read.
    fn find_feed(&mut self, digest: &KeyDigest) -> Option<Arc<FoundFeed>> {
        self.read_version()?;
        self.feeds.get(digest).map(Arc::clone)
    }

    /// Returns the file's version. Forgets the tokens and feeds of another version.
    fn read_version(&mut self) -> Option<i64> {
        let version = self.file.as_ref()?.read();
        if version != self.version {
            self.version = version;
            self.tokens.clear();
            self.feeds.clear();
        }
        version
    }

    /// Caches tokens that were read after this version, up to the capacity.
    fn store(&mut self, version: Option<i64>, found: &FoundTokens) {
        for (digest, token) in found {
            if let Ok(token) = token
                && self.has_room_at(version)
            {
                self.tokens.insert(*digest, Arc::clone(token));
            }
        }
    }

    /// Caches a feed that was read after this version, up to the capacity.
    fn store_feed(&mut self, version: Option<i64>, digest: &KeyDigest, found: &FoundFeed) {
        if self.has_room_at(version) {
            self.feeds.insert(*digest, Arc::new(found.clone()));
        }
    }

    fn has_room_at(&self, version: Option<i64>) -> bool {
        version.is_some() && version == self.version && self.tokens.len() + self.feeds.len() < self.capacity
    }
}

/// Returns the tokens with these digests. If both kinds are asked for, one read transaction contains both statements,
/// so that the tokens belong to the same snapshot.
async fn query_tokens(
    reader: &mut SqliteConnection,
    digests: &HashSet<TokenDigest>,
) -> Result<FoundTokens, StorageError> {
    let DigestsByKind { keys, access_tokens } = digests.iter().collect();
    if access_tokens.is_empty() {
        return query_keys(reader, &keys).await;
    }
    if keys.is_empty() {
        return query_access_tokens(reader, &access_tokens).await;
    }
    let mut transaction = reader.begin().await.map_err(fault)?;
    let mut found = query_keys(&mut transaction, &keys).await?;
    found.extend(query_access_tokens(&mut transaction, &access_tokens).await?);
    transaction.commit().await.map_err(fault)?;
    Ok(found)
}

async fn query_keys(reader: &mut SqliteConnection, digests: &[KeyDigest]) -> Result<FoundTokens, StorageError> {
    found_keys(query_rows(reader, FIND_KEYS.as_str(), digests).await?.iter().map(Values::of))
}

async fn query_access_tokens(
    reader: &mut SqliteConnection,
    digests: &[KeyDigest],
) -> Result<FoundTokens, StorageError> {
    found_access_tokens(query_rows(reader, FIND_ACCESS_TOKENS.as_str(), digests).await?.iter().map(Values::of))
}

/// Finds a key on any connection, without the cache.
pub(super) async fn find_key_uncached(
    connection: &mut SqliteConnection,
    digest: &KeyDigest,
) -> Result<Option<FoundKey>, StorageError> {
    let found = query_keys(connection, &[*digest]).await?.remove(&TokenDigest::Key(*digest)).transpose()?;
    Ok(match found.map(Arc::unwrap_or_clone) {
        Some(FoundToken::Key(key)) => Some(key),
        Some(FoundToken::Access(_)) | None => None,
    })
}

/// Finds an access token on any connection, without the cache.
pub(super) async fn find_access_token_uncached(
    connection: &mut SqliteConnection,
    digest: &KeyDigest,
) -> Result<Option<FoundAccessToken>, StorageError> {
    let mut tokens = query_access_tokens(connection, &[*digest]).await?;
    let found = tokens.remove(&TokenDigest::Access(*digest)).transpose()?;
    Ok(match found.map(Arc::unwrap_or_clone) {
        Some(FoundToken::Access(token)) => Some(token),
        Some(FoundToken::Key(_)) | None => None,
    })
}

async fn query_rows(
    reader: &mut SqliteConnection,
    sql: &'static str,
    digests: &[KeyDigest],
) -> Result<Vec<Row>, StorageError> {
    sqlx::query(sql).bind(digest_array(digests)?).map(Row).fetch_all(reader).await.map_err(fault)
}

#[cfg(test)]
mod tests;
