//! Calendar feeds.

use async_trait::async_trait;

use crate::MemoryStorage;
use crate::state::State;
use family_api_core::Timestamp;
use family_api_core::access::SignedIn;
use family_api_core::change::MAX_SEQUENCE;
use family_api_core::feed::{CalendarFeed, FeedUpdate};
use family_api_core::id::{FeedId, UserId};
use family_api_core::key::KeyDigest;
use family_api_core::storage::{FeedInsert, FeedStorage, FeedWrite, FoundFeed, NewFeed, StorageError};

/// A stored feed.
#[derive(Debug, Clone)]
pub(crate) struct StoredFeed {
    pub(crate) feed: CalendarFeed,
    pub(crate) user: UserId,
    pub(crate) digest: KeyDigest,
    pub(crate) sequence: u32,
}

impl StoredFeed {
    fn count_change(&mut self) {
        self.sequence = self.sequence.saturating_add(1).min(MAX_SEQUENCE);
    }

    pub(crate) fn is_current_of(&self, user: &UserId, now: Timestamp) -> bool {
        self.user == *user && self.feed.is_current(now)
    }
}

/// A random text that identifies the calendars of a storage.
#[derive(Debug, Clone)]
pub(crate) struct CalendarId(String);

impl Default for CalendarId {
    fn default() -> Self {
        let mut random = [0; 16];
        // Without randomness, all storages have the same id.
        let _ = getrandom::fill(&mut random);
        Self(format!("{:032x}", u128::from_be_bytes(random)))
    }
}

#[async_trait]
impl FeedStorage for MemoryStorage {
    async fn insert_feed(&self, new: &NewFeed, limit: u32) -> Result<FeedInsert, StorageError> {
        let state = &mut self.lock_to_write()?.state;
        let NewFeed { feed, owner, digest } = new;
        let now = feed.created_at;
        if !state.has_session(owner, now) {
            return Ok(FeedInsert::NotSignedIn);
        }
        state.feeds.retain(|_, stored| stored.user != owner.user || stored.feed.is_current(now));
        if state.feeds.values().filter(|stored| stored.user == owner.user).count() >= limit as usize {
            return Ok(FeedInsert::LimitReached);
        }
        if state.feeds.contains_key(&feed.id) || state.find_feed(digest).is_some() {
            return Err(StorageError::backend("the feed already exists"));
        }
        let stored = StoredFeed { feed: feed.clone(), user: owner.user.clone(), digest: *digest, sequence: 0 };
        state.feeds.insert(feed.id.clone(), stored);
        Ok(FeedInsert::Inserted)
    }

    async fn find_feed(&self, digest: &KeyDigest) -> Result<Option<FoundFeed>, StorageError> {
        let state = &self.lock()?.state;
        Ok(state.find_feed(digest).map(|stored| FoundFeed {
            feed: stored.feed.clone(),
            sequence: stored.sequence,
            calendar_id: state.calendar_id.0.clone(),
            user: stored.user.clone(),
            account: state.account(&stored.user),
        }))
    }

    async fn list_feeds(&self, user: &UserId, now: Timestamp) -> Result<Vec<CalendarFeed>, StorageError> {
        let state = &self.lock()?.state;
        let of_user = state.feeds.values().filter(|stored| stored.user == *user && stored.feed.is_current(now));
        let mut feeds: Vec<_> = of_user.map(|stored| stored.feed.clone()).collect();
        feeds.sort_by(|a, b| (b.created_at, &b.id).cmp(&(a.created_at, &a.id)));
        Ok(feeds)
    }

    async fn update_feed(
        &self,
        user: &SignedIn,
        feed: &FeedId,
        update: &FeedUpdate,
        now: Timestamp,
    ) -> Result<FeedWrite<CalendarFeed>, StorageError> {
        let state = &mut self.lock_to_write()?.state;
        if !state.has_session(user, now) {
            return Ok(FeedWrite::NotSignedIn);
        }
        let Some(stored) = state.feeds.get_mut(feed).filter(|stored| stored.is_current_of(&user.user, now)) else {
            return Ok(FeedWrite::NotFound);
        };
        let before = stored.feed.settings.clone();
        update.clone().apply(&mut stored.feed.settings);
        if stored.feed.settings != before {
            stored.feed.updated_at = now;
            stored.count_change();
        }
        Ok(FeedWrite::Written(stored.feed.clone()))
    }

    async fn delete_feed(&self, user: &SignedIn, feed: &FeedId, now: Timestamp) -> Result<FeedWrite<()>, StorageError> {
        let state = &mut self.lock_to_write()?.state;
        if !state.has_session(user, now) {
            return Ok(FeedWrite::NotSignedIn);
        }
        if !state.feeds.get(feed).is_some_and(|stored| stored.is_current_of(&user.user, now)) {
            return Ok(FeedWrite::NotFound);
        }
        state.feeds.remove(feed);
        Ok(FeedWrite::Written(()))
    }

    async fn record_feed_uses(&self, feeds: &[KeyDigest], at: Timestamp) -> Result<(), StorageError> {
        let state = &mut self.lock_to_write()?.state;
        for stored in state.feeds.values_mut().filter(|stored| feeds.contains(&stored.digest)) {
            stored.feed.last_used_at = stored.feed.last_used_at.max(Some(at));
        }
        Ok(())
    }

    async fn record_left_out(&self, feed: &KeyDigest, left_out: u32) -> Result<(), StorageError> {
        let feeds = &mut self.lock_to_write()?.state.feeds;
        if let Some(stored) = feeds.values_mut().find(|stored| stored.digest == *feed) {
            stored.feed.left_out = left_out;
        }
        Ok(())
    }

    async fn delete_expired_feeds(&self, now: Timestamp, limit: u32) -> Result<u64, StorageError> {
        let feeds = &mut self.lock_to_write()?.state.feeds;
        let expired = feeds.values().filter(|stored| !stored.feed.is_current(now));
        let expired: Vec<_> = expired.map(|stored| stored.feed.id.clone()).take(limit as usize).collect();
        for feed in &expired {
            feeds.remove(feed);
        }
        Ok(expired.len() as u64)
    }
}

impl State {
    fn find_feed(&self, digest: &KeyDigest) -> Option<&StoredFeed> {
        self.feeds.values().find(|stored| stored.digest == *digest)
    }

    /// Increments the sequences of a user's feeds: the user's time zone has changed.
    pub(crate) fn increment_feed_sequences(&mut self, user: &UserId) {
        for stored in self.feeds.values_mut().filter(|stored| stored.user == *user) {
            stored.count_change();
        }
    }
}
