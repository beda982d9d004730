//! Integration keys, by their digest and by their owner.

use async_trait::async_trait;

use crate::Timestamp;
use crate::id::{KeyId, UserId};
use crate::key::{IntegrationKey, KeyDigest};
use crate::storage::{Account, SignedIn, StorageError};

/// Keeps integration keys.
#[async_trait]
pub trait KeyStorage: Send + Sync {
    /// Adds a key, if its owner's session has not ended, its condition holds, and its owner has fewer than `limit` active
    /// ones at `new.key.created_at`.
    ///
    /// The session is judged first, then the condition, then the limit. Both and the insertion are one step: of two calls at once that
    /// would pass the limit together, one is refused.
    ///
    /// # Errors
    /// [`StorageError`] for a fault, a digest that exists included.
    async fn insert_key(&self, new: &NewKey, limit: u32) -> Result<KeyInsert, StorageError>;

    /// Finds a key, whatever its state, with everything that the decision about it needs, in one call.
    ///
    /// # Errors
    /// [`StorageError`] for a fault, never for a key that is not there.
    async fn find_key(&self, digest: &KeyDigest) -> Result<Option<FoundKey>, StorageError>;

    /// The keys of a user that are neither revoked nor expired at `now`: newest first, then by id, descending.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn list_keys(&self, user: &UserId, now: Timestamp) -> Result<Vec<IntegrationKey>, StorageError>;

    /// Revokes a key of that user, if it is not revoked yet and their session has not ended.
    ///
    /// When it returns [`KeyRevocation::Revoked`], no [`find_key`](Self::find_key) that begins afterwards finds the key active, on any node.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn revoke_key(&self, user: &SignedIn, key: &KeyId, now: Timestamp) -> Result<KeyRevocation, StorageError>;

    /// Takes down that keys were used at `at`, those of them that were not used later; passes over what is not there.
    ///
    /// At most a thousand at once, and each once.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn record_uses(&self, keys: &[KeyDigest], at: Timestamp) -> Result<(), StorageError>;

    /// Deletes keys that ended at `until` or earlier (revoked then, or expired without being revoked); returns how many.
    ///
    /// At most `limit`, the oldest first, and none of `spared`. It is a short transaction that walks no other keys, and it
    /// may run on several nodes at once.
    ///
    /// The default implementation deletes nothing: for a storage that cleans up its keys by itself.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn delete_ended_keys(&self, until: Timestamp, spared: &[KeyDigest], limit: u32) -> Result<u64, StorageError> {
        let _ = (until, spared, limit);
        Ok(0)
    }

    /// Deletes keys of one user that ended at `until` or earlier, all but the `keep` that ended last; returns how many.
    ///
    /// At most `limit`, and none of `spared`. Promises the same as [`delete_ended_keys`](Self::delete_ended_keys), and has
    /// the same default.
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

/// A key to be added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewKey {
    /// The key, as its owner will see it.
    pub key: IntegrationKey,
    /// Its owner, in the session that creates it.
    pub owner: SignedIn,
    /// What its plaintext is recognised by.
    pub digest: KeyDigest,
    /// What must hold of its owner.
    pub condition: KeyCondition,
}

/// What must hold of a key's owner when the key is added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyCondition {
    /// The owner exists.
    UserExists,
    /// The owner exists and has the personal API switched on.
    PersonalApiEnabled,
}

/// What became of a key to be added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyInsert {
    /// It was added.
    Inserted,
    /// The owner does not exist, or their session has ended.
    NotSignedIn,
    /// The user has the personal API switched off.
    PersonalApiDisabled,
    /// The user has the most active keys already.
    LimitReached,
}

/// What became of a key to be revoked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyRevocation {
    /// It was revoked.
    Revoked,
    /// The user has no such key, or it was revoked before.
    NotFound,
    /// The user does not exist, or their session has ended.
    NotSignedIn,
}

/// A key that was found by its digest.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundKey {
    /// The key.
    pub key: IntegrationKey,
    /// Whether it was revoked; whether it expired is for the caller's clock to say.
    pub state: KeyState,
    /// Its owner, read afresh; `None` where they no longer exist.
    pub account: Option<Account>,
}

/// Whether a key was revoked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyState {
    /// It was not.
    Active,
    /// It was, and opens nothing.
    Revoked {
        /// Since when.
        at: Timestamp,
    },
}
