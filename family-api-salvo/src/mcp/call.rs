//! The state of one request to an MCP endpoint, which the endpoint shares with the tool.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use family_api_core::access::Caller;
use family_api_core::change::Reference;
use family_api_core::id::{NoteId, TaskId};
use family_api_core::resource::{Board, Note, ReadQuery, Task, TaskFilter};
use family_api_core::{ContentCoding, Error, FamilyApi, ReadOutcome};

use tracing::Span;

use crate::request_context::RequestContext;

/// One request to an MCP endpoint. `rmcp` passes it from the endpoint to the tool in the extensions of the request.
#[derive(Clone)]
pub(super) struct Call(Arc<Shared>);

struct Shared {
    context: RequestContext,
    span: Span,
    tool: OnceLock<&'static str>,
    fault: Mutex<Option<Error>>,
}

impl Call {
    pub(super) fn new(context: RequestContext) -> Self {
        Self(Arc::new(Shared { context, span: Span::current(), tool: OnceLock::new(), fault: Mutex::new(None) }))
    }

    /// Returns the span of the HTTP request. `rmcp` runs the tool in another task, which has no span.
    pub(super) fn span(&self) -> Span {
        self.0.span.clone()
    }

    pub(super) fn api(&self) -> &FamilyApi {
        &self.0.context.api
    }

    pub(super) fn caller(&self) -> &Caller {
        &self.0.context.caller
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

    /// Records the name of the called tool for the access log.
    pub(super) fn set_tool(&self, name: &'static str) {
        let _ = self.0.tool.set(name);
    }

    pub(super) fn tool(&self) -> Option<&'static str> {
        self.0.tool.get().copied()
    }

    /// Records an error that the endpoint answers as an HTTP problem instead of an MCP message.
    pub(super) fn set_fault(&self, error: Error) {
        *self.0.fault.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
    }

    pub(super) fn take_fault(&self) -> Option<Error> {
        self.0.fault.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

fn found<T>(record: Result<T, Error>) -> Result<Option<T>, Error> {
    match record {
        Err(Error::NotFound) => Ok(None),
        other => other.map(Some),
    }
}
