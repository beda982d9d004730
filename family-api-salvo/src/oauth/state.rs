//! What the guard of the authorization server passes to its handlers.

use std::sync::Arc;

use family_api_core::{Error, FamilyApi};
use salvo::Depot;

use crate::SessionAuthenticator;
use crate::oauth::{ClientResolver, Issuer, SignInPage};

/// The authorization server, as a handler sees it during one request.
#[derive(Clone)]
pub(crate) struct OAuthState {
    pub(crate) api: FamilyApi,
    /// The issuer of this request.
    pub(crate) issuer: Issuer,
    pub(crate) sign_in: SignInPage,
    pub(crate) session: Arc<dyn SessionAuthenticator>,
    pub(crate) clients: Arc<ClientResolver>,
}

impl OAuthState {
    pub(crate) fn of(depot: &Depot) -> Result<&Self, Error> {
        depot.get_typed::<Self>().map_err(|_| Error::Internal("a route is mounted without its guard".into()))
    }
}
