//! What the guard of the authorization server passes to its handlers.

use std::ops::Deref;
use std::sync::Arc;

use family_api_core::access::Caller;
use family_api_core::grant::TokenError;
use family_api_core::{Error, FamilyApi, GrantService, Surface};
use salvo::{Depot, Request};

use crate::SessionAuthenticator;
use crate::guard::{InFlightPermit, PeerLimit, SameSite};
use crate::html::Layout;
use crate::oauth::endpoint_error::EndpointError;
use crate::oauth::{ClientResolver, OAuth, PublicUrl};

/// The authorization server.
pub(crate) struct OAuthServer {
    pub(crate) options: OAuth,
    pub(crate) api: FamilyApi,
    pub(crate) session: Arc<dyn SessionAuthenticator>,
    pub(crate) clients: Arc<ClientResolver>,
    /// The surfaces whose MCP endpoints are mounted.
    pub(crate) surfaces: Arc<[Surface]>,
    pub(crate) layout: Layout,
    pub(crate) same_site: SameSite,
    /// Counts invalid codes and refresh tokens together with invalid access tokens.
    pub(crate) invalid_grants: Option<PeerLimit>,
}

/// The authorization server, as a handler sees it during one request.
#[derive(Clone)]
pub(crate) struct OAuthContext {
    pub(super) server: Arc<OAuthServer>,
    /// The issuer of this request.
    pub(crate) issuer: PublicUrl,
}

impl Deref for OAuthContext {
    type Target = OAuthServer;

    fn deref(&self) -> &OAuthServer {
        &self.server
    }
}

impl OAuthContext {
    pub(crate) fn of(depot: &Depot) -> Result<&Self, Error> {
        depot.get_typed::<Self>().map_err(|_| Error::Internal("a route is mounted without its guard".into()))
    }

    /// Returns the service of grants. If the API has no storage for grants, the authorization server is not found.
    pub(crate) fn grants(&self) -> Result<GrantService<'_>, Error> {
        self.api.grants().ok_or(Error::NotFound)
    }

    /// Counts a code or refresh token that is not valid. Above the limit of the client's address, the error is 429.
    pub(crate) fn refuse(&self, req: &Request, error: TokenError) -> EndpointError {
        tracing::debug!(%error, "a request for tokens is refused");
        match error {
            TokenError::InvalidGrant(_) => self.count_invalid(req).err().map_or_else(|| error.into(), Into::into),
            other => other.into(),
        }
    }

    /// Counts a code or a token that is not valid.
    ///
    /// # Errors
    /// [`Error::RateLimited`] above the limit of the client's address.
    pub(crate) fn count_invalid(&self, req: &Request) -> Result<(), Error> {
        Ok(self.invalid_grants.as_ref().map_or(Ok(()), |limit| limit.count(req))?)
    }

    /// Returns the signed-in user, or `None` if the request has no session.
    pub(crate) async fn caller(&self, req: &Request, depot: &Depot) -> Result<Option<Caller>, Error> {
        let caller = match self.session.user(req, depot).await? {
            Some(signed_in) => self.api.session_caller(&signed_in).await,
            None => Err(Error::NotSignedIn),
        };
        match caller {
            Ok(caller) => {
                InFlightPermit::credential_accepted(req).await?;
                Ok(Some(caller))
            }
            Err(error @ Error::NotSignedIn) => {
                InFlightPermit::credential_refused(req, &error);
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }
}
