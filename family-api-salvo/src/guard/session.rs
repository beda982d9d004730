//! Authenticates requests with the session of a signed-in user.

use std::sync::Arc;

use family_api_core::access::Caller;
use family_api_core::{Error, FamilyApi};
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

use crate::body::BodyLimit;
use crate::guard::InFlightPermit;
use crate::request_context::RequestContext;
use crate::{HttpError, SessionAuthenticator};

/// Authenticates requests to session routes. Ignores bearer tokens.
pub(crate) struct SessionGuard {
    pub(crate) api: Arc<FamilyApi>,
    pub(crate) session: Arc<dyn SessionAuthenticator>,
    pub(crate) body_limit: BodyLimit,
}

impl SessionGuard {
    async fn authenticate(&self, req: &Request, depot: &Depot) -> Result<Caller, Error> {
        let signed_in = self.session.user(req, depot).await?.ok_or(Error::NotSignedIn)?;
        let caller = self.api.session_caller(&signed_in).await?;
        InFlightPermit::credential_accepted(req).await?;
        Ok(caller)
    }
}

#[async_trait]
impl Handler for SessionGuard {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        match self.authenticate(req, depot).await {
            Ok(caller) => {
                let host_session = caller.is_in_host_session().then(|| self.session.clone());
                depot.insert_typed(RequestContext {
                    api: self.api.clone(),
                    caller,
                    body_limit: self.body_limit,
                    compression: false,
                    host_session,
                });
                ctrl.call_next(req, depot, res).await;
            }
            Err(error) => {
                InFlightPermit::credential_refused(req, &error);
                res.render(HttpError::from(error));
                ctrl.skip_rest();
            }
        }
    }
}
