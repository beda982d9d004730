//! What can go wrong with a call: asked, not matched.

use std::time::Duration;

use family_api_core::change::FieldFault;
use family_api_core::{ErrorCode, Problem};

/// Why a call failed; it holds no secret and no URL.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct Error(Box<Kind>);

#[derive(Debug, thiserror::Error)]
enum Kind {
    #[error("the client is not configured: {0}")]
    Configuration(&'static str),
    #[error("{}", if .0.is_timeout() { "the service did not answer in time" } else { "the service was not reached" })]
    Transport(#[source] reqwest::Error),
    #[error("the answer is not what this version reads: {fault}")]
    Unreadable { status: u16, request_id: Option<String>, fault: String },
    #[error("the service answered {}: {}", .0.status, .0.said())]
    Refused(Refusal),
}

/// A failure that somebody answered with: the service, or what stands before it.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) status: u16,
    pub(crate) request_id: Option<String>,
    pub(crate) retry_after: Option<Duration>,
    pub(crate) said: Said,
}

/// What a failure's body says.
#[derive(Debug)]
pub(crate) enum Said {
    /// What the service says.
    Problem(Problem),
    /// What anybody else says: the first part of the text.
    Text(String),
}

impl Refusal {
    fn said(&self) -> String {
        match &self.said {
            Said::Problem(problem) => one_line(&format!("{} ({})", problem.detail, problem.code)),
            Said::Text(text) if text.trim().is_empty() => "nothing else".to_owned(),
            Said::Text(text) => one_line(text),
        }
    }
}

/// A text of somebody else's, as it may stand in a log or on a terminal.
fn one_line(text: &str) -> String {
    let words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty()).collect();
    words.join(" ")
}

impl Error {
    pub(crate) fn configuration(fault: &'static str) -> Self {
        Self(Box::new(Kind::Configuration(fault)))
    }

    pub(crate) fn transport(source: reqwest::Error) -> Self {
        Self(Box::new(Kind::Transport(source.without_url())))
    }

    pub(crate) fn unreadable(status: u16, request_id: Option<String>, fault: String) -> Self {
        Self(Box::new(Kind::Unreadable { status, request_id, fault }))
    }

    pub(crate) fn refused(refusal: Refusal) -> Self {
        Self(Box::new(Kind::Refused(refusal)))
    }

    fn refusal(&self) -> Option<&Refusal> {
        match &*self.0 {
            Kind::Refused(refusal) => Some(refusal),
            _ => None,
        }
    }

    fn problem(&self) -> Option<&Problem> {
        match &self.refusal()?.said {
            Said::Problem(problem) => Some(problem),
            Said::Text(_) => None,
        }
    }

    fn is_code(&self, code: ErrorCode) -> bool {
        self.code() == Some(code.as_str())
    }

    /// The HTTP status, if there was an answer.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        match &*self.0 {
            Kind::Refused(refusal) => Some(refusal.status),
            Kind::Unreadable { status, .. } => Some(*status),
            Kind::Configuration(_) | Kind::Transport(_) => None,
        }
    }

    /// The stable code of the failure (contract, section 2), one that this version does not know included; `None` where
    /// somebody else answered, such as a proxy.
    #[must_use]
    pub fn code(&self) -> Option<&str> {
        self.problem().map(|problem| problem.code.as_str())
    }

    /// What the service says of the failure, for people.
    #[must_use]
    pub fn detail(&self) -> Option<&str> {
        self.problem().map(|problem| problem.detail.as_str())
    }

    /// The first part of what somebody else answered, such as a proxy: at most 1,024 characters.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match &self.refusal()?.said {
            Said::Text(text) => Some(text),
            Said::Problem(_) => None,
        }
    }

    /// What to tell the people who run the service.
    #[must_use]
    pub fn request_id(&self) -> Option<&str> {
        match &*self.0 {
            Kind::Refused(Refusal { request_id, .. }) | Kind::Unreadable { request_id, .. } => request_id.as_deref(),
            Kind::Configuration(_) | Kind::Transport(_) => None,
        }
    }

    /// Every fault of the values that the call sent.
    #[must_use]
    pub fn field_errors(&self) -> &[FieldFault] {
        self.problem().map_or(&[], |problem| &problem.errors)
    }

    /// When the service wants to be asked again (`Retry-After`).
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.refusal()?.retry_after
    }

    /// Whether there is no such thing for the caller.
    #[must_use]
    pub fn is_not_found(&self) -> bool {
        self.status() == Some(404)
    }

    /// Whether the token or the session does not open this: [`code`](Self::code) says why.
    #[must_use]
    pub fn is_unauthorized(&self) -> bool {
        self.status() == Some(401)
    }

    /// Whether the user's personal API is switched off: for a token (401), or for the creation of a key (403).
    #[must_use]
    pub fn is_api_disabled(&self) -> bool {
        self.is_code(ErrorCode::ApiDisabled)
    }

    /// Whether the client is not configured as it must be: nothing was sent.
    #[must_use]
    pub fn is_configuration(&self) -> bool {
        matches!(&*self.0, Kind::Configuration(_))
    }

    /// Whether the call took too long.
    #[must_use]
    pub fn is_timeout(&self) -> bool {
        matches!(&*self.0, Kind::Transport(source) if source.is_timeout())
    }

    /// Whether the same call may succeed later.
    #[must_use]
    pub fn is_temporary(&self) -> bool {
        matches!(self.status(), Some(429 | 502 | 503 | 504))
            || matches!(&*self.0, Kind::Transport(source) if !source.is_builder())
    }

    /// Whether the service has not seen the call at all.
    pub(crate) fn was_not_sent(&self) -> bool {
        #[cfg(target_arch = "wasm32")]
        return false;
        #[cfg(not(target_arch = "wasm32"))]
        matches!(&*self.0, Kind::Transport(source) if source.is_connect())
    }

    /// Whether the connection broke; a call that took too long had its time.
    pub(crate) fn is_broken_connection(&self) -> bool {
        matches!(&*self.0, Kind::Transport(source) if !source.is_timeout())
    }
}
