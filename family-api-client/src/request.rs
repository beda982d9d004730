//! What a call asks for.

use std::fmt;

use reqwest::Method;
use serde::Serialize;

use crate::{EntityTag, Error};

/// One operation with its arguments.
pub(crate) struct Request {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) query: Vec<(&'static str, String)>,
    pub(crate) body: Option<Vec<u8>>,
    /// What the body holds that no text may repeat.
    secrets: Vec<String>,
    /// The version of the record on condition of which the operation is done.
    pub(crate) if_match: Option<EntityTag>,
}

impl Request {
    pub(crate) fn get(path: impl Into<String>) -> Self {
        Self::new(Method::GET, path)
    }

    pub(crate) fn patch(path: impl Into<String>, body: impl Serialize) -> Self {
        Self::new(Method::PATCH, path).with_body(body)
    }

    pub(crate) fn post(path: impl Into<String>) -> Self {
        Self::new(Method::POST, path)
    }

    pub(crate) fn delete(path: impl Into<String>) -> Self {
        Self::new(Method::DELETE, path)
    }

    fn new(method: Method, path: impl Into<String>) -> Self {
        Self { method, path: path.into(), query: Vec::new(), body: None, secrets: Vec::new(), if_match: None }
    }

    /// Sends a JSON body.
    pub(crate) fn with_body(self, body: impl Serialize) -> Self {
        // Bodies are plain data, which always has a JSON text.
        Self { body: Some(serde_json::to_vec(&body).unwrap_or_default()), ..self }
    }

    /// Keeps a secret of the body out of every error.
    pub(crate) fn with_secret(mut self, secret: &str) -> Self {
        let quoted = serde_json::to_string(secret).unwrap_or_default();
        let in_json = quoted.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or_default();
        self.secrets = vec![in_json.to_owned(), secret.to_owned()];
        self
    }

    pub(crate) fn secrets(&self) -> impl Iterator<Item = &str> {
        self.secrets.iter().map(String::as_str)
    }

    /// Sets a parameter of the query; given again, the last value counts.
    pub(crate) fn with_query(mut self, name: &'static str, value: Option<String>) -> Self {
        self.query.retain(|(other, _)| *other != name);
        self.query.extend(value.map(|value| (name, value)));
        self
    }

    pub(crate) fn is_read(&self) -> bool {
        self.method == Method::GET
    }

    /// Does the operation only if the record is at this version.
    pub(crate) fn with_if_match(self, etag: &EntityTag) -> Self {
        Self { if_match: Some(etag.clone()), ..self }
    }

    /// Whether another attempt makes sense and does no harm.
    pub(crate) fn may_repeat_after(&self, error: &Error) -> bool {
        let had_no_effect = error.status() == Some(429) || (error.was_not_sent() && error.is_temporary());
        let may_help = error.status() == Some(503) || error.is_broken_connection();
        had_no_effect || (may_help && self.is_repeatable())
    }

    /// Whether doing it twice has the effect of doing it once.
    ///
    /// A read has none. A write on condition of a version is refused if the first attempt took effect, since the record is
    /// at another version then. Any other write could undo what another client did between the attempts.
    fn is_repeatable(&self) -> bool {
        self.is_read() || self.if_match.is_some()
    }

    /// Whether the operation may have taken effect although an attempt failed like this.
    ///
    /// A 503 proves nothing: the service answers so when it sheds load, and also when its time limit or a lost database
    /// interrupts a commit.
    pub(crate) fn is_in_doubt_after(&self, error: &Error) -> bool {
        let was_refused = error.was_not_sent() || error.status().is_some_and(|status| (300..500).contains(&status));
        !self.is_read() && !was_refused
    }
}

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.path)
    }
}
