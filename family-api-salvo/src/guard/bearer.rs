//! Authenticates requests with a bearer token.

use family_api_core::{Endpoint, FamilyApi, Surface};
use salvo::http::HeaderValue;
use salvo::http::header::AUTHORIZATION;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

use crate::HttpError;
use crate::body::BodyLimit;
use crate::guard::{InvalidTokenLimit, rate_limit_headers};
use crate::request_context::RequestContext;

/// Authenticates every request below `/api/v1` or `/api/mcp`, before the path is matched. Unauthenticated clients
/// cannot find out which paths exist.
pub(crate) struct BearerGuard {
    pub(crate) api: FamilyApi,
    pub(crate) surface: Surface,
    pub(crate) endpoint: Endpoint,
    pub(crate) body_limit: BodyLimit,
    pub(crate) invalid_tokens: Option<InvalidTokenLimit>,
}

#[async_trait]
impl Handler for BearerGuard {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        let headers = req.headers().get_all(AUTHORIZATION).iter().map(HeaderValue::as_bytes);
        let admission = self.api.admit(headers, self.surface, self.endpoint).await;
        if let Some(status) = &admission.rate_limit {
            rate_limit_headers::insert(status, res.headers_mut());
        }
        match admission.caller {
            Ok(caller) => {
                let (api, body_limit) = (self.api.clone(), self.body_limit);
                depot.insert_typed(RequestContext { api, caller, body_limit, host_session: None });
                ctrl.call_next(req, depot, res).await;
            }
            Err(error) => {
                let error = match &self.invalid_tokens {
                    Some(limit) => limit.count(req, error),
                    None => error,
                };
                res.render(HttpError::from(error));
                ctrl.skip_rest();
            }
        }
    }
}
