//! The HTTP side of an MCP endpoint: the check of `Origin`, and the handler.
//!
//! The guards of the bearer routes run first. The endpoint then checks the read scope and reads the body once as a
//! [message](Message). It checks its [version] and answers it. A tool runs in the task of the request, so it
//! ends with its request.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use family_api_core::access::Caller;
use family_api_core::key::Scope;
use family_api_core::validation::Json;
use family_api_core::{Endpoint, Error, FamilyApi, Surface};
use family_api_mcp::{ToolContext, ToolError};
use salvo::http::header::{AUTHORIZATION, CONTENT_TYPE, ORIGIN};
use salvo::http::{HeaderValue, ResBody, StatusCode};
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};
use serde::Serialize;
use serde_json::json;
use serde_json::value::{RawValue, to_raw_value};

use crate::body::{MediaTypes, await_typed_body};
use crate::error;
use crate::guard::{Awaited, RequestIdGuard, UnreadResponseLimit, insert_rate_limit};
use crate::mcp::message::{InvalidMessage, Message, Method};
use crate::mcp::response::{Failure, MessageId, ProtocolError, Success};
use crate::mcp::server_info;
use crate::mcp::tool_lists::ToolLists;
use crate::mcp::tool_name::ToolName;
use crate::mcp::tool_result::ToolResult;
use crate::mcp::version::{self, Forms};
use crate::origin::target_origin;
use crate::request_context::RequestContext;
use crate::{HttpError, Origin};

/// Requires that `Origin`, if it is present, is the server's own origin or an origin that CORS allows.
///
/// Unlike [`SameSite`](crate::SameSite), it does not trust `Sec-Fetch-Site`: MCP requires a check of `Origin`. The
/// check also stops DNS rebinding: a page whose name resolves to this server sends its own name as `Host` and `Origin`.
/// So without a public address, only a loopback name or address is trusted as the server's own.
#[derive(Debug, Clone)]
pub(crate) struct OwnOrigin {
    address: Option<Origin>,
    allowed: Arc<[Origin]>,
}

impl OwnOrigin {
    /// `address` is the public address. `None` means the address that the request was sent to, if it is loopback.
    pub(crate) fn new(address: Option<Origin>, allowed: Arc<[Origin]>) -> Self {
        Self { address, allowed }
    }

    fn allows(&self, req: &Request) -> bool {
        let mut values = req.headers().get_all(ORIGIN).iter();
        let Some(value) = values.next() else { return true };
        let origin: Option<Origin> = value.to_str().ok().and_then(|value| value.parse().ok());
        let is_allowed = |origin: &Origin| self.allowed.contains(origin) || self.is_own(origin, req);
        values.next().is_none() && origin.is_some_and(|origin| is_allowed(&origin))
    }

    fn is_own(&self, origin: &Origin, req: &Request) -> bool {
        match &self.address {
            Some(address) => origin == address,
            None => origin.is_loopback() && target_origin(req).as_ref() == Some(origin),
        }
    }
}

#[async_trait]
impl Handler for OwnOrigin {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        if self.allows(req) {
            ctrl.call_next(req, depot, res).await;
        } else {
            res.render(HttpError::CrossSiteRequest);
            ctrl.skip_rest();
        }
    }
}

/// Answers the messages of MCP clients on one surface. The bearer guard has authenticated the caller.
pub(crate) struct McpEndpoint {
    surface: Surface,
    /// The result of `server/discover`. It is serialized once.
    discovery: OnceLock<Box<RawValue>>,
    tool_lists: ToolLists,
}

impl McpEndpoint {
    pub(crate) fn new(surface: Surface) -> Self {
        Self { surface, discovery: OnceLock::new(), tool_lists: ToolLists::new(surface) }
    }

    /// Checks in this order: read scope, media type, size, JSON, message, version.
    async fn receive(&self, req: &mut Request, depot: &mut Depot, res: &mut Response) -> Result<(), HttpError> {
        let RequestContext { api, mut caller, body_limit, .. } = RequestContext::take(depot)?;
        self.check_read(&api, &caller)?;
        let Awaited { output: body, is_late } = await_typed_body(req, body_limit, MediaTypes::Json).await?;
        if is_late {
            caller = self.caller_now(req, &api).await?;
            self.check_read(&api, &caller)?;
        }
        UnreadResponseLimit::check(req)?;
        let message = match Message::read(Json::parse(&body).map_err(Error::from)?) {
            Ok(message) => message,
            Err(InvalidMessage { id, error }) => return render_error(StatusCode::BAD_REQUEST, id, error, res),
        };
        let forms = match Forms::of(&message, req.headers()) {
            Ok(forms) => forms,
            Err(error) => return render_error(StatusCode::BAD_REQUEST, message.id, error, res),
        };
        let Some(id) = message.id else {
            res.status_code(StatusCode::ACCEPTED);
            // salvo warns about a response without a body.
            res.replace_body(ResBody::Once(Bytes::new()));
            return Ok(());
        };
        let request_id = RequestIdGuard::ensure(res);
        let context = ToolContext::new(api, caller, move |fault| error::log(fault, &request_id));
        self.answer(id, message.method, forms, &context, res).await
    }

    /// Answers a request.
    async fn answer(
        &self,
        id: MessageId,
        method: Method,
        forms: Forms,
        context: &ToolContext,
        res: &mut Response,
    ) -> Result<(), HttpError> {
        match method {
            Method::Initialize { version } => {
                let instructions = context.instructions(self.surface);
                render_result(id, server_info::initialize(&instructions, version::negotiated(&version)), res)
            }
            Method::Discover => render_ready(id, self.discovery(context).map_err(internal)?, res),
            Method::Ping if !forms.answer_is_modern => render_result(id, json!({}), res),
            Method::ListTools { has_cursor: false } => {
                let list = self.tool_lists.get(context, forms.answer_is_modern).map_err(internal)?;
                render_ready(id, &list, res)
            }
            Method::ListTools { has_cursor: true } => {
                let error = ProtocolError::invalid_params("unknown cursor: the list of tools has one page");
                render_error(StatusCode::OK, Some(id), error, res)
            }
            Method::CallTool { tool, arguments } => {
                let Some(tool) = context.find(&tool) else {
                    let text = "unknown tool: call tools/list for the names of the tools";
                    return render_error(StatusCode::OK, Some(id), ProtocolError::invalid_params(text), res);
                };
                ToolName::insert(tool.name(), res);
                let outcome = tool.call(context, arguments).await;
                if let Some(status) = context.rate_limit() {
                    insert_rate_limit(&status, res.headers_mut());
                }
                let outcome = match outcome {
                    Ok(answer) => Ok(answer),
                    Err(ToolError::Correctable(text) | ToolError::LimitReached(text)) => Err(text),
                    Err(ToolError::Fault(fault)) => return Err(self.refusal(fault, context.caller())),
                };
                render_result(id, ToolResult::new(outcome, forms.answer_is_modern), res)
            }
            Method::Ping | Method::Unknown => {
                let status = if forms.request_is_modern { StatusCode::NOT_FOUND } else { StatusCode::OK };
                render_error(status, Some(id), ProtocolError::unknown_method(), res)
            }
        }
    }

    fn discovery(&self, context: &ToolContext) -> Result<&RawValue, serde_json::Error> {
        if let Some(discovery) = self.discovery.get() {
            return Ok(discovery);
        }
        let discovery = to_raw_value(&server_info::discover(&context.instructions(self.surface)))?;
        Ok(self.discovery.get_or_init(|| discovery))
    }

    /// Authenticates the caller again. A tool that reads would otherwise return data after the token was revoked.
    async fn caller_now(&self, req: &Request, api: &FamilyApi) -> Result<Caller, Error> {
        let headers = req.headers().get_all(AUTHORIZATION).iter().map(HeaderValue::as_bytes);
        api.admit_again(headers, self.surface, Endpoint::Mcp).await
    }

    fn check_read(&self, api: &FamilyApi, caller: &Caller) -> Result<(), HttpError> {
        api.read(caller).map(drop).map_err(|error| self.refusal(error, caller))
    }

    /// Converts a fault. A client that gets the scopes of [`HttpError::McpScope`] asks its user for them, so the token
    /// should keep those that it has. No token can have the scope of a tool that writes on the surface that only reads.
    fn refusal(&self, error: Error, caller: &Caller) -> HttpError {
        match error {
            Error::InsufficientScope(missing) if missing.applies_to(self.surface) => {
                let is_wanted = |scope: &Scope| *scope == missing || caller.has_scope(scope);
                HttpError::McpScope { wanted: Scope::KNOWN.into_iter().filter(is_wanted).collect(), missing }
            }
            Error::InsufficientScope(_) => HttpError::ReadOnlyEndpoint,
            error => error.into(),
        }
    }
}

#[async_trait]
impl Handler for McpEndpoint {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, _: &mut FlowCtrl) {
        if let Err(error) = self.receive(req, depot, res).await {
            res.render(error);
        }
    }
}

/// The bytes of an answer beside its result and its id.
const ANSWER_OVERHEAD: usize = 64;

/// Renders a result whose JSON is ready. The buffer does not grow: each growth would copy the result.
fn render_ready(id: MessageId, result: &RawValue, res: &mut Response) -> Result<(), HttpError> {
    let mut body = Vec::with_capacity(result.get().len() + id.size() + ANSWER_OVERHEAD);
    serde_json::to_writer(&mut body, &Success::new(id, result)).map_err(internal)?;
    render(StatusCode::OK, body, res);
    Ok(())
}

fn render_result(id: MessageId, result: impl Serialize, res: &mut Response) -> Result<(), HttpError> {
    render(StatusCode::OK, serde_json::to_vec(&Success::new(id, result)).map_err(internal)?, res);
    Ok(())
}

/// Renders a JSON-RPC error. It repeats the id of the request if the id is valid.
fn render_error(
    status: StatusCode,
    id: Option<MessageId>,
    error: ProtocolError,
    res: &mut Response,
) -> Result<(), HttpError> {
    render(status, serde_json::to_vec(&Failure::new(id, error)).map_err(internal)?, res);
    Ok(())
}

fn render(status: StatusCode, body: Vec<u8>, res: &mut Response) {
    res.status_code(status);
    res.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    res.replace_body(ResBody::Once(body.into()));
}

fn internal(error: serde_json::Error) -> Error {
    Error::Internal(Box::new(error))
}
