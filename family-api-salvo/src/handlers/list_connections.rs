//! Lists the caller's connections.

use salvo::{Depot, handler};

use crate::HttpError;
use crate::json_response::JsonResponse;
use crate::request_context::RequestContext;

pub(crate) struct ListConnections;

#[handler]
impl ListConnections {
    async fn handle(depot: &Depot) -> Result<JsonResponse, HttpError> {
        let context = RequestContext::of(depot)?;
        let connections = context.api.connections(&context.caller)?.list().await?;
        Ok(JsonResponse::serialize(&connections)?)
    }
}
