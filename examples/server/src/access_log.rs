//! Logs and counts each request.

use std::time::Instant;

use family_api_salvo::{RequestIdGuard, ToolName};
use salvo::http::Method;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

use crate::metrics::RequestMetrics;

/// Returns the name of a standard method, or `other`. A client can send any text as the method.
pub(crate) fn method_name(method: &Method) -> &str {
    const STANDARD: [Method; 9] = [
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
    if STANDARD.contains(method) { method.as_str() } else { "other" }
}

/// Counts the request. Logs the request id, method, route, status and duration, and the tool that an MCP request called. It never logs
/// headers, the query, the body (with the arguments of a tool) or the caller.
///
/// It logs the matched route instead of the path, because a path can contain a token that was pasted by mistake.
pub(crate) struct AccessLog {
    /// `None` if requests are not counted.
    pub(crate) metrics: Option<RequestMetrics>,
}

#[async_trait]
impl Handler for AccessLog {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        let began = Instant::now();
        ctrl.call_next(req, depot, res).await;
        let took = began.elapsed();
        if let Some(metrics) = &self.metrics {
            metrics.record(req, res, took);
        }
        tracing::info!(
            request_id = RequestIdGuard::of(res),
            method = method_name(req.method()),
            route = %format_args!("/{}", req.matched_path()),
            tool = ToolName::of(res),
            status = res.status_code.map(|status| status.as_u16()),
            ms = (took.as_secs_f64() * 1_000_000.0).round() / 1_000.0,
            "request",
        );
    }
}
