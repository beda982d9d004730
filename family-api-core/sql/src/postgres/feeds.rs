//! Calendar feeds.

use async_trait::async_trait;
use family_api_core::Timestamp;
use family_api_core::feed::{CalendarFeed, FeedUpdate};
use family_api_core::id::{FeedId, UserId};
use family_api_core::key::KeyDigest;
use family_api_core::storage::{FeedInsert, FeedStorage, FeedWrite, FoundFeed, NewFeed, SignedIn, StorageError};
use sqlx::PgConnection;

use crate::feeds::{self, FIND_EXPIRED};
use crate::postgres::credentials::lock_session;
use crate::postgres::database::{Database, call};
use crate::postgres::error::fault;
use crate::postgres::grants::lock_credentials;
use crate::postgres::leases::Shards;
use crate::postgres::purge_digests::{Deletion, deletion, purge};
use crate::postgres::timestamp::PgTimestamp;
use crate::postgres::token_lookup::digest_array;
use crate::postgres::{PostgresStorage, distributed};

const RECORD_USES: &str = "
    UPDATE calendar_feeds SET last_used_at = $2
    WHERE digest = ANY($1) AND (last_used_at IS NULL OR last_used_at < $2)";

const DELETE: Deletion = deletion!("calendar_feeds", "expires_at");

#[async_trait]
impl FeedStorage for PostgresStorage {
    async fn insert_feed(&self, new: &NewFeed, limit: u32) -> Result<FeedInsert, StorageError> {
        call(|| insert(&self.database, new, limit)).await
    }

    async fn find_feed(&self, digest: &KeyDigest) -> Result<Option<FoundFeed>, StorageError> {
        call(async || {
            if self.database.is_distributed() {
                return distributed::find_feed(&self.database, digest).await;
            }
            feeds::find_feed(&mut *self.database.lease().await?, digest).await
        })
        .await
    }

    async fn list_feeds(&self, user: &UserId, now: Timestamp) -> Result<Vec<CalendarFeed>, StorageError> {
        call(async || feeds::list_feeds(&mut *self.database.lease().await?, user, now).await).await
    }

    async fn update_feed(
        &self,
        user: &SignedIn,
        feed: &FeedId,
        update: &FeedUpdate,
        now: Timestamp,
    ) -> Result<FeedWrite<CalendarFeed>, StorageError> {
        call(|| update_settings(&self.database, user, feed, update, now)).await
    }

    async fn delete_feed(&self, user: &SignedIn, feed: &FeedId, now: Timestamp) -> Result<FeedWrite<()>, StorageError> {
        call(|| delete(&self.database, user, feed, now)).await
    }

    async fn record_feed_uses(&self, feeds: &[KeyDigest], at: Timestamp) -> Result<(), StorageError> {
        let digests = digest_array(feeds);
        call(async || {
            let update = sqlx::query(RECORD_USES).bind(&digests).bind(PgTimestamp(at));
            update.execute(&mut *self.database.lease().await?).await.map_err(fault)?;
            Ok(())
        })
        .await
    }

    async fn record_left_out(&self, feed: &KeyDigest, left_out: u32) -> Result<(), StorageError> {
        call(async || feeds::record_left_out(&mut *self.database.lease().await?, feed, left_out).await).await
    }

    async fn delete_expired_feeds(&self, now: Timestamp, limit: u32) -> Result<u64, StorageError> {
        call(async || {
            let expired = sqlx::query_scalar(FIND_EXPIRED).bind(PgTimestamp(now)).bind(i64::from(limit));
            purge(&self.database, expired, &DELETE, now).await
        })
        .await
    }
}

/// Locks the session, and then the feeds of the user. Returns whether the session is valid.
///
/// The end of all access locks the same. So an insertion that is in progress ends before, and its feed is deleted too.
async fn lock_feeds(
    database: &Database,
    connection: &mut PgConnection,
    user: &SignedIn,
    now: Timestamp,
) -> Result<bool, StorageError> {
    if !lock_session(connection, user, now).await? {
        return Ok(false);
    }
    if database.is_distributed() {
        return Ok(distributed::lock_user(connection, &user.user).await?.is_some());
    }
    lock_credentials(connection, &user.user).await?;
    Ok(true)
}

async fn insert(database: &Database, new: &NewFeed, limit: u32) -> Result<FeedInsert, StorageError> {
    let mut connection = database.lease_for(Shards::Several).await?;
    let mut transaction = connection.begin().await?;
    if !lock_feeds(database, &mut transaction, &new.owner, new.feed.created_at).await? {
        return Ok(FeedInsert::NotSignedIn);
    }
    let inserted = feeds::insert_feed(&mut *transaction, new, limit).await?;
    transaction.commit().await.map_err(fault)?;
    Ok(inserted)
}

async fn update_settings(
    database: &Database,
    user: &SignedIn,
    feed: &FeedId,
    update: &FeedUpdate,
    now: Timestamp,
) -> Result<FeedWrite<CalendarFeed>, StorageError> {
    let mut connection = database.lease_for(Shards::Several).await?;
    let mut transaction = connection.begin().await?;
    if !lock_feeds(database, &mut transaction, user, now).await? {
        return Ok(FeedWrite::NotSignedIn);
    }
    let updated = feeds::update_feed(&mut *transaction, &user.user, feed, update, now).await?;
    transaction.commit().await.map_err(fault)?;
    Ok(updated.map_or(FeedWrite::NotFound, FeedWrite::Written))
}

async fn delete(
    database: &Database,
    user: &SignedIn,
    feed: &FeedId,
    now: Timestamp,
) -> Result<FeedWrite<()>, StorageError> {
    let mut connection = database.lease_for(Shards::Several).await?;
    let mut transaction = connection.begin().await?;
    if !lock_feeds(database, &mut transaction, user, now).await? {
        return Ok(FeedWrite::NotSignedIn);
    }
    let is_deleted = feeds::delete_feed(&mut *transaction, &user.user, feed, now).await?;
    transaction.commit().await.map_err(fault)?;
    if is_deleted && database.is_distributed() {
        // Waits until the commit has ended on every server, or fails if it has not.
        feeds::delete_feed(&mut *connection, &user.user, feed, now).await?;
    }
    Ok(if is_deleted { FeedWrite::Written(()) } else { FeedWrite::NotFound })
}

#[cfg(test)]
mod tests {
    use family_api_testing::postgres_tests;

    use super::{DELETE, RECORD_USES};
    use crate::feeds::{FIND_EXPIRED, sorting_statement as sorting_feed_statement, statements as feed_statements};
    use crate::postgres::query_plans::{assert_index_lookups, create_migrated_database, rows_read};
    use sqlx::Executor;

    /// Two users with a feed each, and 20,000 expired feeds of others.
    const SEED: &str = "
        INSERT INTO calendar_feeds
            (digest, id, user_id, name, hint, shows, detail, language, created_at, updated_at, expires_at)
        SELECT sha256(n::text::bytea), 'feed-' || n, 'user-' || n, 'x', '', 'both', 'full', 'en', '2026-01-01',
            '2026-01-01', CASE WHEN n > 2 THEN timestamptz '2026-01-01' + n * interval '1 second' END
        FROM generate_series(1, 20000) AS n";

    postgres_tests! {
        async fn feeds_are_looked_up_by_index() {
            assert_index_lookups(&feed_statements()).await;
            let deletions = [DELETE.by_digest, DELETE.skipping_locked];
            assert_index_lookups(&[&[RECORD_USES, sorting_feed_statement()], &deletions[..]].concat()).await;
        }

        async fn other_feeds_do_not_increase_the_number_of_rows_read() {
            let database = create_migrated_database().await;
            let mut connection = database.connect().await;
            connection.execute(SEED).await.unwrap();
            let statements = feed_statements();
            let find = |part: &str| *statements.iter().find(|sql| sql.contains(part)).unwrap();
            for analyze in ["SELECT 1", "ANALYZE calendar_feeds"] {
                connection.execute(analyze).await.unwrap();
                connection.execute("BEGIN").await.unwrap();
                for (sql, values, max) in [
                    (find("count(*)"), "'user-1'", 2),
                    (find("c.digest = $1"), "sha256('1')", 2),
                    (sorting_feed_statement(), "'user-1', '2026-11-20'", 1),
                    (RECORD_USES, "ARRAY[sha256('1')], '2026-11-20'", 1),
                    (FIND_EXPIRED, "'2025-01-01', 500", 0),
                    (FIND_EXPIRED, "'2026-11-20', 500", 500),
                ] {
                    let rows = rows_read(&mut connection, sql, values).await;
                    // A bitmap scan reads each row twice: in the index and in the table.
                    assert!(rows <= f64::from(2 * max), "{rows} rows after {analyze}: {sql}");
                }
                connection.execute("ROLLBACK").await.unwrap();
            }
        }
    }
}
