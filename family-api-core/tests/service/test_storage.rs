//! An in-memory storage that counts calls and can simulate faults.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use family_api_core::calendar::Zone;
use family_api_core::change::ProfileChange;
use family_api_core::id::{KeyId, UserId};
use family_api_core::key::{IntegrationKey, KeyDigest, RevokedAccess};
use family_api_core::resource::Profile;
use family_api_core::storage::{
    Account, Capabilities, Change, FamilyData, FamilyStore, FoundKey, Health, KeyInsert, KeyRevocation, KeyStorage,
    Member, Needs, NewKey, SignedIn, StorageError, UserStorage,
};
use family_api_core::{ManualClock, Timestamp};
use family_api_memory::MemoryStorage;
use jiff::SignedDuration;
use tokio::sync::{OwnedRwLockWriteGuard, RwLock};
use tokio::task::yield_now;
use tokio::time::sleep;

/// An in-memory storage whose calls are counted, and can fail. Clones share all state.
#[derive(Clone, Default)]
pub(crate) struct TestStorage {
    pub(crate) memory: MemoryStorage,
    state: Arc<TestState>,
}

#[derive(Default)]
struct TestState {
    calls: AtomicUsize,
    revisions_disabled: AtomicBool,
    background_writes_fail: AtomicBool,
    background_writes: BackgroundWrites,
    reads_fail: AtomicBool,
    zone: Mutex<Option<Zone>>,
    capabilities: Mutex<Option<Capabilities>>,
    write_fault: Mutex<Option<StorageError>>,
    new_id: Mutex<Option<String>>,
    key_lookup: Mutex<Option<(ManualClock, SignedDuration)>>,
    read_lock: Arc<RwLock<()>>,
    write_lock: Arc<RwLock<()>>,
}

/// The duration of each write of uses, and how many ran at once.
#[derive(Default)]
struct BackgroundWrites {
    duration: Mutex<Duration>,
    running: AtomicUsize,
    max_running: AtomicUsize,
}

impl TestStorage {
    /// Returns the number of storage calls since the last call of this function.
    pub(crate) fn take_call_count(&self) -> usize {
        self.state.calls.swap(0, Ordering::SeqCst)
    }

    /// Makes every later call return no revision.
    pub(crate) fn disable_revisions(&self) {
        self.state.revisions_disabled.store(true, Ordering::SeqCst);
    }

    /// Sets whether recording uses and deleting keys succeed.
    pub(crate) fn allow_background_writes(&self, allowed: bool) {
        self.state.background_writes_fail.store(!allowed, Ordering::SeqCst);
    }

    /// Sets how long each write of uses takes.
    pub(crate) fn slow_down_background_writes(&self, duration: Duration) {
        *self.state.background_writes.duration.lock().unwrap() = duration;
    }

    /// Returns how many writes of uses ran at once.
    pub(crate) fn max_concurrent_background_writes(&self) -> usize {
        self.state.background_writes.max_running.load(Ordering::SeqCst)
    }

    /// Sets how long each lookup of a key takes on this clock.
    pub(crate) fn slow_down_key_lookups(&self, clock: &ManualClock, duration: SignedDuration) {
        *self.state.key_lookup.lock().unwrap() = Some((clock.clone(), duration));
    }

    /// Sets the id that each created record gets.
    pub(crate) fn assign_id(&self, id: &str) {
        *self.state.new_id.lock().unwrap() = Some(id.to_owned());
    }

    /// Sets whether reading family data succeeds.
    pub(crate) fn allow_reads(&self, allowed: bool) {
        self.state.reads_fail.store(!allowed, Ordering::SeqCst);
    }

    /// Sets the time zone of every account. The revisions do not change.
    pub(crate) fn set_zone(&self, zone: &str) {
        *self.state.zone.lock().unwrap() = Some(zone.parse().unwrap());
    }

    /// Sets what the storage supports. Default: everything.
    pub(crate) fn set_capabilities(&self, capabilities: Capabilities) {
        *self.state.capabilities.lock().unwrap() = Some(capabilities);
    }

    /// Sets whether writes of records succeed.
    pub(crate) fn allow_writes(&self, allowed: bool) {
        *self.state.write_fault.lock().unwrap() = (!allowed).then(|| StorageError::unavailable("not now"));
    }

    /// Makes writes of records fail before they begin.
    pub(crate) fn refuse_writes(&self) {
        *self.state.write_fault.lock().unwrap() = Some(StorageError::unavailable("not now").not_begun());
    }

    /// Makes reads of family data wait until the guard is dropped.
    pub(crate) async fn hold_reads(&self) -> OwnedRwLockWriteGuard<()> {
        self.state.read_lock.clone().write_owned().await
    }

    /// Makes writes of records wait until the guard is dropped.
    pub(crate) async fn hold_writes(&self) -> OwnedRwLockWriteGuard<()> {
        self.state.write_lock.clone().write_owned().await
    }

    fn count_call(&self) -> &MemoryStorage {
        self.state.calls.fetch_add(1, Ordering::SeqCst);
        &self.memory
    }

    fn background_write(&self) -> Result<&MemoryStorage, StorageError> {
        if self.state.background_writes_fail.load(Ordering::SeqCst) {
            return Err(StorageError::unavailable("not now"));
        }
        Ok(self.count_call())
    }

    fn adjust_account(&self, mut account: Account) -> Account {
        if let (Some(membership), true) =
            (&mut account.membership, self.state.revisions_disabled.load(Ordering::SeqCst))
        {
            membership.revision = None;
        }
        let zone = self.state.zone.lock().unwrap().clone();
        Account { zone: zone.unwrap_or(account.zone), ..account }
    }
}

#[async_trait]
impl Health for TestStorage {
    async fn check(&self) -> Result<(), StorageError> {
        self.count_call().check().await
    }
}

#[async_trait]
impl UserStorage for TestStorage {
    async fn find_account(&self, user: &UserId) -> Result<Option<Account>, StorageError> {
        Ok(self.count_call().find_account(user).await?.map(|account| self.adjust_account(account)))
    }

    async fn find_profile(&self, user: &UserId) -> Result<Option<Profile>, StorageError> {
        self.count_call().find_profile(user).await
    }

    async fn update_profile(
        &self,
        user: &SignedIn,
        change: &ProfileChange,
        now: Timestamp,
    ) -> Result<Option<Profile>, StorageError> {
        self.count_call().update_profile(user, change, now).await
    }
}

#[async_trait]
impl KeyStorage for TestStorage {
    async fn insert_key(&self, new: &NewKey, limit: u32) -> Result<KeyInsert, StorageError> {
        self.count_call().insert_key(new, limit).await
    }

    async fn find_key(&self, digest: &KeyDigest) -> Result<Option<FoundKey>, StorageError> {
        let found = self.count_call().find_key(digest).await?;
        if let Some((clock, duration)) = &*self.state.key_lookup.lock().unwrap() {
            clock.advance(*duration);
        }
        Ok(found.map(|found| FoundKey { account: found.account.map(|account| self.adjust_account(account)), ..found }))
    }

    async fn list_keys(&self, user: &UserId, now: Timestamp) -> Result<Vec<IntegrationKey>, StorageError> {
        self.count_call().list_keys(user, now).await
    }

    async fn revoke_key(&self, user: &SignedIn, key: &KeyId, now: Timestamp) -> Result<KeyRevocation, StorageError> {
        self.count_call().revoke_key(user, key, now).await
    }

    async fn revoke_access(&self, user: &SignedIn, now: Timestamp) -> Result<Option<RevokedAccess>, StorageError> {
        self.count_call().revoke_access(user, now).await
    }

    async fn record_uses(&self, keys: &[KeyDigest], at: Timestamp) -> Result<(), StorageError> {
        let storage = self.background_write()?;
        let writes = &self.state.background_writes;
        writes.max_running.fetch_max(writes.running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        let duration = *writes.duration.lock().unwrap();
        if !duration.is_zero() {
            sleep(duration).await;
        }
        writes.running.fetch_sub(1, Ordering::SeqCst);
        storage.record_uses(keys, at).await
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

#[async_trait]
impl FamilyStore for TestStorage {
    fn capabilities(&self) -> Capabilities {
        self.state.capabilities.lock().unwrap().clone().unwrap_or_else(Capabilities::all)
    }

    async fn load(&self, member: &Member, needs: &Needs) -> Result<FamilyData, StorageError> {
        let data = self.count_call().load(member, needs).await?;
        // Yields like a database call, so that other tasks can run.
        yield_now().await;
        let _lock = self.state.read_lock.read().await;
        if self.state.reads_fail.load(Ordering::SeqCst) {
            return Err(StorageError::unavailable("not now"));
        }
        let revisions_disabled = self.state.revisions_disabled.load(Ordering::SeqCst);
        Ok(FamilyData { revision: data.revision.filter(|_| !revisions_disabled), ..data })
    }

    async fn change(&self, change: Change<'_>) -> Result<(), StorageError> {
        let _lock = self.state.write_lock.read().await;
        let fault = self.state.write_fault.lock().unwrap().clone();
        if let Some(fault) = fault {
            return Err(fault);
        }
        let new_id = self.state.new_id.lock().unwrap().clone();
        let Change { author, needs, now, credential, decide } = change;
        let decide = |credential, data: &FamilyData| decide(credential, &FamilyData { new_id, ..data.clone() });
        self.count_call().change(Change { author, needs, now, credential, decide: Box::new(decide) }).await
    }
}
