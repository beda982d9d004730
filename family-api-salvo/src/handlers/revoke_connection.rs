//! Ends a connection of the caller.

use salvo::{Depot, Request, handler};

use crate::HttpError;
use crate::json_response::JsonResponse;
use crate::request_context::{RequestContext, record_id};

pub(crate) struct RevokeConnection;

#[handler]
impl RevokeConnection {
    async fn handle(req: &Request, depot: &Depot) -> Result<JsonResponse, HttpError> {
        let context = RequestContext::of(depot)?;
        let revoked = context.api.connections(&context.caller)?.revoke(&record_id(req)).await?;
        Ok(JsonResponse::serialize(&revoked)?)
    }
}
