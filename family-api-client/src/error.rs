//! What can go wrong with a call: asked, not matched.

use std::error::Error as StdError;
use std::fmt;
use std::time::Duration;

use family_api_core::change::FieldFault;
use family_api_core::{ErrorCode, Problem};

use crate::refusal::{Refusal, Said};

/// Why a call failed; it holds no secret and no URL.
#[derive(Debug)]
pub struct Error {
    kind: Box<Kind>,
    is_in_doubt: bool,
}

#[derive(Debug, thiserror::Error)]
enum Kind {
    #[error("the client is not configured: {0}")]
    Configuration(&'static str),
    #[error("{}", lost(.0))]
    Transport(#[source] reqwest::Error),
    #[error("the answer is not what this version reads: {fault}")]
    Unreadable { status: u16, request_id: Option<String>, fault: String },
    #[error("the service answered {}: {}", .0.status, .0.said())]
    Refused(Refusal),
}

/// What became of a request that has no answer.
fn lost(source: &reqwest::Error) -> &'static str {
    if source.is_timeout() {
        "the service did not answer in time"
    } else if was_not_sent(source) {
        "the service was not reached"
    } else {
        "the connection broke before the answer was whole"
    }
}

/// Whether it fails the same way each time: redirects without an end, or a request that cannot be made.
fn is_permanent(source: &reqwest::Error) -> bool {
    #[cfg(target_arch = "wasm32")]
    return source.is_builder();
    #[cfg(not(target_arch = "wasm32"))]
    return source.is_builder() || source.is_redirect();
}

fn was_not_sent(source: &reqwest::Error) -> bool {
    #[cfg(target_arch = "wasm32")]
    return source.is_builder();
    #[cfg(not(target_arch = "wasm32"))]
    return source.is_builder() || source.is_connect();
}

impl Error {
    pub(crate) fn configuration(fault: &'static str) -> Self {
        Self::new(Kind::Configuration(fault))
    }

    pub(crate) fn transport(source: reqwest::Error) -> Self {
        Self::new(Kind::Transport(source.without_url()))
    }

    pub(crate) fn unreadable(status: u16, request_id: Option<String>, fault: String) -> Self {
        Self::new(Kind::Unreadable { status, request_id, fault })
    }

    pub(crate) fn refused(refusal: Refusal) -> Self {
        Self::new(Kind::Refused(refusal))
    }

    fn new(kind: Kind) -> Self {
        Self { kind: Box::new(kind), is_in_doubt: false }
    }

    /// Adds that the call may have taken effect, if so.
    pub(crate) fn with_doubt(self, is_in_doubt: bool) -> Self {
        Self { is_in_doubt: self.is_in_doubt || is_in_doubt, ..self }
    }

    fn refusal(&self) -> Option<&Refusal> {
        match &*self.kind {
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
        match &*self.kind {
            Kind::Refused(refusal) => Some(refusal.status),
            Kind::Unreadable { status, .. } => Some(*status),
            Kind::Configuration(_) | Kind::Transport(_) => None,
        }
    }

    /// Returns the stable code of the failure (HTTP reference, "Codes"), also one that this version does not know.
    ///
    /// `None` if something else answered, such as a proxy. [`ErrorCode`]s have these names.
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
        match &*self.kind {
            Kind::Refused(Refusal { request_id, .. }) | Kind::Unreadable { request_id, .. } => request_id.as_deref(),
            Kind::Configuration(_) | Kind::Transport(_) => None,
        }
    }

    /// The faults of the values that the call sent: the first ones, if there are very many.
    #[must_use]
    pub fn field_errors(&self) -> &[FieldFault] {
        self.problem().map_or(&[], |problem| &problem.errors)
    }

    /// How many faults the values have, also those that [`field_errors`](Self::field_errors) leaves out.
    #[must_use]
    pub fn field_error_count(&self) -> usize {
        self.problem().map_or(0, |problem| problem.error_count.unwrap_or(problem.errors.len()))
    }

    /// When the service wants to be asked again (`Retry-After`).
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.refusal()?.retry_after
    }

    /// Whether there is no such thing for the caller, or, where there is no [`code`](Self::code), no such path where
    /// somebody else answers.
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

    /// Whether the record is at another version than [`if_match`](crate::Call::if_match) names, so that nothing was done.
    ///
    /// Read the record again and decide anew. `false` if the call [is in doubt](Self::is_in_doubt), although the service
    /// answered 412: the other version may be the one that an earlier attempt of this call made.
    #[must_use]
    pub fn is_precondition_failed(&self) -> bool {
        self.status() == Some(412) && !self.is_in_doubt
    }

    /// Whether a write may have taken effect although the call failed; never true of a read.
    ///
    /// That is so if the request was sent and no answer came, if the answer is a 5xx or cannot be read, and if an earlier
    /// attempt of the same call failed like that, whatever the service answered to the last one. Read the record before
    /// the call is made again.
    #[must_use]
    pub fn is_in_doubt(&self) -> bool {
        self.is_in_doubt
    }

    /// Whether the client is not configured as it must be: nothing was sent.
    #[must_use]
    pub fn is_configuration(&self) -> bool {
        matches!(&*self.kind, Kind::Configuration(_))
    }

    /// Whether the call took too long.
    #[must_use]
    pub fn is_timeout(&self) -> bool {
        matches!(&*self.kind, Kind::Transport(source) if source.is_timeout())
    }

    /// Whether the same call may succeed later; before a call [in doubt](Self::is_in_doubt) is made again, read the record.
    #[must_use]
    pub fn is_temporary(&self) -> bool {
        matches!(self.status(), Some(429 | 502 | 503 | 504))
            || matches!(&*self.kind, Kind::Transport(source) if !is_permanent(source))
    }

    /// Whether the service has not seen the call at all, so that it had no effect: the client is not configured, or there
    /// was no connection.
    #[must_use]
    pub fn was_not_sent(&self) -> bool {
        let was_not_sent = match &*self.kind {
            Kind::Configuration(_) => true,
            Kind::Transport(source) => was_not_sent(source),
            Kind::Unreadable { .. } | Kind::Refused(_) => false,
        };
        was_not_sent && !self.is_in_doubt
    }

    /// Whether the connection broke; a call that took too long had its time.
    pub(crate) fn is_broken_connection(&self) -> bool {
        matches!(&*self.kind, Kind::Transport(source) if !source.is_timeout() && !is_permanent(source))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)?;
        if self.is_in_doubt { f.write_str("; the call may have taken effect") } else { Ok(()) }
    }
}

/// The source is that of the failure: the failure itself is what `Display` shows.
impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.kind.source()
    }
}
