//! Creates an integration key.

use salvo::{Depot, Request, handler};

use crate::HttpError;
use crate::json_response::JsonResponse;
use crate::request_context::RequestContext;

pub(crate) struct CreateKey;

#[handler]
impl CreateKey {
    async fn handle(req: &mut Request, depot: &Depot) -> Result<JsonResponse, HttpError> {
        let context = RequestContext::of(depot)?;
        let keys = context.api.keys(&context.caller)?;
        let body = context.post_body(req, depot).await?;
        let key = keys.create_from_body(body).await?;
        // Built from the request path, because that includes the prefix under which the host mounts the API.
        let location = format!("/{}/{}", req.uri().path().trim_matches('/'), key.id);
        Ok(JsonResponse::serialize(&key)?.created(&location)?)
    }
}
