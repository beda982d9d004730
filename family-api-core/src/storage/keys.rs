//! Integration keys: lookup by digest, and management by their owner.

use async_trait::async_trait;

use crate::Timestamp;
use crate::access::{FoundKey, SignedIn};
use crate::id::{KeyId, UserId};
use crate::key::{IntegrationKey, KeyDigest, RevokedAccess};
use crate::storage::StorageError;

/// Stores integration keys.
#[async_trait]
pub trait KeyStorage: Send + Sync {
    /// Adds a key if its owner's session has not ended, its condition holds, and its owner has fewer than `limit`
    /// active keys at `new.key.created_at`.
    ///
    /// Checks the session first, then the condition, then the limit. The checks and the insertion are one atomic step:
    /// if two concurrent calls together would exceed the limit, one of them is refused. With
    /// [`KeyCondition::HostChecked`], checks only the limit.
    ///
    /// # Errors
    /// [`StorageError`] for a fault, and for a digest that already exists.
    async fn insert_key(&self, new: &NewKey, limit: u32) -> Result<KeyInsert, StorageError>;

    /// Finds an active, revoked or expired key and its owner's account, in one call.
    ///
    /// # Errors
    /// [`StorageError`] for a fault, never for a key that does not exist.
    async fn find_key(&self, digest: &KeyDigest) -> Result<Option<FoundKey>, StorageError>;

    /// Lists the keys of a user that are neither revoked nor expired at `now`: newest first, then by id, descending.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn list_keys(&self, user: &UserId, now: Timestamp) -> Result<Vec<IntegrationKey>, StorageError>;

    /// Revokes a key of the user if it is not revoked yet and the user's session has not ended. A session that the host
    /// stores is not checked, and its user need not be stored here.
    ///
    /// After it returns [`KeyRevocation::Revoked`], no new [`find_key`](Self::find_key) finds the key active, on any
    /// node.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn revoke_key(&self, user: &SignedIn, key: &KeyId, now: Timestamp) -> Result<KeyRevocation, StorageError>;

    /// Ends all access of a user if the user's session has not ended: revokes the keys that are neither revoked nor
    /// expired at `now`, revokes the live grants and deletes the current calendar feeds of the user that this storage
    /// has, and switches the personal API off. Sets the user's `updatedAt`.
    ///
    /// Returns what ended, or `None` if the user does not exist or their session has ended. A key, grant or feed that
    /// was inserted before ends too, also if its insertion is in progress.
    ///
    /// After it returns `Some`, no new [`find_key`](Self::find_key) finds one of the keys active, and no new
    /// [`find_access_token`](crate::storage::GrantStorage::find_access_token) finds a token of the grants, and no new
    /// [`find_feed`](crate::storage::FeedStorage::find_feed) finds one of the feeds, on any node.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn revoke_access(&self, user: &SignedIn, now: Timestamp) -> Result<Option<RevokedAccess>, StorageError>;

    /// Sets the last use of each key to `at`, unless the stored last use is later. Ignores unknown digests.
    ///
    /// The caller passes at most 1000 digests, each once.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn record_uses(&self, keys: &[KeyDigest], at: Timestamp) -> Result<(), StorageError>;

    /// Deletes keys that ended at `until` or earlier (by revocation, or by expiry if never revoked). Returns the number
    /// of deleted keys.
    ///
    /// Deletes at most `limit` keys, in the order in which they ended, and none of `spared`. The deletion is one short
    /// transaction that scans no other keys. Several nodes can run it at once.
    ///
    /// `spared` contains the digests of environment tokens. If a revoked key with the same token were deleted, the token
    /// would become valid again.
    ///
    /// Default: deletes nothing, for a storage that has its own cleanup.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn delete_ended_keys(&self, until: Timestamp, spared: &[KeyDigest], limit: u32) -> Result<u64, StorageError> {
        let _ = (until, spared, limit);
        Ok(0)
    }

    /// Deletes keys of one user that ended at `until` or earlier, except the `keep` keys that ended last. Returns the
    /// number of deleted keys.
    ///
    /// Deletes at most `limit` keys, and none of `spared`. Has the same guarantees and default as
    /// [`delete_ended_keys`](Self::delete_ended_keys).
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn delete_surplus_keys(
        &self,
        user: &UserId,
        until: Timestamp,
        keep: u32,
        spared: &[KeyDigest],
        limit: u32,
    ) -> Result<u64, StorageError> {
        let _ = (user, until, keep, spared, limit);
        Ok(0)
    }
}

/// A key to insert.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewKey {
    /// The key as its owner sees it in the list of keys.
    pub key: IntegrationKey,
    /// The owner, and the session that creates the key.
    pub owner: SignedIn,
    /// The digest of the token.
    pub digest: KeyDigest,
    /// The condition that the owner must meet.
    pub condition: KeyCondition,
}

/// The condition that a key's owner must meet when the key is added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyCondition {
    /// The owner exists.
    UserExists,
    /// The owner exists and has the personal API switched on.
    PersonalApiEnabled,
    /// The host stores the owner, and has checked the condition. Only [`HostStorage`](crate::storage::HostStorage) sets
    /// it, and a storage that implements [`UserStorage`](crate::storage::UserStorage) over the host's users never gets
    /// it.
    HostChecked,
}

/// The result of [`KeyStorage::insert_key`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyInsert {
    /// The key was added.
    Inserted,
    /// The owner does not exist, or their session has ended.
    NotSignedIn,
    /// The user has the personal API switched off.
    PersonalApiDisabled,
    /// The user already has the maximum number of active keys.
    LimitReached,
}

/// The result of [`KeyStorage::revoke_key`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyRevocation {
    /// The key was revoked by this call.
    Revoked,
    /// The user has no key with this id, or the key was revoked before.
    NotFound,
    /// The session has ended. Also returned for a user who does not exist, if the storage looks for the user.
    NotSignedIn,
}
