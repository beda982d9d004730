//! The state of one request to an MCP endpoint, which the endpoint shares with the tool.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use family_api_core::{Error, FamilyApi};
use family_api_core::access::Caller;

use crate::request_context::RequestContext;

/// One request to an MCP endpoint. `rmcp` passes it from the endpoint to the tool in the extensions of the request.
#[derive(Clone)]
pub(super) struct Call(Arc<Shared>);

struct Shared {
    context: RequestContext,
    tool: OnceLock<&'static str>,
    fault: Mutex<Option<Error>>,
}

impl Call {
    pub(super) fn new(context: RequestContext) -> Self {
        Self(Arc::new(Shared { context, tool: OnceLock::new(), fault: Mutex::new(None) }))
    }

    pub(super) fn api(&self) -> &FamilyApi {
        &self.0.context.api
    }

    pub(super) fn caller(&self) -> &Caller {
        &self.0.context.caller
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
