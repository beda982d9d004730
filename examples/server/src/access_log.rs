//! Logs, counts and traces each request.

use std::time::Instant;

use family_api_salvo::{RequestIdGuard, ToolName};
use salvo::http::Method;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};
use tracing::field::Empty;
use tracing::{Instrument, Span, trace_span};

use crate::metrics::RequestMetrics;
use crate::request_scope::RequestScope;

/// Returns the name of a standard method, or `other`. A client can send any text as the method.
pub(crate) fn method_name(method: &Method) -> &'static str {
    static STANDARD: [Method; 9] = [
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
    STANDARD.iter().find(|standard| *standard == method).map_or("other", Method::as_str)
}

/// Counts the request. Logs the request id, method, route, status and duration, and the tool that an MCP request
/// called. It never logs headers, the query, the body (with the arguments of a tool) or the caller. The span has the
/// same fields.
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
        let span = request_span(req);
        ctrl.call_next(req, depot, res).instrument(span.clone()).await;
        finish(&span, res);
        let took = began.elapsed();
        if let Some(metrics) = &self.metrics {
            metrics.record(req, res, took);
        }
        if !RequestScope::is_access_logged() {
            return;
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

/// Returns the span of a request, with the names of OpenTelemetry. It begins a trace: a `traceparent` of the request is
/// ignored, because any client can send one. The log has the span only at the level `trace`.
fn request_span(req: &Request) -> Span {
    let method = method_name(req.method());
    let route = req.matched_path();
    trace_span!(
        "request",
        otel.name = %format_args!("{method} /{route}"),
        otel.kind = "server",
        otel.status_code = Empty,
        http.request.method = method,
        http.route = %format_args!("/{route}"),
        http.response.status_code = Empty,
        request_id = Empty,
        tool = Empty,
    )
}

/// Records the response in the span of its request.
fn finish(span: &Span, res: &Response) {
    span.record("request_id", RequestIdGuard::of(res));
    span.record("tool", ToolName::of(res));
    if let Some(status) = res.status_code {
        span.record("http.response.status_code", status.as_u16());
        if status.is_server_error() {
            span.record("otel.status_code", "ERROR");
        }
    }
}
