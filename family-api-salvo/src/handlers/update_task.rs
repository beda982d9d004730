//! Changes or moves a task.

use family_api_core::Error;
use family_api_core::change::TaskUpdate;
use salvo::{Depot, Request, handler};

use crate::Failure;
use crate::answer::Answer;
use crate::call::{Call, record};
use crate::conditional::precondition;

pub(crate) struct UpdateTask;

#[handler]
impl UpdateTask {
    async fn handle(req: &mut Request, depot: &Depot) -> Result<Answer, Failure> {
        let call = Call::of(depot)?;
        let tasks = call.api.tasks(&call.caller)?;
        let body = call.patch(req, depot).await?;
        let update = TaskUpdate::from_body(body).map_err(Error::InvalidField)?;
        let task = tasks.update(&record(req), update, &precondition(req)).await?;
        Ok(Answer::of_record(&task)?)
    }
}
