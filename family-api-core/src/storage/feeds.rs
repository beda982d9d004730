//! Calendar feeds: lookup by digest, and management by their owner.

use async_trait::async_trait;

use crate::Timestamp;
use crate::access::{Account, SignedIn};
use crate::feed::{CalendarFeed, FeedUpdate};
use crate::id::{FeedId, UserId};
use crate::key::KeyDigest;
use crate::storage::StorageError;

/// Stores calendar feeds. Optional: a host without feeds does not need it.
///
/// A feed that its user ends is deleted. It is *current* while `now < expires_at`. The storage may be another database
/// than that of the users. [`FoundFeed::account`] is then `None`. If it is the same database, the deletion of a user
/// deletes their feeds, because another user can get the id, and
/// [`revoke_access`](crate::storage::KeyStorage::revoke_access) deletes them too.
#[async_trait]
pub trait FeedStorage: Send + Sync {
    /// Adds a feed if its owner's session has not ended and its owner has fewer than `limit` feeds that are current at
    /// `new.feed.created_at`. Deletes the owner's feeds that are not current. A session that the host stores is not
    /// checked, and its user need not be stored here.
    ///
    /// Checks the session first, then the limit. The checks and the insertion are one atomic step.
    ///
    /// # Errors
    /// [`StorageError`] for a fault, and for a digest that already exists.
    async fn insert_feed(&self, new: &NewFeed, limit: u32) -> Result<FeedInsert, StorageError>;

    /// Finds a feed, current or expired, and its owner's account, in one call.
    ///
    /// # Errors
    /// [`StorageError`] for a fault, never for a feed that does not exist.
    async fn find_feed(&self, digest: &KeyDigest) -> Result<Option<FoundFeed>, StorageError>;

    /// Lists the feeds of a user that are current at `now`: newest first, then by id, descending.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn list_feeds(&self, user: &UserId, now: Timestamp) -> Result<Vec<CalendarFeed>, StorageError>;

    /// Changes the settings of a feed of the user that is current at `now`, if the user's session has not ended. If a
    /// setting gets another value, adds 1 to its [`sequence`](FoundFeed::sequence), up to
    /// [`MAX_SEQUENCE`](crate::change::MAX_SEQUENCE), and sets its `updated_at`.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn update_feed(
        &self,
        user: &SignedIn,
        feed: &FeedId,
        update: &FeedUpdate,
        now: Timestamp,
    ) -> Result<FeedWrite<CalendarFeed>, StorageError>;

    /// Deletes a feed of the user that is current at `now`, if the user's session has not ended.
    ///
    /// After it returns [`FeedWrite::Written`], no new [`find_feed`](Self::find_feed) finds the feed, on any node.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn delete_feed(&self, user: &SignedIn, feed: &FeedId, now: Timestamp) -> Result<FeedWrite<()>, StorageError>;

    /// Sets the last use of each feed to `at`, unless the stored last use is later. Ignores unknown digests.
    ///
    /// The caller passes at most 1000 digests, each once.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn record_feed_uses(&self, feeds: &[KeyDigest], at: Timestamp) -> Result<(), StorageError>;

    /// Sets how many records the feed left out. Ignores an unknown digest.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn record_left_out(&self, feed: &KeyDigest, left_out: u32) -> Result<(), StorageError>;

    /// Deletes at most `limit` feeds that expired at `now` or earlier. Returns the number of deleted feeds.
    ///
    /// The deletion is one short transaction that scans no other feeds. Several nodes can run it at once.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn delete_expired_feeds(&self, now: Timestamp, limit: u32) -> Result<u64, StorageError>;
}

/// A feed to insert.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewFeed {
    /// The feed as its owner sees it in the list of feeds.
    pub feed: CalendarFeed,
    /// The owner, and the session that creates the feed.
    pub owner: SignedIn,
    /// The digest of the secret.
    pub digest: KeyDigest,
}

/// The result of [`FeedStorage::insert_feed`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FeedInsert {
    /// The feed was added.
    Inserted,
    /// The owner does not exist, or their session has ended.
    NotSignedIn,
    /// The user already has the maximum number of current feeds.
    LimitReached,
}

/// The result of a change or deletion of a feed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FeedWrite<T> {
    /// The feed was changed or deleted by this call.
    Written(T),
    /// The user has no current feed with this id.
    NotFound,
    /// The session has ended. Also returned for a user who does not exist, if the storage looks for the user.
    NotSignedIn,
}

/// A feed that was found by its digest.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundFeed {
    /// The feed. It may have expired.
    pub feed: CalendarFeed,
    /// How often the settings of the feed, or the time zone of its owner, were changed. The time zone counts only if the
    /// storage contains the owner.
    pub sequence: u32,
    /// A random text that identifies the calendars of this storage for ever: 1 to 64 of the characters `A–Z a–z 0–9 _ -`.
    pub calendar_id: String,
    /// The owner.
    pub user: UserId,
    /// The owner's account, read with the feed. `None` if the storage does not contain the owner.
    pub account: Option<Account>,
}
