//! What a user asks for when they create a key.

use crate::Timestamp;
use crate::change::{FieldFault, Json, Misfit, Reader};
use crate::key::KeyMode;

/// A key to be created (contract, section 3); one that exists is valid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyDraft {
    pub(crate) mode: KeyMode,
    pub(crate) name: Option<String>,
    pub(crate) expires_at: Option<Timestamp>,
}

impl KeyDraft {
    /// A key without a name that does not expire.
    #[must_use]
    pub fn new(mode: KeyMode) -> Self {
        Self { mode, name: None, expires_at: None }
    }

    /// Names the key: 1–100 characters, which are trimmed, without control characters.
    ///
    /// # Errors
    /// What is wrong with the name.
    pub fn with_name(self, name: &str) -> Result<Self, FieldFault> {
        let name = self::name(name).map_err(|detail| FieldFault::of_member("name", detail))?;
        Ok(Self { name: Some(name), ..self })
    }

    /// From that instant on the key opens nothing: after `now`, and at most 10 years.
    ///
    /// # Errors
    /// What is wrong with the instant.
    pub fn with_expiry(self, at: Timestamp, now: Timestamp) -> Result<Self, FieldFault> {
        let at = expiry(at, now).map_err(|detail| FieldFault::of_member("expiresAt", detail))?;
        Ok(Self { expires_at: Some(at), ..self })
    }

    /// Reads the body of a creation.
    ///
    /// # Errors
    /// Every fault of the body.
    pub fn from_body(body: Json, now: Timestamp) -> Result<Self, Vec<FieldFault>> {
        let mut fields = Reader::new(body)?;
        let mode = fields.required("mode", mode);
        let name = fields.nullable("name", |value| Ok(name(value.as_str().ok_or("expected a string or null")?)?)).set();
        let expires_at = fields.nullable("expiresAt", |value| Ok(expiry(instant(value)?, now)?)).set();
        let faults = fields.finish();
        match mode {
            Some(mode) if faults.is_empty() => Ok(Self { mode, name, expires_at }),
            _ => Err(faults),
        }
    }
}

fn mode(value: &Json) -> Result<KeyMode, Misfit> {
    let named = |name| KeyMode::ALL.into_iter().find(|mode| mode.as_str() == name);
    Ok(value.as_str().and_then(named).ok_or("expected one of mcp_read, v1_read, v1_read_write")?)
}

fn instant(value: &Json) -> Result<Timestamp, &'static str> {
    let instant = value.as_str().and_then(|text| text.parse().ok());
    instant.ok_or("expected an RFC 3339 instant or null")
}

fn name(text: &str) -> Result<String, &'static str> {
    let name = text.trim();
    if !(1..=100).contains(&name.chars().count()) {
        return Err("must have 1 to 100 characters");
    }
    if name.chars().any(char::is_control) {
        return Err("must not hold control characters");
    }
    Ok(name.to_owned())
}

fn expiry(at: Timestamp, now: Timestamp) -> Result<Timestamp, &'static str> {
    if at <= now {
        return Err("must be in the future");
    }
    if at > now.saturating_add_years(10) {
        return Err("must be at most 10 years from now");
    }
    Ok(at)
}
