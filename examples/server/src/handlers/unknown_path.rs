//! Answers 404 to a path that the server does not have.

use family_api_salvo::HttpError;
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

const HINT: &str = "The MCP endpoints are /api/v1/mcp and /api/mcp, without a slash at the end";

/// Returns 404 with a hint at the MCP endpoints, because users of assistants guess paths such as `/mcp`.
pub(crate) struct UnknownPath;

#[async_trait]
impl Handler for UnknownPath {
    async fn handle(&self, _: &mut Request, _: &mut Depot, res: &mut Response, _: &mut FlowCtrl) {
        res.render(HttpError::UnknownPath { hint: HINT });
    }
}
