//! The API and the caller for which tools are listed and called.

use std::sync::{Arc, Mutex, PoisonError};

use family_api_core::access::{Caller, write_scope};
use family_api_core::calendar::Zone;
use family_api_core::limit::RateLimitStatus;
use family_api_core::resource::{RecordKind, Verb};
use family_api_core::{Error, FamilyApi, Surface};

use crate::error::ToolError;
use crate::handler::Definition;
use crate::instructions::instructions;
use crate::registry::{self, Tool};

/// The API and the caller of one request. Like the [`Caller`], it must not be used for a later request.
pub struct ToolContext {
    api: Arc<FamilyApi>,
    caller: Caller,
    log: Box<dyn Fn(&Error) + Send + Sync>,
    rate_limit: Mutex<Option<RateLimitStatus>>,
}

impl ToolContext {
    /// Creates the context of a request. A tool that writes several records calls `log` with the fault of one record if
    /// others were written: the answer reports the failure without its cause.
    pub fn new(api: impl Into<Arc<FamilyApi>>, caller: Caller, log: impl Fn(&Error) + Send + Sync + 'static) -> Self {
        Self { api: api.into(), caller, log: Box::new(log), rate_limit: Mutex::default() }
    }

    /// Returns the caller.
    #[must_use]
    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    /// Returns the state of the rate limit after a tool has counted further requests, or `None` if none was counted.
    #[must_use]
    pub fn rate_limit(&self) -> Option<RateLimitStatus> {
        *self.rate_limit.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the definitions of the tools that the storage supports and for which the caller has the scope. `surface`
    /// is the one on which the caller was admitted. For one API, they can be cached for each surface and set of scopes.
    #[must_use]
    pub fn definitions(&self, surface: Surface) -> Vec<Definition> {
        registry::definitions(self, surface)
    }

    /// Returns what a model should know before it calls a tool on a surface, in English. MCP calls this text the
    /// `instructions` of the server. It is the same for each caller.
    #[must_use]
    pub fn instructions(&self, surface: Surface) -> String {
        instructions(surface, self.api.capabilities())
    }

    /// Returns the tool with a name, or `None` if there is none or the storage does not support it. The tool itself
    /// checks whether the caller has its scope.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&'static Tool> {
        registry::find(name, self.api.capabilities())
    }

    /// Counts each record of a call after the first as a further request. The request itself was counted for the first
    /// one. A call that the rate limit refuses takes at most one further request, so that it can succeed later, unless
    /// other requests come in between.
    ///
    /// # Errors
    /// - [`Error::RateLimited`] with the time after which the call can be repeated.
    /// - [`ToolError::Correctable`] if the call has more records than the rate limit allows in its whole window.
    pub(crate) fn count_records(&self, records: u32) -> Result<(), ToolError> {
        for wanted in (1..records).rev() {
            let Some(status) = self.api.count_request(&self.caller) else { return Ok(()) };
            *self.rate_limit.lock().unwrap_or_else(PoisonError::into_inner) = Some(status);
            let (window, capacity) = (status.rate().window(), status.rate().capacity());
            if records > capacity {
                let text = format!("Nothing was done. The rate limit allows at most {capacity} records in one call.");
                return Err(ToolError::Correctable(text));
            }
            if !status.is_granted() || status.remaining() < wanted - 1 {
                let missing = records.saturating_sub(status.remaining());
                return Err(ToolError::Fault(Error::RateLimited { retry_after: window * missing / capacity }));
            }
        }
        Ok(())
    }

    pub(crate) fn api(&self) -> &FamilyApi {
        &self.api
    }

    pub(crate) fn zone(&self) -> &Zone {
        self.caller.zone()
    }

    /// Logs the cause of a fault that the answer does not show.
    pub(crate) fn log(&self, error: &Error) {
        (self.log)(error);
    }

    /// Returns whether the storage supports an operation and the caller has its scope.
    pub(crate) fn can_write(&self, kind: RecordKind, verb: Verb) -> bool {
        self.api.capabilities().supports(kind, verb) && self.caller.has_scope(&write_scope(kind, verb))
    }

    /// Returns how the caller adds a shopping list if there is none.
    pub(crate) fn first_list_hint(&self) -> Option<&'static str> {
        self.can_write(RecordKind::ShoppingList, Verb::Create).then_some("Add one with add_containers.")
    }
}
