//! The change of a profile.

use serde::Serialize;
use serde_json::{Value, json};

use crate::calendar::Zone;
use crate::validation::body_fields::{BodyFields, BodySchema};
use crate::validation::rules::{BOOLEAN, time_zone};
use crate::validation::{BodyReader, Faults, Json};

/// A change of the caller's own profile.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProfileChange {
    #[serde(skip_serializing_if = "Option::is_none")]
    personal_api_enabled: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_zone: Option<Zone>,
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
        Self { personal_api_enabled: Some(true), ..self }
    }

    /// Stops the user's keys from calling `/api/v1`. The keys are not deleted.
    #[must_use]
    pub fn disable_personal_api(self) -> Self {
        Self { personal_api_enabled: Some(false), ..self }
    }

    /// Sets the user's time zone.
    #[must_use]
    pub fn set_time_zone(self, zone: Zone) -> Self {
        Self { time_zone: Some(zone), ..self }
    }

    /// Parses the body of `PATCH /api/users/me`.
    ///
    /// # Errors
    /// The faults of the body.
    pub fn from_body(body: Json) -> Result<Self, Faults> {
        BodyReader::new(body)?.read(|fields| Some(Self::declare(fields)))
    }

    /// Returns the JSON schema of the body.
    #[must_use]
    pub fn schema() -> Value {
        BodySchema::of(
            "Changes the fields that are present. Other fields keep their values.",
            json!({ "personalApiEnabled": true, "timeZone": "Europe/Madrid" }),
            Self::declare::<BodySchema>,
        )
    }

    fn declare<F: BodyFields>(fields: &mut F) -> Self {
        let enabled = "Whether this user's keys can be used for `/api/v1`.";
        let zone = "The user's IANA time zone. Dates in requests are days in it. Existing records keep their times.";
        Self {
            personal_api_enabled: fields.optional("personalApiEnabled", BOOLEAN, enabled),
            time_zone: fields.optional("timeZone", time_zone(), zone),
        }
    }

    /// Returns whether the keys of this user may call `/api/v1`. `None` keeps the current value.
    #[must_use]
    pub fn personal_api_enabled(&self) -> Option<bool> {
        self.personal_api_enabled
    }

    /// Returns the new time zone. `None` keeps the current value.
    #[must_use]
    pub fn time_zone(&self) -> Option<&Zone> {
        self.time_zone.as_ref()
    }

    /// Returns whether the change has no field.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.personal_api_enabled.is_none() && self.time_zone.is_none()
    }
}
