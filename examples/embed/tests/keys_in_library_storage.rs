//! Runs the conformance suite on two combined storages: keys and users in the library's SQLite storage, families in the
//! app's database.

use async_trait::async_trait;
use family_api_conformance::{Subject, seed_by_load};
use family_api_core::change::ProfileChange;
use family_api_core::id::{KeyId, UserId};
use family_api_core::key::{IntegrationKey, KeyDigest, RevokedAccess};
use family_api_core::resource::Profile;
use family_api_core::storage::{
    Account, Author, Change, FamilyData, FamilyStore, FoundCredential, FoundKey, Health, KeyInsert, KeyRevocation,
    KeyStorage, Member, Needs, NewKey, Record, SignedIn, Storage, StorageError, UserStorage,
};
use family_api_core::{SystemClock, Timestamp};
use family_api_sql::sqlite::SqliteStorage;

use crate::support::{TestDatabase, seed};

/// Keys and users are in `library`, family data in `app`.
struct SplitStorage {
    library: SqliteStorage,
    app: TestDatabase,
}

/// Removes the revision of the family, because the library's storage does not count the app's changes.
fn without_revision(mut account: Account) -> Account {
    if let Some(membership) = &mut account.membership {
        membership.revision = None;
    }
    account
}

#[async_trait]
impl KeyStorage for SplitStorage {
    async fn insert_key(&self, new: &NewKey, limit: u32) -> Result<KeyInsert, StorageError> {
        self.library.insert_key(new, limit).await
    }

    async fn find_key(&self, digest: &KeyDigest) -> Result<Option<FoundKey>, StorageError> {
        let found = self.library.find_key(digest).await?;
        Ok(found.map(|found| FoundKey { account: found.account.map(without_revision), ..found }))
    }

    async fn list_keys(&self, user: &UserId, now: Timestamp) -> Result<Vec<IntegrationKey>, StorageError> {
        self.library.list_keys(user, now).await
    }

    async fn revoke_key(&self, user: &SignedIn, key: &KeyId, now: Timestamp) -> Result<KeyRevocation, StorageError> {
        self.library.revoke_key(user, key, now).await
    }

    async fn revoke_access(&self, user: &SignedIn, now: Timestamp) -> Result<Option<RevokedAccess>, StorageError> {
        self.library.revoke_access(user, now).await
    }

    async fn record_uses(&self, keys: &[KeyDigest], at: Timestamp) -> Result<(), StorageError> {
        self.library.record_uses(keys, at).await
    }

    async fn delete_ended_keys(&self, until: Timestamp, spared: &[KeyDigest], limit: u32) -> Result<u64, StorageError> {
        self.library.delete_ended_keys(until, spared, limit).await
    }

    async fn delete_surplus_keys(
        &self,
        user: &UserId,
        until: Timestamp,
        keep: u32,
        spared: &[KeyDigest],
        limit: u32,
    ) -> Result<u64, StorageError> {
        self.library.delete_surplus_keys(user, until, keep, spared, limit).await
    }
}

#[async_trait]
impl UserStorage for SplitStorage {
    async fn find_account(&self, user: &UserId) -> Result<Option<Account>, StorageError> {
        Ok(self.library.find_account(user).await?.map(without_revision))
    }

    async fn find_profile(&self, user: &UserId) -> Result<Option<Profile>, StorageError> {
        self.library.find_profile(user).await
    }

    async fn update_profile(
        &self,
        user: &SignedIn,
        change: &ProfileChange,
        now: Timestamp,
    ) -> Result<Option<Profile>, StorageError> {
        self.library.update_profile(user, change, now).await
    }
}

/// Loads and stores family data in the app's database.
#[async_trait]
impl FamilyStore for SplitStorage {
    async fn load(&self, member: &Member, needs: &Needs) -> Result<FamilyData, StorageError> {
        self.app.hearth.load(member, needs).await
    }

    async fn change(&self, change: Change<'_>) -> Result<(), StorageError> {
        self.app.hearth.change(change).await
    }

    /// No transaction spans both databases. The change holds the app's write lock.
    async fn find_credential(&self, author: &Author) -> Result<FoundCredential, StorageError> {
        author.find_credential(&self.library).await
    }
}

#[async_trait]
impl Health for SplitStorage {
    async fn check(&self) -> Result<(), StorageError> {
        self.library.check().await?;
        self.app.hearth.check().await
    }
}

async fn new_storage() -> SplitStorage {
    let app = TestDatabase::new(SystemClock).await;
    let library = SqliteStorage::open(app.folder.path().join("keys.db")).await.unwrap();
    SplitStorage { library, app }
}

#[async_trait]
impl Subject for SplitStorage {
    fn storage(&self) -> &dyn Storage {
        self
    }

    /// Stores keys in the library's storage, family data in the app's database, and families and users in both.
    async fn seed(&self, records: Vec<Record>) {
        let is_account = |record: &Record| matches!(record, Record::Family(_) | Record::User(_) | Record::Key(_));
        let accounts = records.iter().filter(|record| is_account(record)).cloned().collect();
        seed_by_load(&self.library, accounts).await;
        let without_keys = records.into_iter().filter(|record| !matches!(record, Record::Key(_))).collect();
        seed(&self.app.hearth, without_keys).await;
    }
}

family_api_conformance::storage_conformance!(new_storage().await);
