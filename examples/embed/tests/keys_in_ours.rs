//! Keys and users in the library's own storage, families in the app's: the traits compose.

use async_trait::async_trait;
use family_api_core::change::ProfileChange;
use family_api_core::conformance::{Subject, seed_by_load};
use family_api_core::id::{KeyId, UserId};
use family_api_core::key::{IntegrationKey, KeyDigest};
use family_api_core::resource::{Profile, ResourceKind};
use family_api_core::storage::sqlite::SqliteStorage;
use family_api_core::storage::{
    Account, Author, FamilyData, FamilyStore, FoundKey, Health, Judge, KeyInsert, KeyRevocation, KeyStorage, Member,
    NewKey, Record, SignedIn, Storage, StorageError, UserStorage,
};
use family_api_core::{SystemClock, Timestamp};

use crate::support::{Place, seed};

/// One storage of two.
struct KeysInOurs {
    ours: SqliteStorage,
    app: Place,
}

/// Ours does not see the app's changes, so its revision says nothing of them.
fn without_revision(mut account: Account) -> Account {
    if let Some(membership) = &mut account.membership {
        membership.revision = None;
    }
    account
}

#[async_trait]
impl KeyStorage for KeysInOurs {
    async fn insert_key(&self, new: &NewKey, limit: u32) -> Result<KeyInsert, StorageError> {
        self.ours.insert_key(new, limit).await
    }

    async fn find_key(&self, digest: &KeyDigest) -> Result<Option<FoundKey>, StorageError> {
        let found = self.ours.find_key(digest).await?;
        Ok(found.map(|found| FoundKey { account: found.account.map(without_revision), ..found }))
    }

    async fn list_keys(&self, user: &UserId, now: Timestamp) -> Result<Vec<IntegrationKey>, StorageError> {
        self.ours.list_keys(user, now).await
    }

    async fn revoke_key(&self, user: &SignedIn, key: &KeyId, now: Timestamp) -> Result<KeyRevocation, StorageError> {
        self.ours.revoke_key(user, key, now).await
    }

    async fn record_uses(&self, keys: &[KeyDigest], at: Timestamp) -> Result<(), StorageError> {
        self.ours.record_uses(keys, at).await
    }

    async fn delete_ended_keys(&self, until: Timestamp, spared: &[KeyDigest], limit: u32) -> Result<u64, StorageError> {
        self.ours.delete_ended_keys(until, spared, limit).await
    }

    async fn delete_surplus_keys(
        &self,
        user: &UserId,
        until: Timestamp,
        keep: u32,
        spared: &[KeyDigest],
        limit: u32,
    ) -> Result<u64, StorageError> {
        self.ours.delete_surplus_keys(user, until, keep, spared, limit).await
    }
}

#[async_trait]
impl UserStorage for KeysInOurs {
    async fn find_account(&self, user: &UserId) -> Result<Option<Account>, StorageError> {
        Ok(self.ours.find_account(user).await?.map(without_revision))
    }

    async fn find_profile(&self, user: &UserId) -> Result<Option<Profile>, StorageError> {
        self.ours.find_profile(user).await
    }

    async fn update_profile(
        &self,
        user: &SignedIn,
        change: &ProfileChange,
        now: Timestamp,
    ) -> Result<Option<Profile>, StorageError> {
        self.ours.update_profile(user, change, now).await
    }
}

/// The app's, and so are `Reads` and `Writes`.
#[async_trait]
impl FamilyStore for KeysInOurs {
    async fn load(&self, member: &Member, resource: ResourceKind) -> Result<FamilyData, StorageError> {
        self.app.hearth.load(member, resource).await
    }

    /// No transaction holds both databases: the key is looked up when the app's lock is held, just before the change.
    async fn change(
        &self,
        author: &Author,
        resource: ResourceKind,
        _now: Timestamp,
        judge: Judge<'_>,
    ) -> Result<(), StorageError> {
        self.app.hearth.change_with(author, &self.ours, resource, judge).await
    }
}

#[async_trait]
impl Health for KeysInOurs {
    async fn check(&self) -> Result<(), StorageError> {
        self.ours.check().await?;
        self.app.hearth.check().await
    }
}

async fn fresh() -> KeysInOurs {
    let app = Place::fresh(SystemClock).await;
    let ours = SqliteStorage::open(app.folder.path().join("keys.db")).await.unwrap();
    KeysInOurs { ours, app }
}

#[async_trait]
impl Subject for KeysInOurs {
    fn storage(&self) -> &dyn Storage {
        self
    }

    /// Keys go into ours, the family's data into the app's, and who is in which family into both.
    async fn seed(&self, records: Vec<Record>) {
        let is_account = |record: &Record| matches!(record, Record::Family(_) | Record::User(_) | Record::Key(_));
        let ours = records.iter().filter(|record| is_account(record)).cloned().collect();
        seed_by_load(&self.ours, ours).await;
        let apps = records.into_iter().filter(|record| !matches!(record, Record::Key(_))).collect();
        seed(&self.app.hearth, apps).await;
    }
}

family_api_core::storage_conformance!(fresh().await);
