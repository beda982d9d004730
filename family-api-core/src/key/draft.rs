//! The parameters of a new key.

use serde::Serialize;

use crate::Timestamp;
use crate::change::{BodyReader, Faults, FieldErrors, Json};
use crate::key::KeyMode;

/// The parameters of a new key (HTTP reference, "Creating a key").
///
/// The name and the expiry are checked when the key is created. It serializes as the body of the request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct KeyDraft {
    pub(crate) mode: KeyMode,
    /// The trimmed name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) expires_at: Option<Timestamp>,
}

impl KeyDraft {
    /// Creates a draft of a key without a name and without an expiry.
    #[must_use]
    pub fn new(mode: KeyMode) -> Self {
        Self { mode, name: None, expires_at: None }
    }

    /// Sets the name: 1–100 characters after trimming, without control characters.
    #[must_use]
    pub fn name(self, name: impl AsRef<str>) -> Self {
        Self { name: Some(name.as_ref().trim().to_owned()), ..self }
    }

    /// Sets the expiry: the key is refused from this instant on. It must be in the future and at most 10 years from
    /// now.
    #[must_use]
    pub fn expires_at(self, at: Timestamp) -> Self {
        Self { expires_at: Some(at), ..self }
    }

    /// Parses the body of a request to create a key.
    ///
    /// # Errors
    /// The faults of the body.
    pub fn from_body(body: Json, now: Timestamp) -> Result<Self, Faults> {
        let mut fields = BodyReader::new(body)?;
        let mode = fields.required("mode", mode);
        let name = fields.nullable("name", read_name).set();
        let expires_at = fields.nullable("expiresAt", |value| read_expiry(value, now)).set();
        let faults = fields.finish();
        match mode {
            Some(mode) if faults.is_empty() => Ok(Self { mode, name, expires_at }),
            _ => Err(faults),
        }
    }

    /// Checks the values by the rules of [`from_body`](Self::from_body).
    ///
    /// # Errors
    /// The faults of the values.
    pub fn check(&self, now: Timestamp) -> Result<(), Faults> {
        let mut faults = Faults::default();
        faults.check("name", self.name.as_deref().map(check_name));
        faults.check("expiresAt", self.expires_at.map(|at| check_expiry(at, now)));
        faults.into_result()
    }
}

fn mode(value: &Json) -> Result<KeyMode, FieldErrors> {
    Ok(value.as_str().and_then(KeyMode::named).ok_or("expected one of mcp_read, v1_read, v1_read_write")?)
}

fn read_name(value: &Json) -> Result<String, FieldErrors> {
    let name = value.as_str().ok_or("expected a string or null")?.trim();
    check_name(name)?;
    Ok(name.to_owned())
}

fn check_name(name: &str) -> Result<(), &'static str> {
    if !(1..=100).contains(&name.chars().count()) {
        return Err("must have 1 to 100 characters");
    }
    if name.chars().any(char::is_control) {
        return Err("must not contain control characters");
    }
    Ok(())
}

fn read_expiry(value: &Json, now: Timestamp) -> Result<Timestamp, FieldErrors> {
    let at = value.as_str().and_then(|text| text.parse().ok()).ok_or("expected an RFC 3339 instant or null")?;
    check_expiry(at, now)?;
    Ok(at)
}

fn check_expiry(at: Timestamp, now: Timestamp) -> Result<(), &'static str> {
    if at <= now {
        return Err("must be in the future");
    }
    if at > now.saturating_add_years(10) {
        return Err("must be at most 10 years from now");
    }
    Ok(())
}
