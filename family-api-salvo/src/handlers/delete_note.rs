//! Deletes a note.

use salvo::{Depot, Request, handler};

use crate::Failure;
use crate::answer::Answer;
use crate::call::{Call, record};
use crate::conditional::if_match;

pub(crate) struct DeleteNote;

#[handler]
impl DeleteNote {
    async fn handle(req: &Request, depot: &Depot) -> Result<Answer, Failure> {
        let call = Call::of(depot)?;
        let deleted = call.api.notes(&call.caller)?.delete(&record(req), &if_match(req)).await?;
        Ok(Answer::of(&deleted)?)
    }
}
