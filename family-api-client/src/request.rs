//! HTTP requests before the base URL and the credential are added.

use std::fmt;

use family_api_types::ErrorCode;
use family_api_types::idempotency::IdempotencyKey;
use reqwest::Method;
use serde::Serialize;

use crate::{EntityTag, Error};

/// One HTTP request, without the base URL and the credential.
pub(crate) struct Request {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) query: Vec<(&'static str, String)>,
    pub(crate) body: Option<Vec<u8>>,
    /// Secrets in the body, which errors must not contain.
    secrets: Vec<String>,
    /// The version that the record must have.
    pub(crate) if_match: Option<EntityTag>,
    /// The version that the caller has. The response to a read of this version is a 304 without a body.
    pub(crate) if_none_match: Option<EntityTag>,
    /// The key by which the service recognizes a repeated creation.
    pub(crate) idempotency_key: Option<IdempotencyKey>,
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
        Self {
            method,
            path: path.into(),
            query: Vec::new(),
            body: None,
            secrets: Vec::new(),
            if_match: None,
            if_none_match: None,
            idempotency_key: None,
        }
    }

    /// Sets the JSON body.
    pub(crate) fn with_body(self, body: impl Serialize) -> Self {
        // Serialization cannot fail: bodies are plain data.
        Self { body: Some(serde_json::to_vec(&body).unwrap_or_default()), ..self }
    }

    /// Marks a part of the body as secret, so that errors contain neither the secret nor its JSON-escaped form.
    pub(crate) fn with_secret(mut self, secret: &str) -> Self {
        let quoted = serde_json::to_string(secret).unwrap_or_default();
        let in_json = quoted.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or_default();
        self.secrets = vec![in_json.to_owned(), secret.to_owned()];
        self
    }

    pub(crate) fn secrets(&self) -> impl Iterator<Item = &str> {
        self.secrets.iter().map(String::as_str)
    }

    /// Sets or replaces a query parameter. `None` removes the parameter.
    pub(crate) fn with_query(mut self, name: &'static str, value: Option<String>) -> Self {
        self.query.retain(|(other, _)| *other != name);
        self.query.extend(value.map(|value| (name, value)));
        self
    }

    pub(crate) fn is_read(&self) -> bool {
        self.method == Method::GET
    }

    /// Makes the operation conditional on this version of the record.
    pub(crate) fn with_if_match(self, etag: &EntityTag) -> Self {
        Self { if_match: Some(etag.clone()), ..self }
    }

    /// Makes the read return a body only if the data is at another version.
    pub(crate) fn with_if_none_match(self, etag: &EntityTag) -> Self {
        Self { if_none_match: Some(etag.clone()), ..self }
    }

    /// Makes the creation repeatable. `None` makes it unrepeatable.
    pub(crate) fn with_idempotency_key(self, key: Option<IdempotencyKey>) -> Self {
        Self { idempotency_key: key, ..self }
    }

    /// Returns whether the client retries the request after an attempt that failed with this error.
    pub(crate) fn is_retried_on(&self, error: &Error) -> bool {
        let had_no_effect = error.status() == Some(429) || (error.was_not_sent() && error.is_temporary());
        let is_transient = error.status() == Some(503) || error.is_broken_connection();
        had_no_effect || is_running(error) || (is_transient && self.is_idempotent())
    }

    /// Returns whether sending the request twice has the same effect as sending it once.
    ///
    /// A read has no effect. A conditional write fails if the first attempt took effect, because the record then has
    /// another version. A creation with a key returns the record that the first attempt created. Any other write could
    /// overwrite a change that another client made between the attempts.
    fn is_idempotent(&self) -> bool {
        self.is_read() || self.if_match.is_some() || self.idempotency_key.is_some()
    }

    /// Returns whether the operation may have taken effect although an attempt failed with this error.
    ///
    /// After a 503, the effect is unknown. When the service returns 503 because it sheds load, nothing was changed. But
    /// the service also returns 503 when its time limit or a lost database connection interrupts a commit.
    pub(crate) fn is_in_doubt_after(&self, error: &Error) -> bool {
        let was_refused = error.was_not_sent() || error.status().is_some_and(|status| (300..500).contains(&status));
        !self.is_read() && (!was_refused || is_running(error))
    }
}

/// Returns whether another request with the same idempotency key is still running. It may create the record.
fn is_running(error: &Error) -> bool {
    error.is_code(ErrorCode::IdempotencyRunning)
}

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.path)
    }
}
