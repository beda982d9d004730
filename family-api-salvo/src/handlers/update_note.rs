//! Changes a note.

use family_api_core::Error;
use family_api_core::change::NoteUpdate;
use salvo::{Depot, Request, handler};

use crate::HttpError;
use crate::conditional::if_match;
use crate::json_response::JsonResponse;
use crate::request_context::{RequestContext, record_id};

pub(crate) struct UpdateNote;

#[handler]
impl UpdateNote {
    async fn handle(req: &mut Request, depot: &Depot) -> Result<JsonResponse, HttpError> {
        let context = RequestContext::of(depot)?;
        let notes = context.api.notes(&context.caller)?;
        let body = context.patch_body(req, depot).await?;
        let update = NoteUpdate::from_body(body).map_err(Error::InvalidField)?;
        let note = notes.update(&record_id(req), update, &if_match(req)).await?;
        Ok(JsonResponse::versioned(&note)?)
    }
}
