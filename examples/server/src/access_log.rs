//! Logs, counts and traces each request. Makes its id and its sender available to other log lines.

use std::cell::Cell;
use std::net::IpAddr;
use std::time::Instant;

use family_api_salvo::{RequestIdGuard, ToolName};
use salvo::http::Method;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};
use tokio::task_local;
use tracing::field::Empty;
use tracing::{Instrument, Span, trace_span};

use crate::metrics::RequestMetrics;

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
    if span.is_disabled() {
        return;
    }
    span.record("request_id", RequestIdGuard::of(res));
    span.record("tool", ToolName::of(res));
    if let Some(status) = res.status_code {
        span.record("http.response.status_code", status.as_u16());
        if status.is_server_error() {
            span.record("otel.status_code", "ERROR");
        }
    }
}

task_local! {
    static REQUEST: CurrentRequest;
}

struct CurrentRequest {
    id: String,
    address: Option<IpAddr>,
    is_access_logged: Cell<bool>,
}

/// Sets the request id and the client's address for all later handlers. It must run after `RequestIdGuard`, which
/// assigns the id, and after `TrustedProxies`, which finds the address.
pub(crate) struct RequestScope;

impl RequestScope {
    /// Returns the id of the current request, or `None` outside a request.
    pub(crate) fn id() -> Option<String> {
        REQUEST.try_with(|request| request.id.clone()).ok()
    }

    /// Returns the client's address of the current request, or `None` outside a request.
    pub(crate) fn address() -> Option<IpAddr> {
        REQUEST.try_with(|request| request.address).ok().flatten()
    }

    /// Leaves the current request out of the access log, because another line describes it.
    pub(crate) fn omit_access_line() {
        // Outside a request, there is no access line.
        let _ = REQUEST.try_with(|request| request.is_access_logged.set(false));
    }

    /// Returns whether the access log has a line for the current request.
    pub(crate) fn is_access_logged() -> bool {
        REQUEST.try_with(|request| request.is_access_logged.get()).unwrap_or(true)
    }
}

#[async_trait]
impl Handler for RequestScope {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        let id = RequestIdGuard::of(res).unwrap_or_default().to_owned();
        let address = req.remote_addr().ip().map(|address| address.to_canonical());
        let request = CurrentRequest { id, address, is_access_logged: Cell::new(true) };
        REQUEST.scope(request, ctrl.call_next(req, depot, res)).await;
    }
}
