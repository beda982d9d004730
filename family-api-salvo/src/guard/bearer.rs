//! Authenticates requests with a bearer token.

use std::sync::Arc;

use family_api_core::limit::RateLimitStatus;
use family_api_core::{Endpoint, Error, FamilyApi, Surface};
use salvo::http::header::AUTHORIZATION;
use salvo::http::{HeaderMap, HeaderName, HeaderValue};
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

use crate::HttpError;
use crate::body::BodyLimit;
use crate::guard::{InFlightPermit, PeerLimit};
use crate::request_context::RequestContext;

/// The header with the number of requests (`q`) allowed in a window of seconds (`w`).
const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
/// The header with the remaining requests (`r`), and the seconds until the full quota is available again (`t`).
const LIMIT: HeaderName = HeaderName::from_static("ratelimit");

/// The name of the policy in both headers.
const POLICY_NAME: &str = "key";

/// Authenticates every request below `/api/v1` or `/api/mcp`, before the path is matched. Unauthenticated clients
/// cannot find out which paths exist.
pub(crate) struct BearerGuard {
    pub(crate) api: Arc<FamilyApi>,
    pub(crate) surface: Surface,
    pub(crate) endpoint: Endpoint,
    pub(crate) body_limit: BodyLimit,
    pub(crate) compression: bool,
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
            insert_rate_limit(status, res.headers_mut());
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
                depot.insert_typed(RequestContext {
                    api: self.api.clone(),
                    caller,
                    body_limit: self.body_limit,
                    compression: self.compression,
                    host_session: None,
                });
                ctrl.call_next(req, depot, res).await;
            }
            Err(error) => {
                res.render(HttpError::from(error));
                ctrl.skip_rest();
            }
        }
    }
}

/// Inserts `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10).
pub(crate) fn insert_rate_limit(status: &RateLimitStatus, headers: &mut HeaderMap) {
    let number = status.rate().capacity();
    let window = status.rate().window().as_secs();
    insert(headers, POLICY, format!("\"{POLICY_NAME}\";q={number};w={window}"));
    let remaining = status.remaining();
    let reset = status.full_in().as_millis().div_ceil(1_000);
    insert(headers, LIMIT, format!("\"{POLICY_NAME}\";r={remaining};t={reset}"));
}

fn insert(headers: &mut HeaderMap, name: HeaderName, value: String) {
    // Always a valid header value: it contains only visible ASCII.
    if let Ok(value) = HeaderValue::try_from(value) {
        headers.insert(name, value);
    }
}
