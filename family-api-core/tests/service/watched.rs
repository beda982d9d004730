//! An in-memory storage that counts calls and can simulate faults.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use family_api_core::Timestamp;
use family_api_core::calendar::Zone;
use family_api_core::change::ProfileChange;
use family_api_core::id::{KeyId, UserId};
use family_api_core::key::{IntegrationKey, KeyDigest};
use family_api_core::resource::{Profile, ResourceKind};
use family_api_core::storage::memory::MemoryStorage;
use family_api_core::storage::{
    Account, Author, FamilyData, FamilyStore, FoundKey, Health, Judge, KeyInsert, KeyRevocation, KeyStorage, Member,
    NewKey, SignedIn, StorageError, UserStorage,
};
use tokio::task::yield_now;

/// Clones share all state.
#[derive(Clone, Default)]
pub(crate) struct Watched {
    pub(crate) memory: MemoryStorage,
    watch: Arc<Watch>,
}

#[derive(Default)]
struct Watch {
    calls: AtomicUsize,
    revisions_disabled: AtomicBool,
    background_writes_fail: AtomicBool,
    reads_fail: AtomicBool,
    zone: Mutex<Option<Zone>>,
}

impl Watched {
    /// Returns the number of calls since the last call of this function.
    pub(crate) fn calls(&self) -> usize {
        self.watch.calls.swap(0, Ordering::SeqCst)
    }

    /// Returns no revisions from now on.
    pub(crate) fn disable_revisions(&self) {
        self.watch.revisions_disabled.store(true, Ordering::SeqCst);
    }

    /// Sets whether recording uses and deleting keys succeed.
    pub(crate) fn allow_background_writes(&self, takes: bool) {
        self.watch.background_writes_fail.store(!takes, Ordering::SeqCst);
    }

    /// Sets whether reading family data succeeds.
    pub(crate) fn read(&self, reads: bool) {
        self.watch.reads_fail.store(!reads, Ordering::SeqCst);
    }

    /// Sets the time zone of every account, without a change of a revision.
    pub(crate) fn set_zone(&self, zone: &str) {
        *self.watch.zone.lock().unwrap() = Some(zone.parse().unwrap());
    }

    fn called(&self) -> &MemoryStorage {
        self.watch.calls.fetch_add(1, Ordering::SeqCst);
        &self.memory
    }

    fn background_write(&self) -> Result<&MemoryStorage, StorageError> {
        if self.watch.background_writes_fail.load(Ordering::SeqCst) {
            return Err(StorageError::unavailable("not now"));
        }
        Ok(self.called())
    }

    fn shown(&self, mut account: Account) -> Account {
        if let (Some(membership), true) =
            (&mut account.membership, self.watch.revisions_disabled.load(Ordering::SeqCst))
        {
            membership.revision = None;
        }
        let zone = self.watch.zone.lock().unwrap().clone();
        Account { zone: zone.unwrap_or(account.zone), ..account }
    }
}

#[async_trait]
impl Health for Watched {
    async fn check(&self) -> Result<(), StorageError> {
        self.called().check().await
    }
}

#[async_trait]
impl UserStorage for Watched {
    async fn find_account(&self, user: &UserId) -> Result<Option<Account>, StorageError> {
        Ok(self.called().find_account(user).await?.map(|account| self.shown(account)))
    }

    async fn find_profile(&self, user: &UserId) -> Result<Option<Profile>, StorageError> {
        self.called().find_profile(user).await
    }

    async fn update_profile(
        &self,
        user: &SignedIn,
        change: &ProfileChange,
        now: Timestamp,
    ) -> Result<Option<Profile>, StorageError> {
        self.called().update_profile(user, change, now).await
    }
}

#[async_trait]
impl KeyStorage for Watched {
    async fn insert_key(&self, new: &NewKey, limit: u32) -> Result<KeyInsert, StorageError> {
        self.called().insert_key(new, limit).await
    }

    async fn find_key(&self, digest: &KeyDigest) -> Result<Option<FoundKey>, StorageError> {
        let found = self.called().find_key(digest).await?;
        Ok(found.map(|found| FoundKey { account: found.account.map(|account| self.shown(account)), ..found }))
    }

    async fn list_keys(&self, user: &UserId, now: Timestamp) -> Result<Vec<IntegrationKey>, StorageError> {
        self.called().list_keys(user, now).await
    }

    async fn revoke_key(&self, user: &SignedIn, key: &KeyId, now: Timestamp) -> Result<KeyRevocation, StorageError> {
        self.called().revoke_key(user, key, now).await
    }

    async fn record_uses(&self, keys: &[KeyDigest], at: Timestamp) -> Result<(), StorageError> {
        self.background_write()?.record_uses(keys, at).await
    }

    async fn delete_ended_keys(&self, until: Timestamp, spared: &[KeyDigest], limit: u32) -> Result<u64, StorageError> {
        self.background_write()?.delete_ended_keys(until, spared, limit).await
    }

    async fn delete_surplus_keys(
        &self,
        user: &UserId,
        until: Timestamp,
        keep: u32,
        spared: &[KeyDigest],
        limit: u32,
    ) -> Result<u64, StorageError> {
        self.background_write()?.delete_surplus_keys(user, until, keep, spared, limit).await
    }
}

/// Counts one call per read and per write.
#[async_trait]
impl FamilyStore for Watched {
    async fn load(&self, member: &Member, resource: ResourceKind) -> Result<FamilyData, StorageError> {
        let data = self.called().load(member, resource).await?;
        // Yields like a database call, so that other tasks can run.
        yield_now().await;
        if self.watch.reads_fail.load(Ordering::SeqCst) {
            return Err(StorageError::unavailable("not now"));
        }
        let hides = self.watch.revisions_disabled.load(Ordering::SeqCst);
        Ok(FamilyData { revision: data.revision.filter(|_| !hides), ..data })
    }

    async fn change(
        &self,
        author: &Author,
        resource: ResourceKind,
        now: Timestamp,
        judge: Judge<'_>,
    ) -> Result<(), StorageError> {
        self.called().change(author, resource, now, judge).await
    }
}
