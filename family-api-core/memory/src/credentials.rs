//! Passwords and sessions.

use std::cmp::Reverse;
use std::collections::HashSet;

use async_trait::async_trait;

use crate::MemoryStorage;
use crate::state::State;
use family_api_core::Timestamp;
use family_api_core::access::{Author, Credential, FoundCredential, SignedIn};
use family_api_core::id::UserId;
use family_api_core::key::KeyDigest;
use family_api_core::storage::{CredentialStorage, Password, PasswordHash, Session, StorageError};

#[async_trait]
impl CredentialStorage for MemoryStorage {
    async fn find_password(&self, email: &str) -> Result<Option<(UserId, Option<PasswordHash>)>, StorageError> {
        let state = &self.lock()?.state;
        let email = email.to_ascii_lowercase();
        let user = state.users.values().find(|user| user.email == email);
        user.map(|user| Ok((user.id.clone(), user.password.hash()?.cloned()))).transpose()
    }

    async fn update_password(&self, user: &UserId, password: &PasswordHash) -> Result<bool, StorageError> {
        let state = &mut self.lock_to_write()?.state;
        let Some(user) = state.users.get_mut(user) else {
            return Ok(false);
        };
        user.password = Password::Hashed(password.clone());
        state.sessions.retain(|session| session.user != user.id);
        Ok(true)
    }

    async fn insert_session(&self, session: &Session, verified: &PasswordHash) -> Result<bool, StorageError> {
        let state = &mut self.lock_to_write()?.state;
        let password = state.users.get(&session.user).map(|user| &user.password);
        if password != Some(&Password::Hashed(verified.clone())) {
            return Ok(false);
        }
        if state.sessions.iter().any(|existing| existing.digest == session.digest) {
            return Err(StorageError::backend("the session already exists"));
        }
        state.sessions.push(session.clone());
        Ok(true)
    }

    async fn find_session(&self, digest: &KeyDigest, now: Timestamp) -> Result<Option<UserId>, StorageError> {
        Ok(self.lock()?.state.find_session(digest, now).cloned())
    }

    async fn delete_session(&self, digest: &KeyDigest) -> Result<bool, StorageError> {
        let sessions = &mut self.lock_to_write()?.state.sessions;
        let before = sessions.len();
        sessions.retain(|session| session.digest != *digest);
        Ok(sessions.len() < before)
    }

    async fn delete_expired_sessions(&self, now: Timestamp, limit: u32) -> Result<u64, StorageError> {
        let sessions = &mut self.lock_to_write()?.state.sessions;
        let expired = sessions.iter().filter(|session| session.expires_at <= now);
        let expired = expired.map(|session| session.digest).take(limit as usize).collect();
        Ok(delete(sessions, &expired))
    }

    async fn delete_surplus_sessions(&self, user: &UserId, keep: u32, limit: u32) -> Result<u64, StorageError> {
        let sessions = &mut self.lock_to_write()?.state.sessions;
        let mut own: Vec<_> = sessions.iter().filter(|session| session.user == *user).collect();
        own.sort_by_key(|session| Reverse(session.expires_at));
        let surplus = own.into_iter().skip(keep as usize).take(limit as usize);
        let surplus = surplus.map(|session| session.digest).collect();
        Ok(delete(sessions, &surplus))
    }
}

fn delete(sessions: &mut Vec<Session>, digests: &HashSet<KeyDigest>) -> u64 {
    sessions.retain(|session| !digests.contains(&session.digest));
    digests.len() as u64
}

impl State {
    fn find_session(&self, digest: &KeyDigest, now: Timestamp) -> Option<&UserId> {
        let session = self.sessions.iter().find(|session| session.digest == *digest && now < session.expires_at);
        session.map(|session| &session.user)
    }

    /// Whether the user exists and their session has not ended. A session that the host stores itself is not checked.
    pub(crate) fn is_signed_in(&self, signed_in: &SignedIn, now: Timestamp) -> bool {
        let user = match &signed_in.session {
            Some(digest) => self.find_session(digest, now),
            None => Some(&signed_in.user),
        };
        user == Some(&signed_in.user) && self.users.contains_key(&signed_in.user)
    }

    /// Whether the session has not ended. A session that the host stores itself is not checked, and its user need not
    /// be stored here.
    pub(crate) fn has_session(&self, signed_in: &SignedIn, now: Timestamp) -> bool {
        signed_in.session.is_none() || self.is_signed_in(signed_in, now)
    }

    /// Finds the current state of the author's credential.
    pub(crate) fn find_credential(&self, author: &Author, now: Timestamp) -> FoundCredential {
        match &author.credential {
            Credential::Key(digest) => FoundCredential::Key(self.find_key(digest)),
            Credential::Grant(digest) => FoundCredential::Grant(self.find_access_token(digest)),
            Credential::External => FoundCredential::External(self.account(&author.member.user)),
            Credential::Session(session) => {
                let signed_in = SignedIn { user: author.member.user.clone(), session: *session };
                let is_signed_in = self.is_signed_in(&signed_in, now);
                FoundCredential::Session(self.account(&signed_in.user).filter(|_| is_signed_in))
            }
        }
    }
}
