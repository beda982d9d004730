//! The OAuth protocol: approval, tokens and revocation by the client.

use std::sync::Arc;

use tokio::sync::OnceCell;
use tracing::instrument;
use zeroize::Zeroizing;

use crate::access::Caller;
use crate::audit::{AuditEvent, ConnectionEnd};
use crate::error::Error;
use crate::grant::{
    ACCESS_LIFETIME, Approval, AuthorizationCode, CODE_LIFETIME, CodeRedemption, IssuedTokens, REFRESH_LIFETIME,
    Refresh, RefreshToken, SigningKey, TokenError, access_token, is_access_token,
};
use crate::id::{GrantId, UserId};
use crate::key::{KeySecret, RandomnessUnavailable, ScopeSet};
use crate::service::FamilyApi;
use crate::service::last_use::PendingUses;
use crate::service::refresh_batch::{RefreshBatches, RefreshRequest};
use crate::service::storage_call::StorageCall;
use crate::storage::{
    GrantInsert, GrantSecret, GrantState, GrantStorage, NewGrant, StorageError, StoredGrant, TokenIssue,
};
use crate::surface::Surface;
use crate::timestamp::Timestamp;

/// Maximum number of live grants of one user.
const MAX_GRANTS: u32 = 50;

/// The storage of grants, and what this process knows about it.
pub(super) struct Grants {
    pub(super) storage: Arc<dyn GrantStorage>,
    pub(super) pending_uses: PendingUses<GrantId>,
    signing_key: OnceCell<SigningKey>,
    refreshes: RefreshBatches,
}

impl Grants {
    pub(super) fn new(storage: Arc<dyn GrantStorage>) -> Self {
        Self {
            storage,
            pending_uses: PendingUses::default(),
            signing_key: OnceCell::new(),
            refreshes: RefreshBatches::default(),
        }
    }

    pub(super) async fn delete_ended(&self, until: Timestamp, limit: u32) -> Result<u64, StorageError> {
        self.storage.delete_ended_grants(until, limit).traced("delete_ended_grants").await
    }
}

/// The OAuth protocol, without HTTP.
#[derive(Clone, Copy)]
pub struct GrantService<'a> {
    pub(super) api: &'a FamilyApi,
    pub(super) grants: &'a Arc<Grants>,
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
    /// - [`Error::ConnectionLimitReached`] if the user already has 50 live connections.
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
        pending.complete(inserted == GrantInsert::Inserted);
        match inserted {
            GrantInsert::Inserted => Ok(code),
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
        let grant = self.find(GrantSecret::Code(&redemption.code.digest())).await?;
        let grant = grant.ok_or(TokenError::InvalidGrant("the code is unknown"))?;
        let now = self.now();
        match grant.state {
            GrantState::Revoked => return Err(TokenError::InvalidGrant("the grant was revoked")),
            GrantState::Issued { .. } => {
                self.end(&grant, ConnectionEnd::CodeReused).await?;
                return Err(TokenError::InvalidGrant("the code was used before"));
            }
            GrantState::Approved if now >= grant.expires_at => {
                return Err(TokenError::InvalidGrant("the code has expired"));
            }
            GrantState::Approved => {}
        }
        if let Err(error) = check_redemption(&grant, &redemption) {
            self.end(&grant, ConnectionEnd::CodeMisused).await?;
            return Err(error);
        }
        self.require_user(&grant).await?;
        let scopes = grant.scopes.clone();
        let refresh = RefreshToken::generate().map_err(Error::from)?;
        let issued = self.issue(&grant, refresh, scopes, now).await?;
        self.issued_or_end(issued, &grant, ConnectionEnd::CodeReused).await
    }

    /// Exchanges a refresh token for new tokens, which replace the previous ones.
    ///
    /// A refresh token that was replaced before ends its grant. Equal requests that arrive on this node within 300
    /// milliseconds get the same tokens, because clients with parallel calls refresh once for each call. The call needs
    /// a tokio runtime. If it is cancelled after these 300 milliseconds, the tokens are still replaced.
    ///
    /// # Errors
    /// - [`TokenError::InvalidGrant`] if the refresh token is not valid for this client, or the user no longer exists.
    /// - [`TokenError::InvalidScope`] or [`TokenError::InvalidTarget`] if the request exceeds the grant. The refresh
    ///   token stays valid.
    /// - [`TokenError::Api`] for the error of the storage, or if the operating system returns no random bytes.
    #[instrument(level = "debug", name = "refresh_tokens", skip_all)]
    pub async fn refresh(&self, refresh: Refresh) -> Result<IssuedTokens, TokenError> {
        let token = refresh.token;
        let request = RefreshRequest {
            token: token.digest(),
            client_id: refresh.client_id,
            scopes: refresh.scopes,
            surface: refresh.surface,
        };
        let (api, grants, own_request) = (self.api.clone(), self.grants.clone(), request.clone());
        let rotate = async move { GrantService { api: &api, grants: &grants }.rotate(&token, &own_request).await };
        self.grants.refreshes.rotate_once(&request, rotate).await
    }

    async fn rotate(&self, token: &RefreshToken, request: &RefreshRequest) -> Result<IssuedTokens, TokenError> {
        let grant = self.find(GrantSecret::RefreshFamily(&token.family())).await?;
        let grant = grant.ok_or(TokenError::InvalidGrant("the refresh token is unknown"))?;
        let now = self.now();
        match grant.state {
            GrantState::Issued { refresh } if now < grant.expires_at => {
                if refresh != token.digest() {
                    self.end(&grant, ConnectionEnd::RefreshTokenReused).await?;
                    return Err(TokenError::InvalidGrant("the refresh token was used before"));
                }
            }
            GrantState::Issued { .. } => return Err(TokenError::InvalidGrant("the refresh token has expired")),
            GrantState::Approved | GrantState::Revoked => {
                return Err(TokenError::InvalidGrant("the grant was revoked"));
            }
        }
        if request.client_id != grant.client_id {
            return Err(TokenError::InvalidGrant("the refresh token belongs to another client"));
        }
        check_target(&grant, request.surface)?;
        let scopes = request.scopes.clone().unwrap_or_else(|| grant.scopes.clone());
        if scopes.is_empty() || !grant.scopes.contains_all(&scopes) {
            return Err(TokenError::InvalidScope);
        }
        self.require_user(&grant).await?;
        let next = token.rotate().map_err(Error::from)?;
        let issued = self.issue(&grant, next, scopes, now).await?;
        self.issued_or_end(issued, &grant, ConnectionEnd::RefreshTokenReused).await
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
            self.find(GrantSecret::AccessToken(&access.digest())).await?
        } else {
            let token: RefreshToken = token.parse()?;
            self.find(GrantSecret::RefreshFamily(&token.family())).await?
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

    async fn find(&self, by: GrantSecret<'_>) -> Result<Option<StoredGrant>, Error> {
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

    /// Issues new tokens. Returns `None` if another request has changed the grant meanwhile.
    async fn issue(
        &self,
        grant: &StoredGrant,
        refresh: RefreshToken,
        scopes: ScopeSet,
        now: Timestamp,
    ) -> Result<Option<IssuedTokens>, Error> {
        let access = access_token()?;
        let issue = TokenIssue {
            grant: grant.id.clone(),
            expected: grant.state,
            family: refresh.family(),
            refresh: refresh.digest(),
            refresh_expires_at: now.saturating_add(REFRESH_LIFETIME),
            access: access.digest(),
            access_expires_at: now.saturating_add(ACCESS_LIFETIME),
            scopes: scopes.clone(),
            now,
        };
        let is_issued = self.grants.storage.issue_tokens(&issue).traced("issue_tokens").await?;
        let expires_in = ACCESS_LIFETIME.as_secs().unsigned_abs();
        Ok(is_issued.then(|| IssuedTokens::new(access, refresh, expires_in, scopes)))
    }

    /// If another request has used the same secret meanwhile, this was a reuse, as if it had come afterwards.
    async fn issued_or_end(
        &self,
        issued: Option<IssuedTokens>,
        grant: &StoredGrant,
        reason: ConnectionEnd,
    ) -> Result<IssuedTokens, TokenError> {
        if let Some(issued) = issued {
            return Ok(issued);
        }
        self.end(grant, reason).await?;
        Err(TokenError::InvalidGrant("another request used the code or the refresh token"))
    }

    async fn end(&self, grant: &StoredGrant, reason: ConnectionEnd) -> Result<(), Error> {
        self.end_connection(&grant.user, &grant.id, reason).await
    }

    async fn end_connection(&self, user: &UserId, grant: &GrantId, reason: ConnectionEnd) -> Result<(), Error> {
        let (user, connection) = (user.clone(), grant.clone());
        let pending = self.api.begin_event(AuditEvent::ConnectionEnded { user, connection, reason });
        let has_ended = self.grants.storage.end_grant(grant, self.now()).traced("end_grant").await?;
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
