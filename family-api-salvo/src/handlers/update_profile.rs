//! Changes the caller's own profile.

use family_api_core::Error;
use family_api_core::change::ProfileChange;
use salvo::{Depot, Request, handler};

use crate::HttpError;
use crate::json_response::JsonResponse;
use crate::request_context::RequestContext;

pub(crate) struct UpdateProfile;

#[handler]
impl UpdateProfile {
    async fn handle(req: &mut Request, depot: &Depot) -> Result<JsonResponse, HttpError> {
        let context = RequestContext::of(depot)?;
        let profiles = context.api.profile(&context.caller)?;
        let body = context.patch_body(req, depot).await?;
        let change = ProfileChange::from_body(body).map_err(Error::InvalidField)?;
        let profile = profiles.update(&change).await?;
        Ok(JsonResponse::serialize(&profile)?)
    }
}
