//! Mounts the authorization server.

use std::sync::Arc;

use family_api_core::{Error, FamilyApi, Surface, SystemClock};
use salvo::{Depot, FlowCtrl, Handler, Request, Response, Router, async_trait};

use crate::guard::{CredentialSource, Limits, SameSite};
use crate::html::{ErrorPages, Layout};
use crate::oauth::authorize::{self, Authorize};
use crate::oauth::client::DocumentCache;
use crate::oauth::client::register::{self, Register};
use crate::oauth::consent::{self, Consent};
use crate::oauth::context::OAuthServer;
use crate::oauth::options::RootAliases;
use crate::oauth::page_error::PageError;
use crate::oauth::public_cors::PublicCors;
use crate::oauth::revoke::{self, Revoke};
use crate::oauth::token::{self, Token};
use crate::oauth::{ClientResolver, OAuth, OAuthContext};
use crate::{HttpError, Methods, SessionAuthenticator};

/// Builds the router of `/oauth`.
pub(crate) fn router(
    oauth: &OAuth,
    api: &FamilyApi,
    session: &Arc<dyn SessionAuthenticator>,
    layout: &Layout,
    same_site: SameSite,
    surfaces: &[Surface],
    limits: &Limits,
) -> Router {
    let documents = oauth.documents.clone();
    let documents = documents.map(|documents| DocumentCache::new(documents, Arc::new(SystemClock)));
    let guard = OAuthGuard(Arc::new(OAuthServer {
        options: oauth.clone(),
        api: api.clone(),
        session: session.clone(),
        clients: Arc::new(ClientResolver::new(api.clone(), documents)),
        layout: layout.clone(),
        same_site,
        surfaces: surfaces.into(),
        invalid_grants: limits.invalid_tokens.clone(),
    }));
    // The outer handlers also see what the limits answer. The relative links of a page depend on its path.
    let page = |methods: Methods, path: &'static str| {
        let errors = ErrorPages::new(layout.clone()).at(path).for_everyone().rendered_by(PageError::render_status);
        limits
            .apply(Router::new().hoop(errors), CredentialSource::Session(session.header()))
            .hoop(guard.clone())
            .push(methods.at(path))
    };
    let authorize = |path: &'static str| page(Methods::new().get(Authorize { path }), path);
    let pages = Router::new().push(authorize(authorize::PATH)).push(page(Methods::new().post(Consent), consent::PATH));
    let endpoints = Router::new()
        .push(Methods::new().post(Token).at(token::PATH))
        .push(Methods::new().post(Revoke).at(revoke::PATH))
        .push(Methods::new().post(Register).at(register::PATH));
    let (pages, endpoints) = match oauth.root_aliases {
        RootAliases::Off => (pages, endpoints),
        RootAliases::Mounted => (
            pages.push(authorize("/authorize")),
            endpoints.push(Methods::new().post(Token).at("token")).push(Methods::new().post(Register).at("register")),
        ),
    };
    let outer_endpoints = Router::new().hoop(PublicCors::POST);
    Router::new()
        .push(pages)
        .push(limits.apply(outer_endpoints, CredentialSource::Body).hoop(guard.clone()).push(endpoints))
}

/// Passes the [`OAuthContext`] to the handlers.
#[derive(Clone)]
struct OAuthGuard(Arc<OAuthServer>);

#[async_trait]
impl Handler for OAuthGuard {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        let Some(issuer) = self.0.options.issuer.of(req) else {
            res.render(HttpError::from(Error::NotFound));
            ctrl.skip_rest();
            return;
        };
        depot.insert_typed(OAuthContext { server: self.0.clone(), issuer });
        ctrl.call_next(req, depot, res).await;
    }
}
