//! Integration keys: lookup by digest, and management by their owner.

use async_trait::async_trait;

use crate::MemoryStorage;
use crate::state::{State, StoredKey};
use family_api_core::Timestamp;
use family_api_core::access::{FoundKey, KeyState, SignedIn};
use family_api_core::id::{KeyId, UserId};
use family_api_core::key::{IntegrationKey, KeyDigest, RevokedAccess};
use family_api_core::storage::{KeyCondition, KeyInsert, KeyRevocation, KeyStorage, NewKey, StorageError};

#[async_trait]
impl KeyStorage for MemoryStorage {
    async fn insert_key(&self, new: &NewKey, limit: u32) -> Result<KeyInsert, StorageError> {
        self.lock_to_write()?.state.insert_key(new, limit)
    }

    async fn find_key(&self, digest: &KeyDigest) -> Result<Option<FoundKey>, StorageError> {
        Ok(self.lock()?.state.find_key(digest))
    }

    async fn list_keys(&self, user: &UserId, now: Timestamp) -> Result<Vec<IntegrationKey>, StorageError> {
        let state = &self.lock()?.state;
        let mut keys: Vec<_> = state.active_keys(user, now).map(|stored| stored.key.clone()).collect();
        keys.sort_by(|a, b| (b.created_at, &b.id).cmp(&(a.created_at, &a.id)));
        Ok(keys)
    }

    async fn revoke_key(&self, user: &SignedIn, key: &KeyId, now: Timestamp) -> Result<KeyRevocation, StorageError> {
        let state = &mut self.lock_to_write()?.state;
        if !state.has_session(user, now) {
            return Ok(KeyRevocation::NotSignedIn);
        }
        match state.keys.get_mut(key) {
            Some(stored) if stored.user == user.user && stored.state == KeyState::Active => {
                stored.state = KeyState::Revoked { at: now };
                Ok(KeyRevocation::Revoked)
            }
            _ => Ok(KeyRevocation::NotFound),
        }
    }

    async fn revoke_access(&self, user: &SignedIn, now: Timestamp) -> Result<Option<RevokedAccess>, StorageError> {
        let state = &mut self.lock_to_write()?.state;
        if !state.is_signed_in(user, now) {
            return Ok(None);
        }
        Ok(state.revoke_access(&user.user, now))
    }

    async fn record_uses(&self, keys: &[KeyDigest], at: Timestamp) -> Result<(), StorageError> {
        let state = &mut self.lock_to_write()?.state;
        for stored in state.keys.values_mut().filter(|stored| keys.contains(&stored.digest)) {
            stored.key.last_used_at = stored.key.last_used_at.max(Some(at));
        }
        Ok(())
    }

    async fn delete_ended_keys(&self, until: Timestamp, spared: &[KeyDigest], limit: u32) -> Result<u64, StorageError> {
        let state = &mut self.lock_to_write()?.state;
        let ended = state.ended_keys(until, spared, |_| true);
        Ok(state.delete_keys(ended.into_iter().take(limit as usize)))
    }

    async fn delete_surplus_keys(
        &self,
        user: &UserId,
        until: Timestamp,
        keep: u32,
        spared: &[KeyDigest],
        limit: u32,
    ) -> Result<u64, StorageError> {
        let state = &mut self.lock_to_write()?.state;
        let ended = state.ended_keys(until, spared, |stored| stored.user == *user);
        Ok(state.delete_keys(ended.into_iter().rev().skip(keep as usize).take(limit as usize)))
    }
}

impl State {
    pub(crate) fn find_key(&self, digest: &KeyDigest) -> Option<FoundKey> {
        let stored = self.keys.values().find(|stored| stored.digest == *digest)?;
        let account = self.account(&stored.user);
        Some(FoundKey { key: stored.key.clone(), state: stored.state, user: stored.user.clone(), account })
    }

    fn active_keys<'a>(&'a self, user: &'a UserId, now: Timestamp) -> impl Iterator<Item = &'a StoredKey> {
        self.keys.values().filter(move |stored| stored.user == *user && stored.is_active(now))
    }

    fn insert_key(&mut self, new: &NewKey, limit: u32) -> Result<KeyInsert, StorageError> {
        if let Some(refused) = self.check_owner(new) {
            return Ok(refused);
        }
        let active = self.active_keys(&new.owner.user, new.key.created_at).count();
        if u32::try_from(active).is_ok_and(|active| active < limit) {
            self.store_key(new).map(|()| KeyInsert::Inserted)
        } else {
            Ok(KeyInsert::LimitReached)
        }
    }

    /// Returns why the owner may not have the key, or `None` if they may.
    fn check_owner(&self, new: &NewKey) -> Option<KeyInsert> {
        if new.condition == KeyCondition::HostChecked {
            return None;
        }
        let is_signed_in = self.is_signed_in(&new.owner, new.key.created_at);
        match self.users.get(&new.owner.user).filter(|_| is_signed_in) {
            None => Some(KeyInsert::NotSignedIn),
            Some(owner) if new.condition == KeyCondition::PersonalApiEnabled && !owner.personal_api_enabled => {
                Some(KeyInsert::PersonalApiDisabled)
            }
            Some(_) => None,
        }
    }

    fn revoke_access(&mut self, user: &UserId, now: Timestamp) -> Option<RevokedAccess> {
        let owner = self.users.get_mut(user)?;
        owner.personal_api_enabled = false;
        owner.updated_at = now;
        let mut revoked = RevokedAccess::default();
        for key in self.keys.values_mut().filter(|key| key.user == *user && key.is_active(now)) {
            key.state = KeyState::Revoked { at: now };
            revoked.keys += 1;
        }
        for grant in self.grants.values_mut().filter(|grant| grant.new.owner.user == *user && grant.is_live(now)) {
            grant.revoked_at = Some(now);
            revoked.connections += 1;
        }
        let feeds = self.feeds.len();
        self.feeds.retain(|_, stored| !stored.is_current_of(user, now));
        revoked.feeds = (feeds - self.feeds.len()) as u64;
        Some(revoked)
    }

    /// Returns the keys that ended at `until` or earlier, the oldest end first.
    fn ended_keys(&self, until: Timestamp, spared: &[KeyDigest], filter: impl Fn(&StoredKey) -> bool) -> Vec<KeyId> {
        let candidates = self.keys.values().filter(|stored| filter(stored) && !spared.contains(&stored.digest));
        let mut ended: Vec<_> = candidates.filter_map(|stored| Some((stored.end()?, &stored.key.id))).collect();
        ended.retain(|(end, _)| *end <= until);
        ended.sort_unstable();
        ended.into_iter().map(|(_, key)| key.clone()).collect()
    }

    fn delete_keys(&mut self, keys: impl Iterator<Item = KeyId>) -> u64 {
        keys.map(|key| self.keys.remove(&key)).fold(0, |deleted, _| deleted + 1)
    }

    fn store_key(&mut self, new: &NewKey) -> Result<(), StorageError> {
        let NewKey { key, owner: SignedIn { user, .. }, digest, .. } = new.clone();
        if self.keys.contains_key(&key.id) || self.keys.values().any(|stored| stored.digest == digest) {
            return Err(StorageError::backend("the key already exists"));
        }
        self.keys.insert(key.id.clone(), StoredKey { key, user, digest, state: KeyState::Active });
        Ok(())
    }
}
