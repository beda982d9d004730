//! What is told to the host's record.

use std::sync::Arc;

use crate::Surface;
use crate::access::{Bearer, Caller, Refusal, Refused, TokenId};
use crate::audit::{AuditEvent, AuditSink};
use crate::error::Error;
use crate::id::{KeyId, UserId};
use crate::service::FamilyApi;
use crate::storage::Update;

impl FamilyApi {
    /// Reads the `Authorization` headers of a request, all of them; what cannot be a token is recorded as refused.
    ///
    /// # Errors
    /// [`Error::MissingToken`] and [`Error::InvalidToken`], as [`Bearer::from_headers`] says.
    pub fn bearer<'a>(&self, headers: impl IntoIterator<Item = &'a [u8]>, surface: Surface) -> Result<Bearer, Error> {
        Bearer::from_headers(headers).inspect_err(|error| {
            if matches!(error, Error::InvalidToken) {
                let refused = Refused { token: None, user: None, surface, reason: Refusal::Malformed };
                self.record(AuditEvent::TokenRefused(refused));
            }
        })
    }

    /// A permission as it is; that a token lacks a scope is recorded.
    pub(super) fn permit(&self, caller: &Caller, permission: Result<(), Error>) -> Result<(), Error> {
        if let Err(Error::InsufficientScope(scope)) = &permission
            && let Some(refused) = caller.refused(Refusal::InsufficientScope(scope.clone()))
        {
            self.record(AuditEvent::TokenRefused(refused));
        }
        permission
    }

    pub(super) fn refuse(&self, refused: Refused) -> Error {
        let error = refused.reason.error();
        self.record(AuditEvent::TokenRefused(refused));
        error
    }

    /// What became of a write; a credential that ended meanwhile is refused as a new request would be.
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

    /// What is about to happen.
    pub(super) fn begin(&self, event: AuditEvent) -> PendingAudit {
        PendingAudit { audit: self.audit.clone(), event: Some(event) }
    }

    /// What a key is about to do; what a session does is its user's own.
    pub(super) fn begin_as_key(
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

/// Something that is about to happen, and of which a record must tell.
///
/// Where nobody says what became of it, because whoever asked went away or the storage failed, it may have happened: it
/// is recorded as in doubt.
pub(super) struct PendingAudit {
    audit: Option<Arc<dyn AuditSink>>,
    event: Option<AuditEvent>,
}

impl PendingAudit {
    /// It is known whether it happened.
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
    struct Taken(Mutex<Vec<AuditEvent>>);

    impl AuditSink for Taken {
        fn record(&self, event: AuditEvent) {
            self.0.lock().unwrap().push(event);
        }
    }

    #[test]
    fn what_nobody_says_the_outcome_of_is_in_doubt() {
        let event = || AuditEvent::PersonalApiEnabled { user: "ana".parse().unwrap() };
        for (happened, expected) in
            [(Some(true), vec![event()]), (Some(false), vec![]), (None, vec![AuditEvent::InDoubt(Box::new(event()))])]
        {
            let taken = Arc::new(Taken::default());
            let pending = PendingAudit { audit: Some(taken.clone()), event: Some(event()) };
            match happened {
                Some(happened) => pending.complete(happened),
                None => drop(pending),
            }
            assert_eq!(*taken.0.lock().unwrap(), expected);
        }
        assert_eq!(AuditEvent::InDoubt(Box::new(event())).name(), "personal_api_enabled");
    }
}
