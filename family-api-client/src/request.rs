//! What a call asks for.

use std::fmt;

use reqwest::Method;
use serde::Serialize;

use crate::Error;

/// One operation with its arguments.
pub(crate) struct Request {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) query: Vec<(&'static str, String)>,
    pub(crate) body: Option<Vec<u8>>,
    /// What the body holds that no text may repeat.
    secrets: Vec<String>,
    repeat: Repeat,
}

/// When an operation may be done again, though the first try may have had its effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Repeat {
    /// Twice is as good as once: a read, or an update, which says what the record shall hold.
    Always,
    /// Only where the first try had no effect for sure: a key would be created twice, and what was deleted is not
    /// found any more.
    WithoutEffect,
}

impl Request {
    pub(crate) fn get(path: impl Into<String>) -> Self {
        Self::new(Method::GET, path, Repeat::Always)
    }

    pub(crate) fn patch(path: impl Into<String>, body: impl Serialize) -> Self {
        Self::new(Method::PATCH, path, Repeat::Always).with_body(body)
    }

    pub(crate) fn post(path: impl Into<String>) -> Self {
        Self::new(Method::POST, path, Repeat::WithoutEffect)
    }

    pub(crate) fn delete(path: impl Into<String>) -> Self {
        Self::new(Method::DELETE, path, Repeat::WithoutEffect)
    }

    fn new(method: Method, path: impl Into<String>, repeat: Repeat) -> Self {
        Self { method, path: path.into(), query: Vec::new(), body: None, secrets: Vec::new(), repeat }
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

    /// Whether another try makes sense and does no harm.
    pub(crate) fn may_repeat_after(&self, error: &Error) -> bool {
        let had_no_effect = error.status() == Some(429) || (error.was_not_sent() && error.is_temporary());
        let may_help = error.status() == Some(503) || error.is_broken_connection();
        had_no_effect || (may_help && self.repeat == Repeat::Always)
    }
}

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.path)
    }
}
