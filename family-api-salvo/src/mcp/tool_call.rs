//! Passes the call of a tool from the handler of `rmcp` to the task of the HTTP request.
//!
//! `rmcp` runs its handlers in a detached task, which continues after the client has disconnected or the request has
//! timed out. So the handler only sends the call to the endpoint and waits for the result. The endpoint runs the tool
//! in the task of the request: if the request is dropped, the tool is dropped with it. The span, the request id and
//! the in-flight permit of the request hold for the tool.

use family_api_core::{Error, Surface};
use rmcp::model::{CallToolResult, ContentBlock, JsonObject};
use tokio::sync::{mpsc, oneshot};

use crate::HttpError;
use crate::mcp::answer::MAX_BYTES;
use crate::mcp::call::Call;
use crate::mcp::error::ToolError;
use crate::mcp::json;
use crate::mcp::tool::Effect;
use crate::mcp::tools::Entry;

/// The message if an answer cannot be made short enough. This happens only if imported records are very long.
const TOO_LARGE: &str = "The answer would be larger than 80 KB. Ask for fewer records, or use the REST resources.";

/// Sends the tool that a message calls from the handler to the endpoint. `rmcp` passes it in the extensions of the
/// request.
pub(super) type ToolCallSender = mpsc::Sender<ToolCall>;

/// The call of a tool that exists.
pub(super) struct ToolCall {
    entry: &'static Entry,
    arguments: Option<JsonObject>,
    surface: Surface,
    result: oneshot::Sender<CallToolResult>,
}

impl ToolCall {
    /// Returns a channel for the tool that a message calls. A message calls at most one.
    pub(super) fn channel() -> (ToolCallSender, mpsc::Receiver<Self>) {
        mpsc::channel(1)
    }

    /// Returns the call, and the receiver of its result. The receiver fails if the request is dropped or has a fault.
    pub(super) fn new(
        entry: &'static Entry,
        arguments: Option<JsonObject>,
        surface: Surface,
    ) -> (Self, oneshot::Receiver<CallToolResult>) {
        let (result, receiver) = oneshot::channel();
        (Self { entry, arguments, surface, result }, receiver)
    }

    /// Returns the name of the tool.
    pub(super) fn tool(&self) -> &'static str {
        self.entry.name
    }

    /// Runs the tool and sends its result to the handler of `rmcp`.
    ///
    /// # Errors
    /// A fault that the model cannot correct. The endpoint answers it as an HTTP problem.
    pub(super) async fn run(self, call: &Call) -> Result<(), HttpError> {
        let arguments = json::from_value(self.arguments.unwrap_or_default().into());
        let result = match self.entry.tool.call(call, arguments).await {
            // A change was made, so its answer is sent in any case. It contains only short texts.
            Ok(answer) if matches!(self.entry.effect, Effect::Read(_)) && answer.size() > MAX_BYTES => {
                failure(TOO_LARGE)
            }
            Ok(answer) => answer.into_result(),
            Err(ToolError::Correctable(text) | ToolError::LimitReached(text)) => failure(text),
            // The token may have the scope, but not on this surface.
            Err(ToolError::Fault(error @ Error::InsufficientScope(_))) if self.surface == Surface::ReadPath => {
                return Err(HttpError::ReadOnlyEndpoint(error));
            }
            Err(ToolError::Fault(error)) => return Err(error.into()),
        };
        let ended = |_| Error::Internal("the MCP service did not wait for a tool".into());
        Ok(self.result.send(result).map_err(ended)?)
    }
}

fn failure(text: impl Into<String>) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(text)])
}
