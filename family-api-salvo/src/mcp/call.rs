//! One request to an MCP endpoint: what a tool needs of it.

use std::collections::BTreeSet;
use std::sync::Arc;

use family_api_core::access::Caller;
use family_api_core::id::{NoteId, TaskId};
use family_api_core::resource::{Board, Note, ReadQuery, Task, TaskFilter};
use family_api_core::validation::Reference;
use family_api_core::{ContentCoding, Error, FamilyApi, ReadOutcome};

use crate::request_context::RequestContext;

/// The API and the caller of a request. `rmcp` passes it from the endpoint to its handler in the extensions of the
/// request.
#[derive(Clone)]
pub(super) struct Call(Arc<RequestContext>);

impl Call {
    pub(super) fn new(context: RequestContext) -> Self {
        Self(Arc::new(context))
    }

    pub(super) fn api(&self) -> &FamilyApi {
        &self.0.api
    }

    pub(super) fn caller(&self) -> &Caller {
        &self.0.caller
    }

    /// Returns a task before a change, or `None` if the caller cannot see it. The change then fails itself.
    pub(super) async fn task(&self, id: &Reference<TaskId>) -> Result<Option<Task>, Error> {
        found(self.api().read(self.caller())?.get_task(id).await.map(|found| found.record.task))
    }

    /// Returns a note before a change, or `None` if the caller cannot see it. The change then fails itself.
    pub(super) async fn note(&self, id: &Reference<NoteId>) -> Result<Option<Note>, Error> {
        found(self.api().read(self.caller())?.get_note(id).await.map(|found| found.record))
    }

    /// Returns the ids of the tasks that are completed, or of those that are open.
    pub(super) async fn tasks_with_state(&self, completed: bool) -> Result<BTreeSet<String>, Error> {
        let filter = if completed { TaskFilter::Done } else { TaskFilter::Open };
        let reads = self.api().read(self.caller())?;
        let ReadOutcome::Document { body, .. } =
            reads.get(&ReadQuery::Tasks(filter), ContentCoding::Identity, None).await?
        else {
            return Ok(BTreeSet::new());
        };
        let boards: Vec<Board> = serde_json::from_slice(&body).map_err(|error| Error::Internal(Box::new(error)))?;
        let tasks = boards.into_iter().flat_map(|board| board.columns).flat_map(|column| column.tasks);
        Ok(tasks.map(|task| task.id.to_string()).collect())
    }
}

fn found<T>(record: Result<T, Error>) -> Result<Option<T>, Error> {
    match record {
        Err(Error::NotFound) => Ok(None),
        other => other.map(Some),
    }
}
