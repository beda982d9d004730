//! What a tool needs of a request.

use family_api_core::access::{Caller, write_scope};
use family_api_core::calendar::Zone;
use family_api_core::resource::{RecordKind, Verb};
use family_api_core::{Error, FamilyApi};

/// The API and the caller of a request.
pub(crate) struct Call {
    api: FamilyApi,
    caller: Caller,
    log: Box<dyn Fn(&Error) + Send + Sync>,
}

impl Call {
    /// Creates the call of a request. `log` logs the cause of a fault that the answer does not show.
    pub(crate) fn new(api: FamilyApi, caller: Caller, log: impl Fn(&Error) + Send + Sync + 'static) -> Self {
        Self { api, caller, log: Box::new(log) }
    }

    pub(crate) fn api(&self) -> &FamilyApi {
        &self.api
    }

    pub(crate) fn caller(&self) -> &Caller {
        &self.caller
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
        let has_scope = || write_scope(kind, verb).is_some_and(|scope| self.caller.has_scope(&scope));
        self.api.capabilities().supports(kind, verb) && has_scope()
    }
}
