//! Runs the conformance suite with keys in a database, and users and families in a host's memory.

use std::future::ready;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use family_api_conformance::{Subject, seed_by_load, seed_key};
use family_api_core::Timestamp;
use family_api_core::change::ProfileChange;
use family_api_core::id::{FamilyId, UserId};
use family_api_core::key::{IntegrationKey, KeyDigest, KeyMode};
use family_api_core::resource::{Profile, RecordKind};
use family_api_core::storage::{
    Account, Administration, Capabilities, Change, DeletedRecordLimit, FamilyData, FamilyStore, GrantStorage, Health,
    HostStorage, KeyCondition, KeyInsert, KeyStorage, Member, Needs, NewKey, Record, SignedIn, Storage, StorageError,
    UserStorage,
};
use family_api_memory::MemoryStorage;
use family_api_sql::postgres::PostgresStorage;
use family_api_testing::{Database, Server, on_postgres};

use crate::sqlite;

/// A host with its data in memory.
#[derive(Clone)]
struct Host(MemoryStorage);

#[async_trait]
impl UserStorage for Host {
    async fn find_account(&self, user: &UserId) -> Result<Option<Account>, StorageError> {
        self.0.find_account(user).await
    }

    async fn find_profile(&self, user: &UserId) -> Result<Option<Profile>, StorageError> {
        self.0.find_profile(user).await
    }

    async fn update_profile(
        &self,
        user: &SignedIn,
        change: &ProfileChange,
        now: Timestamp,
    ) -> Result<Option<Profile>, StorageError> {
        self.0.update_profile(user, change, now).await
    }
}

#[async_trait]
impl FamilyStore for Host {
    fn capabilities(&self) -> Capabilities {
        FamilyStore::capabilities(&self.0)
    }

    async fn load(&self, member: &Member, needs: &Needs) -> Result<FamilyData, StorageError> {
        self.0.load(member, needs).await
    }

    /// The storage in memory does not find the key.
    async fn change(&self, change: Change<'_>) -> Result<(), StorageError> {
        let Change { author, needs, now, credential, decide } = change;
        let found = credential.await?;
        let credential = Box::pin(ready(Err(StorageError::backend("unused"))));
        let decide = Box::new(move |_, rows: &FamilyData| decide(found, rows));
        self.0.change(Change { author, needs, now, credential, decide }).await
    }

    async fn forget_old_deleted(&self, until: Timestamp, limit: u32) -> Result<u64, StorageError> {
        FamilyStore::forget_old_deleted(&self.0, until, limit).await
    }

    async fn forget_surplus_deleted(
        &self,
        family: &FamilyId,
        kind: RecordKind,
        keep: DeletedRecordLimit,
        limit: u32,
    ) -> Result<u64, StorageError> {
        FamilyStore::forget_surplus_deleted(&self.0, family, kind, keep, limit).await
    }

    async fn delete_old_changes(&self, until: Timestamp, limit: u32) -> Result<u64, StorageError> {
        FamilyStore::delete_old_changes(&self.0, until, limit).await
    }

    async fn delete_surplus_changes(&self, family: &FamilyId, keep: u32, limit: u32) -> Result<u64, StorageError> {
        FamilyStore::delete_surplus_changes(&self.0, family, keep, limit).await
    }

    async fn delete_old_idempotency_keys(&self, until: Timestamp, limit: u32) -> Result<u64, StorageError> {
        FamilyStore::delete_old_idempotency_keys(&self.0, until, limit).await
    }

    async fn delete_surplus_idempotency_keys(
        &self,
        member: &Member,
        keep: u32,
        limit: u32,
    ) -> Result<u64, StorageError> {
        FamilyStore::delete_surplus_idempotency_keys(&self.0, member, keep, limit).await
    }
}

#[async_trait]
impl Health for Host {
    async fn check(&self) -> Result<(), StorageError> {
        self.0.check().await
    }
}

/// A host with its storage, and the place of the keys.
struct Split<K, P> {
    rows: MemoryStorage,
    keys: K,
    storage: HostStorage<Host, K>,
    _place: P,
}

impl<K: KeyStorage + Clone, P> Split<K, P> {
    fn new(keys: K, place: P) -> Self {
        let rows = MemoryStorage::new();
        let host = Host(rows.clone());
        Self { rows, storage: HostStorage::new(host, keys.clone()), keys, _place: place }
    }
}

#[async_trait]
impl<K: KeyStorage + GrantStorage + Administration + Health, P: Send + Sync> Subject for Split<K, P> {
    fn storage(&self) -> &dyn Storage {
        &self.storage
    }

    async fn seed(&self, records: Vec<Record>) {
        for record in records {
            match record {
                Record::Key(key) => seed_key(&self.keys, key).await,
                record => seed_by_load(&self.rows, vec![record]).await,
            }
        }
    }
}

mod keys_in_sqlite {
    use super::{Split, sqlite};

    async fn subject() -> impl family_api_conformance::Subject {
        let stored = sqlite::subject().await;
        Split::new(stored.storage, stored.place)
    }

    family_api_conformance::storage_conformance!(subject().await);
}

mod keys_in_postgres {
    use super::{Database, PostgresStorage, Server, Split, on_postgres};

    async fn subject() -> Split<PostgresStorage, Database> {
        let database = Server::shared().create_database().await;
        Split::new(PostgresStorage::open(database.url()).await.unwrap(), database)
    }

    on_postgres!(family_api_conformance::storage_conformance, subject().await);
}

/// A host whose user switches the personal API off, or is deleted, after the first lookup.
struct Changing {
    is_deleted: bool,
    was_asked: AtomicBool,
}

#[async_trait]
impl UserStorage for Changing {
    async fn find_account(&self, user: &UserId) -> Result<Option<Account>, StorageError> {
        let is_changed = self.was_asked.swap(true, Ordering::Relaxed);
        let zone = "UTC".parse().unwrap();
        let account = Account { user: user.clone(), membership: None, personal_api_enabled: !is_changed, zone };
        Ok(Some(account).filter(|_| !(is_changed && self.is_deleted)))
    }

    async fn find_profile(&self, _: &UserId) -> Result<Option<Profile>, StorageError> {
        Ok(None)
    }

    async fn update_profile(
        &self,
        _: &SignedIn,
        _: &ProfileChange,
        _: Timestamp,
    ) -> Result<Option<Profile>, StorageError> {
        Ok(None)
    }
}

#[tokio::test]
async fn a_key_whose_owner_has_changed_during_the_insertion_is_revoked() {
    for (is_deleted, expected) in [(false, KeyInsert::PersonalApiDisabled), (true, KeyInsert::NotSignedIn)] {
        let keys = sqlite::subject().await;
        let host = Changing { is_deleted, was_asked: AtomicBool::new(false) };
        let storage = HostStorage::new(host, keys.storage.clone());
        let created_at = "2026-11-20T12:00:00Z".parse().unwrap();
        let key = IntegrationKey {
            id: "key".parse().unwrap(),
            mode: Some(KeyMode::V1Read),
            scopes: KeyMode::V1Read.scopes(),
            name: None,
            hint: "hint".to_owned(),
            created_at,
            expires_at: None,
            last_used_at: None,
        };
        let owner: UserId = "ada".parse().unwrap();
        let condition = KeyCondition::PersonalApiEnabled;
        let new = NewKey { key, owner: owner.clone().into(), digest: KeyDigest::of("token"), condition };
        assert_eq!(storage.insert_key(&new, 50).await.unwrap(), expected);
        assert_eq!(keys.storage.list_keys(&owner, created_at).await.unwrap(), []);
        assert!(keys.storage.find_key(&new.digest).await.unwrap().is_some());
    }
}
