//! Reads the caller's own profile.

use salvo::{Depot, handler};

use crate::HttpError;
use crate::json_response::JsonResponse;
use crate::request_context::RequestContext;

pub(crate) struct GetProfile;

#[handler]
impl GetProfile {
    async fn handle(depot: &Depot) -> Result<JsonResponse, HttpError> {
        let context = RequestContext::of(depot)?;
        let profile = context.api.profile(&context.caller)?.get().await?;
        Ok(JsonResponse::serialize(&profile)?)
    }
}
