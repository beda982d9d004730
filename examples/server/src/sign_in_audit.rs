//! Audit of an attempt to sign in, also if the client disconnects before the answer.

use family_api_core::Error;
use family_api_core::id::UserId;

use crate::audit::AuditLog;

/// Logs the outcome of one attempt when it is dropped.
pub(crate) struct SignInAudit {
    log: AuditLog,
    /// The user with the e-mail address of the attempt, as soon as it is known.
    pub(crate) user: Option<UserId>,
    outcome: Outcome,
}

enum Outcome {
    SignedIn,
    Refused,
    /// The server could not decide, for example because it is overloaded.
    Undecided,
    /// The client disconnected, or the request timed out. The attempt counts as failed, so the audit must show it.
    Unfinished,
}

impl SignInAudit {
    pub(crate) fn begin(log: AuditLog) -> Self {
        Self { log, user: None, outcome: Outcome::Unfinished }
    }

    /// Logs the answer of the attempt.
    pub(crate) fn finish<T>(mut self, answer: &Result<T, Error>) {
        self.outcome = match answer {
            Ok(_) => Outcome::SignedIn,
            Err(Error::NotSignedIn) => Outcome::Refused,
            Err(_) => Outcome::Undecided,
        };
    }
}

impl Drop for SignInAudit {
    fn drop(&mut self) {
        let user = self.user.as_ref();
        match self.outcome {
            Outcome::SignedIn => self.log.signed_in(user),
            Outcome::Refused => self.log.sign_in_failed(user, None),
            Outcome::Unfinished => self.log.sign_in_failed(user, Some("unfinished")),
            Outcome::Undecided => {}
        }
    }
}
