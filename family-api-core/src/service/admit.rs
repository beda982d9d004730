//! Admits requests with a token: from the `Authorization` headers to a [`Caller`] (HTTP reference, "Authentication").

use tracing::instrument;

use crate::Timestamp;
use crate::access::{
    Authenticated, Bearer, Caller, FoundAccessToken, InvalidBearer, MAX_EXTERNAL_BYTES, Refusal, RefusedToken, TokenId,
    VerifiedToken, authorize, check_access_token, check_environment_token, check_key, check_verified_token,
};
use crate::audit::AuditEvent;
use crate::error::Error;
use crate::grant::{is_access_token, is_access_token_like};
use crate::key::{KeyDigest, MAX_TOKEN_BYTES};
use crate::limit::RateLimitStatus;
use crate::service::FamilyApi;
use crate::service::grants::Grants;
use crate::service::storage_call::StorageCall;
use crate::{Endpoint, Surface};

/// The result of [`FamilyApi::admit`].
#[derive(Debug)]
#[non_exhaustive]
pub struct Admission {
    /// The rate limit of the token. Every response to the request reports it, including an error response. `None` if
    /// the token is invalid or its requests are not limited.
    pub rate_limit: Option<RateLimitStatus>,
    /// The caller, or the error for the client.
    pub caller: Result<Caller, Error>,
}

impl FamilyApi {
    /// Authenticates and authorizes a request with a token. Takes all `Authorization` headers of the request.
    ///
    /// Counts the request against the rate limit of the token, records the use of a key or grant, and sends each
    /// refusal to the audit sink.
    ///
    /// [`Admission::caller`] is one of these errors, in this order:
    ///
    /// - [`Error::MissingToken`] if the headers contain no bearer credentials.
    /// - [`Error::InvalidToken`] if the token is malformed, unknown, revoked, expired or not for this endpoint, or its
    ///   user does not exist.
    /// - The error of the storage, or of the [`TokenVerifier`](crate::TokenVerifier).
    /// - [`Error::RateLimited`] if the token has exceeded its rate limit.
    /// - [`Error::ApiDisabled`] if the surface requires the personal API and the user has switched it off.
    /// - [`Error::NoFamily`] if the user has no family.
    #[instrument(level = "debug", skip_all, fields(?surface, ?endpoint))]
    pub async fn admit<'a>(
        &self,
        headers: impl IntoIterator<Item = &'a [u8]>,
        surface: Surface,
        endpoint: Endpoint,
    ) -> Admission {
        let authenticated = match self.authenticate(headers, surface, endpoint).await {
            Ok(authenticated) => authenticated,
            Err(error) => return Admission { rate_limit: None, caller: Err(error) },
        };
        let limiter = self.request_limiter.as_ref();
        let rate_limit = limiter.map(|limiter| limiter.check(&authenticated.token, self.clock.monotonic()));
        Admission { rate_limit, caller: self.authorize(authenticated, rate_limit.as_ref()) }
    }

    /// Returns whether the headers contain a token that can be valid. Checks the form and the checksum of the token, and
    /// does not call the storage. [`admit`](Self::admit) refuses every other request, also without the storage.
    #[must_use]
    pub fn has_plausible_token<'a>(&self, headers: impl IntoIterator<Item = &'a [u8]>, endpoint: Endpoint) -> bool {
        self.plausible_token(headers, endpoint).is_ok()
    }

    /// Admits an [admitted](Self::admit) request again, because its body arrived late. Finds the token again, but does
    /// not count the request or record the use of a key or grant again.
    ///
    /// # Errors
    /// The errors of [`Admission::caller`], except [`Error::RateLimited`].
    #[instrument(level = "debug", skip_all, fields(?surface, ?endpoint))]
    pub async fn admit_again<'a>(
        &self,
        headers: impl IntoIterator<Item = &'a [u8]>,
        surface: Surface,
        endpoint: Endpoint,
    ) -> Result<Caller, Error> {
        let authenticated = self.authenticate(headers, surface, endpoint).await?;
        authorize(authenticated, None).map_err(|refused| self.refuse(refused))
    }

    /// Searches an access token among the grants, and every other token among the stored keys, then among the
    /// environment tokens, then at the verifier of the host.
    ///
    /// If a stored key has the same text as an environment token, only the key counts, even if it is revoked or
    /// expired. The purge never deletes such a key, because the environment token would then become valid.
    ///
    /// The clock is read after the lookup, which can take seconds: a token that has expired meanwhile is refused.
    async fn authenticate<'a>(
        &self,
        headers: impl IntoIterator<Item = &'a [u8]>,
        surface: Surface,
        endpoint: Endpoint,
    ) -> Result<Authenticated, Error> {
        let refuse = |reason| self.refuse(RefusedToken { token: None, user: None, surface, reason });
        let bearer = match self.plausible_token(headers, endpoint) {
            Ok(bearer) => bearer,
            Err(InvalidBearer::Missing) => return Err(Error::MissingToken),
            Err(InvalidBearer::Malformed) => return Err(refuse(Refusal::Malformed)),
        };
        let digest = bearer.digest();
        let checked = if let Some(grants) = self.grants.as_deref().filter(|_| is_access_token_like(bearer.as_str())) {
            let Some(found) = self.find_access_token(grants, &digest).await? else {
                return Err(refuse(Refusal::Unknown));
            };
            check_access_token(found, digest, surface, endpoint, self.clock.now())
        } else if let Some(found) = self.storage.find_key(&digest).traced("find_key").await? {
            check_key(found, digest, surface, self.clock.now())
        } else if let (Surface::ReadPath, Some(user)) = (surface, self.environment.find(&digest)) {
            check_environment_token(user, self.find_named_account("environment token", user).await?, digest)
        } else if let Some(verified) = self.verify_external(&bearer, surface, endpoint).await? {
            let account = self.find_named_account("verified token", &verified.user).await?;
            check_verified_token(verified, account, bearer.into_secret(), surface)
        } else {
            return Err(refuse(Refusal::Unknown));
        };
        checked.map_err(|refused| self.refuse(refused))
    }

    /// Parses the headers, and refuses a token that cannot be genuine.
    fn plausible_token<'a>(
        &self,
        headers: impl IntoIterator<Item = &'a [u8]>,
        endpoint: Endpoint,
    ) -> Result<Bearer, InvalidBearer> {
        let accepts_external = endpoint == Endpoint::Mcp && self.token_verifier.is_some();
        let max_bytes = if accepts_external { MAX_EXTERNAL_BYTES } else { MAX_TOKEN_BYTES };
        let bearer = Bearer::from_headers(headers, max_bytes)?;
        if self.accepts(&bearer) { Ok(bearer) } else { Err(InvalidBearer::Malformed) }
    }

    /// Returns whether a token can be genuine: false if it has a known prefix and a wrong checksum.
    fn accepts(&self, bearer: &Bearer) -> bool {
        match self.grants {
            Some(_) if is_access_token_like(bearer.as_str()) => is_access_token(bearer.secret()),
            _ => self.prefix.accepts(bearer.as_str()),
        }
    }

    /// Finds an access token and its user's account. A storage without users does not know the account.
    async fn find_access_token(&self, grants: &Grants, digest: &KeyDigest) -> Result<Option<FoundAccessToken>, Error> {
        let found = grants.storage.find_access_token(digest).traced("find_access_token").await?;
        let Some(mut token) = found else {
            return Ok(None);
        };
        if token.account.is_none() {
            token.account = self.find_named_account("access token", &token.user).await?;
        }
        Ok(Some(token))
    }

    /// Asks the host's verifier, which accepts tokens on MCP endpoints only.
    async fn verify_external(
        &self,
        bearer: &Bearer,
        surface: Surface,
        endpoint: Endpoint,
    ) -> Result<Option<VerifiedToken>, Error> {
        match (&self.token_verifier, endpoint) {
            (Some(verifier), Endpoint::Mcp) => verifier.verify(bearer.as_str(), surface).await,
            (Some(_), Endpoint::Rest) | (None, _) => Ok(None),
        }
    }

    /// Decides whether the token may be used, and records the use of a key or grant.
    fn authorize(&self, authenticated: Authenticated, rate_limit: Option<&RateLimitStatus>) -> Result<Caller, Error> {
        let last_used_at = authenticated.last_used_at;
        let key = authenticated.key_digest();
        let caller = authorize(authenticated, rate_limit).map_err(|refused| self.refuse(refused))?;
        let now = self.clock.now();
        self.record_use(&caller, key, last_used_at, now);
        self.schedule_background(now);
        Ok(caller)
    }

    /// Records the use of a key or grant. Other tokens have no last use.
    fn record_use(&self, caller: &Caller, digest: Option<KeyDigest>, stored: Option<Timestamp>, now: Timestamp) {
        match (caller.token(), digest, &self.grants) {
            (Some(TokenId::Key(key)), Some(digest), _) if self.pending_uses.record(digest, stored, now) => {
                self.record(AuditEvent::KeyFirstUsed { user: caller.user().clone(), key: key.clone() });
            }
            (Some(TokenId::Grant(grant)), _, Some(grants)) => {
                grants.pending_uses.record(grant.clone(), stored, now);
            }
            _ => {}
        }
    }
}
