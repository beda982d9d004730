//! Passwords and sessions, for a host that has no sign-in of its own.

use async_trait::async_trait;

use crate::Timestamp;
use crate::id::UserId;
use crate::key::KeyDigest;
use crate::storage::StorageError;

/// Keeps password hashes and sessions; not a part of [`Storage`](crate::storage::Storage).
#[async_trait]
pub trait CredentialStorage: Send + Sync {
    /// Finds the user of an e-mail address, with the hash of their password if they have one.
    ///
    /// # Errors
    /// [`StorageError`] for a fault, never for an address that is not there.
    async fn find_password(&self, email: &str) -> Result<Option<(UserId, Option<PasswordHash>)>, StorageError>;

    /// Gives the user of an e-mail address another password and ends their sessions; tells whether there is such a user.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn update_password(&self, email: &str, password: &PasswordHash) -> Result<bool, StorageError>;

    /// Opens a session, if its user's password still is the one that was verified; tells whether it is.
    ///
    /// Both are one step: after [`update_password`](Self::update_password), no session of the old password begins.
    ///
    /// # Errors
    /// [`StorageError`] for a fault, a digest that exists included.
    async fn insert_session(&self, session: &Session, verified: &PasswordHash) -> Result<bool, StorageError>;

    /// Finds the user of a session that has not expired at `now`.
    ///
    /// # Errors
    /// [`StorageError`] for a fault, never for a session that is not there.
    async fn find_session(&self, digest: &KeyDigest, now: Timestamp) -> Result<Option<UserId>, StorageError>;

    /// Ends a session; tells whether there was one.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn delete_session(&self, digest: &KeyDigest) -> Result<bool, StorageError>;

    /// Deletes sessions that expired at `now` or earlier, at most `limit`; returns how many.
    ///
    /// It is a short transaction that walks no other sessions, and it may run on several nodes at once.
    ///
    /// The default implementation deletes nothing: for a storage that cleans up its sessions by itself.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn delete_expired_sessions(&self, now: Timestamp, limit: u32) -> Result<u64, StorageError> {
        let _ = (now, limit);
        Ok(0)
    }

    /// Ends sessions of one user, all but the `keep` that expire last, at most `limit`; returns how many.
    ///
    /// Promises the same as [`delete_expired_sessions`](Self::delete_expired_sessions), and has the same default.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn delete_surplus_sessions(&self, user: &UserId, keep: u32, limit: u32) -> Result<u64, StorageError> {
        let _ = (user, keep, limit);
        Ok(0)
    }
}

/// The hash of a password in PHC string format; `Debug` shows nothing of it.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordHash(String);

impl PasswordHash {
    /// Takes a hash that was made elsewhere.
    #[must_use]
    pub fn new(phc: String) -> Self {
        Self(phc)
    }

    /// The hash, to verify a password with or to store.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for PasswordHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PasswordHash([redacted])")
    }
}

/// A signed-in user's session; its secret is known by its digest only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// What the secret in the cookie is recognised by.
    pub digest: KeyDigest,
    /// Who signed in.
    pub user: UserId,
    /// When.
    pub created_at: Timestamp,
    /// Until when; valid while `now < expires_at`.
    pub expires_at: Timestamp,
}
