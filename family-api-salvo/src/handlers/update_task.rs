//! Changes or moves a task.

use family_api_core::Error;
use family_api_core::change::TaskUpdate;
use salvo::{Depot, Request, handler};

use crate::HttpError;
use crate::conditional::if_match;
use crate::json_response::JsonResponse;
use crate::request_context::{RequestContext, record_id};

pub(crate) struct UpdateTask;

#[handler]
impl UpdateTask {
    async fn handle(req: &mut Request, depot: &Depot) -> Result<JsonResponse, HttpError> {
        let context = RequestContext::of(depot)?;
        let tasks = context.api.tasks(&context.caller)?;
        let body = context.patch_body(req, depot).await?;
        let update = TaskUpdate::from_body(body).map_err(Error::InvalidField)?;
        let task = tasks.update(&record_id(req), update, &if_match(req)).await?;
        Ok(JsonResponse::versioned(&task)?)
    }
}
