//! Passwords and sessions.

use family_api_core::Timestamp;
use family_api_core::id::UserId;
use family_api_core::key::KeyDigest;
use family_api_core::storage::{Password, PasswordHash, UserRecord};

use super::Model;
use crate::step::NewSession;

impl Model {
    pub(super) fn find_password(&self, email: &str) -> Option<(UserId, Option<PasswordHash>)> {
        let user = self.users.iter().find(|user| user.email.eq_ignore_ascii_case(email))?;
        Some((user.id.clone(), hash(user).cloned()))
    }

    /// Sets the password and ends all sessions of the user.
    pub(super) fn update_password(&mut self, user: &UserId, password: &PasswordHash) -> bool {
        let Some(user) = self.users.iter_mut().find(|existing| existing.id == *user) else {
            return false;
        };
        user.password = Password::Hashed(password.clone());
        self.sessions.retain(|session| session.user != user.id);
        self.writes += 1;
        true
    }

    /// Inserts the session if its password is the current password of the user.
    pub(super) fn insert_session(&mut self, new: &NewSession, now: Timestamp) -> bool {
        let is_verified = self.user(&new.user).and_then(hash) == Some(&new.password);
        if is_verified {
            self.sessions.push(new.session(now));
            self.writes += 1;
        }
        is_verified
    }

    pub(super) fn find_session(&self, digest: &KeyDigest, now: Timestamp) -> Option<UserId> {
        let session = self.sessions.iter().find(|session| session.digest == *digest)?;
        (now < session.expires_at).then(|| session.user.clone())
    }

    pub(super) fn delete_session(&mut self, digest: &KeyDigest) -> bool {
        let before = self.sessions.len();
        self.sessions.retain(|session| session.digest != *digest);
        self.writes += before - self.sessions.len();
        self.sessions.len() < before
    }
}

fn hash(user: &UserRecord) -> Option<&PasswordHash> {
    match &user.password {
        Password::Hashed(hash) => Some(hash),
        Password::None | Password::Plain(_) => None,
    }
}
