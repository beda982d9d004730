//! Revokes all keys and ends all connections of the caller, and switches the personal API off.

use salvo::{Depot, handler};

use crate::HttpError;
use crate::json_response::JsonResponse;
use crate::request_context::RequestContext;

pub(crate) struct RevokeAccess;

#[handler]
impl RevokeAccess {
    async fn handle(depot: &Depot) -> Result<JsonResponse, HttpError> {
        let context = RequestContext::of(depot)?;
        let revoked = context.api.keys(&context.caller)?.revoke_access().await?;
        Ok(JsonResponse::serialize(&revoked)?)
    }
}
