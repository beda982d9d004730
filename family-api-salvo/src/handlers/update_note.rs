//! Changes a note.

use family_api_core::Error;
use family_api_core::change::NoteChange;
use salvo::{Depot, Request, handler};

use crate::Failure;
use crate::answer::Answer;
use crate::call::{Call, record};
use crate::conditional::if_match;

pub(crate) struct UpdateNote;

#[handler]
impl UpdateNote {
    async fn handle(req: &mut Request, depot: &Depot) -> Result<Answer, Failure> {
        let call = Call::of(depot)?;
        let notes = call.api.notes(&call.caller)?;
        let body = call.patch_body(req, depot).await?;
        let change = NoteChange::from_body(body).map_err(Error::InvalidField)?;
        let note = notes.update(&record(req), change, &if_match(req)).await?;
        Ok(Answer::of_record(&note)?)
    }
}
