//! Changes or moves a task.

use family_api_core::Error;
use family_api_core::change::TaskUpdate;
use salvo::{Depot, Request, handler};

use crate::Failure;
use crate::answer::Answer;
use crate::call::{Call, record};
use crate::conditional::if_match;

pub(crate) struct UpdateTask;

#[handler]
impl UpdateTask {
    async fn handle(req: &mut Request, depot: &Depot) -> Result<Answer, Failure> {
        let call = Call::of(depot)?;
        let tasks = call.api.tasks(&call.caller)?;
        let body = call.patch_body(req, depot).await?;
        let update = TaskUpdate::from_body(body).map_err(Error::InvalidField)?;
        let task = tasks.update(&record(req), update, &if_match(req)).await?;
        Ok(Answer::of_record(&task)?)
    }
}
