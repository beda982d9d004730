//! Grants and their tokens.

use std::cmp::Reverse;

use async_trait::async_trait;

use crate::MemoryStorage;
use crate::grant_entry::{GrantEntry, Tokens};
use crate::state::State;
use family_api_core::Timestamp;
use family_api_core::access::{FoundAccessToken, SignedIn};
use family_api_core::connection::{Connection, Misuse, MisusedConnection};
use family_api_core::id::{GrantId, UserId};
use family_api_core::key::KeyDigest;
use family_api_core::storage::{
    GrantInsert, GrantLookup, GrantRevocation, GrantStorage, MAX_MISUSED_GRANTS, NewGrant, StorageError, StoredGrant,
    TokenIssue,
};

#[async_trait]
impl GrantStorage for MemoryStorage {
    async fn insert_grant(&self, new: &NewGrant, limit: u32) -> Result<GrantInsert, StorageError> {
        let state = &mut self.lock_to_write()?.state;
        if !state.has_session(&new.owner, new.created_at) {
            return Ok(GrantInsert::NotSignedIn);
        }
        if state.grants.contains_key(&new.id) {
            return Ok(GrantInsert::AlreadyUsed);
        }
        let live = || state.live_grants(&new.owner.user, new.created_at);
        let mut replaced = None;
        if live().count() >= limit as usize {
            let of_client = live().filter(|grant| grant.new.client.id() == new.client.id());
            let Some(least_used) = of_client.min_by_key(|grant| grant.last_use()) else {
                return Ok(GrantInsert::LimitReached);
            };
            replaced = Some(least_used.new.id.clone());
        }
        if state.grants.values().any(|grant| grant.new.code == new.code) {
            return Err(StorageError::backend("the code already exists"));
        }
        if let Some(replaced) = replaced.as_ref().and_then(|id| state.grants.get_mut(id)) {
            replaced.revoked_at = Some(new.created_at);
        }
        let entry = GrantEntry {
            expires_at: new.expires_at,
            last_used_at: None,
            revoked_at: None,
            misuse: None,
            tokens: None,
            new: new.clone(),
        };
        state.grants.insert(new.id.clone(), entry);
        Ok(GrantInsert::Inserted { replaced })
    }

    async fn find_grant(&self, by: GrantLookup<'_>) -> Result<Option<StoredGrant>, StorageError> {
        let state = &self.lock()?.state;
        Ok(state.grants.values().find(|grant| grant.has(by)).map(GrantEntry::stored))
    }

    async fn issue_tokens(&self, issue: &TokenIssue) -> Result<bool, StorageError> {
        let grants = &mut self.lock_to_write()?.state.grants;
        let Some(grant) = grants.get_mut(&issue.grant) else {
            return Ok(false);
        };
        if !grant.is_live(issue.now) || !grant.is_current(issue.exchanged) {
            return Ok(false);
        }
        grant.expires_at = issue.refresh_expires_at;
        grant.tokens = Some(Tokens::of(issue));
        Ok(true)
    }

    async fn find_access_token(&self, digest: &KeyDigest) -> Result<Option<FoundAccessToken>, StorageError> {
        Ok(self.lock()?.state.find_access_token(digest))
    }

    async fn list_grants(&self, user: &UserId, now: Timestamp) -> Result<Vec<Connection>, StorageError> {
        let state = &self.lock()?.state;
        let mut connections: Vec<_> = state.live_grants(user, now).map(GrantEntry::connection).collect();
        connections.sort_by(|a, b| (b.created_at, &b.id).cmp(&(a.created_at, &a.id)));
        Ok(connections)
    }

    async fn revoke_grant(
        &self,
        user: &SignedIn,
        grant: &GrantId,
        now: Timestamp,
    ) -> Result<GrantRevocation, StorageError> {
        let state = &mut self.lock_to_write()?.state;
        if !state.has_session(user, now) {
            return Ok(GrantRevocation::NotSignedIn);
        }
        match state.grants.get_mut(grant) {
            Some(entry) if entry.new.owner.user == user.user && entry.is_live(now) => {
                entry.revoked_at = Some(now);
                Ok(GrantRevocation::Revoked)
            }
            _ => Ok(GrantRevocation::NotFound),
        }
    }

    async fn end_grant(&self, grant: &GrantId, now: Timestamp, misuse: Option<Misuse>) -> Result<bool, StorageError> {
        let grants = &mut self.lock_to_write()?.state.grants;
        let Some(entry) = grants.get_mut(grant).filter(|entry| entry.is_live(now)) else {
            return Ok(false);
        };
        entry.revoked_at = Some(now);
        entry.misuse = misuse;
        let user = entry.new.owner.user.clone();
        let mut misused: Vec<_> =
            grants.values_mut().filter(|it| it.new.owner.user == user && it.misuse.is_some()).collect();
        misused.sort_by_key(|it| Reverse((it.end(), it.new.id.clone())));
        for surplus in misused.into_iter().skip(MAX_MISUSED_GRANTS as usize) {
            surplus.misuse = None;
        }
        Ok(true)
    }

    async fn list_misused_grants(
        &self,
        user: &UserId,
        since: Timestamp,
        limit: u32,
    ) -> Result<Vec<MisusedConnection>, StorageError> {
        let state = &self.lock()?.state;
        let of_user = state.grants.values().filter(|grant| grant.new.owner.user == *user);
        let mut misused: Vec<_> = of_user.filter_map(GrantEntry::misused).filter(|it| it.ended_at > since).collect();
        misused.sort_by(|a, b| (b.ended_at, &b.id).cmp(&(a.ended_at, &a.id)));
        misused.truncate(limit as usize);
        Ok(misused)
    }

    async fn record_grant_uses(&self, grants: &[GrantId], at: Timestamp) -> Result<(), StorageError> {
        let state = &mut self.lock_to_write()?.state;
        for id in grants {
            if let Some(grant) = state.grants.get_mut(id) {
                grant.last_used_at = grant.last_used_at.max(Some(at));
            }
        }
        Ok(())
    }

    async fn delete_ended_grants(
        &self,
        until: Timestamp,
        misused_until: Timestamp,
        limit: u32,
    ) -> Result<u64, StorageError> {
        let grants = &mut self.lock_to_write()?.state.grants;
        let has_passed =
            |grant: &&GrantEntry| grant.end() <= until && (grant.misuse.is_none() || grant.end() <= misused_until);
        let passed = grants.values().filter(has_passed);
        let mut ended: Vec<_> = passed.map(|grant| (grant.end(), grant.new.id.clone())).collect();
        ended.sort_unstable();
        ended.truncate(limit as usize);
        for (_, id) in &ended {
            grants.remove(id);
        }
        Ok(ended.len() as u64)
    }

    async fn signing_key(&self, fresh: [u8; 32]) -> Result<[u8; 32], StorageError> {
        Ok(*self.lock_to_write()?.state.signing_key.get_or_insert(fresh))
    }
}

impl State {
    pub(crate) fn find_access_token(&self, digest: &KeyDigest) -> Option<FoundAccessToken> {
        let grant = self.grants.values().find(|grant| grant.has(GrantLookup::AccessToken(digest)))?;
        let tokens = grant.live_tokens()?;
        Some(FoundAccessToken {
            grant: grant.new.id.clone(),
            user: grant.new.owner.user.clone(),
            surface: grant.new.surface,
            scopes: tokens.scopes.clone(),
            expires_at: tokens.expires_at,
            last_used_at: grant.last_used_at,
            account: self.account(&grant.new.owner.user),
        })
    }

    fn live_grants<'a>(&'a self, user: &'a UserId, now: Timestamp) -> impl Iterator<Item = &'a GrantEntry> {
        self.grants.values().filter(move |grant| grant.new.owner.user == *user && grant.is_live(now))
    }
}
