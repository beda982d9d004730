//! Deletes a note.

use salvo::{Depot, Request, handler};

use crate::HttpError;
use crate::conditional::if_match;
use crate::json_response::JsonResponse;
use crate::request_context::{RequestContext, record_id};

pub(crate) struct DeleteNote;

#[handler]
impl DeleteNote {
    async fn handle(req: &Request, depot: &Depot) -> Result<JsonResponse, HttpError> {
        let context = RequestContext::of(depot)?;
        let deleted = context.api.notes(&context.caller)?.delete(&record_id(req), &if_match(req)).await?;
        Ok(JsonResponse::serialize(&deleted)?)
    }
}
