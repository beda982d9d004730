//! Lets a token in.

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

/// Stands before everything on a surface, known path or not: without its prerequisites a request learns nothing.
pub(crate) struct BearerGuard {
    pub(crate) api: FamilyApi,
    pub(crate) surface: Surface,
    pub(crate) body_limit: BodyLimit,
    pub(crate) background: Background,
    pub(crate) failures: Option<Failures>,
}

impl BearerGuard {
    /// From the moment in which the token is recognised, every answer tells what is left of its requests.
    async fn admit(&self, req: &Request, res: &mut Response) -> Result<Caller, Error> {
        let headers = req.headers().get_all(AUTHORIZATION);
        let bearer = self.api.bearer(headers.iter().map(HeaderValue::as_bytes), self.surface)?;
        let authenticated = self.api.authenticate(&bearer, self.surface).await?;
        if let Some(left) = authenticated.rate_limit() {
            rate_limit_headers::insert(left, res.headers_mut());
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
        match self.admit(req, res).await {
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
