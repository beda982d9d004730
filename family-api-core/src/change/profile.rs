//! The change of a profile.

use serde::Serialize;

use crate::change::text::boolean;
use crate::change::{BodyReader, Faults, Json};

/// A change of the caller's own profile.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ProfileChange {
    /// Whether the keys of this user may call `/api/v1`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub personal_api_enabled: Option<bool>,
}

impl ProfileChange {
    /// Creates a change without any field.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Allows the user's keys to call `/api/v1`.
    #[must_use]
    pub fn enable_personal_api(self) -> Self {
        Self { personal_api_enabled: Some(true) }
    }

    /// Stops the user's keys from calling `/api/v1`. The keys are not deleted.
    #[must_use]
    pub fn disable_personal_api(self) -> Self {
        Self { personal_api_enabled: Some(false) }
    }

    /// Parses the body of `PATCH /api/users/me`.
    ///
    /// # Errors
    /// The faults of the body.
    pub fn from_body(body: Json) -> Result<Self, Faults> {
        let mut fields = BodyReader::new(body)?;
        let change = Self { personal_api_enabled: fields.optional("personalApiEnabled", boolean) };
        let faults = fields.finish();
        if faults.is_empty() { Ok(change) } else { Err(faults) }
    }

    /// Returns whether the change has no field.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.personal_api_enabled.is_none()
    }
}
