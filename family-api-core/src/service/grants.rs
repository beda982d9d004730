//! The OAuth protocol: approval, tokens and revocation by the client.

use std::sync::Arc;

use tokio::sync::OnceCell;
use tracing::instrument;
use zeroize::Zeroizing;

use crate::Surface;
use crate::Timestamp;
use crate::access::Caller;
use crate::audit::{AuditEvent, ConnectionEnd};
use crate::connection::Misuse;
use crate::error::Error;
use crate::grant::{
    ACCESS_LIFETIME, Approval, AuthorizationCode, CODE_LIFETIME, CodeRedemption, IssuedTokens, REFRESH_LIFETIME,
    Refresh, RefreshToken, RotationNonce, SigningKey, TokenError, access_token, is_access_token,
};
use crate::id::{GrantId, UserId};
use crate::key::{KeySecret, RandomnessUnavailable, ScopeSet};
use crate::service::FamilyApi;
use crate::service::last_use::PendingUses;
use crate::service::storage_call::StorageCall;
use crate::storage::{
    ExchangedSecret, GrantInsert, GrantLookup, GrantState, GrantStorage, NewGrant, StorageError, StoredGrant,
    TokenIssue,
};

/// Maximum number of live grants of one user.
const MAX_GRANTS: u32 = 50;

/// The storage of grants, and what this process knows about it.
pub(super) struct Grants {
    pub(super) storage: Arc<dyn GrantStorage>,
    pub(super) pending_uses: PendingUses<GrantId>,
    signing_key: OnceCell<SigningKey>,
}

impl Grants {
    pub(super) fn new(storage: Arc<dyn GrantStorage>) -> Self {
        Self { storage, pending_uses: PendingUses::default(), signing_key: OnceCell::new() }
    }

    pub(super) async fn delete_ended(
        &self,
        until: Timestamp,
        misused_until: Timestamp,
        limit: u32,
    ) -> Result<u64, StorageError> {
        self.storage.delete_ended_grants(until, misused_until, limit).traced("delete_ended_grants").await
    }
}

/// The OAuth protocol, without HTTP.
#[derive(Clone, Copy)]
pub struct GrantService<'a> {
    pub(super) api: &'a FamilyApi,
    pub(super) grants: &'a Grants,
}

impl GrantService<'_> {
    fn now(&self) -> Timestamp {
        self.api.clock.now()
    }

    /// Records the caller's approval of a client, and returns the code for the client. The code is valid for 60 seconds.
    /// The connection gets those approved scopes that the surface has and that the host
    /// [allows](FamilyApi::grantable_scopes).
    ///
    /// # Errors
    /// - [`Error::NotSignedIn`] if the caller has a token, or the session has ended.
    /// - [`Error::ConsentUsed`] if the same consent form was submitted before.
    /// - [`Error::ConnectionLimitReached`] if the user already has 50 live connections, none of them with this client.
    ///   Otherwise the connection with this client that was not used for the longest time ends.
    /// - [`Error::Unavailable`] if the operating system returns no random bytes.
    /// - The error of the storage.
    #[instrument(level = "debug", name = "approve_grant", skip_all, fields(user = %caller.user(), grant = %approval.request))]
    pub async fn approve(&self, caller: &Caller, approval: Approval) -> Result<AuthorizationCode, Error> {
        let owner = caller.signed_in()?;
        let code = AuthorizationCode::generate()?;
        let now = self.now();
        let new = NewGrant {
            id: approval.request,
            owner,
            client: approval.client,
            redirect_uri: approval.redirect_uri,
            surface: approval.surface,
            scopes: approval.scopes.on(approval.surface).only(&self.api.grantable_scopes()),
            challenge: approval.challenge,
            code: code.digest(),
            created_at: now,
            expires_at: now.saturating_add(CODE_LIFETIME),
        };
        let pending = self.api.begin_event(AuditEvent::ConnectionCreated {
            user: new.owner.user.clone(),
            connection: new.id.clone(),
            client_id: new.client.id().to_owned(),
            scopes: new.scopes.clone(),
        });
        let inserted = self.grants.storage.insert_grant(&new, MAX_GRANTS).traced("insert_grant").await?;
        pending.complete(matches!(inserted, GrantInsert::Inserted { .. }));
        match inserted {
            GrantInsert::Inserted { replaced } => {
                if let Some(connection) = replaced {
                    let (user, reason) = (new.owner.user, ConnectionEnd::Replaced);
                    self.api.begin_event(AuditEvent::ConnectionEnded { user, connection, reason }).complete(true);
                }
                Ok(code)
            }
            GrantInsert::NotSignedIn => Err(Error::NotSignedIn),
            GrantInsert::AlreadyUsed => Err(Error::ConsentUsed),
            GrantInsert::LimitReached => Err(Error::ConnectionLimitReached { limit: MAX_GRANTS }),
        }
    }

    /// Exchanges a code for tokens.
    ///
    /// A code that was redeemed before, or that is presented with a wrong verifier, client, redirect address or
    /// resource, ends its grant.
    ///
    /// # Errors
    /// - [`TokenError::InvalidGrant`] if the code is not valid for this request, or the user no longer exists.
    /// - [`TokenError::InvalidTarget`] if the code was issued for another resource.
    /// - [`TokenError::Api`] for the error of the storage, or if the operating system returns no random bytes.
    #[instrument(level = "debug", name = "redeem_code", skip_all)]
    pub async fn redeem(&self, redemption: CodeRedemption) -> Result<IssuedTokens, TokenError> {
        let grant = self.find(GrantLookup::Code(&redemption.code.digest())).await?;
        let grant = grant.ok_or(TokenError::InvalidGrant("the code is unknown"))?;
        let now = self.now();
        match grant.state {
            GrantState::Revoked => return Err(TokenError::InvalidGrant("the grant was revoked")),
            GrantState::Issued { .. } => {
                self.end(&grant, ConnectionEnd::Misused(Misuse::CodeReused)).await?;
                return Err(TokenError::InvalidGrant("the code was used before"));
            }
            GrantState::Approved if now >= grant.expires_at => {
                return Err(TokenError::InvalidGrant("the code has expired"));
            }
            GrantState::Approved => {}
        }
        if let Err(error) = check_redemption(&grant, &redemption) {
            self.end(&grant, ConnectionEnd::Misused(Misuse::CodeMisused)).await?;
            return Err(error);
        }
        self.require_user(&grant).await?;
        let refresh = RefreshToken::generate().map_err(Error::from)?;
        let access = access_token().map_err(Error::from)?;
        let tokens = IssuedTokens::new(access, refresh, grant.scopes.clone());
        if let Some(issued) = self.issue(&grant, ExchangedSecret::Code, tokens, now).await? {
            return Ok(issued);
        }
        // Another request has redeemed the code meanwhile. This one reuses it.
        self.end(&grant, ConnectionEnd::Misused(Misuse::CodeReused)).await?;
        Err(TokenError::InvalidGrant("another request has used the code"))
    }

    /// Exchanges a refresh token for new tokens, which replace the previous ones.
    ///
    /// For 60 seconds after the replacement, the same request with the replaced token or with the new one gets the same
    /// tokens again, on every node. Clients with parallel calls refresh once for each call, with the token that is stored
    /// at this moment, and an answer can be lost. The new one must not be replaced meanwhile: the requests arrive in any
    /// order, and the replaced token would then be two rotations old. Any other refresh token that was replaced ends the
    /// grant.
    ///
    /// # Errors
    /// - [`TokenError::InvalidGrant`] if the refresh token is not valid for this client, or the user no longer exists.
    /// - [`TokenError::InvalidScope`] or [`TokenError::InvalidTarget`] if the request exceeds the grant, or if a
    ///   repetition requests other scopes. The refresh token stays valid.
    /// - [`TokenError::Api`] for the error of the storage, or if the operating system returns no random bytes.
    #[instrument(level = "debug", name = "refresh_tokens", skip_all)]
    pub async fn refresh(&self, refresh: Refresh) -> Result<IssuedTokens, TokenError> {
        if let Some(issued) = self.try_refresh(&refresh).await? {
            return Ok(issued);
        }
        // Another request has replaced the token meanwhile. So this request is a repetition, or the token is older.
        let issued = self.try_refresh(&refresh).await?;
        issued.ok_or_else(|| Error::from(StorageError::backend("the tokens of the grant changed twice")).into())
    }

    /// Returns `None` if another request has changed the grant meanwhile.
    async fn try_refresh(&self, refresh: &Refresh) -> Result<Option<IssuedTokens>, TokenError> {
        let grant = self.find(GrantLookup::Lineage(&refresh.token.lineage())).await?;
        let grant = grant.ok_or(TokenError::InvalidGrant("the refresh token is unknown"))?;
        let now = self.now();
        let current = match grant.state {
            GrantState::Issued { refresh } if now < grant.expires_at => refresh,
            GrantState::Issued { .. } => return Err(TokenError::InvalidGrant("the refresh token has expired")),
            GrantState::Approved | GrantState::Revoked => {
                return Err(TokenError::InvalidGrant("the grant was revoked"));
            }
        };
        let digest = refresh.token.digest();
        let is_current = current == digest;
        let recent = grant.rotation.as_ref().filter(|rotation| rotation.is_repeatable(now));
        if !is_current && recent.is_none_or(|rotation| rotation.predecessor != digest) {
            self.end(&grant, ConnectionEnd::Misused(Misuse::RefreshTokenReused)).await?;
            return Err(TokenError::InvalidGrant("the refresh token was used before"));
        }
        if refresh.client_id != grant.client_id {
            return Err(TokenError::InvalidGrant("the refresh token belongs to another client"));
        }
        check_target(&grant, refresh.surface)?;
        let scopes = refresh.scopes.as_ref().unwrap_or(&grant.scopes);
        if scopes.is_empty() || !grant.scopes.contains_all(scopes) {
            return Err(TokenError::InvalidScope);
        }
        self.require_user(&grant).await?;
        match recent {
            Some(rotation) if rotation.scopes == *scopes => {
                let token = &refresh.token;
                let current = if is_current { token.clone() } else { token.successor(&rotation.nonce) };
                Ok(Some(IssuedTokens::of_rotation(current, rotation, now)))
            }
            _ if is_current => Ok(self.rotate(&grant, &refresh.token, scopes.clone(), now).await?),
            _ => Err(TokenError::InvalidScope),
        }
    }

    /// Replaces the tokens. Returns `None` if another request has changed the grant meanwhile.
    async fn rotate(
        &self,
        grant: &StoredGrant,
        token: &RefreshToken,
        scopes: ScopeSet,
        now: Timestamp,
    ) -> Result<Option<IssuedTokens>, Error> {
        let nonce = RotationNonce::generate()?;
        let next = token.successor(&nonce);
        let tokens = IssuedTokens::new(next.access_token(&nonce), next, scopes);
        self.issue(grant, ExchangedSecret::RefreshToken { digest: token.digest(), nonce }, tokens, now).await
    }

    /// Ends the grant of an access token or refresh token (RFC 7009). If `client_id` is given, the token must belong to
    /// this client.
    ///
    /// # Errors
    /// - [`TokenError::InvalidGrant`] if the token is malformed, unknown or of another client, or its grant has ended.
    ///   The call has no effect then. RFC 7009 answers it as a success.
    /// - [`TokenError::Api`] for the error of the storage.
    #[instrument(level = "debug", skip_all)]
    pub async fn revoke_token(&self, token: &str, client_id: Option<&str>) -> Result<(), TokenError> {
        let access = KeySecret::from(token.to_owned());
        let grant = if is_access_token(&access) {
            self.find(GrantLookup::AccessToken(&access.digest())).await?
        } else {
            let token: RefreshToken = token.parse()?;
            self.find(GrantLookup::Lineage(&token.lineage())).await?
        };
        let grant = grant.filter(|grant| client_id.is_none_or(|client_id| client_id == grant.client_id));
        let grant = grant.ok_or(TokenError::InvalidGrant("the token is unknown, or belongs to another client"))?;
        if grant.state == GrantState::Revoked {
            return Err(TokenError::InvalidGrant("the grant was revoked"));
        }
        Ok(self.end(&grant, ConnectionEnd::RevokedByClient).await?)
    }

    /// Ends all connections of a user whom the host has deleted. A host calls it if its users are in another storage
    /// than the grants. A built-in storage deletes the grants together with their user.
    ///
    /// # Errors
    /// The error of the storage. The call can be repeated.
    #[instrument(level = "debug", skip_all, fields(user = %user))]
    pub async fn end_all_of(&self, user: &UserId) -> Result<(), Error> {
        for connection in self.grants.storage.list_grants(user, self.now()).traced("list_grants").await? {
            self.end_connection(user, &connection.id, ConnectionEnd::UserDeleted).await?;
        }
        Ok(())
    }

    /// Returns the key that all nodes share. The first call in a process reads it from the storage.
    ///
    /// # Errors
    /// The error of the storage, or [`Error::Unavailable`] if the operating system returns no random bytes.
    pub async fn signing_key(&self) -> Result<SigningKey, Error> {
        let key = self.grants.signing_key.get_or_try_init(async || {
            let mut fresh = Zeroizing::new([0; 32]);
            getrandom::fill(fresh.as_mut_slice()).map_err(|_| RandomnessUnavailable)?;
            let stored = self.grants.storage.signing_key(*fresh).traced("signing_key").await?;
            Ok::<_, Error>(SigningKey::new(stored))
        });
        key.await.cloned()
    }

    async fn find(&self, by: GrantLookup<'_>) -> Result<Option<StoredGrant>, Error> {
        Ok(self.grants.storage.find_grant(by).traced("find_grant").await?)
    }

    /// Ends the grant if its user no longer exists. Otherwise a client could extend the grant for ever, until another
    /// user gets the id.
    async fn require_user(&self, grant: &StoredGrant) -> Result<(), TokenError> {
        let account = self.api.storage.find_account(&grant.user).traced("find_account").await.map_err(Error::from)?;
        if account.is_some() {
            return Ok(());
        }
        self.end(grant, ConnectionEnd::UserDeleted).await?;
        Err(TokenError::InvalidGrant("the user no longer exists"))
    }

    /// Stores new tokens, and returns them. Returns `None` if another request has changed the grant meanwhile.
    async fn issue(
        &self,
        grant: &StoredGrant,
        exchanged: ExchangedSecret,
        tokens: IssuedTokens,
        now: Timestamp,
    ) -> Result<Option<IssuedTokens>, Error> {
        let issue = TokenIssue {
            grant: grant.id.clone(),
            exchanged,
            lineage: tokens.refresh_token.lineage(),
            refresh: tokens.refresh_token.digest(),
            refresh_expires_at: now.saturating_add(REFRESH_LIFETIME),
            access: tokens.access_token.digest(),
            access_expires_at: now.saturating_add(ACCESS_LIFETIME),
            scopes: tokens.scopes.clone(),
            now,
        };
        let is_issued = self.grants.storage.issue_tokens(&issue).traced("issue_tokens").await?;
        Ok(is_issued.then_some(tokens))
    }

    async fn end(&self, grant: &StoredGrant, reason: ConnectionEnd) -> Result<(), Error> {
        self.end_connection(&grant.user, &grant.id, reason).await
    }

    async fn end_connection(&self, user: &UserId, grant: &GrantId, reason: ConnectionEnd) -> Result<(), Error> {
        let (user, connection) = (user.clone(), grant.clone());
        let pending = self.api.begin_event(AuditEvent::ConnectionEnded { user, connection, reason });
        let has_ended = self.grants.storage.end_grant(grant, self.now(), reason.misuse()).traced("end_grant").await?;
        pending.complete(has_ended);
        Ok(())
    }
}

/// Checks that the request for tokens comes from the client of the authorization request.
fn check_redemption(grant: &StoredGrant, redemption: &CodeRedemption) -> Result<(), TokenError> {
    if redemption.client_id != grant.client_id {
        return Err(TokenError::InvalidGrant("the code belongs to another client"));
    }
    if redemption.redirect_uri.as_ref().is_some_and(|redirect_uri| *redirect_uri != grant.redirect_uri) {
        return Err(TokenError::InvalidGrant("the redirect address differs"));
    }
    if redemption.verifier.as_ref().is_none_or(|verifier| verifier.challenge() != grant.challenge) {
        return Err(TokenError::InvalidGrant("the verifier does not match the challenge"));
    }
    check_target(grant, redemption.surface?)
}

fn check_target(grant: &StoredGrant, surface: Option<Surface>) -> Result<(), TokenError> {
    if surface.is_none_or(|surface| surface == grant.surface) { Ok(()) } else { Err(TokenError::InvalidTarget) }
}
