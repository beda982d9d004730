//! The profile of a user.

use serde::{Deserialize, Serialize};

use crate::calendar::Zone;
use crate::id::{FamilyId, UserId};

/// The caller's own profile. The API returns no other field of a user.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Profile {
    /// Identifier of the user.
    pub id: UserId,
    /// Display name.
    pub name: String,
    /// E-mail address.
    pub email: String,
    /// Address of a picture; null if there is none.
    pub image: Option<String>,
    /// Display colour; null if there is none.
    pub color: Option<String>,
    /// Display emoji; null if there is none.
    pub emoji: Option<String>,
    /// The family of the user; null if the user has no family.
    pub family_id: Option<FamilyId>,
    /// ISO 4217 code of the currency for display.
    pub display_currency: String,
    /// IANA name of the user's time zone. It determines when a day begins and ends.
    pub time_zone: Zone,
    /// Whether the keys of this user may call `/api/v1`.
    pub personal_api_enabled: bool,
    /// Name of the configured language model; null if there is none.
    pub llm_model: Option<String>,
    /// Whether a key for the language model is stored. The key itself is never returned.
    pub llm_key_configured: bool,
}

impl Profile {
    /// Creates the profile of a user without a family, with the personal API switched off, and without any other field:
    /// the currency is `XXX` (none), the time zone UTC.
    #[must_use]
    pub fn new(id: UserId, name: impl Into<String>, email: impl Into<String>) -> Self {
        Self {
            id,
            name: name.into(),
            email: email.into(),
            image: None,
            color: None,
            emoji: None,
            family_id: None,
            display_currency: "XXX".to_owned(),
            time_zone: Zone::utc(),
            personal_api_enabled: false,
            llm_model: None,
            llm_key_configured: false,
        }
    }
}
