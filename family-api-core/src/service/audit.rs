//! Sends audit events to the sink of the host.

use std::sync::Arc;

use crate::Surface;
use crate::access::{Bearer, Caller, Refusal, Refused, TokenId};
use crate::audit::{AuditEvent, AuditSink};
use crate::error::Error;
use crate::id::{KeyId, UserId};
use crate::service::FamilyApi;
use crate::storage::Update;

impl FamilyApi {
    /// Parses all `Authorization` headers of a request. Records an invalid token as refused.
    ///
    /// # Errors
    /// [`Error::MissingToken`] and [`Error::InvalidToken`], as for [`Bearer::from_headers`].
    pub fn bearer<'a>(&self, headers: impl IntoIterator<Item = &'a [u8]>, surface: Surface) -> Result<Bearer, Error> {
        Bearer::from_headers(headers).inspect_err(|error| {
            if matches!(error, Error::InvalidToken) {
                let refused = Refused { token: None, user: None, surface, reason: Refusal::Malformed };
                self.record(AuditEvent::TokenRefused(refused));
            }
        })
    }

    /// Returns the permission unchanged, and records a refusal if the token lacks a scope.
    pub(super) fn permit(&self, caller: &Caller, permission: Result<(), Error>) -> Result<(), Error> {
        if let Err(Error::InsufficientScope(scope)) = &permission
            && let Some(refused) = caller.refused(Refusal::InsufficientScope(scope.clone()))
        {
            self.record(AuditEvent::TokenRefused(refused));
        }
        permission
    }

    /// Records a refusal and returns the error for the client.
    pub(super) fn refuse(&self, refused: Refused) -> Error {
        let error = refused.reason.error();
        self.record(AuditEvent::TokenRefused(refused));
        error
    }

    /// Converts the result of a write. A credential that became invalid during the request gives the error of a new
    /// request.
    pub(super) fn outcome<T>(&self, caller: &Caller, update: Update<T>) -> Result<T, Error> {
        match update {
            Update::Unauthorized(reason) => {
                Err(caller.refused(reason).map_or(Error::NotSignedIn, |refused| self.refuse(refused)))
            }
            Update::Done(record) => Ok(record),
            Update::NotFound => Err(Error::NotFound),
            Update::PreconditionFailed => Err(Error::PreconditionFailed),
            Update::Refused(faults) => Err(Error::InvalidField(faults.into())),
        }
    }

    pub(super) fn record(&self, event: AuditEvent) {
        if let Some(audit) = &self.audit {
            audit.record(event);
        }
    }

    /// Prepares an event before the operation.
    pub(super) fn begin_event(&self, event: AuditEvent) -> PendingAudit {
        PendingAudit { audit: self.audit.clone(), event: Some(event) }
    }

    /// Prepares an event before an operation of a key. Operations in a session cause no event.
    pub(super) fn begin_key_event(
        &self,
        caller: &Caller,
        event: impl FnOnce(UserId, KeyId) -> AuditEvent,
    ) -> PendingAudit {
        let event = match caller.token() {
            Some(TokenId::Key(key)) => Some(event(caller.user().clone(), key.clone())),
            Some(TokenId::Environment(_)) | None => None,
        };
        PendingAudit { audit: self.audit.clone(), event }
    }
}

/// An event of an operation that has not ended.
///
/// If it is dropped before [`complete`](Self::complete), the outcome is unknown: the request was cancelled or the
/// storage failed. The event is then recorded as in doubt.
pub(super) struct PendingAudit {
    audit: Option<Arc<dyn AuditSink>>,
    event: Option<AuditEvent>,
}

impl PendingAudit {
    /// Records the event if the operation happened, and discards it otherwise.
    pub(super) fn complete(mut self, happened: bool) {
        let event = self.event.take().filter(|_| happened);
        if let (Some(audit), Some(event)) = (&self.audit, event) {
            audit.record(event);
        }
    }
}

impl Drop for PendingAudit {
    fn drop(&mut self) {
        if let (Some(audit), Some(event)) = (&self.audit, self.event.take()) {
            audit.record(AuditEvent::InDoubt(Box::new(event)));
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
    fn an_event_with_an_unknown_outcome_is_in_doubt() {
        let event = || AuditEvent::PersonalApiEnabled { user: "ana".parse().unwrap() };
        for (happened, expected) in
            [(Some(true), vec![event()]), (Some(false), vec![]), (None, vec![AuditEvent::InDoubt(Box::new(event()))])]
        {
            let recorded = Arc::new(RecordedEvents::default());
            let pending = PendingAudit { audit: Some(recorded.clone()), event: Some(event()) };
            match happened {
                Some(happened) => pending.complete(happened),
                None => drop(pending),
            }
            assert_eq!(*recorded.0.lock().unwrap(), expected);
        }
        assert_eq!(AuditEvent::InDoubt(Box::new(event())).name(), "personal_api_enabled");
    }
}
