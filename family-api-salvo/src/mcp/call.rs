//! One request to an MCP endpoint: what a tool needs of it.

use std::sync::Arc;

use family_api_core::access::{Caller, write_scope};
use family_api_core::calendar::Zone;
use family_api_core::resource::{RecordKind, Verb};
use family_api_core::{Error, FamilyApi};

use crate::error;
use crate::request_context::RequestContext;

/// The API and the caller of a request. `rmcp` passes it from the endpoint to its handler in the extensions of the
/// request.
#[derive(Clone)]
pub(super) struct Call(Arc<Inner>);

struct Inner {
    context: RequestContext,
    request_id: String,
}

impl Call {
    pub(super) fn new(context: RequestContext, request_id: String) -> Self {
        Self(Arc::new(Inner { context, request_id }))
    }

    pub(super) fn api(&self) -> &FamilyApi {
        &self.0.context.api
    }

    pub(super) fn caller(&self) -> &Caller {
        &self.0.context.caller
    }

    pub(super) fn zone(&self) -> &Zone {
        self.caller().zone()
    }

    /// Logs the cause of a fault that the answer does not show, with the id of the request.
    pub(super) fn log(&self, error: &Error) {
        error::log(error, &self.0.request_id);
    }

    /// Returns whether the storage supports an operation and the caller has its scope.
    pub(super) fn can_write(&self, kind: RecordKind, verb: Verb) -> bool {
        let has_scope = || write_scope(kind, verb).is_some_and(|scope| self.caller().has_scope(&scope));
        self.api().capabilities().supports(kind, verb) && has_scope()
    }
}
