//! Calendar feeds.

use async_trait::async_trait;
use family_api_core::Timestamp;
use family_api_core::feed::{CalendarFeed, FeedUpdate};
use family_api_core::id::{FeedId, UserId};
use family_api_core::key::KeyDigest;
use family_api_core::storage::{FeedInsert, FeedStorage, FeedWrite, FoundFeed, NewFeed, SignedIn, StorageError};

use crate::feeds::{self, FIND_EXPIRED};
use crate::sqlite::SqliteStorage;
use crate::sqlite::credentials::has_session;
use crate::sqlite::database::in_transaction;
use crate::sqlite::error::fault;
use crate::sqlite::purge_digests::purge;
use crate::sqlite::row::digest_array;

const RECORD_USES: &str = "
    UPDATE calendar_feeds SET last_used_at = ?2
    WHERE digest IN (SELECT unhex(value) FROM json_each(?1)) AND (last_used_at IS NULL OR last_used_at < ?2)";

const DELETE: &str = "
    DELETE FROM calendar_feeds WHERE digest IN (SELECT unhex(value) FROM json_each(?1)) AND expires_at <= ?2";

#[async_trait]
impl FeedStorage for SqliteStorage {
    async fn insert_feed(&self, new: &NewFeed, limit: u32) -> Result<FeedInsert, StorageError> {
        let mut transaction = self.database.begin_for(&new.owner.user).await?;
        if !has_session(&mut transaction, &new.owner, new.feed.created_at).await? {
            return Ok(FeedInsert::NotSignedIn);
        }
        let inserted = feeds::insert_feed(&mut *transaction, new, limit).await?;
        transaction.commit().await.map_err(fault)?;
        Ok(inserted)
    }

    async fn find_feed(&self, digest: &KeyDigest) -> Result<Option<FoundFeed>, StorageError> {
        self.token_cache.find_feed(digest).await
    }

    async fn list_feeds(&self, user: &UserId, now: Timestamp) -> Result<Vec<CalendarFeed>, StorageError> {
        let mut reader = self.database.readers().acquire().await.map_err(fault)?;
        feeds::list_feeds(&mut *reader, user, now).await
    }

    async fn update_feed(
        &self,
        user: &SignedIn,
        feed: &FeedId,
        update: &FeedUpdate,
        now: Timestamp,
    ) -> Result<FeedWrite<CalendarFeed>, StorageError> {
        let mut transaction = self.database.begin_for(&user.user).await?;
        if !has_session(&mut transaction, user, now).await? {
            return Ok(FeedWrite::NotSignedIn);
        }
        let updated = feeds::update_feed(&mut *transaction, &user.user, feed, update, now).await?;
        transaction.commit().await.map_err(fault)?;
        Ok(updated.map_or(FeedWrite::NotFound, FeedWrite::Written))
    }

    async fn delete_feed(&self, user: &SignedIn, feed: &FeedId, now: Timestamp) -> Result<FeedWrite<()>, StorageError> {
        let mut transaction = self.database.begin_for(&user.user).await?;
        if !has_session(&mut transaction, user, now).await? {
            return Ok(FeedWrite::NotSignedIn);
        }
        let is_deleted = feeds::delete_feed(&mut *transaction, &user.user, feed, now).await?;
        transaction.commit().await.map_err(fault)?;
        Ok(if is_deleted { FeedWrite::Written(()) } else { FeedWrite::NotFound })
    }

    async fn record_feed_uses(&self, feeds: &[KeyDigest], at: Timestamp) -> Result<(), StorageError> {
        let mut transaction = self.database.begin().await?;
        let update = sqlx::query(RECORD_USES).bind(digest_array(feeds)?).bind(at.to_string());
        update.execute(&mut *transaction).await.map_err(fault)?;
        transaction.commit().await.map_err(fault)
    }

    async fn record_left_out(&self, feed: &KeyDigest, left_out: u32) -> Result<(), StorageError> {
        in_transaction!(self, |transaction| feeds::record_left_out(&mut *transaction, feed, left_out).await?)
    }

    async fn delete_expired_feeds(&self, now: Timestamp, limit: u32) -> Result<u64, StorageError> {
        let expired = sqlx::query_scalar(FIND_EXPIRED).bind(now.to_string()).bind(limit);
        purge(&self.database, expired, DELETE, now).await
    }
}

#[cfg(test)]
mod tests {
    use super::{DELETE, FIND_EXPIRED, RECORD_USES};
    use crate::feeds::{sorting_statement as sorting_feed_statement, statements as feed_statements};
    use crate::sqlite::query_plans::{SORT, assert_index_lookups, assert_plan};

    #[tokio::test]
    async fn feeds_are_looked_up_by_index() {
        assert_index_lookups(&feed_statements()).await;
        assert_index_lookups(&[RECORD_USES, DELETE]).await;
        assert_plan(sorting_feed_statement(), &["(user_id=?)", SORT]).await;
        assert_plan(FIND_EXPIRED, &["(expires_at<?)"]).await;
    }
}
