//! Mounts the authorization server.

use std::sync::Arc;

use family_api_core::{Error, FamilyApi};
use salvo::{Depot, FlowCtrl, Handler, Request, Response, Router, async_trait};

use crate::guard::target_origin;
use crate::limits::Limits;
use crate::oauth::builder::IssuerSource;
use crate::oauth::{ClientResolver, Issuer, OAuth, OAuthState};
use crate::{HttpError, SessionAuthenticator};

/// Builds the router of `/oauth`.
pub(crate) fn router(
    oauth: &OAuth,
    api: &FamilyApi,
    session: &Arc<dyn SessionAuthenticator>,
    limits: &Limits,
) -> Router {
    let guard = OAuthGuard {
        oauth: oauth.clone(),
        api: api.clone(),
        session: session.clone(),
        clients: Arc::new(ClientResolver::new(api.clone())),
    };
    limits.apply(Router::new()).hoop(guard)
}

impl IssuerSource {
    /// Returns the issuer of a request, or `None` if the request was not sent to a loopback address.
    pub(super) fn of(&self, req: &Request) -> Option<Issuer> {
        match self {
            Self::Fixed(issuer) => Some(issuer.clone()),
            Self::Loopback => target_origin(req).filter(crate::Origin::is_loopback).and_then(|o| o.try_into().ok()),
        }
    }
}

/// Passes the [`OAuthState`] to the handlers.
struct OAuthGuard {
    oauth: OAuth,
    api: FamilyApi,
    session: Arc<dyn SessionAuthenticator>,
    clients: Arc<ClientResolver>,
}

#[async_trait]
impl Handler for OAuthGuard {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        let Some(issuer) = self.oauth.issuer.of(req) else {
            res.render(HttpError::from(Error::NotFound));
            ctrl.skip_rest();
            return;
        };
        depot.insert_typed(OAuthState {
            api: self.api.clone(),
            issuer,
            sign_in: self.oauth.sign_in.clone(),
            session: self.session.clone(),
            clients: self.clients.clone(),
        });
        ctrl.call_next(req, depot, res).await;
    }
}
