//! Grants: the connections of users to OAuth clients, and their tokens.

use async_trait::async_trait;

use crate::Surface;
use crate::Timestamp;
use crate::access::{FoundAccessToken, SignedIn};
use crate::connection::{Connection, Misuse, MisusedConnection};
use crate::grant::{CodeChallenge, OAuthClient, Rotation, RotationNonce};
use crate::id::{GrantId, UserId};
use crate::key::{KeyDigest, ScopeSet};
use crate::storage::StorageError;

/// Stores grants and their tokens. Optional: a host without OAuth does not need it.
///
/// A grant is *live* while it is not revoked and `now < expires_at`. It has at most one access token. The storage may be
/// another database than that of the users. [`FoundAccessToken::account`] is then `None`. If it is the same database, the
/// deletion of a user deletes their grants, because another user can get the id.
#[async_trait]
pub trait GrantStorage: Send + Sync {
    /// Adds a grant if its user's session has not ended, its id is unused, and its user has fewer than `limit` live
    /// grants at `new.created_at`. A session that the host stores is not checked, and its user need not be stored here.
    ///
    /// If the user has `limit` live grants or more, the new grant replaces the one of the same client that was not used
    /// for the longest time: this one is revoked at `new.created_at`. A grant that was never used counts as used when it
    /// was created. Of two that were used last at the same time, the older one is replaced, then the one with the lower
    /// id.
    ///
    /// Checks the session first, then the id, then the limit. The checks, the revocation and the insertion are one
    /// atomic step.
    ///
    /// # Errors
    /// [`StorageError`] for a fault, and for a code that already exists.
    async fn insert_grant(&self, new: &NewGrant, limit: u32) -> Result<GrantInsert, StorageError>;

    /// Finds a grant, live or ended, by one of its secrets.
    ///
    /// # Errors
    /// [`StorageError`] for a fault, never for a grant that does not exist.
    async fn find_grant(&self, by: GrantLookup<'_>) -> Result<Option<StoredGrant>, StorageError>;

    /// Replaces the tokens of a grant, if the grant is live at `issue.now` and `issue.exchanged` is still its current
    /// secret. Returns whether it did.
    ///
    /// Of two concurrent calls with the same secret, exactly one succeeds. After a successful call, the previous access
    /// token is no longer found, and [`StoredGrant::rotation`] is this call, or `None` if it exchanged the code.
    ///
    /// # Errors
    /// [`StorageError`] for a fault, and for a token that already exists.
    async fn issue_tokens(&self, issue: &TokenIssue) -> Result<bool, StorageError>;

    /// Finds an access token, valid or expired, and its user's account, in one call. Access tokens of a revoked grant do
    /// not exist.
    ///
    /// # Errors
    /// [`StorageError`] for a fault, never for a token that does not exist.
    async fn find_access_token(&self, digest: &KeyDigest) -> Result<Option<FoundAccessToken>, StorageError>;

    /// Lists the live grants of a user: newest first, then by id, descending.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn list_grants(&self, user: &UserId, now: Timestamp) -> Result<Vec<Connection>, StorageError>;

    /// Revokes a live grant of the user if the user's session has not ended.
    ///
    /// After it returns [`GrantRevocation::Revoked`], no new [`find_access_token`](Self::find_access_token) finds the
    /// grant's token, on any node.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn revoke_grant(
        &self,
        user: &SignedIn,
        grant: &GrantId,
        now: Timestamp,
    ) -> Result<GrantRevocation, StorageError>;

    /// Revokes a live grant, as [`revoke_grant`](Self::revoke_grant) does, but without its user: because a secret of
    /// the grant was misused, its client revoked it, or its user was deleted or has revoked all access. Returns whether
    /// it did. Of each user's misuses, the last [`MAX_MISUSED_GRANTS`] are kept.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn end_grant(&self, grant: &GrantId, now: Timestamp, misuse: Option<Misuse>) -> Result<bool, StorageError>;

    /// Lists at most `limit` grants of a user that [ended](Self::end_grant) after `since` because of a misuse: last ended
    /// first, then by id, descending.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn list_misused_grants(
        &self,
        user: &UserId,
        since: Timestamp,
        limit: u32,
    ) -> Result<Vec<MisusedConnection>, StorageError>;

    /// Sets the last use of each grant to `at`, unless the stored last use is later. Ignores unknown ids.
    ///
    /// The caller passes at most 1000 ids, each once.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn record_grant_uses(&self, grants: &[GrantId], at: Timestamp) -> Result<(), StorageError>;

    /// Deletes at most `limit` grants that ended at `until` or earlier (by revocation, or by expiry if never revoked),
    /// with their tokens, in the order in which they ended. Keeps grants that ended after `misused_until` because of a
    /// misuse. Returns the number of deleted grants.
    ///
    /// The deletion is one short transaction that scans no other grants. Several nodes can run it at once.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn delete_ended_grants(
        &self,
        until: Timestamp,
        misused_until: Timestamp,
        limit: u32,
    ) -> Result<u64, StorageError>;

    /// Returns the stored signing key. Stores `fresh` first if there is none. All calls return the same key, also if the
    /// first ones are concurrent.
    ///
    /// # Errors
    /// [`StorageError`] for a fault.
    async fn signing_key(&self, fresh: [u8; 32]) -> Result<[u8; 32], StorageError>;
}

/// Maximum number of misused grants that are kept for one user, until they are deleted.
pub const MAX_MISUSED_GRANTS: u32 = 10;

/// A grant to insert. Its client has a code, but no tokens yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewGrant {
    /// Identifier of the grant.
    pub id: GrantId,
    /// The user, and the session in which the user approved the client.
    pub owner: SignedIn,
    /// The client.
    pub client: OAuthClient,
    /// The redirect address to which the code is sent.
    pub redirect_uri: String,
    /// The surface whose MCP endpoint the client may use.
    pub surface: Surface,
    /// The approved scopes.
    pub scopes: ScopeSet,
    /// The PKCE challenge of the authorization request.
    pub challenge: CodeChallenge,
    /// The digest of the code.
    pub code: KeyDigest,
    /// When the user approved the client.
    pub created_at: Timestamp,
    /// When the code, and with it the grant, expires.
    pub expires_at: Timestamp,
}

/// The result of [`GrantStorage::insert_grant`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GrantInsert {
    /// The grant was added.
    Inserted {
        /// The grant of the same client that was revoked for it, because the user had the maximum number.
        replaced: Option<GrantId>,
    },
    /// The session has ended.
    NotSignedIn,
    /// A grant with this id exists already.
    AlreadyUsed,
    /// The user already has the maximum number of live grants, and none of them is of the same client.
    LimitReached,
}

/// A secret of a grant, by which [`GrantStorage::find_grant`] finds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GrantLookup<'a> {
    /// The digest of the code, used or not.
    Code(&'a KeyDigest),
    /// The digest of the lineage of the refresh tokens.
    Lineage(&'a KeyDigest),
    /// The digest of the access token.
    AccessToken(&'a KeyDigest),
}

/// A grant, as the token endpoint needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredGrant {
    /// Identifier of the grant.
    pub id: GrantId,
    /// The user.
    pub user: UserId,
    /// The id of the client.
    pub client_id: String,
    /// The redirect address to which the code was sent.
    pub redirect_uri: String,
    /// The surface whose MCP endpoint the client may use.
    pub surface: Surface,
    /// The approved scopes.
    pub scopes: ScopeSet,
    /// The PKCE challenge of the authorization request.
    pub challenge: CodeChallenge,
    /// What the client may do next.
    pub state: GrantState,
    /// The refresh that issued the current tokens. `None` before the first refresh.
    pub rotation: Option<Rotation>,
    /// When the code expires, or the refresh token if the code was redeemed.
    pub expires_at: Timestamp,
}

/// What the client of a grant may do next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GrantState {
    /// Redeem the code.
    Approved,
    /// Use the current refresh token.
    Issued {
        /// The digest of the current refresh token.
        refresh: KeyDigest,
    },
    /// Nothing: the grant was revoked.
    Revoked,
}

/// The secret that a client exchanges for tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExchangedSecret {
    /// The code, if it was not redeemed before.
    Code,
    /// The current refresh token.
    RefreshToken {
        /// The digest of the refresh token.
        digest: KeyDigest,
        /// The nonce from which, together with the refresh token, the new tokens are derived.
        nonce: RotationNonce,
    },
}

/// New tokens of a grant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenIssue {
    /// The grant.
    pub grant: GrantId,
    /// The secret that the client exchanges for the tokens.
    pub exchanged: ExchangedSecret,
    /// The digest of the lineage of the refresh tokens.
    pub lineage: KeyDigest,
    /// The digest of the new refresh token.
    pub refresh: KeyDigest,
    /// When the refresh token, and with it the grant, expires.
    pub refresh_expires_at: Timestamp,
    /// The digest of the new access token.
    pub access: KeyDigest,
    /// When the access token expires.
    pub access_expires_at: Timestamp,
    /// The scopes of the access token.
    pub scopes: ScopeSet,
    /// The instant of the request.
    pub now: Timestamp,
}

/// The result of [`GrantStorage::revoke_grant`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GrantRevocation {
    /// The grant was revoked by this call.
    Revoked,
    /// The user has no live grant with this id.
    NotFound,
    /// The session has ended.
    NotSignedIn,
}
