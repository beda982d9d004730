//! Creates an integration key.

use family_api_core::id::Id;
use family_api_core::paths;
use salvo::{Depot, Request, handler};

use crate::HttpError;
use crate::json_response::JsonResponse;
use crate::location::location;
use crate::request_context::RequestContext;

pub(crate) struct CreateKey;

#[handler]
impl CreateKey {
    async fn handle(req: &mut Request, depot: &Depot) -> Result<JsonResponse, HttpError> {
        let context = RequestContext::of(depot)?;
        let keys = context.api.keys(&context.caller)?;
        let body = context.post_body(req, depot).await?;
        let key = keys.create_from_body(body).await?;
        let location = location(req, paths::KEYS, paths::KEY, key.id.text());
        Ok(JsonResponse::serialize(&key)?.created(&location)?)
    }
}
