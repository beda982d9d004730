//! What a user asks for when they create a key.

use serde::Serialize;

use crate::Timestamp;
use crate::change::{BodyReader, Faults, FieldErrors, Json};
use crate::key::KeyMode;

/// A key to be created (HTTP reference, "Creating a key").
///
/// Whether its name and expiry fit is judged where it is created; it serializes as the body that asks for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct KeyDraft {
    pub(crate) mode: KeyMode,
    /// Trimmed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) expires_at: Option<Timestamp>,
}

impl KeyDraft {
    /// A key without a name that does not expire.
    #[must_use]
    pub fn new(mode: KeyMode) -> Self {
        Self { mode, name: None, expires_at: None }
    }

    /// Names the key: 1–100 characters, which are trimmed, without control characters.
    #[must_use]
    pub fn name(self, name: impl AsRef<str>) -> Self {
        Self { name: Some(name.as_ref().trim().to_owned()), ..self }
    }

    /// From that instant on the key opens nothing: in the future, and at most 10 years.
    #[must_use]
    pub fn expires_at(self, at: Timestamp) -> Self {
        Self { expires_at: Some(at), ..self }
    }

    /// Reads the body of a creation.
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

    /// Judges the values, as [`from_body`](Self::from_body) does.
    ///
    /// # Errors
    /// The faults.
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
        return Err("must not hold control characters");
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
