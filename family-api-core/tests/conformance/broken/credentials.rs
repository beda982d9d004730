//! Flaws of passwords and sessions.

use async_trait::async_trait;
use family_api_core::Timestamp;
use family_api_core::id::UserId;
use family_api_core::key::KeyDigest;
use family_api_core::storage::{CredentialStorage, PasswordHash, Session, StorageError};

use crate::broken::{BrokenStorage, Flaw, earlier};

#[async_trait]
impl CredentialStorage for BrokenStorage {
    async fn find_password(&self, email: &str) -> Result<Option<(UserId, Option<PasswordHash>)>, StorageError> {
        if self.has(Flaw::FailsOnNulBytes) && email.contains('\0') {
            return Err(StorageError::backend("the text contains U+0000"));
        }
        let found = self.inner.find_password(email).await?;
        Ok(if self.has(Flaw::FindsOnlyUsersWithAPassword) { found.filter(|(_, hash)| hash.is_some()) } else { found })
    }

    async fn update_password(&self, user: &UserId, password: &PasswordHash) -> Result<bool, StorageError> {
        let updated = self.inner.update_password(user, password).await?;
        let sessions = self.history().sessions.clone();
        for session in sessions {
            match self.flaw {
                Some(Flaw::KeepsSessionsOfTheOldPassword) => {
                    self.inner.delete_session(&session.digest).await?;
                    self.inner.insert_session(&session, password).await?;
                }
                Some(Flaw::EndsSessionsOfEveryUser) => drop(self.inner.delete_session(&session.digest).await?),
                _ => {}
            }
        }
        Ok(updated || self.has(Flaw::AcceptsPasswordsForUnknownUsers))
    }

    async fn insert_session(&self, session: &Session, verified: &PasswordHash) -> Result<bool, StorageError> {
        self.history().sessions.push(session.clone());
        if self.has(Flaw::ReplacesExistingSessions) {
            self.inner.delete_session(&session.digest).await?;
        }
        if self.has(Flaw::ChecksThePasswordWithoutLock) {
            let address = format!("{}@example.com", session.user);
            let current = self.inner.find_password(&address).await?.and_then(|(_, hash)| hash);
            tokio::task::yield_now().await;
            if current.as_ref() != Some(verified) {
                return Ok(false);
            }
        }
        if self.has(Flaw::OpensSessionsForAnyPassword) || self.has(Flaw::ChecksThePasswordWithoutLock) {
            let (_, hash) = self.find_password(&format!("{}@example.com", session.user)).await?.unzip();
            return self.inner.insert_session(session, hash.flatten().as_ref().unwrap_or(verified)).await;
        }
        self.inner.insert_session(session, verified).await
    }

    async fn find_session(&self, digest: &KeyDigest, now: Timestamp) -> Result<Option<UserId>, StorageError> {
        let now = match self.flaw {
            Some(Flaw::NeverExpiresSessions) => Timestamp::MIN,
            Some(Flaw::FindsSessionsAtTheirExpiry) => earlier(now),
            _ => now,
        };
        self.inner.find_session(digest, now).await
    }

    async fn delete_session(&self, digest: &KeyDigest) -> Result<bool, StorageError> {
        if self.has(Flaw::DeletesNoSession) { Ok(true) } else { self.inner.delete_session(digest).await }
    }

    async fn delete_expired_sessions(&self, now: Timestamp, limit: u32) -> Result<u64, StorageError> {
        let now = if self.has(Flaw::PurgesUnexpiredSessions) { Timestamp::MAX } else { now };
        self.inner.delete_expired_sessions(now, limit).await
    }

    async fn delete_surplus_sessions(&self, user: &UserId, keep: u32, limit: u32) -> Result<u64, StorageError> {
        let keep = if self.has(Flaw::KeepsOneSessionTooFew) { keep.saturating_sub(1) } else { keep };
        self.inner.delete_surplus_sessions(user, keep, limit).await
    }
}
