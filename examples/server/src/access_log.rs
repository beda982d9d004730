//! One line of the log for every request.

use std::time::Instant;

use family_api_salvo::RequestIdGuard;
use salvo::http::Method;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

/// The method, if it is one that HTTP knows: anything else may be anything.
fn known(method: &Method) -> &str {
    const KNOWN: [Method; 9] = [
        Method::GET,
        Method::HEAD,
        Method::POST,
        Method::PUT,
        Method::PATCH,
        Method::DELETE,
        Method::OPTIONS,
        Method::TRACE,
        Method::CONNECT,
    ];
    if KNOWN.contains(method) { method.as_str() } else { "other" }
}

/// Logs what was asked and how it was answered: never a header, a query, a body or who asked.
///
/// Of the path it logs the route that took it: what else stands there may be a token that was pasted into the wrong place.
pub(crate) struct AccessLog;

#[async_trait]
impl Handler for AccessLog {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        let began = Instant::now();
        ctrl.call_next(req, depot, res).await;
        tracing::info!(
            request_id = RequestIdGuard::of(res),
            method = known(req.method()),
            route = %format_args!("/{}", req.matched_path()),
            status = res.status_code.map(|status| status.as_u16()),
            ms = (began.elapsed().as_secs_f64() * 1_000_000.0).round() / 1_000.0,
            "request",
        );
    }
}
