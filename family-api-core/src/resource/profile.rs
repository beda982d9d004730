//! What a user may read of themselves.

use serde::{Deserialize, Serialize};

use crate::calendar::Zone;
use crate::id::{FamilyId, UserId};

/// The caller's own profile; nothing else of the user ever leaves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the fields are the contract's, section 5")]
pub struct Profile {
    pub id: UserId,
    pub name: String,
    pub email: String,
    pub image: Option<String>,
    pub color: Option<String>,
    pub emoji: Option<String>,
    pub family_id: Option<FamilyId>,
    /// An ISO 4217 code.
    pub display_currency: String,
    /// An IANA time zone.
    pub time_zone: Zone,
    /// Whether keys of this user open `/api/v1`.
    pub personal_api_enabled: bool,
    pub llm_model: Option<String>,
    /// Whether a language-model key is kept; the key itself is not ours to show.
    pub llm_key_configured: bool,
}
