//! Authenticates requests with a bearer token.

use family_api_core::Surface;
use family_api_core::access::Caller;
use family_api_core::{Error, FamilyApi};
use salvo::http::HeaderValue;
use salvo::http::header::AUTHORIZATION;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

use crate::Failure;
use crate::body::BodyLimit;
use crate::call::Call;
use crate::guard::{Background, Failures, rate_limit_headers};

/// Authenticates every request to a surface, before the path is matched. Unauthenticated clients cannot find out which
/// paths exist.
pub(crate) struct BearerGuard {
    pub(crate) api: FamilyApi,
    pub(crate) surface: Surface,
    pub(crate) body_limit: BodyLimit,
    pub(crate) background: Background,
    pub(crate) failures: Option<Failures>,
}

impl BearerGuard {
    /// Authenticates the token and checks the caller's access.
    ///
    /// Once the token is recognised, every response has the rate limit headers, including errors.
    async fn authorize(&self, req: &Request, res: &mut Response) -> Result<Caller, Error> {
        let headers = req.headers().get_all(AUTHORIZATION);
        let bearer = self.api.bearer(headers.iter().map(HeaderValue::as_bytes), self.surface)?;
        let authenticated = self.api.authenticate(&bearer, self.surface).await?;
        if let Some(status) = authenticated.rate_limit() {
            rate_limit_headers::insert(status, res.headers_mut());
        }
        let caller = self.api.authorize(authenticated)?;
        self.background.schedule();
        Ok(caller)
    }

    fn count(&self, req: &Request, error: Error) -> Error {
        match &self.failures {
            Some(failures) => failures.count(req, error),
            None => error,
        }
    }
}

#[async_trait]
impl Handler for BearerGuard {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        match self.authorize(req, res).await {
            Ok(caller) => {
                depot.insert_typed(Call {
                    api: self.api.clone(),
                    caller,
                    body_limit: self.body_limit,
                    host_session: None,
                });
                ctrl.call_next(req, depot, res).await;
            }
            Err(error) => {
                let error = self.count(req, error);
                res.render(Failure(error));
                ctrl.skip_rest();
            }
        }
    }
}
