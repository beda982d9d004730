//! Sends audit events to the sink of the host.

use std::sync::Arc;

use crate::access::{Caller, Refusal, RefusedToken, TokenId};
use crate::audit::{AuditEvent, AuditSink};
use crate::error::Error;
use crate::id::UserId;
use crate::service::FamilyApi;
use crate::storage::StorageError;

impl FamilyApi {
    /// Records a refusal of the caller's credential and returns the error for the client.
    pub(super) fn refuse_caller(&self, caller: &Caller, reason: Refusal) -> Error {
        caller.refused_token(reason).map_or(Error::NotSignedIn, |refused| self.refuse(refused))
    }

    /// Records a refusal and returns the error for the client.
    pub(super) fn refuse(&self, refused: RefusedToken) -> Error {
        let error = refused.reason.clone().into();
        self.record(AuditEvent::TokenRefused(refused));
        error
    }

    pub(super) fn record(&self, event: AuditEvent) {
        if let Some(audit) = &self.audit {
            audit.record(event);
        }
    }

    /// Creates an event before its operation begins, so that a cancelled operation is recorded as in doubt.
    pub(super) fn begin_event(&self, event: AuditEvent) -> PendingAudit {
        PendingAudit { audit: self.audit.clone(), event: Some(event) }
    }

    /// Creates an event before an operation of a token begins. Operations in a session cause no event.
    pub(super) fn begin_token_event(
        &self,
        caller: &Caller,
        event: impl FnOnce(UserId, TokenId) -> AuditEvent,
    ) -> PendingAudit {
        let event = caller.token().map(|token| event(caller.user().clone(), token.clone()));
        PendingAudit { audit: self.audit.clone(), event }
    }
}

/// An event of an operation that has not ended.
///
/// If it is dropped before [`complete`](Self::complete), the outcome is unknown: the request was cancelled or the
/// storage failed. The event is then recorded as in doubt.
///
/// The default has no event.
#[derive(Default)]
pub(super) struct PendingAudit {
    audit: Option<Arc<dyn AuditSink>>,
    event: Option<AuditEvent>,
}

impl PendingAudit {
    /// Returns the result of the operation's storage call. Discards the event if the storage has not begun the call.
    pub(super) fn called<T>(&mut self, result: Result<T, StorageError>) -> Result<T, StorageError> {
        if matches!(result, Err(StorageError::NotBegun(_) | StorageError::Overloaded(_))) {
            self.event = None;
        }
        result
    }

    /// Completes the event as [`complete`](Self::complete) does, after `add` has added what is known only now.
    pub(super) fn complete_with(mut self, succeeded: bool, add: impl FnOnce(&mut AuditEvent)) {
        if let Some(event) = &mut self.event {
            add(event);
        }
        self.complete(succeeded);
    }

    /// Records the event if the operation succeeded, and discards it otherwise.
    pub(super) fn complete(mut self, succeeded: bool) {
        let event = self.event.take().filter(|_| succeeded);
        if let (Some(audit), Some(event)) = (&self.audit, event) {
            audit.record(event);
        }
    }
}

impl Drop for PendingAudit {
    fn drop(&mut self) {
        if let (Some(audit), Some(event)) = (&self.audit, self.event.take()) {
            audit.record(event.in_doubt());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[derive(Default)]
    struct RecordedEvents(Mutex<Vec<AuditEvent>>);

    impl AuditSink for RecordedEvents {
        fn record(&self, event: AuditEvent) {
            self.0.lock().unwrap().push(event);
        }
    }

    #[test]
    fn an_event_with_an_unknown_outcome_is_recorded_as_in_doubt() {
        let event = || AuditEvent::PersonalApiEnabled { user: "ana".parse().unwrap() };
        for (succeeded, expected) in
            [(Some(true), vec![event()]), (Some(false), vec![]), (None, vec![AuditEvent::InDoubt(Box::new(event()))])]
        {
            let recorded = Arc::new(RecordedEvents::default());
            let pending = PendingAudit { audit: Some(recorded.clone()), event: Some(event()) };
            match succeeded {
                Some(succeeded) => pending.complete(succeeded),
                None => drop(pending),
            }
            assert_eq!(*recorded.0.lock().unwrap(), expected);
        }
        assert_eq!(AuditEvent::InDoubt(Box::new(event())).name(), "personal_api_enabled");
    }
}
