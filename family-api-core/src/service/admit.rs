//! Admits requests with a token: from the `Authorization` headers to a [`Caller`] (HTTP reference, "Authentication").

use tracing::instrument;

use crate::access::{
    Authenticated, Bearer, Caller, InvalidBearer, Refusal, RefusedToken, TokenId, authorize, check_environment_token,
    check_key,
};
use crate::audit::AuditEvent;
use crate::error::Error;
use crate::limit::RateLimitStatus;
use crate::service::FamilyApi;
use crate::service::storage_call::StorageCall;
use crate::surface::Surface;

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
    /// Counts the request against the rate limit of the token, records the use of a key, and sends each refusal to the
    /// audit sink.
    ///
    /// [`Admission::caller`] is one of these errors, in this order:
    ///
    /// - [`Error::MissingToken`] if the headers contain no bearer credentials.
    /// - [`Error::InvalidToken`] if the token is malformed, unknown, revoked or expired, or its user does not exist.
    /// - The error of the storage.
    /// - [`Error::RateLimited`] if the token has exceeded its rate limit.
    /// - [`Error::ApiDisabled`] if the surface requires the personal API and the user has switched it off.
    /// - [`Error::NoFamily`] if the user has no family.
    #[instrument(level = "debug", skip_all, fields(?surface))]
    pub async fn admit<'a>(&self, headers: impl IntoIterator<Item = &'a [u8]>, surface: Surface) -> Admission {
        let authenticated = match self.authenticate(Bearer::from_headers(headers), surface).await {
            Ok(authenticated) => authenticated,
            Err(error) => return Admission { rate_limit: None, caller: Err(error) },
        };
        let limiter = self.request_limiter.as_ref();
        let rate_limit = limiter.map(|limiter| limiter.check(&authenticated.token, self.clock.monotonic()));
        Admission { rate_limit, caller: self.authorize(authenticated, rate_limit.as_ref()) }
    }

    /// Searches the token among the stored keys, then among the environment tokens.
    ///
    /// If a stored key has the same text as an environment token, only the key counts, even if it is revoked or
    /// expired. The purge never deletes such a key, because the environment token would then become valid.
    async fn authenticate(
        &self,
        bearer: Result<Bearer, InvalidBearer>,
        surface: Surface,
    ) -> Result<Authenticated, Error> {
        let refuse = |reason| self.refuse(RefusedToken { token: None, user: None, surface, reason });
        let bearer = match bearer {
            Ok(bearer) if self.prefix.accepts(bearer.as_str()) => bearer,
            Err(InvalidBearer::Missing) => return Err(Error::MissingToken),
            Ok(_) | Err(InvalidBearer::Malformed) => return Err(refuse(Refusal::Malformed)),
        };
        let (digest, now) = (bearer.digest(), self.clock.now());
        let checked = if let Some(found) = self.storage.find_key(&digest).traced("find_key").await? {
            check_key(found, digest, surface, now)
        } else if let (Surface::ReadPath, Some(user)) = (surface, self.environment.find(&digest)) {
            check_environment_token(user, self.storage.find_account(user).traced("find_account").await?, digest)
        } else {
            return Err(refuse(Refusal::Unknown));
        };
        checked.map_err(|refused| self.refuse(refused))
    }

    /// Decides whether the token may be used, and records the use of a key.
    fn authorize(&self, authenticated: Authenticated, rate_limit: Option<&RateLimitStatus>) -> Result<Caller, Error> {
        let (digest, last_used_at) = (authenticated.digest, authenticated.last_used_at);
        let caller = authorize(authenticated, rate_limit).map_err(|refused| self.refuse(refused))?;
        if matches!(caller.token(), Some(TokenId::Key(_)))
            && self.pending_uses.record(digest, last_used_at, self.clock.now())
        {
            self.begin_key_event(&caller, |user, key| AuditEvent::KeyFirstUsed { user, key }).complete(true);
        }
        self.schedule_background();
        Ok(caller)
    }
}
