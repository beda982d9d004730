//! The parameters of a new key.

use serde::Serialize;
use serde_json::{Value, json};

use crate::key::KeyMode;
use crate::timestamp::Timestamp;
use crate::validation::body_fields::{BodyFields, BodySchema, Rule};
use crate::validation::rules::ValueRule;
use crate::validation::{BodyReader, Faults, FieldErrors, Json};

/// The parameters of a new key (HTTP reference, "Creating a key").
///
/// The values are checked when the key is created, because the expiry must then be in the future. The JSON of a draft
/// is the body of the request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct KeyDraft {
    /// The mode, which determines the scopes of the key.
    pub mode: KeyMode,
    /// The trimmed name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// When the key expires.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
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

    /// Sets the expiry: the key is refused from this instant on. The expiry must be in the future and at most 10 years
    /// from now.
    #[must_use]
    pub fn expires_at(self, at: Timestamp) -> Self {
        Self { expires_at: Some(at), ..self }
    }

    /// Parses the body of a request to create a key. Another mode than `modes` is an unknown mode.
    ///
    /// # Errors
    /// The faults of the body.
    pub fn from_body(body: Json, modes: &'static [KeyMode], now: Timestamp) -> Result<Self, Faults> {
        BodyReader::new(body)?.read(|fields| Self::declare(fields, modes, now))
    }

    /// Returns the JSON schema of the body, for a host that offers `modes`.
    #[must_use]
    pub fn schema(modes: &'static [KeyMode]) -> Value {
        let example = json!({ "mode": "mcp_read", "name": "Kitchen display" });
        BodySchema::of("The integration key to create.", example, |fields| Self::declare(fields, modes, Timestamp::MIN))
    }

    fn declare(fields: &mut impl BodyFields, modes: &'static [KeyMode], now: Timestamp) -> Option<Self> {
        let mode = fields.required("mode", Mode { modes }, "The mode, which determines the scopes of the key.");
        let name = fields.nullable(
            "name",
            NAME,
            "The name of the key, 1 to 100 characters after trimming, without control characters. It is stored \
             trimmed.",
        );
        let expires_at = fields.nullable(
            "expiresAt",
            Expiry { now },
            "When the key expires: a time in the future, at most 10 years from now. If it is null or missing, the key \
             does not expire.",
        );
        Some(Self { mode: mode?, name: name.set(), expires_at: expires_at.set() })
    }
}

/// The rule for a mode of a host that offers `modes`.
struct Mode {
    modes: &'static [KeyMode],
}

impl Rule for Mode {
    type Value = KeyMode;

    fn read(&self, value: &Json) -> Result<KeyMode, FieldErrors> {
        let mode = value.as_str().and_then(KeyMode::from_name).filter(|mode| self.modes.contains(mode));
        Ok(mode.ok_or(if self.modes.contains(&KeyMode::V1Full) {
            "expected one of mcp_read, v1_read, v1_read_write, v1_full"
        } else {
            "expected one of mcp_read, v1_read, v1_read_write"
        })?)
    }

    fn schema(&self) -> Value {
        let names: Vec<_> = self.modes.iter().map(|mode| mode.as_str()).collect();
        json!({ "type": "string", "enum": names })
    }
}

/// The rule for the name of a key or feed.
pub(crate) const NAME: ValueRule<String> =
    ValueRule { read: read_name, schema: || json!({ "type": "string", "pattern": "\\S" }) };

fn read_name(value: &Json) -> Result<String, FieldErrors> {
    let name = value.as_str().ok_or("expected a string or null")?.trim();
    if !(1..=100).contains(&name.chars().count()) {
        return Err("must have 1 to 100 characters".into());
    }
    if name.chars().any(char::is_control) {
        return Err("must not contain control characters".into());
    }
    Ok(name.to_owned())
}

/// The rule for an expiry of a key or feed that is created at `now`.
pub(crate) struct Expiry {
    pub(crate) now: Timestamp,
}

impl Rule for Expiry {
    type Value = Timestamp;

    fn read(&self, value: &Json) -> Result<Timestamp, FieldErrors> {
        let at = value.as_str().and_then(|text| text.parse().ok()).ok_or("expected an RFC 3339 instant or null")?;
        if at <= self.now {
            return Err("must be in the future".into());
        }
        if at > self.now.saturating_add_years(10) {
            return Err("must be at most 10 years from now".into());
        }
        Ok(at)
    }

    fn schema(&self) -> Value {
        json!({ "type": "string", "format": "date-time" })
    }
}
