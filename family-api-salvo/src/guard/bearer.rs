//! Authenticates requests with a bearer token.

use family_api_core::{Endpoint, Error, FamilyApi, Surface};
use salvo::http::HeaderValue;
use salvo::http::header::AUTHORIZATION;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

use crate::HttpError;
use crate::body::BodyLimit;
use crate::guard::{InFlightPermit, PeerLimit, rate_limit_headers};
use crate::request_context::RequestContext;

/// Authenticates every request below `/api/v1` or `/api/mcp`, before the path is matched. Unauthenticated clients
/// cannot find out which paths exist.
pub(crate) struct BearerGuard {
    pub(crate) api: FamilyApi,
    pub(crate) surface: Surface,
    pub(crate) endpoint: Endpoint,
    pub(crate) body_limit: BodyLimit,
    pub(crate) invalid_tokens: Option<PeerLimit>,
}

impl BearerGuard {
    /// Counts an invalid token. Returns [`Error::RateLimited`] above the limit of the client's address, otherwise
    /// `error`.
    fn count(&self, req: &Request, error: Error) -> Error {
        match &self.invalid_tokens {
            Some(limit) if matches!(error, Error::InvalidToken) => limit.count(req).err().map_or(error, Error::from),
            _ => error,
        }
    }
}

#[async_trait]
impl Handler for BearerGuard {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        let headers = req.headers().get_all(AUTHORIZATION).iter().map(HeaderValue::as_bytes);
        let admission = self.api.admit(headers, self.surface, self.endpoint).await;
        if let Some(status) = &admission.rate_limit {
            rate_limit_headers::insert(status, res.headers_mut());
        }
        let caller = match admission.caller {
            Ok(caller) => InFlightPermit::credential_accepted(req).await.map(|()| caller),
            Err(error) => {
                InFlightPermit::credential_refused(req, &error);
                Err(self.count(req, error))
            }
        };
        match caller {
            Ok(caller) => {
                let (api, body_limit) = (self.api.clone(), self.body_limit);
                depot.insert_typed(RequestContext { api, caller, body_limit, host_session: None });
                ctrl.call_next(req, depot, res).await;
            }
            Err(error) => {
                res.render(HttpError::from(error));
                ctrl.skip_rest();
            }
        }
    }
}
