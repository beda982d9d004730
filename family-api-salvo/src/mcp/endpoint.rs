//! The HTTP handler of an MCP endpoint.

use std::convert::Infallible;
use std::pin::pin;
use std::sync::Arc;

use bytes::Bytes;
use family_api_core::access::Caller;
use family_api_core::validation::Json;
use family_api_core::{Endpoint, Error, FamilyApi, Surface};
use futures_util::future::{Either, select};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use rmcp::ServerHandler;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use salvo::http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HOST};
use salvo::http::{HeaderMap, HeaderName, HeaderValue, Method, ResBody, StatusCode};
use salvo::{Depot, Request, Response, async_trait};
use salvo::{FlowCtrl, Handler};
use serde_json::Value;

use crate::HttpError;
use crate::body::{MediaTypes, await_typed_body};
use crate::guard::{Awaited, UnreadResponseLimit, request_id};
use crate::mcp::answer_cache::{AnswerCache, CacheableRequest};
use crate::mcp::call::Call;
use crate::mcp::message::{self, InvalidMessage};
use crate::mcp::server::McpServer;
use crate::mcp::tool_call::ToolCall;
use crate::mcp::tool_name::ToolName;
use crate::request_context::RequestContext;

type McpResponse = http::Response<BoxBody<Bytes, Infallible>>;

const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// Answers the messages of MCP clients on one surface. The bearer guard has authenticated the caller.
pub(crate) struct McpEndpoint<S: ServerHandler = McpServer> {
    surface: Surface,
    service: StreamableHttpService<S, NeverSessionManager>,
    answers: AnswerCache,
}

impl McpEndpoint {
    pub(crate) fn new(surface: Surface) -> Self {
        Self::serving(McpServer::new(surface), surface)
    }
}

impl<S: ServerHandler + Copy> McpEndpoint<S> {
    pub(super) fn serving(server: S, surface: Surface) -> Self {
        // The guards check the host, the origin and the size of the body, so rmcp does not check them again.
        let config = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .disable_allowed_hosts()
            .disable_allowed_origins()
            .with_max_request_body_bytes(usize::MAX);
        let service = StreamableHttpService::new(move || Ok(server), Arc::default(), config);
        Self { surface, service, answers: AnswerCache::new() }
    }

    /// Checks in this order: read scope, media type, size, JSON, message. A cached answer needs no check of the message.
    async fn answer(&self, req: &mut Request, depot: &mut Depot, res: &mut Response) -> Result<(), HttpError> {
        let mut context = RequestContext::take(depot)?;
        context.api.read(&context.caller)?;
        let Awaited { output: body, is_late } = await_typed_body(req, context.body_limit, MediaTypes::Json).await?;
        if is_late {
            context.caller = self.caller_now(req, &context.api).await?;
            context.api.read(&context.caller)?;
        }
        UnreadResponseLimit::check(req)?;
        let cacheable = CacheableRequest::new(&body, &context.caller, protocol_headers(req));
        if let Some(answer) = cacheable.as_ref().and_then(|request| self.answers.get(request)) {
            render_json(StatusCode::OK, answer, res);
            return Ok(());
        }
        let message = Json::parse(&body).map_err(Error::from)?;
        let id = message::request_id(&message);
        if let Err(invalid) = message::check(&message).and_then(|()| message::check_types(&message, &body)) {
            render_invalid(&invalid, id, res);
            return Ok(());
        }
        let call = Call::new(context, request_id::ensure(res));
        let (sender, mut tool_calls) = ToolCall::channel();
        let mut request = mcp_request(req, body.clone());
        request.extensions_mut().insert(call.clone());
        request.extensions_mut().insert(sender);
        let answering = pin!(self.service.handle(request));
        let answered = match select(answering, pin!(tool_calls.recv())).await {
            Either::Left((answered, _)) => answered,
            Either::Right((tool_call, answering)) => {
                if let Some(tool_call) = tool_call {
                    ToolName::insert(tool_call.tool(), res);
                    tool_call.run(&call).await?;
                }
                answering.await
            }
        };
        render(answered, id, res).await?;
        if let (Some(request), ResBody::Once(answer)) = (cacheable, &res.body) {
            self.answers.insert(request, answer);
        }
        Ok(())
    }

    /// Authenticates the caller again. A tool that reads would otherwise return data after the token was revoked.
    async fn caller_now(&self, req: &Request, api: &FamilyApi) -> Result<Caller, Error> {
        let headers = req.headers().get_all(AUTHORIZATION).iter().map(HeaderValue::as_bytes);
        api.admit_again(headers, self.surface, Endpoint::Mcp).await
    }
}

#[async_trait]
impl<S: ServerHandler + Copy> Handler for McpEndpoint<S> {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, _: &mut FlowCtrl) {
        if let Err(error) = self.answer(req, depot, res).await {
            res.render(error);
        }
    }
}

/// Returns the headers of the protocol. No part of the credentials is among them.
fn protocol_headers(req: &Request) -> impl Iterator<Item = (&HeaderName, &HeaderValue)> {
    let is_of_protocol = |name: &HeaderName| name.as_str().starts_with("mcp-") && name != "mcp-session-id";
    req.headers().iter().filter(move |(name, _)| is_of_protocol(name))
}

/// Builds the request for rmcp. It contains only the headers of the protocol, so that no part of the credentials
/// reaches the tools or the log of rmcp.
fn mcp_request(req: &Request, body: Bytes) -> http::Request<Full<Bytes>> {
    let mut headers: HeaderMap = protocol_headers(req).map(|(name, value)| (name.clone(), value.clone())).collect();
    // The answer is JSON regardless of `Accept`, as on all routes.
    headers.insert(ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
    headers.insert(CONTENT_TYPE, JSON);
    headers.insert(HOST, HeaderValue::from_static("localhost"));
    let mut request = http::Request::new(Full::new(body));
    *request.method_mut() = Method::POST;
    *request.headers_mut() = headers;
    request
}

/// Copies the answer of rmcp. An error that is not JSON becomes a JSON-RPC error.
async fn render(answered: McpResponse, id: Option<Value>, res: &mut Response) -> Result<(), HttpError> {
    let (parts, body) = answered.into_parts();
    let Ok(body) = body.collect().await;
    let body = body.to_bytes();
    if parts.status.is_server_error() {
        return Err(Error::Internal("the MCP service did not answer".into()).into());
    }
    if !body.is_empty() && parts.headers.get(CONTENT_TYPE) != Some(&JSON) {
        render_invalid(&InvalidMessage::request(String::from_utf8_lossy(&body)), id, res);
        return Ok(());
    }
    if body.is_empty() {
        // salvo warns about a response without a body.
        res.status_code(parts.status);
        res.replace_body(ResBody::Once(body));
    } else {
        render_json(parts.status, body, res);
    }
    Ok(())
}

fn render_invalid(invalid: &InvalidMessage, id: Option<Value>, res: &mut Response) {
    render_json(StatusCode::BAD_REQUEST, invalid.body(id).to_string().into(), res);
}

fn render_json(status: StatusCode, body: Bytes, res: &mut Response) {
    res.status_code(status);
    res.headers_mut().insert(CONTENT_TYPE, JSON);
    res.replace_body(ResBody::Once(body));
}
