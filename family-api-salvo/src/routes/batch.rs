//! The batch: its route and its handler, which calls the handlers of the writes one after the other.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use family_api_core::batch::{Batch, BatchRequest, BatchResponse, BatchResponses};
use family_api_core::limit::RateLimitStatus;
use family_api_core::validation::{FieldFault, Json};
use family_api_core::{Error, paths};
use salvo::http::header::{ETAG, IF_MATCH, LOCATION, RETRY_AFTER};
use salvo::http::uri::Uri;
use salvo::http::{HeaderName, HeaderValue, Method, ResBody, StatusCode};
use salvo::routing::{FlowCtrl, PathParams};
use salvo::{Depot, Handler, Request, Response, handler};
use serde_json::value::RawValue;
use tokio::time::Instant;

use crate::HttpError;
use crate::guard::{PanicGuard, RequestIdGuard, WriteDeadline, insert_rate_limit};
use crate::json_response::{JsonResponse, NOTICE};
use crate::methods::RawPathFilter;
use crate::overload::Overload;
use crate::request_body::RequestBody;
use crate::request_context::RequestContext;
use crate::request_headers::IDEMPOTENCY_KEY;
use crate::response_content::Content;
use crate::route::{Action, Route, RouteGroup};
use crate::routes::{ROUTES, V1};

/// Size in bytes of the responses of a batch above which no further request is made. One record is at most as long as
/// the body of a request, so the whole answer has at most about 2.5 MiB.
const MAX_RESPONSES: usize = 1024 * 1024;

/// Time after which no further request of a batch is made. It ends at the [`WriteDeadline`] if that is earlier.
const MAX_TIME: Duration = Duration::from_secs(10);

/// Returns the route of batches.
pub(super) fn batch_route() -> Route {
    Route {
        action: Action::Batch,
        request: Some(RequestBody::BATCH),
        ..super::route(
            Method::POST,
            paths::V1_BATCH,
            RouteGroup::Batch,
            V1,
            ["sendBatch", "Makes up to 100 writes, one after the other. Each has a response of its own"],
            Content::json::<BatchResponses>(),
            || send_batch.arc(),
        )
    }
}

/// The routes that a batch can contain, with the filters of their paths.
static WRITES: LazyLock<Vec<(RawPathFilter, &'static Route)>> = LazyLock::new(|| {
    let writes = ROUTES.iter().filter(|route| route.group == RouteGroup::V1 && route.action.is_write());
    writes.map(|route| (RawPathFilter::of_route(route), route)).collect()
});

/// Makes the requests of a batch in their order. If the request ends early, those that were made stay made.
#[handler]
async fn send_batch(req: &mut Request, depot: &mut Depot, res: &mut Response) -> Result<JsonResponse, HttpError> {
    let context = RequestContext::of(depot)?;
    let api = context.api.clone();
    let batches = api.batches(&context.caller)?;
    let batch = Batch::from_body(context.post_body(req, depot).await?).map_err(Error::InvalidField)?;
    let _running = batches.begin()?;
    let mut budget = Budget::begin(WriteDeadline::of(req));
    let mut responses = Vec::new();
    let mut failures = 0_u32;
    for (index, request) in batch.into_requests().enumerate() {
        let mut response = Response::new();
        if let Some(id) = res.headers().get(RequestIdGuard::HEADER) {
            response.headers_mut().insert(RequestIdGuard::HEADER, id.clone());
        }
        let made = async {
            budget.count(index, RequestContext::of(depot)?)?;
            send(index, request.map_err(Error::InvalidField)?, req, depot, &mut response).await
        };
        if let Err(error) = made.await {
            response.render(error);
        }
        if Overload::caused(&response) {
            Overload::mark(res);
        }
        failures += u32::from(response.status_code.is_some_and(|status| status.is_server_error()));
        let response = batch_response(response);
        budget.bytes += response.body.get().len();
        responses.push(response);
    }
    if failures > 0 {
        // The status of the batch is 200, so a proxy or a metric does not see them.
        tracing::warn!(request_id = RequestIdGuard::of(res), failures, "requests of a batch got a 5xx");
    }
    if let Some(rate_limit) = &budget.rate_limit {
        insert_rate_limit(rate_limit, res.headers_mut());
    }
    Ok(JsonResponse::serialize(&BatchResponses::new(responses))?)
}

/// What a batch has used of its limits.
struct Budget {
    end: Instant,
    bytes: usize,
    rate_limit: Option<RateLimitStatus>,
}

impl Budget {
    fn begin(deadline: Option<Instant>) -> Self {
        let end = Instant::now() + MAX_TIME;
        Self { end: deadline.map_or(end, |deadline| deadline.min(end)), bytes: 0, rate_limit: None }
    }

    /// Checks the size and the time.
    fn check(&self) -> Result<(), HttpError> {
        if self.bytes > MAX_RESPONSES {
            return Err(HttpError::BatchTooLarge { limit: MAX_RESPONSES });
        }
        if Instant::now() >= self.end {
            return Err(HttpError::BatchTimedOut);
        }
        Ok(())
    }

    /// Counts a request. After the first error, each further request gets the same error.
    fn count(&mut self, index: usize, context: &RequestContext) -> Result<(), HttpError> {
        self.check()?;
        // The guard has counted the first one.
        if index > 0 && self.rate_limit.is_none_or(|status| status.is_granted()) {
            self.rate_limit = context.api.count_request(&context.caller);
        }
        match self.rate_limit {
            Some(status) => Ok(status.into_result().map_err(Error::from)?),
            None => Ok(()),
        }
    }
}

/// Sends one request of a batch to the handler of its route, without the guards, which the batch has passed.
async fn send(
    index: usize,
    request: BatchRequest,
    batch: &Request,
    depot: &mut Depot,
    res: &mut Response,
) -> Result<(), HttpError> {
    let uri = uri(batch, &request.url).ok_or_else(|| unknown_url(index))?;
    let found = find_route(request.method.as_str(), &request.url, RequestContext::of(depot)?);
    let (route, parameters) = found.ok_or_else(|| unknown_url(index))?;
    let mut req = Request::new();
    *req.method_mut() = route.method.clone();
    req.set_uri(uri);
    *req.params_mut() = parameters;
    *req.extensions_mut() = batch.extensions().clone();
    if let Some(body) = request.body {
        req.extensions_mut().insert::<Json>(body);
    }
    for (name, field, value) in
        [(IF_MATCH, "ifMatch", request.if_match), (IDEMPOTENCY_KEY, "idempotencyKey", request.idempotency_key)]
    {
        if let Some(value) = value {
            let value = HeaderValue::from_bytes(value.as_bytes());
            req.headers_mut().insert(name, value.map_err(|_| fault(index, field, "expected the value of a header"))?);
        }
    }
    // A panic must not lose the responses to the other requests.
    let mut ctrl = FlowCtrl::new(vec![Arc::new((route.handler)())]);
    PanicGuard.handle(&mut req, depot, res, &mut ctrl).await;
    tracing::debug!(
        request_id = RequestIdGuard::of(res),
        index,
        operation = %route.operation,
        status = res.status_code.map(|status| status.as_u16()),
        "request of a batch",
    );
    Ok(())
}

/// Returns the URI that a request of its own would have, with the prefix of the host.
fn uri(batch: &Request, url: &str) -> Option<Uri> {
    let base = batch.uri().path().strip_suffix(paths::V1_BATCH)?;
    // A fragment is no part of a request, and `Uri` would drop it.
    format!("{base}{}{url}", paths::V1).parse().ok().filter(|_| !url.contains('#'))
}

fn find_route(method: &str, url: &str, context: &RequestContext) -> Option<(&'static Route, PathParams)> {
    let path = format!("{}{}", paths::V1, url.split('?').next().unwrap_or_default());
    let mut routes = WRITES
        .iter()
        .filter(|(_, route)| route.method.as_str() == method && route.action.is_supported(context.api.capabilities()));
    routes.find_map(|(filter, route)| Some((*route, filter.parameters(&path)?)))
}

fn unknown_url(index: usize) -> HttpError {
    fault(index, "url", "expected the path of an operation below /api/v1 that writes records with this method")
}

fn fault(index: usize, field: &str, detail: &str) -> HttpError {
    let pointer = format!("{}/{field}", BatchRequest::pointer(index));
    Error::InvalidField(FieldFault { pointer, detail: detail.to_owned() }.into()).into()
}

/// Converts what a handler has rendered, which is JSON.
fn batch_response(mut res: Response) -> BatchResponse {
    let body: Option<Box<RawValue>> = match res.take_body() {
        ResBody::Once(body) => serde_json::from_slice(&body).ok(),
        _ => None,
    };
    let header = |name: &HeaderName| Some(res.headers().get(name)?.to_str().ok()?.to_owned());
    BatchResponse {
        status: res.status_code.unwrap_or(StatusCode::OK).as_u16(),
        etag: header(&ETAG),
        location: header(&LOCATION),
        notice: header(&NOTICE),
        retry_after: header(&RETRY_AFTER).and_then(|seconds| seconds.parse().ok()),
        body: body.unwrap_or_else(|| RawValue::NULL.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn no_request_is_made_after_ten_seconds_or_a_mebibyte() {
        let mut budget = Budget::begin(Some(Instant::now() + MAX_TIME + Duration::from_secs(1)));
        budget.bytes = MAX_RESPONSES;
        advance(MAX_TIME.saturating_sub(Duration::from_millis(1))).await;
        assert!(budget.check().is_ok());
        budget.bytes += 1;
        assert!(matches!(budget.check(), Err(HttpError::BatchTooLarge { limit: MAX_RESPONSES })));
        budget.bytes = 0;
        advance(Duration::from_millis(1)).await;
        assert!(matches!(budget.check(), Err(HttpError::BatchTimedOut)));
    }
}
