//! What can go wrong with a call: asked, not matched.

use std::error::Error as StdError;

use family_api_core::Problem;
use family_api_core::change::FieldFault;

/// Why a call failed.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct Error(Box<Kind>);

#[derive(Debug, thiserror::Error)]
enum Kind {
    #[error("the client is not configured: {0}")]
    Configuration(&'static str),
    #[error("the service was not reached")]
    Transport(#[source] reqwest::Error),
    #[error("the answer is not what this version reads")]
    Unreadable(#[source] serde_json::Error),
    #[error("the service answered {status}{}", code(.problem.as_ref()))]
    Refused { status: u16, problem: Option<Problem>, request_id: Option<String> },
}

fn code(problem: Option<&Problem>) -> String {
    problem.map(|problem| format!(" {}: {}", problem.code, problem.detail)).unwrap_or_default()
}

impl Error {
    pub(crate) fn configuration(fault: &'static str) -> Self {
        Self(Box::new(Kind::Configuration(fault)))
    }

    pub(crate) fn transport(source: reqwest::Error) -> Self {
        Self(Box::new(Kind::Transport(source.without_url())))
    }

    pub(crate) fn unreadable(source: serde_json::Error) -> Self {
        Self(Box::new(Kind::Unreadable(source)))
    }

    pub(crate) fn refused(status: u16, problem: Option<Problem>, request_id: Option<String>) -> Self {
        Self(Box::new(Kind::Refused { status, problem, request_id }))
    }

    fn problem(&self) -> Option<&Problem> {
        match &*self.0 {
            Kind::Refused { problem, .. } => problem.as_ref(),
            _ => None,
        }
    }

    /// The HTTP status, if the service answered with a failure.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        match *self.0 {
            Kind::Refused { status, .. } => Some(status),
            _ => None,
        }
    }

    /// The stable code of the failure, one that this version does not know included; `None` where a proxy answered.
    #[must_use]
    pub fn code(&self) -> Option<&str> {
        self.problem().map(|problem| problem.code.as_str())
    }

    /// What to tell the people who run the service.
    #[must_use]
    pub fn request_id(&self) -> Option<&str> {
        match &*self.0 {
            Kind::Refused { request_id, .. } => request_id.as_deref(),
            _ => None,
        }
    }

    /// Every fault of the request's body.
    #[must_use]
    pub fn field_faults(&self) -> &[FieldFault] {
        self.problem().map_or(&[], |problem| &problem.errors)
    }

    /// Whether there is no such thing for the token's user.
    #[must_use]
    pub fn is_not_found(&self) -> bool {
        self.status() == Some(404)
    }

    /// Whether the token does not open this: [`code`](Self::code) says why.
    #[must_use]
    pub fn is_unauthorized(&self) -> bool {
        self.status() == Some(401)
    }

    /// Whether the same call may succeed later.
    #[must_use]
    pub fn is_temporary(&self) -> bool {
        matches!(self.status(), Some(429 | 502 | 503 | 504)) || matches!(*self.0, Kind::Transport(_))
    }

    /// Whether the call took too long.
    #[must_use]
    pub fn is_timeout(&self) -> bool {
        let source = self.source().and_then(|source| source.downcast_ref::<reqwest::Error>());
        source.is_some_and(reqwest::Error::is_timeout)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_that_is_no_problem_keeps_its_status() {
        let error = Error::refused(502, None, Some("r".to_owned()));
        assert_eq!((error.status(), error.code(), error.request_id()), (Some(502), None, Some("r")));
        assert!(error.is_temporary() && !error.is_not_found() && error.field_faults().is_empty());
        assert_eq!(error.to_string(), "the service answered 502");
    }
}
