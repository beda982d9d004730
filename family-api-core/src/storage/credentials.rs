//! Passwords and sessions, for a host without its own sign-in.

use async_trait::async_trait;

use crate::Timestamp;
use crate::id::UserId;
use crate::key::KeyDigest;
use crate::storage::StorageError;

/// Stores password hashes and sessions. Optional: [`Storage`](crate::storage::Storage) does not require it.
#[async_trait]
pub trait CredentialStorage: Send + Sync {
    /// Finds the user with an e-mail address, and the hash of their password if they have one. The capitals of the letters
    /// A to Z do not matter.
    ///
    /// # Errors
    /// [`StorageError`] for a fault, never for an unknown address.
    async fn find_password(&self, email: &str) -> Result<Option<(UserId, Option<PasswordHash>)>, StorageError>;

    /// Replaces the password of a user, and ends their sessions. Returns whether the user exists.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn update_password(&self, user: &UserId, password: &PasswordHash) -> Result<bool, StorageError>;

    /// Opens a session if the user's password hash still equals `verified`. Returns whether it was opened.
    ///
    /// The check and the insertion are one atomic step: after [`update_password`](Self::update_password), no session
    /// with the old password begins.
    ///
    /// # Errors
    /// [`StorageError`] for a fault, and for a digest that already exists.
    async fn insert_session(&self, session: &Session, verified: &PasswordHash) -> Result<bool, StorageError>;

    /// Finds the user of a session that has not expired at `now`.
    ///
    /// # Errors
    /// [`StorageError`] for a fault, never for a session that does not exist.
    async fn find_session(&self, digest: &KeyDigest, now: Timestamp) -> Result<Option<UserId>, StorageError>;

    /// Ends a session. Returns whether it existed.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn delete_session(&self, digest: &KeyDigest) -> Result<bool, StorageError>;

    /// Deletes at most `limit` sessions that expired at `now` or earlier. Returns the number of deleted sessions.
    ///
    /// The deletion is one short transaction that scans no other sessions. Several nodes can run it at once.
    ///
    /// Default: deletes nothing, for a storage that has its own cleanup.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn delete_expired_sessions(&self, now: Timestamp, limit: u32) -> Result<u64, StorageError> {
        let _ = (now, limit);
        Ok(0)
    }

    /// Ends the sessions of one user, except the `keep` sessions that expire last. Returns the number of ended
    /// sessions.
    ///
    /// Ends at most `limit` sessions. Has the same guarantees and default as
    /// [`delete_expired_sessions`](Self::delete_expired_sessions).
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn delete_surplus_sessions(&self, user: &UserId, keep: u32, limit: u32) -> Result<u64, StorageError> {
        let _ = (user, keep, limit);
        Ok(0)
    }
}

/// The hash of a password in PHC string format. `Debug` redacts it.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordHash(String);

impl PasswordHash {
    /// Wraps an existing hash.
    #[must_use]
    pub fn new(phc: String) -> Self {
        Self(phc)
    }

    /// Returns the hash, to verify a password or to store it.
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

/// The session of a signed-in user. Only the digest of its secret is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// The digest of the secret in the cookie.
    pub digest: KeyDigest,
    /// The signed-in user.
    pub user: UserId,
    /// When the session began.
    pub created_at: Timestamp,
    /// When the session expires: it is valid while `now < expires_at`.
    pub expires_at: Timestamp,
}
