//! Lists the caller's integration keys.

use salvo::{Depot, handler};

use crate::HttpError;
use crate::json_response::JsonResponse;
use crate::request_context::RequestContext;

pub(crate) struct ListKeys;

#[handler]
impl ListKeys {
    async fn handle(depot: &Depot) -> Result<JsonResponse, HttpError> {
        let context = RequestContext::of(depot)?;
        let keys = context.api.keys(&context.caller)?.list().await?;
        Ok(JsonResponse::serialize(&keys)?)
    }
}
