//! Flaws of key management.

use async_trait::async_trait;
use family_api_core::Timestamp;
use family_api_core::change::ProfileChange;
use family_api_core::id::{KeyId, UserId};
use family_api_core::key::{IntegrationKey, KeyDigest, RevokedAccess, Scope};
use family_api_core::storage::{
    FoundKey, KeyCondition, KeyInsert, KeyRevocation, KeyState, KeyStorage, NewKey, SignedIn, StorageError, UserStorage,
};

use crate::broken::{BrokenStorage, Flaw, earlier};

#[async_trait]
impl KeyStorage for BrokenStorage {
    async fn insert_key(&self, new: &NewKey, limit: u32) -> Result<KeyInsert, StorageError> {
        let mut new = new.clone();
        new.owner = self.flawed_user(&new.owner);
        let mut limit = limit;
        match self.flaw {
            Some(Flaw::IgnoresTheKeyCondition) => new.condition = KeyCondition::UserExists,
            Some(Flaw::IgnoresTheKeyLimit) => limit = u32::MAX,
            Some(Flaw::AllowsOneKeyTooMany) => limit = limit.saturating_add(1),
            Some(Flaw::ChecksTheLimitBeforeTheCondition) if self.is_key_limit_reached(&new, limit).await? => {
                return Ok(KeyInsert::LimitReached);
            }
            Some(Flaw::CountsKeysBeforeInsertWithoutLock) => {
                if self.is_key_limit_reached(&new, limit).await? {
                    return Ok(KeyInsert::LimitReached);
                }
                tokio::task::yield_now().await;
                limit = u32::MAX;
            }
            Some(Flaw::CountsExpiredKeys) if self.count_keys_with_expired(&new).await? >= limit as usize => {
                return Ok(KeyInsert::LimitReached);
            }
            _ => {}
        }
        match self.inner.insert_key(&new, limit).await {
            Err(_) if self.has(Flaw::HidesDuplicateDigests) => Ok(KeyInsert::Inserted),
            outcome => outcome,
        }
    }

    async fn find_key(&self, digest: &KeyDigest) -> Result<Option<FoundKey>, StorageError> {
        let digest = if self.has(Flaw::FindsTheSameKeyForEveryDigest) { &KeyDigest::of("k1") } else { digest };
        let mut found = self.inner.find_key(digest).await?;
        if let Some(found) = &mut found {
            found.account = self.flawed_account(found.account.take());
            self.drop_unknown_scopes(&mut found.key);
            self.apply_flaws_to_found_key(found);
            if self.has(Flaw::CachesAccountsForever) {
                found.account = self.history().account.get_or_insert(found.account.take().unwrap()).clone().into();
            }
        }
        let active_only = self.has(Flaw::FindsActiveKeysOnly);
        Ok(found.filter(|found| !active_only || found.state == KeyState::Active))
    }

    async fn list_keys(&self, user: &UserId, now: Timestamp) -> Result<Vec<IntegrationKey>, StorageError> {
        let now = match self.flaw {
            Some(Flaw::ListsExpiredKeys) => Timestamp::MIN,
            Some(Flaw::ListsKeysAtTheirExpiry) => earlier(now),
            _ => now,
        };
        let mut keys = self.inner.list_keys(user, now).await?;
        for key in &mut keys {
            self.drop_unknown_scopes(key);
            self.apply_flaws_to_listed_key(key);
        }
        match self.flaw {
            Some(Flaw::ListsKeysOfEveryUser) => {
                let members = self.history().members.clone();
                for other in members.iter().filter(|member| member.user != *user) {
                    keys.extend(self.inner.list_keys(&other.user, now).await?);
                }
            }
            Some(Flaw::ListsKeysWithoutExpiry) => keys.iter_mut().for_each(|key| key.expires_at = None),
            Some(Flaw::ListsKeysOldestFirst) => keys.reverse(),
            Some(Flaw::SortsKeysCreatedTogetherByIdAscending) => {
                keys.sort_by(|a, b| (b.created_at, &a.id).cmp(&(a.created_at, &b.id)));
            }
            _ => {}
        }
        Ok(keys)
    }

    async fn revoke_key(&self, user: &SignedIn, key: &KeyId, now: Timestamp) -> Result<KeyRevocation, StorageError> {
        let user = &self.flawed_user(user);
        match self.flaw {
            Some(Flaw::RevokesNothing) => Ok(KeyRevocation::Revoked),
            Some(Flaw::RevokesKeysOfOtherUsers) => {
                let members = self.history().members.clone();
                for member in members {
                    let member = SignedIn::from(member.user);
                    if self.inner.revoke_key(&member, key, now).await? == KeyRevocation::Revoked {
                        return Ok(KeyRevocation::Revoked);
                    }
                }
                Ok(KeyRevocation::NotFound)
            }
            Some(Flaw::RevokesAKeyTwice) => self.inner.revoke_key(user, key, now).await.map(|_| KeyRevocation::Revoked),
            Some(Flaw::ChecksBeforeRevokeWithoutLock) => {
                let is_listed = self.is_listed(&user.user, key, now).await?;
                tokio::task::yield_now().await;
                let revocation = self.inner.revoke_key(user, key, now).await?;
                Ok(if is_listed { KeyRevocation::Revoked } else { revocation })
            }
            Some(Flaw::RevokesOnlyUnexpiredKeys) => {
                if !self.is_listed(&user.user, key, now).await? {
                    return Ok(KeyRevocation::NotFound);
                }
                self.inner.revoke_key(user, key, now).await
            }
            _ => self.inner.revoke_key(user, key, now).await,
        }
    }

    async fn revoke_access(&self, user: &SignedIn, now: Timestamp) -> Result<Option<RevokedAccess>, StorageError> {
        let user = &self.flawed_user(user);
        match self.flaw {
            Some(Flaw::LeavesThePersonalApiOn) => {
                let was_on =
                    self.inner.find_account(&user.user).await?.is_some_and(|account| account.personal_api_enabled);
                let revoked = self.inner.revoke_access(user, now).await?;
                if was_on {
                    self.inner.update_profile(user, &ProfileChange::new().enable_personal_api(), now).await?;
                }
                Ok(revoked)
            }
            Some(Flaw::CountsExpiredKeys) => {
                let expired = self.inner.list_keys(&user.user, Timestamp::MIN).await?.len();
                let revoked = self.inner.revoke_access(user, now).await?;
                Ok(revoked.map(|revoked| RevokedAccess { keys: expired as u64, ..revoked }))
            }
            Some(Flaw::RevokesKeysOfOtherUsers) => {
                let members = self.history().members.clone();
                for member in members.into_iter().filter(|member| member.user != user.user) {
                    self.inner.revoke_access(&SignedIn::from(member.user), now).await?;
                }
                self.inner.revoke_access(user, now).await
            }
            Some(Flaw::LeavesGrants) => {
                let keys = self.inner.list_keys(&user.user, now).await?;
                for key in &keys {
                    self.inner.revoke_key(user, &key.id, now).await?;
                }
                Ok(Some(RevokedAccess { keys: keys.len() as u64, connections: 0 }))
            }
            Some(Flaw::RevokesNothing) => Ok(Some(RevokedAccess { keys: 2, connections: 0 })),
            _ => self.inner.revoke_access(user, now).await,
        }
    }

    async fn record_uses(&self, keys: &[KeyDigest], at: Timestamp) -> Result<(), StorageError> {
        self.record_uses_with_flaw(keys, at).await
    }

    async fn delete_ended_keys(&self, until: Timestamp, spared: &[KeyDigest], limit: u32) -> Result<u64, StorageError> {
        let until = if self.has(Flaw::PurgesKeysThatEndAfterTheGivenTime) { Timestamp::MAX } else { until };
        let deleted =
            self.inner.delete_ended_keys(until, self.flawed_spared_keys(spared), self.flawed_limit(limit)).await?;
        Ok(if self.has(Flaw::MiscountsPurgedKeys) { deleted * 2 } else { deleted })
    }

    async fn delete_surplus_keys(
        &self,
        user: &UserId,
        until: Timestamp,
        keep: u32,
        spared: &[KeyDigest],
        limit: u32,
    ) -> Result<u64, StorageError> {
        let keep = if self.has(Flaw::KeepsOneKeyTooFew) { keep.saturating_sub(1) } else { keep };
        self.inner
            .delete_surplus_keys(user, until, keep, self.flawed_spared_keys(spared), self.flawed_limit(limit))
            .await
    }
}

impl BrokenStorage {
    async fn is_listed(&self, user: &UserId, key: &KeyId, now: Timestamp) -> Result<bool, StorageError> {
        Ok(self.inner.list_keys(user, now).await?.iter().any(|listed| listed.id == *key))
    }

    async fn is_key_limit_reached(&self, new: &NewKey, limit: u32) -> Result<bool, StorageError> {
        Ok(self.inner.list_keys(&new.owner.user, new.key.created_at).await?.len() >= limit as usize)
    }

    fn flawed_spared_keys<'a>(&self, spared: &'a [KeyDigest]) -> &'a [KeyDigest] {
        if self.has(Flaw::PurgesSparedKeys) { &[] } else { spared }
    }

    fn flawed_limit(&self, limit: u32) -> u32 {
        if self.has(Flaw::PurgesWithoutALimit) { u32::MAX } else { limit }
    }

    async fn count_keys_with_expired(&self, new: &NewKey) -> Result<usize, StorageError> {
        Ok(self.inner.list_keys(&new.owner.user, Timestamp::MIN).await?.len())
    }

    fn drop_unknown_scopes(&self, key: &mut IntegrationKey) {
        if self.has(Flaw::DropsUnknownScopes) {
            key.scopes = key.scopes.iter().filter(|scope| !matches!(scope, Scope::Unknown(_))).cloned().collect();
        }
    }
}
