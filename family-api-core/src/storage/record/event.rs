//! Calendar events.

use serde::Deserialize;

use super::field::nullable;
use crate::Timestamp;
use crate::id::{EventId, FamilyId, UserId};

/// A calendar event.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(missing_docs, reason = "the fields are the contract's, section 9")]
pub struct EventRecord {
    pub id: EventId,
    pub family_id: FamilyId,
    pub title: String,
    #[serde(deserialize_with = "nullable")]
    pub description: Option<String>,
    #[serde(deserialize_with = "nullable")]
    pub emoji: Option<String>,
    #[serde(deserialize_with = "nullable")]
    pub color: Option<String>,
    pub start_date: Timestamp,
    pub end_date: Timestamp,
    pub all_day: bool,
    #[serde(deserialize_with = "nullable")]
    pub location: Option<String>,
    #[serde(deserialize_with = "nullable")]
    pub recurrence: Option<String>,
    #[serde(deserialize_with = "nullable")]
    pub assignee_id: Option<UserId>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}
