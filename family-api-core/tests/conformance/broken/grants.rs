//! Flaws of grants.

use async_trait::async_trait;
use family_api_core::Timestamp;
use family_api_core::grant::{Connection, Misuse, MisusedConnection, RotationNonce};
use family_api_core::id::{GrantId, UserId};
use family_api_core::key::KeyDigest;
use family_api_core::storage::{
    ExchangedSecret, FoundAccessToken, GrantInsert, GrantLookup, GrantRevocation, GrantState, GrantStorage, NewGrant,
    SignedIn, StorageError, StoredGrant, TokenIssue,
};
use tokio::task::yield_now;

use crate::broken::{BrokenStorage, Flaw};

#[async_trait]
impl GrantStorage for BrokenStorage {
    async fn insert_grant(&self, new: &NewGrant, limit: u32) -> Result<GrantInsert, StorageError> {
        let new = NewGrant { owner: self.flawed_user(&new.owner), ..new.clone() };
        let limit = match self.flaw {
            Some(Flaw::IgnoresTheGrantLimit) => u32::MAX,
            Some(Flaw::CountsGrantsWithoutLock) => {
                let live = self.inner.list_grants(&new.owner.user, new.created_at).await?.len();
                yield_now().await;
                if live < limit as usize { u32::MAX } else { limit }
            }
            _ => limit,
        };
        match self.inner.insert_grant(&new, limit).await {
            Ok(GrantInsert::AlreadyUsed) if self.has(Flaw::AcceptsUsedApprovals) => Ok(GrantInsert::Inserted),
            Err(_) if self.has(Flaw::HidesDuplicateCodes) => Ok(GrantInsert::Inserted),
            outcome => outcome,
        }
    }

    async fn find_grant(&self, by: GrantLookup<'_>) -> Result<Option<StoredGrant>, StorageError> {
        let mut found = self.inner.find_grant(by).await?;
        if let Some(grant) = &mut found {
            match self.flaw {
                Some(Flaw::LosesRedirectAddresses) => grant.redirect_uri.clear(),
                Some(Flaw::LosesRotations) => grant.rotation = None,
                Some(Flaw::KeepsTheFirstRotation) if grant.rotation.is_some() => {
                    grant.rotation =
                        self.history().rotation.get_or_insert(grant.rotation.take().unwrap()).clone().into();
                }
                _ => {}
            }
        }
        Ok(found)
    }

    async fn issue_tokens(&self, issue: &TokenIssue) -> Result<bool, StorageError> {
        let mut issue = issue.clone();
        match self.flaw {
            Some(Flaw::IssuesTokensOfExpiredGrants) => issue.now = Timestamp::MIN,
            Some(Flaw::IssuesTokensTwice) => {
                if let Some(current) = self.current_secret(&issue).await {
                    issue.exchanged = current;
                }
            }
            Some(Flaw::ChecksTheStateWithoutLock) => return self.issue_without_lock(issue).await,
            _ => {}
        }
        self.inner.issue_tokens(&issue).await
    }

    async fn find_access_token(&self, digest: &KeyDigest) -> Result<Option<FoundAccessToken>, StorageError> {
        let mut found = self.inner.find_access_token(digest).await?;
        if let Some(token) = &mut found {
            if self.has(Flaw::LosesScopesOfTokens) {
                token.scopes = [].into_iter().collect();
            }
            if self.has(Flaw::CachesAccountsForever) {
                token.account = self.history().account.get_or_insert(token.account.take().unwrap()).clone().into();
            }
            self.history().access_tokens.insert(*digest, token.clone());
        } else if self.has(Flaw::CachesAccessTokensForever) {
            found = self.history().access_tokens.get(digest).cloned();
        }
        Ok(found)
    }

    async fn list_grants(&self, user: &UserId, now: Timestamp) -> Result<Vec<Connection>, StorageError> {
        let now = if self.has(Flaw::ListsExpiredGrants) { Timestamp::MIN } else { now };
        let mut connections = self.inner.list_grants(user, now).await?;
        match self.flaw {
            Some(Flaw::ListsGrantsOldestFirst) => connections.reverse(),
            Some(Flaw::LosesNamesOfClients) => connections.iter_mut().for_each(|connection| connection.client = None),
            _ => {}
        }
        Ok(connections)
    }

    async fn revoke_grant(
        &self,
        user: &SignedIn,
        grant: &GrantId,
        now: Timestamp,
    ) -> Result<GrantRevocation, StorageError> {
        let revocation = self.inner.revoke_grant(&self.flawed_user(user), grant, now).await?;
        if revocation == GrantRevocation::NotFound
            && self.has(Flaw::RevokesGrantsOfOtherUsers)
            && self.inner.end_grant(grant, now, None).await?
        {
            return Ok(GrantRevocation::Revoked);
        }
        Ok(revocation)
    }

    async fn list_misused_grants(
        &self,
        user: &UserId,
        since: Timestamp,
        limit: u32,
    ) -> Result<Vec<MisusedConnection>, StorageError> {
        let limit = if self.has(Flaw::IgnoresTheLimitOfMisuses) { u32::MAX } else { limit };
        self.inner.list_misused_grants(user, since, limit).await
    }

    async fn end_grant(&self, grant: &GrantId, now: Timestamp, misuse: Option<Misuse>) -> Result<bool, StorageError> {
        let misuse = misuse.filter(|_| !self.has(Flaw::LosesMisuses));
        Ok(self.inner.end_grant(grant, now, misuse).await? || self.has(Flaw::EndsAGrantTwice))
    }

    async fn record_grant_uses(&self, grants: &[GrantId], at: Timestamp) -> Result<(), StorageError> {
        if self.has(Flaw::RecordsNoUses) { Ok(()) } else { self.inner.record_grant_uses(grants, at).await }
    }

    async fn delete_ended_grants(
        &self,
        until: Timestamp,
        misused_until: Timestamp,
        limit: u32,
    ) -> Result<u64, StorageError> {
        match self.flaw {
            Some(Flaw::PurgesLiveGrants) => self.inner.delete_ended_grants(Timestamp::MAX, misused_until, limit).await,
            Some(Flaw::PurgesWithoutALimit) => self.inner.delete_ended_grants(until, misused_until, u32::MAX).await,
            Some(Flaw::PurgesMisusedGrants) => self.inner.delete_ended_grants(until, until, limit).await,
            _ => self.inner.delete_ended_grants(until, misused_until, limit).await,
        }
    }

    async fn signing_key(&self, fresh: [u8; 32]) -> Result<[u8; 32], StorageError> {
        if self.has(Flaw::ReturnsTheFreshSigningKey) { Ok(fresh) } else { self.inner.signing_key(fresh).await }
    }
}

impl BrokenStorage {
    /// Reads the current secret, lets other calls run, and then issues the tokens whatever the current secret is.
    async fn issue_without_lock(&self, mut issue: TokenIssue) -> Result<bool, StorageError> {
        if self.current_secret(&issue).await != Some(issue.exchanged) {
            return Ok(false);
        }
        yield_now().await;
        issue.exchanged = self.current_secret(&issue).await.unwrap();
        self.inner.issue_tokens(&issue).await
    }

    /// Returns the secret for which the storage issues tokens now.
    async fn current_secret(&self, issue: &TokenIssue) -> Option<ExchangedSecret> {
        let code = KeyDigest::of(&format!("code of {}", issue.grant));
        let nonce = match issue.exchanged {
            ExchangedSecret::Code => RotationNonce::from_bytes([0; 32]),
            ExchangedSecret::RefreshToken { nonce, .. } => nonce,
        };
        match self.inner.find_grant(GrantLookup::Code(&code)).await.unwrap()?.state {
            GrantState::Approved => Some(ExchangedSecret::Code),
            GrantState::Issued { refresh } => Some(ExchangedSecret::RefreshToken { digest: refresh, nonce }),
            GrantState::Revoked => None,
        }
    }
}
