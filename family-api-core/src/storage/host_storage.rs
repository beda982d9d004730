//! A host's users and families, combined with the keys of a built-in storage.

use async_trait::async_trait;

use crate::Timestamp;
use crate::access::{Account, Author, Credential, FoundAccessToken, FoundCredential, FoundKey, Member, SignedIn};
use crate::change::ProfileChange;
use crate::id::{FamilyId, KeyId, UserId};
use crate::key::{IntegrationKey, KeyDigest, RevokedAccess};
use crate::resource::{Profile, RecordKind};
use crate::storage::{
    Administration, Capabilities, Change, DeletedRecordLimit, FamilyData, FamilyStore, GrantStorage, Health,
    KeyCondition, KeyInsert, KeyRevocation, KeyStorage, Needs, NewKey, Selection, StorageError, UserStorage,
};

/// Combines a host's users and families with the keys of a built-in storage, such as `SqliteStorage`.
///
/// `host` implements [`UserStorage`], [`FamilyStore`] and [`Health`] over its own tables. `keys` stores the integration
/// keys, and no users: each key names its user, and the host is asked for the account. The host also stores the
/// sessions, so a call with the digest of a session is refused.
///
/// No transaction covers both databases. A change finds its credential while it holds the lock of the host's
/// transaction, so a revocation that is acknowledged in between does not stop this one change, which commits at once.
/// [`insert_key`](KeyStorage::insert_key) asks the host before the insertion and again after it. It revokes the new key
/// if its owner was deleted or has switched the personal API off in between.
///
/// [`revoke_access`](KeyStorage::revoke_access) has two steps: it switches the personal API off, and then revokes the
/// keys. After the first step, every key is refused except on the read path. If the second step fails, the caller gets
/// the error, and a repeated call revokes the keys. The service ends the connections of the
/// [`GrantStorage`](crate::storage::GrantStorage), and the feeds of the [`FeedStorage`](crate::storage::FeedStorage).
///
/// If the host deletes a user, it calls [`forget_user`](Self::forget_user). The host never gives the id of a deleted user
/// to another one: the program can stop before `forget_user` has committed.
#[derive(Debug, Clone)]
pub struct HostStorage<H, K> {
    host: H,
    keys: K,
}

impl<H, K> HostStorage<H, K> {
    /// Creates a storage with users and families in `host`, and keys in `keys`.
    #[must_use]
    pub const fn new(host: H, keys: K) -> Self {
        Self { host, keys }
    }
}

impl<H: Sync, K: Administration> HostStorage<H, K> {
    /// Revokes the keys of a user whom the host has deleted, and ends the connections and calendar feeds that are
    /// stored with the keys. Returns their numbers.
    ///
    /// The keys of a user who does not exist are refused. But another user can get the id, and with it the keys that
    /// are not revoked. So call this after each deletion, and repeat it after an error.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    pub async fn forget_user(&self, user: &UserId, now: Timestamp) -> Result<RevokedAccess, StorageError> {
        Ok(RevokedAccess {
            keys: self.keys.revoke_keys(Selection::User(user), now).await?,
            connections: self.keys.revoke_grants(Selection::User(user), now).await?,
            feeds: self.keys.delete_feeds(Selection::User(user), now).await?,
        })
    }
}

impl<H: UserStorage, K: Sync> HostStorage<H, K> {
    /// Returns why the owner may not have the key, or `None` if they may.
    async fn check_owner(&self, new: &NewKey) -> Result<Option<KeyInsert>, StorageError> {
        Ok(match self.host.find_account(&new.owner.user).await? {
            None => Some(KeyInsert::NotSignedIn),
            Some(owner) if new.condition == KeyCondition::PersonalApiEnabled && !owner.personal_api_enabled => {
                Some(KeyInsert::PersonalApiDisabled)
            }
            Some(_) => None,
        })
    }
}

#[async_trait]
impl<H: UserStorage, K: KeyStorage + Administration> KeyStorage for HostStorage<H, K> {
    async fn insert_key(&self, new: &NewKey, limit: u32) -> Result<KeyInsert, StorageError> {
        if new.owner.session.is_some() {
            return Ok(KeyInsert::NotSignedIn);
        }
        if let Some(refused) = self.check_owner(new).await? {
            return Ok(refused);
        }
        let checked = NewKey { condition: KeyCondition::HostChecked, ..new.clone() };
        let inserted = self.keys.insert_key(&checked, limit).await?;
        if inserted != KeyInsert::Inserted {
            return Ok(inserted);
        }
        let refused = self.check_owner(new).await;
        if !matches!(refused, Ok(None)) {
            self.keys.revoke_key(&new.owner, &new.key.id, new.key.created_at).await?;
        }
        Ok(refused?.unwrap_or(KeyInsert::Inserted))
    }

    async fn find_key(&self, digest: &KeyDigest) -> Result<Option<FoundKey>, StorageError> {
        let Some(found) = self.keys.find_key(digest).await? else {
            return Ok(None);
        };
        let account = self.host.find_account(&found.user).await?;
        Ok(Some(FoundKey { account, ..found }))
    }

    async fn list_keys(&self, user: &UserId, now: Timestamp) -> Result<Vec<IntegrationKey>, StorageError> {
        self.keys.list_keys(user, now).await
    }

    async fn revoke_key(&self, user: &SignedIn, key: &KeyId, now: Timestamp) -> Result<KeyRevocation, StorageError> {
        if user.session.is_some() || self.host.find_account(&user.user).await?.is_none() {
            return Ok(KeyRevocation::NotSignedIn);
        }
        self.keys.revoke_key(user, key, now).await
    }

    async fn revoke_access(&self, user: &SignedIn, now: Timestamp) -> Result<Option<RevokedAccess>, StorageError> {
        let switch_off = ProfileChange::new().disable_personal_api();
        if user.session.is_some() || self.host.update_profile(user, &switch_off, now).await?.is_none() {
            return Ok(None);
        }
        let keys = self.keys.revoke_keys(Selection::User(&user.user), now).await?;
        Ok(Some(RevokedAccess { keys, connections: 0, feeds: 0 }))
    }

    async fn record_uses(&self, keys: &[KeyDigest], at: Timestamp) -> Result<(), StorageError> {
        self.keys.record_uses(keys, at).await
    }

    async fn delete_ended_keys(&self, until: Timestamp, spared: &[KeyDigest], limit: u32) -> Result<u64, StorageError> {
        self.keys.delete_ended_keys(until, spared, limit).await
    }

    async fn delete_surplus_keys(
        &self,
        user: &UserId,
        until: Timestamp,
        keep: u32,
        spared: &[KeyDigest],
        limit: u32,
    ) -> Result<u64, StorageError> {
        self.keys.delete_surplus_keys(user, until, keep, spared, limit).await
    }
}

#[async_trait]
impl<H: UserStorage, K: Send + Sync> UserStorage for HostStorage<H, K> {
    async fn find_account(&self, user: &UserId) -> Result<Option<Account>, StorageError> {
        self.host.find_account(user).await
    }

    async fn find_profile(&self, user: &UserId) -> Result<Option<Profile>, StorageError> {
        self.host.find_profile(user).await
    }

    async fn update_profile(
        &self,
        user: &SignedIn,
        change: &ProfileChange,
        now: Timestamp,
    ) -> Result<Option<Profile>, StorageError> {
        if user.session.is_some() {
            return Ok(None);
        }
        self.host.update_profile(user, change, now).await
    }
}

#[async_trait]
impl<H, K> FamilyStore for HostStorage<H, K>
where
    H: FamilyStore + UserStorage,
    K: KeyStorage + GrantStorage + Administration,
{
    fn capabilities(&self) -> Capabilities {
        self.host.capabilities()
    }

    async fn load(&self, member: &Member, needs: &Needs) -> Result<FamilyData, StorageError> {
        self.host.load(member, needs).await
    }

    async fn change(&self, change: Change<'_>) -> Result<(), StorageError> {
        self.host.change(change).await
    }

    /// Finds keys and access tokens among the keys, and the user at the host.
    async fn find_credential(&self, author: &Author) -> Result<FoundCredential, StorageError> {
        let Credential::Grant(digest) = &author.credential else {
            return author.find_credential(self).await;
        };
        let Some(token) = self.keys.find_access_token(digest).await? else {
            return Ok(FoundCredential::Grant(None));
        };
        let account = self.host.find_account(&token.user).await?;
        Ok(FoundCredential::Grant(Some(FoundAccessToken { account, ..token })))
    }

    async fn forget_old_deleted(&self, until: Timestamp, limit: u32) -> Result<u64, StorageError> {
        FamilyStore::forget_old_deleted(&self.host, until, limit).await
    }

    async fn forget_surplus_deleted(
        &self,
        family: &FamilyId,
        kind: RecordKind,
        keep: DeletedRecordLimit,
        limit: u32,
    ) -> Result<u64, StorageError> {
        FamilyStore::forget_surplus_deleted(&self.host, family, kind, keep, limit).await
    }

    async fn delete_old_changes(&self, until: Timestamp, limit: u32) -> Result<u64, StorageError> {
        FamilyStore::delete_old_changes(&self.host, until, limit).await
    }

    async fn delete_surplus_changes(&self, family: &FamilyId, keep: u32, limit: u32) -> Result<u64, StorageError> {
        FamilyStore::delete_surplus_changes(&self.host, family, keep, limit).await
    }

    async fn delete_old_idempotency_keys(&self, until: Timestamp, limit: u32) -> Result<u64, StorageError> {
        FamilyStore::delete_old_idempotency_keys(&self.host, until, limit).await
    }

    async fn delete_surplus_idempotency_keys(
        &self,
        member: &Member,
        keep: u32,
        limit: u32,
    ) -> Result<u64, StorageError> {
        FamilyStore::delete_surplus_idempotency_keys(&self.host, member, keep, limit).await
    }
}

#[async_trait]
impl<H: Health, K: Health> Health for HostStorage<H, K> {
    async fn check(&self) -> Result<(), StorageError> {
        self.host.check().await?;
        self.keys.check().await
    }
}
