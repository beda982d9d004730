//! What a user asks for when they create a key.

use crate::Timestamp;
use crate::change::{Body, FieldFault, Json, Misfit, Reader};
use crate::key::KeyMode;

/// A key to be created (contract, section 3).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyDraft {
    /// What it is for.
    pub mode: KeyMode,
    /// What its owner calls it: 1–100 characters, trimmed, without control characters.
    pub name: Option<String>,
    /// From when on it shall open nothing.
    pub expires_at: Option<Timestamp>,
}

impl KeyDraft {
    /// Reads the body of a creation.
    ///
    /// # Errors
    /// Every fault of the body.
    pub fn from_body(body: Body, now: Timestamp) -> Result<Self, Vec<FieldFault>> {
        let mut fields = Reader::new(body)?;
        let mode = fields.required("mode", mode);
        let name = fields.nullable("name", name).set();
        let expires_at = fields.nullable("expiresAt", |value| expiry(value, now)).set();
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

fn name(value: &Json) -> Result<String, Misfit> {
    let name = value.as_str().ok_or("expected a string or null")?.trim();
    if !(1..=100).contains(&name.chars().count()) {
        return Err("must have 1 to 100 characters".into());
    }
    if name.chars().any(char::is_control) {
        return Err("must not hold control characters".into());
    }
    Ok(name.to_owned())
}

fn expiry(value: &Json, now: Timestamp) -> Result<Timestamp, Misfit> {
    let instant = value.as_str().and_then(|text| text.parse::<Timestamp>().ok());
    let at = instant.ok_or("expected an RFC 3339 instant or null")?;
    if at <= now {
        return Err("must be in the future".into());
    }
    if at > now.saturating_add_years(10) {
        return Err("must be at most 10 years from now".into());
    }
    Ok(at)
}
